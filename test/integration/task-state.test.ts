import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { join } from "node:path"
import {
  compact,
  compactionRequests,
  compactions,
  shownState,
  stateOnDisk,
  storedSummary,
  systemTexts,
} from "../support/compactions.ts"
import { isKilo } from "../support/host-version.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"
import { aTaskState, compactionAnswer, EMPTY_TASK_STATE } from "../support/task-states.ts"
import { withUnwritable } from "../support/unwritable-folder.ts"

setDefaultTimeout(180_000)

/** Kilo leaves the newest turns as they are: no summary has their words, and none has to (`kilo.test.ts`). */
const LEAVES_TURNS = isKilo()
const PLAN = planOf("Write a.txt", "Write b.txt")
const PROJECT_RULE = "PROJECT-RULE: write small commits"
const names = ["facts", "stable", "refused", "first", "again", "done"]
const planted = aTaskState({
  goal: "Ship the importer with a dry run",
  user_constraints: ["Never write to the production bucket"],
  decisions: ["One worker a tenant, not one a file"],
  blockers: ["The sandbox key expires on Friday"],
  key_artifacts: ["src/importer/dry-run.ts"],
})
const FACTS = [
  "Ship the importer with a dry run",
  "Never write to the production bucket",
  "One worker a tenant, not one a file",
  "The sandbox key expires on Friday",
  "src/importer/dry-run.ts",
]

const model = compactions(({ lastUserText }) => ({ text: `heard: ${lastUserText.slice(0, 40)}` }))
let host: OpencodeHost
beforeAll(async () => {
  host = await startHost({
    files: {
      "AGENTS.md": PROJECT_RULE,
      ...Object.fromEntries(names.map((name) => [`.boulder/plans/${name}.md`, PLAN])),
    },
    script: model.script,
  })
}, 120_000)
afterAll(() => host.stop())

/** A session that leads a paused work, so that nothing goes on by itself. */
async function ledSession(name: string): Promise<string> {
  const session = await host.createSession()
  await host.command(session, "start-work", name)
  await host.command(session, "stop-work", name)
  await host.waitIdle(session)
  return session
}
const lastRequest = (session: string) => host.model.mainRequests(session).at(-1)
const journalOf = (session: string) =>
  host.journal().filter((line) => line["session"] === session && line["decision"] === "compact")

test.skipIf(LEAVES_TURNS)(
  "facts planted before the first of three compactions stand in the request after the third, word for word",
  async () => {
    const session = await ledSession("facts")
    await host.prompt(session, "Let us talk about the importer")
    model.answers(compactionAnswer(planted, "SUMMARY-ONE of the talk"))
    await compact(host, session)
    for (const round of ["two", "three"]) {
      await host.prompt(session, `Talk of round ${round}`)
      await compact(host, session)
    }
    await host.prompt(session, "And now?")
    const request = lastRequest(session)
    for (const fact of FACTS) expect(request?.allText()).toContain(fact)
    expect(request?.allText()).not.toContain("SUMMARY-ONE")
    expect(stateOnDisk(host, session)?.task_state).toEqual(planted)

    const asked = compactionRequests(host, session)
    expect(asked).toHaveLength(3)
    expect(asked.map(shownState)).toEqual([null, planted, planted])
    for (const [index, one] of asked.entries()) {
      expect(one.allText()).not.toContain("SUMMARY-ONE")
      expect(one.allText()).not.toContain("We went on a little")
      expect(one.allText()).toContain("Plan facts (.boulder/plans/facts.md): 0 of 2 tasks settled.")
      expect(one.allText()).toContain('- todo:1 "Write a.txt"')
      expect(one.allText()).toContain(["the importer", "round two", "round three"][index] ?? "")
    }
  },
)

test("the state stands behind core and project rules, and is the same in each request until it changes", async () => {
  const session = await ledSession("stable")
  await host.prompt(session, "before")
  const before = systemTexts(lastRequest(session))
  expect(before).toHaveLength(1)
  model.answers(compactionAnswer(planted), compactionAnswer(aTaskState({ goal: "Another goal" })))
  await compact(host, session)
  await host.prompt(session, "one")
  const first = systemTexts(lastRequest(session))
  await host.prompt(session, "two")
  expect(first[0]).toBe(before[0] ?? "")
  expect(first[0]).toContain(PROJECT_RULE)
  expect(first[1]).toStartWith("<boulder>\nTask state of this session")
  expect(systemTexts(lastRequest(session))).toEqual([...first])
  await host.restart("kill")
  await host.prompt(session, "three")
  expect(systemTexts(lastRequest(session))).toEqual([...first])
  await compact(host, session)
  await host.prompt(session, "four")
  expect(systemTexts(lastRequest(session))[1]).toContain("Goal: Another goal")
  const asked = compactionRequests(host, session)
  for (const request of asked) expect(systemTexts(request).join()).not.toContain("Task state of")
})

const storm = '{"task_state":'.repeat(Math.ceil((5 * 1_024 * 1_024) / 14))
const good = compactionAnswer(planted, "The summary that is shown.")
const unknown = JSON.stringify({ task_state: planted, display_summary: "x", mood: "fine" })

