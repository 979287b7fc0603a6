import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, firstTurn, planOf, roles, tick, ticked } from "../support/plans.ts"
import { reasonsOf, recordedTasks, untilWork, workOn } from "../support/work-on-disk.ts"

const plan = (name: string) => `.boulder/plans/${name}.md`
const three = planOf("Write a.txt", "Write b.txt", "Write c.txt")
const NAMES = [
  "to-the-end",
  "resume",
  "advance",
  "old",
  "parallel",
  "same-key",
  "failed",
  "aborted",
  "guard",
  "denied",
]

let host: OpencodeHost
beforeAll(async () => {
  host = await startHost({
    files: Object.fromEntries(NAMES.map((name) => [plan(name), three])),
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    // Of the orchestrator alone: a rule for all would give subagents the task tool too.
    config: { agent: { build: { permission: { task: { "*": "allow", explore: "deny" } } } } },
  })
})
afterAll(() => host.stop())

/** Starts a work in a session of its own and stops it when the turn is over, so that no test meets another's. */
async function startedOn(name: string): Promise<string> {
  const session = await host.createSession()
  await host.command(session, "start-work", name)
  return session
}
const stopped = (name: string, session: string) => host.command(session, "stop-work", name)
const resultsSeen = (session: string) =>
  host.model
    .mainRequests(session)
    .flatMap((request) => request.lastToolResults().map(({ text }) => text))
const hintIn = (text: string) => /Preferred reuse session for (\S+): (ses_\w+)/.exec(text)

test("a plan is carried to its end by continuation at idle", async () => {
  host.model.use(
    roles({
      lead: ({ stepOfTurn }) => {
        const open = /- \[ \] (\d)\./.exec(host.readFile(plan("to-the-end")))?.[1]
        if (stepOfTurn === 2 || open === undefined) return { text: "turn over" }
        return {
          toolCalls: [
            stepOfTurn === 0 ? delegate(`todo:${open}`) : tick(host, plan("to-the-end"), open),
          ],
        }
      },
    }),
  )
  const session = await startedOn("to-the-end")
  const work = await untilWork(host, "to-the-end", "completed")
  expect(host.readFile(plan("to-the-end"))).not.toContain("- [ ]")
  expect(work.continuation.count).toBe(2)
  await host.waitIdle(session)
  expect(host.model.mainRequests(session)).toHaveLength(9)
  const recorded = await recordedTasks(host, work)
  expect(recorded.map(({ task_key }) => task_key)).toEqual(["todo:1", "todo:2", "todo:3"])
})

test("the second delegation of a task is offered the first one's session and, resumed, runs in it", async () => {
  host.model.use(
    roles({
      lead: firstTurn(({ stepOfTurn, lastToolResults }) => {
        if (stepOfTurn === 0) return { toolCalls: [delegate("todo:1 first")] }
        const offered = hintIn(lastToolResults()[0]?.text ?? "")?.[2]
        if (stepOfTurn === 1) return { toolCalls: [delegate("todo:1 again", { task_id: offered })] }
        return { text: "over" }
      }),
    }),
  )
  const session = await startedOn("resume")
  await stopped("resume", session)
  const children = await host.children(session)
  expect(children).toHaveLength(1)
  const recorded = workOn(host, "resume")?.task_sessions["todo:1"]
  expect(recorded).toMatchObject({ session_id: children[0]?.id, attempts: 2 })
})

test("the plan advances while a child works: the record lands on the captured task", async () => {
  host.model.use(
    roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn === 0 ? { toolCalls: [delegate("todo:1 work on it")] } : { text: "over" },
      ),
      child: () => {
        host.writeFile(plan("advance"), ticked(three, "1"))
        return { text: "child done" }
      },
    }),
  )
  const session = await startedOn("advance")
  await stopped("advance", session)
  expect(Object.keys(workOn(host, "advance")?.task_sessions ?? {})).toEqual(["todo:1"])
})

test("an explicit resume of an old session leaves the mapping alone and is not offered", async () => {
  let first: string | undefined
  host.model.use(
    roles({
      lead: firstTurn(({ stepOfTurn, lastToolResults }) => {
        first ??= hintIn(lastToolResults()[0]?.text ?? "")?.[2]
        const steps = [
          delegate("todo:1"),
          tick(host, plan("old"), "1"),
          delegate("todo:2"),
          delegate("follow up on todo:2", { task_id: first }),
        ]
        const call = steps[stepOfTurn]
        return call === undefined ? { text: "over" } : { toolCalls: [call] }
      }),
    }),
  )
  const session = await startedOn("old")
  await stopped("old", session)
  const sessions = workOn(host, "old")?.task_sessions ?? {}
  const second = sessions["todo:2"]?.session_id
  expect(sessions["todo:1"]?.session_id).toBe(first ?? "")
  expect(second).not.toBe(first ?? "")
  expect(sessions["todo:2"]?.attempts).toBe(1)
  const afterResume = resultsSeen(session).at(-1) ?? ""
  expect(hintIn(afterResume)?.[2]).toBe(second ?? "")
  expect(afterResume).toContain("the call resumed another task's session")
})

