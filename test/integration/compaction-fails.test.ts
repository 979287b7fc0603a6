import { afterEach, expect, setDefaultTimeout, test } from "bun:test"
import {
  compact,
  compactionRequests,
  compactions,
  shownState,
  stateOnDisk,
} from "../support/compactions.ts"
import type { ModelRequest } from "../support/host-model-request.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf, roles } from "../support/plans.ts"
import type { Reply } from "../support/scripted-model.ts"
import { aTaskState, compactionAnswer } from "../support/task-states.ts"
import { untilWork, workOn } from "../support/work-on-disk.ts"

setDefaultTimeout(120_000)

const PLAN = ".boulder/plans/demo.md"
const TWO = planOf("Write a.txt", "Write b.txt")
const state = aTaskState()
const isOurs = ({ lastUserText }: ModelRequest) => lastUserText.includes("Continue the plan")
const read = { name: "read", args: { filePath: "opencode.json" } }

let host: OpencodeHost
let model: ReturnType<typeof compactions>
afterEach(() => host.stop())

/** A session of a work that has a state, and whose context overflows in the turn of its next start. */
async function begun(answer: Reply): Promise<string> {
  model = compactions(
    roles({
      lead: ({ lastUserText, stepOfTurn }: ModelRequest) => {
        if (/PLANTED|again/.test(lastUserText) || stepOfTurn > 0) return { text: "over" }
        return lastUserText.includes("Resume the plan")
          ? { toolCalls: [read], usage: { input: 49_000, output: 10 } }
          : { text: "over" }
      },
    }),
  )
  model.answers(compactionAnswer(state, "SUMMARY-ONE"), ...Array<Reply>(20).fill(answer))
  host = await startHost({
    files: { [PLAN]: TWO },
    contextLimit: 50_000,
    outputLimit: 4_000,
    pluginOptions: {
      long_run: { enabled: false },
      continuation: { cooldown_seconds: 0, backoff_seconds: 0.3, pause_after_failures: 3 },
    },
    script: model.script,
  })
  const session = await host.createSession()
  await host.command(session, "start-work", "demo")
  await host.command(session, "stop-work", "demo")
  await compact(host, session)
  await host.prompt(session, "PLANTED words")
  return session
}

const path = (session: string) => `.boulder/sessions/${session}.json`

/** The user speaks again, and the host makes up for the compaction: now the state is another. */
async function expectMadeUpFor(session: string): Promise<void> {
  const next = aTaskState({ goal: "Another goal" })
  const asked = compactionRequests(host, session).length
  model.answers(compactionAnswer(next, "SUMMARY-TWO"))
  await host.prompt(session, "again")
  await host.waitIdle(session)
  const again = compactionRequests(host, session)[asked]
  expect(again && shownState(again)).toEqual(state)
  expect(again?.allText()).toContain("PLANTED words")
  expect(again?.allText()).not.toMatch(/SUMMARY-ONE|RAW/)
  expect(stateOnDisk(host, session)?.task_state).toEqual(next)
  await host.prompt(session, "again")
  const request = host.model.mainRequests(session).at(-1)
  expect(request?.systemText).toContain("Goal: Another goal")
  expect(request?.allText()).not.toMatch(/SUMMARY-ONE|RAW/)
}

test("a compaction that the provider refuses is a failed turn: it is tried again, then the work pauses", async () => {
  const session = await begun({ status: 400, errorBody: { error: { message: "no such form" } } })
  const before = host.readFile(path(session))
  // Between the first start and its stop one prompt of ours may have been sent.
  const count = workOn(host, "demo")?.continuation.count ?? 0
  await host.command(session, "start-work", "demo")
  const work = await untilWork(host, "demo", "backing-off")
  await host.waitIdle(session)
  expect(work.continuation).toMatchObject({ count: count + 2, failures: 3 })
  expect(compactionRequests(host, session)).toHaveLength(4)
  expect(host.readFile(path(session))).toBe(before)
  await expectMadeUpFor(session)
  const kept = host.journal().filter(({ reason }) => reason === "task-state-kept")
  expect(kept.map((line) => Reflect.get(Object(line["facts"]), "failure"))).toEqual(
    Array(3).fill("no-answer"),
  )
})

test("a compaction that the user interrupts leaves the state, and pauses the work", async () => {
  const session = await begun({ text: '{"task_state":{"goal":"RAW', hang: true })
  const before = host.readFile(path(session))
  const ours = () => host.model.mainRequests(session).filter(isOurs).length
  const sent = ours()
  const done = host.command(session, "start-work", "demo")
  await host.waitFor(() => compactionRequests(host, session).length === 2, {
    what: "the compaction is under way",
  })
  await host.abort(session)
  await done
  await untilWork(host, "demo", "aborted")
  await host.waitIdle(session)
  expect(host.readFile(path(session))).toBe(before)
  expect(ours()).toBe(sent)
  await expectMadeUpFor(session)
  expect(host.model.mainRequests(session).filter((one) => one.allText().includes("RAW"))).toEqual(
    [],
  )
})
