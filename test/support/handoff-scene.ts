import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { changeWork, complete, putWork } from "../../src/boulder/change-work.ts"
import { isWaveApproved } from "../../src/decide/final-wave.ts"
import { hashTitle } from "../../src/plan/model/title.ts"
import { openBridgedDesk } from "../../src/store/fleet/bridged-desk.ts"
import type { HandoffDesk } from "../../src/store/handoffs/handoff-desk.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import type { HandoffStore } from "../../src/store/handoffs/handoff-store.ts"
import { openPlanFiles, type PlanFiles } from "../../src/store/plans/plan-files.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import type { BoulderStore } from "../../src/store/revisions/boulder-store.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aTask, aTaskSession, aWork, NOW } from "./builders.ts"
import { withFolder } from "./store-folder.ts"

const MINUTE_MS = 60_000
/** The plan of the scene's only work. */
export const SCENE_PLAN = `## TODOs

- [ ] 1. Add the login form
- [ ] 2. Check the password

## Final Verification Wave

- [ ] F1. Review it
`
const title = "Check the password"
/** The second task of that plan. */
export const SECOND_TASK = aTask({ label: "2", title, titleHash: hashTitle(title) })
/** How the desk of another process differs. */
interface AnotherDesk {
  readonly byAgent?: boolean
  readonly handoffs?: ((now: () => number) => HandoffStore) | undefined
}

/** A desk on real files with one work, `demo`, led by `LEAD`. `CHILD` is the recorded session of todo:2. */
export interface DeskScene {
  readonly desk: HandoffDesk
  /** The desk of another process in the same folder. */
  another(options?: AnotherDesk): HandoffDesk
  readonly store: BoulderStore
  readonly plans: PlanFiles
  readonly now: () => number
  readonly root: string
  /** Lets this many minutes pass. */
  wait(minutes: number): void
  plan(): Promise<string>
  setPlan(text: string): Promise<void>
  blocked(): Promise<Readonly<Record<string, string>>>
  /** Completes the work. */
  finish(): Promise<unknown>
}

/** Runs with a fresh scene at `NOW`. */
export async function withDesk(
  run: (given: DeskScene) => Promise<void>,
  options: {
    byAgent?: boolean
    marksPlans?: boolean
    /** Gets the plan's text at the beginning of each write of `boulder.json` by the desk. */
    writes?: (plan: string) => void
    /** Where the handoffs are, instead of in files. */
    handoffs?: (now: () => number) => HandoffStore
    /** Gets what a person is told. */
    tell?: (line: string) => void
  } = {},
): Promise<void> {
  await withFolder(async (root) => {
    const file = join(root, ".boulder/plans/demo.md")
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(file, SCENE_PLAN)
    let nowMs = NOW
    const now = () => nowMs
    const store = openFileBoulderStore({ root })
    const task_sessions = { [SECOND_TASK.key]: aTaskSession(SECOND_TASK) }
    await store.update((boulder) => putWork(boulder, aWork({ work_id: "demo", task_sessions })))
    const plans = openPlanFiles({ root, now })
    const open = ({
      byAgent = options.byAgent ?? false,
      handoffs = options.handoffs,
    }: AnotherDesk = {}) =>
      openBridgedDesk({
        records: openRecordFiles({ root }),
        tell: options.tell ?? (() => undefined),
        handoffs: handoffs?.(now) ?? openFileHandoffStore({ root, now }),
        store: {
          ...store,
          update: async (change) => {
            options.writes?.(await readFile(file, "utf8"))
            return store.update(change)
          },
        },
        plans,
        now,
        leaseMs: 30 * MINUTE_MS,
        marksPlans: options.marksPlans ?? true,
        isWaveApproved,
        byAgent,
      })
    await run({
      desk: open(),
      another: open,
      plans,
      store,
      now,
      root,
      wait: (minutes) => {
        nowMs += minutes * MINUTE_MS
      },
      plan: () => readFile(file, "utf8"),
      setPlan: (text) => writeFile(file, text),
      finish: () => store.update(changeWork("demo", new Date(NOW).toISOString(), complete)),
      blocked: async () => (await store.read()).boulder?.works["demo"]?.blocked ?? {},
    })
  })
}
