import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import { TESTED_VERSIONS } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, firstTurn, planOf, roles } from "../support/plans.ts"
import { workOn } from "../support/work-on-disk.ts"

setDefaultTimeout(120_000)

let host: OpencodeHost
afterEach(() => host.stop())

/** There an aborted subagent gives back what it had said (docs/HOST.md, the task tool). */
const GIVES_BACK: ReadonlySet<string> = new Set(["1.14.41", "1.15.13"])
const ENDED = `<boulder>
The subagent of todo:2 was silent for 0 min and was ended: delegate its task again.
</boulder>`

test.each(TESTED_VERSIONS)(
  "opencode %s: a hung subagent among three is ended in its time, and its siblings' results are kept",
  async (version) => {
    const results: string[] = []
    host = await startHost({
      version,
      files: { ".boulder/plans/demo.md": planOf("Write a", "Write b", "Write c") },
      pluginOptions: { continuation: { child_silence_minutes: 0.05, max_per_work: 1 } },
      script: roles({
        lead: firstTurn(({ stepOfTurn, lastToolResults }) => {
          if (stepOfTurn === 0)
            return {
              toolCalls: ["1", "2", "3"].map((label) =>
                delegate(`todo:${label}`, { prompt: `child ${label}` }),
              ),
            }
          results.push(...lastToolResults().map(({ text }) => text))
          return { text: "over" }
        }),
        child: ({ lastUserText }) =>
          lastUserText.includes("child 2")
            ? { text: "thinking", hang: true }
            : { text: `did ${lastUserText}` },
      }),
    })
    const session = await host.createSession()
    await host.command(session, "start-work", "demo")
    const [first = "", hung, third = ""] = results
    expect(first).toContain("did child 1")
    expect(third).toContain("did child 3")
    if (GIVES_BACK.has(version)) expect(hung).toEndWith(ENDED)
    else expect(hung).toBe("Task cancelled")
    // The host tells of the failed call by an event, which it does not wait for.
    const work = await host.waitFor(
      () => {
        const now = workOn(host, "demo")
        return Object.keys(now?.dispatches ?? {}).length === 0 ? now : null
      },
      { what: "the call is closed" },
    )
    expect(Object.keys(work.task_sessions).sort()).toEqual(["todo:1", "todo:3"])
    const ended = host.journal().filter(({ reason }) => reason === "subagent-silent")
    expect(ended).toHaveLength(1)
    expect(ended[0]).toMatchObject({ session, facts: { task: "todo:2" } })
  },
)

test("a subagent's own subagent that hangs is ended alone, and whoever has begun it brings its result", async () => {
  const results: string[] = []
  host = await startHost({
    files: { ".boulder/plans/demo.md": planOf("Write a") },
    config: {
      subagent_depth: 2,
      agent: { general: { permission: { task: { "*": "allow" } } } },
    },
    pluginOptions: { continuation: { child_silence_minutes: 0.05, max_per_work: 1 } },
    script: (request) => {
      const { kind, lastUserText, stepOfTurn, lastToolResults } = request
      const begins = (key: string, prompt: string) => ({ toolCalls: [delegate(key, { prompt })] })
      const [role] = ["inner work", "outer work", "Start the plan"].filter((words) =>
        lastUserText.includes(words),
      )
      if (kind !== "main") return undefined
      if (role === "inner work") return { text: "thinking", hang: true }
      const said = lastToolResults().map(({ text }) => text)
      if (role === "outer work" && stepOfTurn > 0) return { text: `did it without: ${said[0]}` }
      if (role === "outer work") return begins("a part", "inner work")
      if (stepOfTurn === 0 && role !== undefined) return begins("todo:1", "outer work")
      results.push(...said)
      return { text: "over" }
    },
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  expect(results[0]).toContain("did it without: Task cancelled")
  expect(results[0]).not.toContain("was silent")
  const [outer] = await host.children(session)
  const [inner] = await host.children(`${outer?.id}`)
  const ended = host.journal().filter(({ reason }) => reason === "subagent-silent")
  expect(ended).toMatchObject([{ session, facts: { task: "todo:1", child: inner?.id } }])
  expect(workOn(host, "demo")?.task_sessions["todo:1"]).toMatchObject({
    session_id: outer?.id,
    status: "returned",
    failures: 0,
  })
})

test("a subagent in the background that hangs is ended, and the plan goes on behind it", async () => {
  host = await startHost({
    files: { ".boulder/plans/demo.md": planOf("Write a", "Write b") },
    env: { OPENCODE_EXPERIMENTAL_BACKGROUND_SUBAGENTS: "true" },
    pluginOptions: {
      continuation: { child_silence_minutes: 0.05, cooldown_seconds: 1, max_per_work: 1 },
    },
    script: roles({
      lead: firstTurn(({ stepOfTurn }) =>
        stepOfTurn === 0
          ? { toolCalls: [delegate("todo:1", { background: true })] }
          : { text: "over" },
      ),
      child: () => ({ text: "thinking", hang: true }),
    }),
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await host.waitFor(() => host.journal().find(({ reason }) => reason === "subagent-silent"), {
    what: "the subagent is ended",
  })
  await host.waitFor(
    () => host.journal().find(({ decision }) => decision === "continue" || decision === "pause"),
    { what: "the plan goes on" },
  )
  const ended = host.journal().find(({ reason }) => reason === "subagent-silent")
  const { work_id: work } = workOn(host, "demo") ?? {}
  expect(ended).toMatchObject({ session, work, facts: { task: "todo:1" } })
  expect(workOn(host, "demo")).toMatchObject({ dispatches: {}, task_sessions: {} })
  // A look that the subagent's end has overtaken is made again.
  const reasons = host
    .journal()
    .map(({ decision, reason }) => `${decision} ${reason}`)
    .filter((said) => said !== "retry superseded")
  expect(reasons.slice(1, 4)).toEqual([
    "retry children-running",
    "end subagent-silent",
    "continue continue",
  ])
})
