import { expect } from "bun:test"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import type { ModelRequest } from "./host-model-request.ts"
import { type OpencodeHost, startHost } from "./opencode-host.ts"
import { delegate, planOf, roles, tick } from "./plans.ts"
import type { Reply } from "./scripted-model.ts"
import { untilWork, workOn } from "./work-on-disk.ts"

const PLAN = ".boulder/plans/demo.md"
const TASKS_A_TURN = 2
const RESULT = /Result for (todo:\d+)\b[^\n]*\nPreferred reuse session for \1: (ses_[0-9A-Za-z]+)/g

/** A run of a plan whose host a test kills, and what the model was told until then. */
export interface KilledRun {
  readonly host: OpencodeHost
  /** Resumes, as a user does after a crash. The kill ends the turn, and the answer with it. */
  goOn(): void
  isOver(): boolean
  /** Checks that what the model was told is recorded, or a later session that it was not told about; the revision never falls. */
  expectNothingLost(): Promise<void>
  /** Lets it run to its end, and checks that each task is done, recorded and told. */
  expectComplete(): Promise<void>
}

/** The model delegates and ticks one open task after another, two a turn, unless `instead` has another answer. */
export async function openKilledRun(
  tasks: number,
  instead: (request: ModelRequest) => Reply | undefined = () => undefined,
): Promise<KilledRun> {
  /** By task: the sessions that the model was told about, which is the plugin's word that they are recorded. */
  const told = new Map<string, Set<string>>()
  /** Continuations that have reached the model. Each was written down before it was sent. */
  let continuations = 0
  let revision = 0
  const titles = Array.from({ length: tasks }, (_, index) => `Write ${index + 1}.txt`)
  const host = await startHost({
    files: { [PLAN]: planOf(...titles) },
    pluginOptions: { continuation: { cooldown_seconds: 0, max_per_hour: 1_000 } },
    script: roles({
      child: (request) => instead(request),
      lead: (request) => {
        const { stepOfTurn } = request
        for (const [, key = "", session = ""] of request.allText().matchAll(RESULT))
          told.set(key, (told.get(key) ?? new Set()).add(session))
        if (isContinuation(request)) continuations += 1
        const other = instead(request)
        if (other !== undefined) return other
        const open = /- \[ \] (\d+)\./.exec(host.readFile(PLAN))?.[1]
        if (open === undefined || stepOfTurn >= 2 * TASKS_A_TURN) return { text: "over" }
        const call = stepOfTurn % 2 === 0 ? delegate(`todo:${open}`) : tick(host, PLAN, open)
        return { toolCalls: [call] }
      },
    }),
  })
  const lead = await host.createSession()

  /** Gives the number of recorded tasks. */
  async function expectNothingLost(): Promise<number> {
    const root = host.project
    const { boulder, notices } = await openFileBoulderStore({ root }).read()
    expect(notices).toEqual([])
    const work = Object.values(boulder?.works ?? {})[0]
    if (boulder === null || work === undefined) {
      expect([told.size, revision]).toEqual([0, 0])
      return 0
    }
    expect(boulder.revision).toBeGreaterThanOrEqual(revision)
    revision = boulder.revision
    expect(work.continuation.count).toBeGreaterThanOrEqual(continuations)
    const left = await openWorkArchive(openRecordFiles({ root })).tasksOf(work.work_id)
    const tasks = [...left, ...Object.values(work.task_sessions)]
    const recorded = new Map(tasks.map((task) => [task.task_key, task]))
    for (const [key, sessions] of told) expectRecorded(key, sessions, recorded.get(key))
    return recorded.size
  }

  return {
    host,
    goOn: () => {
      host.command(lead, "start-work", "demo").catch(() => undefined)
    },
    isOver: () => workOn(host, "demo")?.status === "completed",
    expectNothingLost: async () => {
      await expectNothingLost()
    },
    expectComplete: async () => {
      const work = await host.waitFor(() => untilWork(host, "demo", "completed"), {
        timeoutMs: 120_000,
      })
      expect(await expectNothingLost()).toBe(tasks)
      // Nothing is said about a session under the last result of a round, since the turn ends there.
      expect(told.size).toBeGreaterThan(0)
      expect(work.completed_count).toBe(tasks)
      expect(host.readFile(PLAN)).not.toContain("- [ ]")
      // A living opencode may be writing at this very moment; only what is left for good is an error.
      const unfinished = () =>
        readdirSync(join(host.project, ".boulder")).filter((name) =>
          /\.(tmp|copy|rotating)$|corrupt/.test(name),
        )
      await host.waitFor(() => unfinished().length === 0, {
        what: "no unfinished file in .boulder",
      })
    },
  }
}

function expectRecorded(
  key: string,
  sessions: ReadonlySet<string>,
  task: { readonly session_id: string; readonly attempts: number } | undefined,
): void {
  const id = task?.session_id ?? "none"
  const isLast = id === [...sessions].at(-1) || (id !== "none" && !sessions.has(id))
  expect(`${key}: ${id} ${isLast ? "is the last" : `is none of ${[...sessions]}`}`).toEndWith(
    "is the last",
  )
  expect(task?.attempts ?? 0).toBeGreaterThanOrEqual(sessions.size)
}

/** Whether this is the first request of a turn that the plugin has begun. */
export function isContinuation({ stepOfTurn, lastUserText }: ModelRequest): boolean {
  return stepOfTurn === 0 && lastUserText.includes("Continue the plan")
}
