import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { compactionRequests, compactions, stateOnDisk } from "../support/compactions.ts"
import type { ModelRequest } from "../support/host-model-request.ts"
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { type HostOptions, type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles, ticked } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"
import { untilWork } from "../support/work-on-disk.ts"

setDefaultTimeout(120_000)

const PLAN = ".boulder/plans/demo.md"
const TWO = planOf("Write a.txt", "Write b.txt")
/** What a provider says of a request that is too long for its model. */
const TOO_LONG: Reply = {
  status: 400,
  errorBody: { error: { code: "context_length_exceeded", message: "maximum context length" } },
}

let host: OpencodeHost
afterEach(() => host.stop())

async function start(
  given: Parameters<typeof roles>[0],
  options: HostOptions = {},
  summary = compactionAnswer(aTaskState(), "We are in the middle of it."),
): Promise<string> {
  const model = compactions(roles(given))
  model.answers(summary)
  host = await startHost({
    files: { [PLAN]: TWO },
    pluginOptions: { long_run: { enabled: false }, continuation: { cooldown_seconds: 0 } },
    ...options,
    script: model.script,
  })
  return host.createSession()
}
const settleAll = () => host.writeFile(PLAN, ticked(ticked(TWO, "1"), "2"))

/** An orchestrator that delegates once, is then refused for its length, and settles all in the turn behind that. */
function refusedOnce(): { lead: (request: ModelRequest) => Reply; after: ModelRequest[] } {
  let isRefused = false
  const after: ModelRequest[] = []
  const lead = (request: ModelRequest): Reply => {
    if (request.lastUserText === "hello") return { text: "hello" }
    if (!isRefused && request.stepOfTurn === 0)
      return { toolCalls: [delegate("todo:1 Write a.txt")] }
    if (!isRefused) {
      isRefused = true
      return TOO_LONG
    }
    after.push(request)
    settleAll()
    return { text: "over" }
  }
  return { lead, after }
}

test.each(TESTED_VERSIONS)(
  "opencode %s: a turn that is begun again behind its compaction knows what it has delegated",
  async (version) => {
    const { lead, after } = refusedOnce()
    const session = await start({ lead }, { version })
    await host.prompt(session, "hello")
    await host.command(session, "start-work", "demo")
    await untilWork(host, "demo", "completed")
    await host.waitIdle(session)
    const children = await host.children(session)
    expect(children).toHaveLength(1)
    expect(after[0]?.lastUserText).toContain("Start the plan demo")
    expect(after[0]?.allText()).toContain(
      `We are in the middle of it.\n\n<boulder>\nThe message below is older than these delegations of open tasks. Do not start them again, resume their sessions (task_id):\n- todo:1: ${children[0]?.id} (general)\n</boulder>`,
    )
    expect(compactionRequests(host, session)[0]?.allText()).toContain(
      `Sessions of open tasks:\n- todo:1: ${children[0]?.id} (general)`,
    )
    expect(stateOnDisk(host, session)?.task_state).toEqual(aTaskState())
  },
)

test("the first turn of a session is summarised with the rest: one continuation behind it, and it is ours", async () => {
  const { lead, after } = refusedOnce()
  const session = await start({ lead })
  await host.command(session, "start-work", "demo")
  await untilWork(host, "demo", "completed")
  await host.waitIdle(session)
  expect(await host.children(session)).toHaveLength(1)
  expect(after.map(({ lastUserText }) => lastUserText.split("\n")[1])).toEqual([
    expect.stringContaining("Continue the plan demo"),
  ])
  expect(after[0]?.allText()).not.toContain("The message below is older")
  const [child] = await host.children(session)
  expect(after[0]?.lastUserText).toContain(`Preferred reuse session for todo:1: ${child?.id}`)
})

test("a summary that fails as well says of the records what the turn has delegated", async () => {
  const { lead, after } = refusedOnce()
  const session = await start({ lead }, {}, "I would rather talk.")
  await host.prompt(session, "hello")
  await host.command(session, "start-work", "demo")
  await untilWork(host, "demo", "completed")
  const [child] = await host.children(session)
  expect(after[0]?.allText()).toContain("it was not in the form asked for")
  expect(after[0]?.allText()).toContain(
    `resume their sessions (task_id):\n- todo:1: ${child?.id} (general)`,
  )
  expect(stateOnDisk(host, session)).toBeNull()
})

/** What a lead is told that the provider refuses as too long, whatever it is sent; the words with which its work pauses. */
async function refusedAlways(hello: boolean, version: string): Promise<string> {
  const lead = ({ lastUserText }: ModelRequest) =>
    lastUserText === "hello" ? { text: "hello" } : TOO_LONG
  const session = await start({ lead }, { version })
  if (hello) await host.prompt(session, "hello")
  await host.command(session, "start-work", "demo")
  return session
}
const continuations = (session: string) =>
  host.model
    .mainRequests(session)
    .filter(({ lastUserText }) => lastUserText.includes("Continue the plan")).length

test.each(
  TESTED_VERSIONS.flatMap((version) => [
    { version, name: "behind one prompt of ours", hello: false, ours: 1 },
    { version, name: "behind the host's own second attempt", hello: true, ours: 0 },
  ]),
)(
  "opencode $version: too long behind a compaction as well: $name the work pauses, in the provider's words",
  async ({ version, hello, ours }) => {
    const session = await refusedAlways(hello, version)
    const work = await untilWork(host, "demo", "paused")
    await host.waitIdle(session)
    expect([work.pause_reason, work.refusal]).toEqual([
      "provider-refused",
      "maximum context length",
    ])
    expect(continuations(session)).toBe(ours)
    expect(compactionRequests(host, session)).toHaveLength(2)
    // Your own message sets it going again: still too long, and at once it is said again.
    await host.prompt(session, "go on")
    const again = await untilWork(host, "demo", "paused")
    expect(again.pause_reason).toBe("provider-refused")
    expect(continuations(session)).toBe(ours)
  },
)

test.each(TESTED_VERSIONS)(
  "opencode %s: a compaction that is too long itself mends nothing: the work pauses in the same way",
  async (version) => {
    const model = compactions(() => TOO_LONG)
    model.answers(...Array<Reply>(20).fill(TOO_LONG))
    host = await startHost({
      version,
      files: { [PLAN]: TWO },
      pluginOptions: { long_run: { enabled: false }, continuation: { cooldown_seconds: 0 } },
      script: model.script,
    })
    const session = await host.createSession()
    await host.command(session, "start-work", "demo")
    const work = await untilWork(host, "demo", "paused")
    await host.waitIdle(session)
    expect([work.pause_reason, work.refusal]).toEqual([
      "provider-refused",
      "maximum context length",
    ])
  },
)
