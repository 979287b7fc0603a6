import { type ArchiveRules, whatLeaves } from "../boulder/archive-settled.ts"
import { emptyBoulder, type Work } from "../boulder/boulder.ts"
import { workOfSession } from "../boulder/find-work.ts"
import { departing } from "../decide/departing.ts"
import type { Plan } from "../plan/plan.ts"
import { archiveDeparted } from "../store/archive-departed.ts"
import type { Shell } from "./shell.ts"

const SHARD_SIZE = 12
/** Finished works at hand, for `status` and for who still follows them. */
const KEEP_COMPLETED = 3
const KEEP_SESSIONS = 32

type Tidying = Pick<Shell, "store" | "archive" | "plans">

/** Moves what is no longer needed at hand out of `boulder.json`: at a start and a finish. Throws `StoreError`. */
export async function tidyBoulder(shell: Tidying, sessionId: string): Promise<void> {
  const work = workOfSession((await shell.store.read()).boulder, sessionId)
  const reading = work === null ? null : await shell.plans.read(work.active_plan)
  const rules =
    work !== null && reading?.kind === "read" ? rulesFor(work, reading.plan) : rulesFor(null, null)
  await archiveDeparted({ ...shell, rules })
}

/** The same after a delegation, for one work: touches no file while nothing leaves. */
export async function tidyWork(shell: Tidying, work: Work, plan: Plan): Promise<void> {
  const rules = rulesFor(work, plan)
  const alone = { ...emptyBoulder(), works: { [work.work_id]: work } }
  if (whatLeaves(alone, rules) !== null) await archiveDeparted({ ...shell, rules })
}

function rulesFor(work: Work | null, plan: Plan | null): ArchiveRules {
  const rules = { keepCompleted: KEEP_COMPLETED, keepSessions: KEEP_SESSIONS }
  if (work === null || plan === null) return { ...rules, settled: new Map(), wave: new Map() }
  const { sessions, wave } = departing(plan, work, SHARD_SIZE)
  return {
    ...rules,
    settled: new Map([[work.work_id, sessions]]),
    wave: new Map([[work.work_id, wave]]),
  }
}
