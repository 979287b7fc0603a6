import { expect, setDefaultTimeout, test } from "bun:test"
import {
  compact,
  compactionRequests,
  compactions,
  shownState,
  stateOnDisk,
  storedSummary,
  systemTexts,
} from "../support/compactions.ts"
import { REPO, TESTED_VERSIONS } from "../support/host-version.ts"
import { type HostOptions, type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"
import { untilWork } from "../support/work-on-disk.ts"

setDefaultTimeout(400_000)

const PLAN = { ".boulder/plans/demo.md": planOf("Write a.txt", "Write b.txt") }
const state = aTaskState()

async function withHost(
  options: HostOptions,
  run: (host: OpencodeHost, model: ReturnType<typeof compactions>) => Promise<void>,
): Promise<void> {
  const model = compactions(({ lastUserText }) => ({ text: `heard: ${lastUserText}` }))
  const host = await startHost({ ...options, script: model.script })
  try {
    await run(host, model)
  } finally {
    await host.stop()
  }
}

test("task_state always: a session of no work keeps one too", () =>
  withHost({ pluginOptions: { task_state: "always" } }, async (host, model) => {
    const session = await host.createSession()
    await host.prompt(session, "hello")
    model.answers(compactionAnswer(state, "We said hello."))
    await compact(host, session)
    expect(await storedSummary(host, session)).toBe("We said hello.")
    expect(stateOnDisk(host, session)).toMatchObject({ session_id: session, context_tokens: 110 })
    await host.prompt(session, "go on")
    expect(systemTexts(host.model.mainRequests(session).at(-1))[1]).toContain(state.goal)
  }))

test("task_state off: the host compacts as it would without us", () =>
  withHost({ files: PLAN, pluginOptions: { task_state: "off" } }, async (host, model) => {
    const session = await host.createSession()
    await host.command(session, "start-work", "demo")
    await host.command(session, "stop-work", "demo")
    model.answers("The host's own summary.")
    await compact(host, session)
    expect(await storedSummary(host, session)).toBe("The host's own summary.")
    await host.prompt(session, "go on")
    expect(systemTexts(host.model.mainRequests(session).at(-1))).toHaveLength(1)
    expect(host.hasFile(".boulder/sessions")).toBe(false)
  }))

test("task_state works: a completed work is no work to keep a state for, and its session's is shown no more", () =>
  withHost({ files: PLAN }, async (host, model) => {
    const session = await host.createSession()
    await host.command(session, "start-work", "demo")
    await host.command(session, "stop-work", "demo")
    model.answers(compactionAnswer(state), "The host's own summary.")
    await compact(host, session)
    await host.prompt(session, "go on")
    expect(host.model.mainRequests(session).at(-1)?.systemText).toContain(state.goal)
    await host.command(session, "start-work", "demo")
    host.writeFile(".boulder/plans/demo.md", planOf("Write a.txt").replace("[ ]", "[x]"))
    await untilWork(host, "demo", "completed")
    const before = host.readFile(`.boulder/sessions/${session}.json`)
    await host.prompt(session, "and now?")
    expect(systemTexts(host.model.mainRequests(session).at(-1))).toHaveLength(1)
    await compact(host, session)
    expect(await storedSummary(host, session)).toBe("The host's own summary.")
    expect(host.readFile(`.boulder/sessions/${session}.json`)).toBe(before)
  }))

/** A plugin that adds its own text to the system, before ours is asked. */
const REST = `export default { id: "rest", server: async () => ({
  "experimental.chat.system.transform": async (_, output) => { output.system.push("THE-REST") },
}) }`

test("the order is core rules, project rules, task state, the rest, whoever is loaded first", () =>
  withHost(
    {
      files: { ...PLAN, "AGENTS.md": "PROJECT-RULE: small commits", ".rest/rest.js": REST },
      plugin: ["./.rest/rest.js", `file://${REPO}`],
    },
    async (host, model) => {
      const session = await host.createSession()
      await host.command(session, "start-work", "demo")
      await host.command(session, "stop-work", "demo")
      model.answers(compactionAnswer(state))
      await compact(host, session)
      await host.prompt(session, "go on")
      const text = host.model.mainRequests(session).at(-1)?.systemText ?? ""
      const places = ["You are opencode", "PROJECT-RULE", "Task state of this session", "THE-REST"]
      const found = places.map((part) => text.indexOf(part))
      expect(found.every((place) => place >= 0)).toBe(true)
      expect(found).toEqual([...found].sort((a, b) => a - b))
    },
  ))

test.each(TESTED_VERSIONS)("opencode %s: state saved, shown, and asked for again", (version) =>
  withHost({ version, files: PLAN }, async (host, model) => {
    const session = await host.createSession()
    await host.command(session, "start-work", "demo")
    await host.command(session, "stop-work", "demo")
    model.answers(compactionAnswer(state, "SUMMARY-ONE"))
    await compact(host, session)
    expect(await storedSummary(host, session)).toBe("SUMMARY-ONE")
    await host.prompt(session, "go on")
    const request = host.model.mainRequests(session).at(-1)
    expect(systemTexts(request)[1]).toContain(state.goal)
    expect(request?.allText()).toContain("SUMMARY-ONE")
    await compact(host, session)
    const again = compactionRequests(host, session)[1]
    expect(again && shownState(again)).toEqual(state)
    expect(again?.allText()).not.toContain("SUMMARY-ONE")
    expect(stateOnDisk(host, session)?.task_state).toEqual(state)
  }),
)