describe("the model's answer", () => {
  test.each([
    { name: "alone", answer: good },
    {
      name: "in noise and a code fence",
      answer: `Let {me} see: { "a":\n\`\`\`json\n${good}\n\`\`\`\n}`,
    },
    { name: "behind 5 MB of braces", answer: `${storm}\n${good}` },
  ])(
    "$name is read: the state is saved, the summary is what is shown",
    async ({ name, answer }) => {
      const session = await ledSession("again")
      await host.prompt(session, name)
      model.answers(answer)
      await compact(host, session)
      expect(stateOnDisk(host, session)?.task_state).toEqual(planted)
      expect(await storedSummary(host, session)).toBe("The summary that is shown.")
      expect(journalOf(session)).toMatchObject([{ reason: "task-state-saved" }])
      await host.prompt(session, "go on")
      expect(lastRequest(session)?.allText()).not.toContain('"task_state"')
    },
  )

  test.each([
    {
      name: "prose",
      answer: "RAW-WORDS We are fine.",
      failure: "no-object",
      says: "it was not in the form asked for",
    },
    {
      name: "cut off",
      answer: `RAW-WORDS ${good.slice(0, 200)}`,
      failure: "cut-off",
      says: "it was cut off",
    },
    {
      name: "empty",
      answer: `RAW-WORDS ${compactionAnswer(EMPTY_TASK_STATE)}`,
      failure: "empty-state",
      says: "its task state was empty",
    },
    {
      name: "with an unknown field",
      answer: `RAW-WORDS ${unknown}`,
      failure: "not-strict",
      says: "it was not in the form asked for",
    },
    {
      name: "5 MB of braces",
      answer: `RAW-WORDS ${storm}`,
      failure: "cut-off",
      says: "it was cut off",
    },
  ])(
    "$name is refused: the old state stays, and stands in for the summary",
    async ({ answer, failure, says }) => {
      const session = await ledSession("refused")
      await host.prompt(session, "begin")
      const old = aTaskState({ goal: "The goal of before" })
      model.answers(compactionAnswer(old), answer)
      await compact(host, session)
      const path = `.boulder/sessions/${session}.json`
      const before = host.readFile(path)
      await host.prompt(session, "go on")
      await compact(host, session)
      expect(host.readFile(path)).toBe(before)
      const summary = await storedSummary(host, session)
      expect(summary).toContain(`cannot be used: ${says}`)
      expect(summary).toContain("Goal: The goal of before")
      expect(summary).toContain("Plan refused (.boulder/plans/refused.md): 0 of 2 tasks settled.")
      const line = journalOf(session).at(-1)
      expect(line).toMatchObject({
        reason: "task-state-kept",
        facts: { failure, answer_chars: answer.length },
      })
      expect(String(Reflect.get(Object(line?.["facts"]), "answer"))).toStartWith("RAW-WORDS")
      await host.prompt(session, "and on")
      expect(lastRequest(session)?.allText()).not.toContain("RAW-WORDS")
      expect(lastRequest(session)?.systemText).toContain("Goal: The goal of before")
    },
  )

  test("that is empty leaves the old state, and the model a summary made of it", async () => {
    const session = await ledSession("refused")
    await host.prompt(session, "begin")
    model.answers(compactionAnswer(planted), "")
    await compact(host, session)
    await compact(host, session)
    await host.prompt(session, "go on")
    await host.prompt(session, "and on")
    expect(
      lastRequest(session)?.messages.filter(({ role }) => role === "assistant")[0],
    ).toMatchObject({
      content: expect.stringContaining("cannot be used: the model gave none"),
    })
    expect(journalOf(session).at(-1)).toMatchObject({ facts: { failure: "no-answer" } })
    expect(stateOnDisk(host, session)?.task_state).toEqual(planted)
  })

  test.skipIf(LEAVES_TURNS)(
    "that fails the first time leaves no state: the records and the user's words stand in for it",
    async () => {
      const session = await ledSession("first")
      await host.prompt(session, "Never use tabs, please")
      model.answers("We are fine.")
      await compact(host, session)
      expect(stateOnDisk(host, session)).toBeNull()
      const summary = await storedSummary(host, session)
      expect(summary).toContain(
        "No task state was kept yet.\nThe user has said:\n- Never use tabs, please",
      )
      await host.prompt(session, "go on")
      expect(systemTexts(lastRequest(session))).toHaveLength(1)
    },
  )
})

test("a save that fails leaves the old state as it was, and stands in for the summary", async () => {
  const session = await ledSession("refused")
  await host.prompt(session, "begin")
  model.answers(compactionAnswer(aTaskState({ goal: "The goal of before" })))
  await compact(host, session)
  await host.prompt(session, "go on")
  model.answers(compactionAnswer(planted, "RAW-WORDS"), compactionAnswer(planted, "Saved now."))
  const before = host.readFile(`.boulder/sessions/${session}.json`)
  await withUnwritable(join(host.project, ".boulder/sessions"), () => compact(host, session))
  expect(host.readFile(`.boulder/sessions/${session}.json`)).toBe(before)
  const summary = await storedSummary(host, session)
  expect(summary).toContain("cannot be used: its task state could not be saved")
  expect(summary).toContain("Goal: The goal of before")
  expect(summary).not.toContain("RAW-WORDS")
  expect(journalOf(session).at(-1)).toMatchObject({
    reason: "task-state-kept",
    facts: { failure: "not-saved", problem: expect.stringContaining(`to write .boulder/sessions`) },
  })
  await host.prompt(session, "and on")
  expect(lastRequest(session)?.systemText).toContain("Goal: The goal of before")
  await compact(host, session)
  expect(stateOnDisk(host, session)?.task_state).toEqual(planted)
  expect(await storedSummary(host, session)).toBe("Saved now.")
})

test("a session of no work is compacted by the host alone", async () => {
  const session = await host.createSession()
  await host.prompt(session, "hello")
  model.answers("The host's own summary.")
  await compact(host, session)
  expect(compactionRequests(host, session)[0]?.allText()).not.toContain("task_state")
  expect(await storedSummary(host, session)).toBe("The host's own summary.")
  expect(stateOnDisk(host, session)).toBeNull()
})
