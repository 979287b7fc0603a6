import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { OWN_PART } from "../../src/boulder/own-part.ts"
import { compact, compactionRequests, compactions, stateOnDisk } from "../support/compactions.ts"
import type { ModelRequest } from "../support/host-model-request.ts"
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { type HostOptions, type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles, tick, ticked } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"
import { reasonsOf, recordedTasks, untilWork, workOn } from "../support/work-on-disk.ts"

setDefaultTimeout(400_000)

const PLAN = ".boulder/plans/demo.md"
const TWO = planOf("Write a.txt", "Write b.txt")
/** More than the host leaves in a context of this size: it compacts at the next step. */
const CONTEXT = 50_000
const FULL = { input: 49_000, output: 10 }
const answer = compactionAnswer(aTaskState(), "We are in the middle of it.")
const HOSTS_OWN = "Continue if you have next steps"

let host: OpencodeHost
afterEach(() => host.stop())

/** A host whose model plays these roles; compactions are answered well. */
async function start(
  given: Parameters<typeof roles>[0],
  options: HostOptions = {},
): Promise<string> {
  const model = compactions(roles(given))
  model.answers(...Array<string>(9).fill(answer))
  const long_run = { enabled: false }
  host = await startHost({
    files: { [PLAN]: TWO },
    contextLimit: CONTEXT,
    outputLimit: 4_000,
    pluginOptions: { long_run, continuation: { cooldown_seconds: 0 } },
    ...options,
    script: model.script,
  })
  return host.createSession()
}

/** Our continuations that a session has got, as the host has stored them. */
async function continuations(session: string): Promise<number> {
  const messages = await host.messages(session)
  return messages.filter(({ parts }) =>
    parts.some(
      (part) => Reflect.get(Object(Reflect.get(part, "metadata")), OWN_PART) !== undefined,
    ),
  ).length
}
const isStart = ({ lastUserText }: ModelRequest) => lastUserText.includes("Start the plan")
const isOurs = ({ lastUserText }: ModelRequest) => lastUserText.includes("Continue the plan")
const read = { name: "read", args: { filePath: "opencode.json" } }
/** Reads a file with a full context behind it, in the turn of a start. */
const overflow: Reply = { toolCalls: [read], usage: FULL }
const settleAll = () => host.writeFile(PLAN, ticked(ticked(TWO, "1"), "2"))

test.each(TESTED_VERSIONS)(
  "opencode %s: one continuation behind an overflow, and it is ours",
  async (version) => {
    const session = await start(
      {
        lead: (request) => {
          if (isStart(request)) return request.stepOfTurn === 0 ? overflow : { text: "over" }
          settleAll()
          return { text: "both are done" }
        },
      },
      { version, files: { [PLAN]: TWO }, contextLimit: CONTEXT },
    )
    await host.command(session, "start-work", "demo")
    await untilWork(host, "demo", "completed")
    await host.waitIdle(session)
    expect(await continuations(session)).toBe(1)
    const read = host.model.mainRequests(session)
    expect(read.filter((request) => request.allText().includes(HOSTS_OWN))).toEqual([])
    expect(read.filter(isOurs)).toHaveLength(1)
    expect(read.at(-1)?.lastUserText).toContain("The conversation was compacted. You were about to")
    expect(read.at(-1)?.allText()).toContain("We are in the middle of it.")
    expect(stateOnDisk(host, session)?.context_tokens).toBe(49_010)
  },
)

test("a paused work is not ours to continue: the host does, as without us", async () => {
  const session = await start({
    lead: ({ lastUserText, stepOfTurn }) =>
      lastUserText.includes("look") && stepOfTurn === 0 ? overflow : { text: "over" },
  })
  await host.command(session, "start-work", "demo")
  await host.command(session, "stop-work", "demo")
  await host.waitIdle(session)
  const before = await continuations(session)
  await host.prompt(session, "look at it")
  await host.waitIdle(session)
  const requests = host.model.mainRequests(session)
  expect(requests.at(-1)?.lastUserText).toStartWith(HOSTS_OWN)
  expect(await continuations(session)).toBe(before)
  expect(stateOnDisk(host, session)?.task_state).toEqual(aTaskState())
})

test("overflow in the middle of a delegation: its result is kept, nothing is started again", async () => {
  const session = await start({
    lead: (request) => {
      if (isStart(request))
        return request.stepOfTurn === 0
          ? { toolCalls: [delegate("todo:1 Write a.txt")], usage: FULL }
          : { text: "over" }
      if (request.stepOfTurn === 0)
        return { toolCalls: [{ name: "read", args: { filePath: `${host.project}/${PLAN}` } }] }
      if (request.stepOfTurn === 1) return { toolCalls: [tick(host, PLAN, "1")] }
      settleAll()
      return { text: "over" }
    },
  })
  await host.command(session, "start-work", "demo")
  const work = await untilWork(host, "demo", "completed")
  await host.waitIdle(session)
  const children = await host.children(session)
  expect(children).toHaveLength(1)
  expect(await recordedTasks(host, work)).toMatchObject([
    { task_key: "todo:1", session_id: children[0]?.id },
  ])
  const [asked] = compactionRequests(host, session)
  expect(asked?.allText()).toContain(`- todo:1: ${children[0]?.id} (general)`)
  const ours = host.model.mainRequests(session).find(isOurs)
  expect(ours?.lastUserText).toContain(`Preferred reuse session for todo:1: ${children[0]?.id}`)
  expect(await continuations(session)).toBe(1)
})

