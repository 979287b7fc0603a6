import { afterAll, beforeAll, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { delegate, planOf, roles, tick } from "../support/plans.ts"
import { untilWork, workOn } from "../support/work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const TASKS = 14
const TASKS_A_TURN = 2
const KILLS = 10
const MOST_REQUESTS = 4
const MOST_MS = 120
const RESULT = /Result for (todo:\d+) [^\n]*\nPreferred reuse session for \1: (ses_[0-9A-Za-z]+)/g

let host: OpencodeHost
let lead = ""
/** By task: the sessions that the model was told of, which is the plugin's word that they are recorded. */
const told = new Map<string, Set<string>>()
/** Continuations that have reached the model: each was written down before it was sent. */
let continuations = 0

beforeAll(async () => {
  const titles = Array.from({ length: TASKS }, (_, index) => `Write ${index + 1}.txt`)
  host = await startHost({
    files: { [PLAN]: planOf(...titles) },
    pluginOptions: { continuation: { cooldown_seconds: 0, max_per_hour: 1_000 } },
    script: roles({
      lead: (request) => {
        const { stepOfTurn, lastUserText } = request
        for (const [, key = "", session = ""] of request.allText().matchAll(RESULT))
          told.set(key, (told.get(key) ?? new Set()).add(session))
        if (stepOfTurn === 0 && lastUserText.includes("Go on with the plan")) continuations += 1
        const open = /- \[ \] (\d+)\./.exec(host.readFile(PLAN))?.[1]
        if (open === undefined || stepOfTurn >= 2 * TASKS_A_TURN) return { text: "over" }
        const call = stepOfTurn % 2 === 0 ? delegate(`todo:${open}`) : tick(host, PLAN, open)
        return { toolCalls: [call] }
      },
    }),
  })
  lead = await host.createSession()
})
afterAll(() => host.stop())

test(`killed ${KILLS} times at random moments, the run loses nothing that it was told, and completes`, async () => {
  let revision = 0
  for (let kill = 0; kill < KILLS; kill++) {
    goOn()
    const requests = host.model.requests.length + 1 + Math.floor(Math.random() * MOST_REQUESTS)
    const isOver = () => workOn(host, "demo")?.status === "completed"
    await host.waitFor(() => host.model.requests.length >= requests || isOver(), {
      what: "the run goes on",
      timeoutMs: 60_000,
    })
    await wait(Math.random() * MOST_MS)
    await host.restart("kill")
    revision = await expectNothingLost(revision)
  }
  goOn()
  const work = await host.waitFor(() => untilWork(host, "demo", "completed"), {
    timeoutMs: 120_000,
  })
  await expectNothingLost(revision)
  expect(told.size).toBe(TASKS)
  expect(work.completed_count).toBe(TASKS)
  expect(host.readFile(PLAN)).not.toContain("- [ ]")
  const left = readdirSync(join(host.project, ".boulder"))
  expect(left.filter((name) => /\.(tmp|copy|rotating)$|corrupt/.test(name))).toEqual([])
}, 600_000)

/** As a user does after a crash. The kill ends the turn and the answer with it. */
function goOn(): void {
  host.command(lead, "start-work", "demo").catch(() => undefined)
}

/** Gives the revision: it never falls. What the model was told is there, or a later session that it was not told of. */
async function expectNothingLost(before: number): Promise<number> {
  const root = host.project
  const { boulder, notices } = await openFileBoulderStore({ root }).read()
  expect(notices).toEqual([])
  const work = Object.values(boulder?.works ?? {})[0]
  if (boulder === null || work === undefined) {
    expect([told.size, before]).toEqual([0, 0])
    return 0
  }
  expect(boulder.revision).toBeGreaterThanOrEqual(before)
  expect(work.continuation.count).toBeGreaterThanOrEqual(continuations)
  const left = await openWorkArchive(openRecordFiles({ root })).tasksOf(work.work_id)
  const recorded = new Map(
    [...left, ...Object.values(work.task_sessions)].map((task) => [task.task_key, task]),
  )
  for (const [key, sessions] of told) {
    const id = recorded.get(key)?.session_id ?? "none"
    const isLast = id === [...sessions].at(-1) || (id !== "none" && !sessions.has(id))
    expect(`${key}: ${id} ${isLast ? "is the last" : `is none of ${[...sessions]}`}`).toEndWith(
      "is the last",
    )
    expect(recorded.get(key)?.attempts ?? 0).toBeGreaterThanOrEqual(sessions.size)
  }
  return boulder.revision
}
