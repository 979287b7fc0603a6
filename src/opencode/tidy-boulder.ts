import { type ArchiveRules, whatLeaves } from "../boulder/archive-settled.ts"
import { emptyBoulder, type Work } from "../boulder/boulder.ts"
import { departing } from "../decide/departing.ts"
import { placeIn } from "../decide/place.ts"
import type { Plan } from "../plan/plan.ts"
import { shardPlan } from "../plan/shard-plan.ts"
import { archiveDeparted } from "../store/archive-departed.ts"
import type { Shell } from "./shell.ts"

/** The last finished work stays at hand for `status`, the others for who still follows them. */
const KEEP_COMPLETED = 1
const KEEP_COMPLETED_MS = 60_000
/** Sessions that have led a work: those below them can be reused. */
const KEEP_SESSIONS = 6

type Tidying = Pick<Shell, "store" | "archive" | "plans" | "now" | "options">

/** Moves what is no longer needed at hand out of `boulder.json`: at a start and a finish. Throws `StoreError`. */
export async function tidyBoulder(shell: Tidying, sessionId: string): Promise<void> {
  const { work } = placeIn((await shell.store.read()).boulder, [sessionId])
  const reading = work === null ? null : await shell.plans.read(work.active_plan)
  const rules =
    work !== null && reading?.kind === "read"
      ? rulesFor(shell, work, reading.plan)
      : { ...bareRules(shell), settled: new Map(), wave: new Map() }
  await archiveDeparted({ ...shell, rules })
}

/** The same after a delegation, for one work: touches no file while nothing leaves. */
export async function tidyWork(shell: Tidying, work: Work, plan: Plan): Promise<void> {
  const rules = rulesFor(shell, work, plan)
  const alone = { ...emptyBoulder(), works: { [work.work_id]: work } }
  if (whatLeaves(alone, rules) !== null) await archiveDeparted({ ...shell, rules })
}

function rulesFor(shell: Tidying, work: Work, plan: Plan): ArchiveRules {
  const { shard_size: shardSize } = shell.options.long_run
  const shards = shardPlan(plan.tasks, shardSize)
  const { sessions, wave } = departing(plan, work, { shards, shardSize })
  return {
    ...bareRules(shell),
    settled: new Map([[work.work_id, sessions]]),
    wave: new Map([[work.work_id, wave]]),
  }
}

function bareRules({ now }: Tidying) {
  return {
    keepCompleted: KEEP_COMPLETED,
    keepCompletedMs: KEEP_COMPLETED_MS,
    now: now(),
    keepSessions: KEEP_SESSIONS,
  }
}
