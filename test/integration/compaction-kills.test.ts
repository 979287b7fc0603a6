import { afterAll, beforeAll, expect, test } from "bun:test"
import {
  compactionRequests,
  compactions,
  shownState,
  stateOnDisk,
  storedSummary,
} from "../support/compactions.ts"
import { type KillingPlugin, makeKillingPlugin } from "../support/killing-plugin.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf } from "../support/plans.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"

const old = aTaskState({ goal: "The goal of before" })
const next = aTaskState({ goal: "The goal of the killed one" })
const last = aTaskState({ goal: "The goal of the last one" })

const model = compactions(({ lastUserText }) => ({ text: `heard: ${lastUserText}` }))
let plugin: KillingPlugin
let host: OpencodeHost
beforeAll(async () => {
  plugin = makeKillingPlugin()
  host = await startHost({
    files: { ".boulder/plans/demo.md": planOf("Write a.txt", "Write b.txt") },
    plugin: plugin.url,
    env: plugin.env,
    script: model.script,
  })
}, 120_000)
afterAll(() => host.stop())

const summarize = (session: string) =>
  host.client.session.summarize({
    path: { id: session },
    body: { providerID: "lab", modelID: "m" },
  })
const finished = async (session: string) =>
  (await host.messages(session)).filter(
    ({ info }) => Reflect.get(info, "summary") === true && Reflect.get(info, "finish") === "stop",
  ).length

/** A disk that others keep busy may refuse a save for its time: then it is compacted again. */
async function untilSaved(session: string): Promise<void> {
  const outcome = () =>
    host.journal().findLast((line) => line["session"] === session && line["decision"] === "compact")
  for (let tries = 0; tries < 3 && outcome()?.["reason"] !== "task-state-saved"; tries++) {
    expect(outcome()?.["facts"]).toMatchObject({ failure: "not-saved" })
    model.answers(compactionAnswer(last, "SUMMARY of the last one"))
    await summarize(session)
  }
}

/** Kills the host at one operation of a compaction; false where there are not so many. */
async function survives(operation: number | "end"): Promise<"old" | "new" | null> {
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await host.command(session, "stop-work", "demo")
  model.answers(
    compactionAnswer(old, "SUMMARY of before"),
    compactionAnswer(next, "SUMMARY of the killed one"),
    compactionAnswer(last, "SUMMARY of the last one"),
  )
  await summarize(session)
  await host.prompt(session, "PLANTED words behind the first summary")
  plugin.killAt(operation)
  await summarize(session).catch(() => undefined)
  if (!plugin.hasKilled()) return null
  await host.restart("kill")
  const state = stateOnDisk(host, session)?.task_state
  expect([old, next]).toContainEqual(state as typeof old)
  expect(await finished(session)).toBe(1)
  expect(await storedSummary(host, session)).toBe("")

  await host.prompt(session, "go on")
  await host.waitIdle(session)
  const asked = compactionRequests(host, session).at(-1)
  expect(asked && shownState(asked)).toEqual(state as typeof old)
  expect(asked?.allText()).toContain("PLANTED words behind the first summary")
  expect(asked?.allText()).not.toContain("SUMMARY of")
  await untilSaved(session)
  expect(stateOnDisk(host, session)?.task_state).toEqual(last)
  expect(await storedSummary(host, session)).toBe("SUMMARY of the last one")
  await host.prompt(session, "and on")
  const request = host.model.mainRequests(session).at(-1)
  expect(request?.systemText).toContain("Goal: The goal of the last one")
  expect(request?.allText()).not.toContain("SUMMARY of the killed one")
  return state?.goal === old.goal ? "old" : "new"
}

test("a host killed at every step between the summary and the save: the old state or the new one, with the whole conversation", async () => {
  const outcomes: string[] = []
  for (let operation = 0; operation < 40; operation++) {
    const outcome = await survives(operation)
    if (outcome === null) break
    outcomes.push(outcome)
  }
  outcomes.push(String(await survives("end")))
  expect(outcomes.length).toBeGreaterThan(5)
  expect(outcomes[0]).toBe("old")
  expect(outcomes.at(-1)).toBe("new")
  expect(outcomes).toEqual([...outcomes].sort().reverse())
}, 600_000)