test("overflow in the subagent: the host continues it, and its parent gets one result", async () => {
  const session = await start({
    lead: (request) => {
      if (isStart(request) && request.stepOfTurn === 0) return { toolCalls: [delegate("todo:1")] }
      settleAll()
      return { text: "over" }
    },
    child: ({ lastUserText, stepOfTurn }) => {
      if (lastUserText.startsWith(HOSTS_OWN)) return { text: "the child is done" }
      return stepOfTurn === 0 ? overflow : { text: "never said" }
    },
  })
  await host.command(session, "start-work", "demo")
  await untilWork(host, "demo", "completed")
  await host.waitIdle(session)
  const [child] = await host.children(session)
  expect(await host.children(session)).toHaveLength(1)
  expect(compactionRequests(host, child?.id ?? "")).toHaveLength(1)
  expect(compactionRequests(host, child?.id ?? "")[0]?.allText()).not.toContain("task_state")
  expect(host.model.mainRequests(session)[1]?.lastToolResults()[0]?.text).toContain(
    "the child is done",
  )
  expect(compactionRequests(host, session)).toEqual([])
})

test("a subagent that runs over a compaction is listed, waited for, and not started again", async () => {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const session = await start(
    {
      lead: (request) => {
        if (isStart(request) && request.stepOfTurn === 0)
          return { toolCalls: [delegate("todo:1 Write a.txt", { background: true })] }
        if (!isStart(request)) settleAll()
        return { text: "over" }
      },
      child: async () => {
        await released
        return { text: "the child is done" }
      },
    },
    { env: { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "true" } },
  )
  await host.command(session, "start-work", "demo")
  await host.waitFor(() => reasonsOf(host, session).includes("retry children-running"), {
    what: "the work waits for its subagent",
  })
  await compact(host, session)
  const [child] = await host.children(session)
  const listed = `Still running, do not start it again; its result will arrive:\n- ${child?.id} "todo:1 Write a.txt`
  expect(compactionRequests(host, session)[0]?.allText()).toContain(listed)
  expect(await continuations(session)).toBe(0)
  release()
  await untilWork(host, "demo", "completed")
  await host.waitIdle(session)
  expect(await host.children(session)).toHaveLength(1)
  const last = host.model.mainRequests(session).at(-1)
  expect(last?.allText()).toContain(listed)
  expect(last?.allText()).toContain("the child is done")
})

test("two compactions with no task settled between pause the work, and say so", async () => {
  const session = await start({
    lead: ({ stepOfTurn }) => (stepOfTurn === 0 ? overflow : { text: "over" }),
  })
  await host.command(session, "start-work", "demo")
  const work = await untilWork(host, "demo", "compaction-loop")
  await host.waitIdle(session)
  expect(work.compactions).toMatchObject({ epoch: 2, in_a_row: 2 })
  expect(await continuations(session)).toBe(1)
  expect(compactionRequests(host, session)).toHaveLength(2)
  expect(reasonsOf(host, session)).toContain("pause compaction-loop")
  host.model.use(({ kind }) => {
    if (kind === "main") settleAll()
    return { text: "over" }
  })
  await host.prompt(session, "Try it with the smaller file")
  await untilWork(host, "demo", "completed")
})

test("the user's own /compact of a work that goes on: one continuation behind it", async () => {
  const session = await start(
    {
      lead: (request) => {
        if ((workOn(host, "demo")?.compactions.epoch ?? 0) > 0) settleAll()
        return { text: isStart(request) ? "begun" : "over" }
      },
    },
    {
      pluginOptions: {
        long_run: { enabled: false },
        continuation: { cooldown_seconds: 4, no_progress_turns: 9 },
      },
    },
  )
  await host.command(session, "start-work", "demo")
  await host.waitFor(() => reasonsOf(host, session).includes("retry cooling-down"), {
    what: "the first continuation has come and gone",
  })
  await compact(host, session)
  await untilWork(host, "demo", "completed")
  await host.waitIdle(session)
  expect(await continuations(session)).toBe(2)
  const behind = host.model.mainRequests(session).slice(-1)
  expect(behind.map(isOurs)).toEqual([true])
  expect(stateOnDisk(host, session)?.task_state).toEqual(aTaskState())
})

test("our own compaction at a round's end: a task state, and one continuation behind it", async () => {
  const usage = { input: 40_000, output: 10 }
  const session = await start(
    {
      lead: (request) => {
        if (!isStart(request)) settleAll()
        const isFirst = isStart(request) && request.stepOfTurn === 0
        return isFirst ? { toolCalls: [tick(host, PLAN, "1")], usage } : { text: "over", usage }
      },
    },
    {
      contextLimit: 200_000,
      pluginOptions: { long_run: { checkpoint_every: 1 }, continuation: { cooldown_seconds: 0 } },
    },
  )
  await host.command(session, "start-work", "demo")
  await untilWork(host, "demo", "completed")
  await host.waitIdle(session)
  expect(reasonsOf(host, session)).toContain("compact round-ended")
  expect(stateOnDisk(host, session)).toMatchObject({
    context_tokens: 40_010,
    task_state: aTaskState(),
  })
  expect(await continuations(session)).toBe(1)
  const last = host.model.mainRequests(session).at(-1)
  expect(last?.systemText).toContain(aTaskState().goal)
  expect(last?.allText()).toContain("We are in the middle of it.")
  expect(last?.lastUserText).not.toContain("The conversation was compacted. You were about to")
})