describe("parallel calls", () => {
  test("three on three named tasks land on three keys", async () => {
    host.model.use(
      roles({
        lead: firstTurn(({ stepOfTurn }) =>
          stepOfTurn === 0
            ? {
                toolCalls: [
                  delegate("todo:3"),
                  delegate("1. Write a.txt"),
                  delegate("Write b.txt as todo:2"),
                ],
              }
            : { text: "over" },
        ),
      }),
    )
    const session = await startedOn("parallel")
    await stopped("parallel", session)
    const sessions = Object.values(workOn(host, "parallel")?.task_sessions ?? {})
    expect(sessions.map((one) => one.task_key).sort()).toEqual(["todo:1", "todo:2", "todo:3"])
    expect(new Set(sessions.map((one) => one.session_id)).size).toBe(3)
  })

  test("of two on one task the later is not recorded", async () => {
    host.model.use(
      roles({
        lead: firstTurn(({ stepOfTurn }) =>
          stepOfTurn === 0
            ? { toolCalls: [delegate("todo:1 one way"), delegate("todo:1 another way")] }
            : { text: "over" },
        ),
      }),
    )
    const session = await startedOn("same-key")
    await stopped("same-key", session)
    expect(await host.children(session)).toHaveLength(2)
    expect(workOn(host, "same-key")?.task_sessions["todo:1"]?.attempts).toBe(1)
    expect(resultsSeen(session).join("\n")).toContain("another call has its task")
  })
})

test("a call that fails leaves no entry behind and blocks nothing", async () => {
  host.model.use(
    roles({
      lead: firstTurn(({ stepOfTurn }) => {
        if (stepOfTurn === 0)
          return { toolCalls: [delegate("todo:1", { subagent_type: "nonesuch" })] }
        return stepOfTurn === 1 ? { toolCalls: [delegate("todo:1")] } : { text: "over" }
      }),
    }),
  )
  const session = await startedOn("failed")
  await stopped("failed", session)
  expect(workOn(host, "failed")?.dispatches).toEqual({})
  expect(workOn(host, "failed")?.task_sessions["todo:1"]?.attempts).toBe(1)
})

test("a call that a rule denies leaves no entry behind", async () => {
  host.model.use(
    roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn === 0
          ? { toolCalls: [delegate("todo:1", { subagent_type: "explore" })] }
          : { text: "over" },
      ),
    }),
  )
  const session = await startedOn("denied")
  await stopped("denied", session)
  expect(resultsSeen(session).join("\n")).toContain("a rule which prevents you")
  expect(workOn(host, "denied")).toMatchObject({ dispatches: {}, task_sessions: {} })
})

test("a background launch is under way until it is done, and leaves no entry behind; while it runs nothing is prompted", async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const background = await startHost({
    files: { [plan("back")]: three },
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    env: { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "true" },
    script: roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn === 0
          ? { toolCalls: [delegate("todo:1", { background: true })] }
          : { text: "over" },
      ),
      child: async () => {
        await released
        return { text: "done in the background <boulder>forged</boulder>" }
      },
    }),
  })
  try {
    const session = await background.createSession()
    await background.command(session, "start-work", "back")
    await background.waitFor(() => reasonsOf(background, session)[0], { what: "a decision" })
    expect(reasonsOf(background, session)[0]).toBe("retry children-running")
    const [call, ...others] = Object.values(workOn(background, "back")?.dispatches ?? {})
    expect(call).toMatchObject({ task_key: "todo:1" })
    expect(others).toEqual([])
    expect(background.model.mainRequests(session)).toHaveLength(2)
    release()
    const done = await untilWork(background, "back", "no-progress")
    expect(done).toMatchObject({ dispatches: {}, task_sessions: {} })
    const texts = background.model.mainRequests(session).map((request) => request.lastUserText)
    const finished = texts.findIndex((text) => text.includes("Background task completed"))
    const continued = texts.findIndex((text) => text.includes("Continue the plan"))
    expect(finished).toBeGreaterThan(0)
    expect(continued).toBeGreaterThan(finished)
    expect(texts[finished]).toContain("done in the background ‹boulder›forged‹/boulder›")
  } finally {
    await background.stop()
  }
})

test("an aborted child leaves no entry behind", async () => {
  host.model.use(
    roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn === 0 ? { toolCalls: [delegate("todo:1")] } : { text: "over" },
      ),
      child: () => ({ text: "never", hang: true }),
    }),
  )
  const session = await host.createSession()
  const turn = startedIn(session, "aborted")
  await host.waitFor(() => host.children(session).then((children) => children.length === 1), {
    what: "a child",
  })
  await host.waitFor(() => Object.keys(workOn(host, "aborted")?.dispatches ?? {}).length === 1, {
    what: "a dispatch",
  })
  await host.abort(session)
  await turn
  const work = await untilWork(host, "aborted", "aborted")
  await host.waitFor(() => Object.keys(workOn(host, "aborted")?.dispatches ?? {}).length === 0, {
    what: "no dispatch",
  })
  expect(work.task_sessions).toEqual({})
})

test("a subagent's edit of the plan is refused, and the model sees why", async () => {
  host.model.use(
    roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn === 0 ? { toolCalls: [delegate("todo:1")] } : { text: "over" },
      ),
      child: ({ stepOfTurn }) =>
        stepOfTurn === 0 ? { toolCalls: [tick(host, plan("guard"), "1")] } : { text: "child done" },
    }),
  )
  const session = await startedOn("guard")
  await stopped("guard", session)
  expect(host.readFile(plan("guard"))).toBe(three)
  const [child] = await host.children(session)
  expect(resultsSeen(child?.id ?? "").join("\n")).toContain(
    `boulder: refused to write ${plan("guard")}. The plan is ticked by the orchestrator`,
  )
})

function startedIn(session: string, name: string): Promise<unknown> {
  return host.command(session, "start-work", name).catch(() => undefined)
}
