// Decides when and what to archive: how many finished works stay in `boulder.json`, and for how long.
import { whatLeaves } from "../../boulder/archive-settled.ts"
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { departing } from "../../decide/departing.ts"
import type { Plan } from "../../plan/model/plan.ts"
import { shardPlan } from "../../plan/shard-plan.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import { archiveDeparted } from "../../store/records/archive-departed.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"

/** The last finished work stays at hand for `status`; the others stay for whoever still follows them. */
const KEEP_COMPLETED = 1
const KEEP_COMPLETED_MS = 60_000
/** How many former lead sessions are kept: those below them can be reused. */
const KEEP_SESSIONS = 6

type Tidying = Pick<Shell, "store" | "archive" | "now" | "options" | "log">

/**
 * Moves out of `boulder.json` what is no longer needed at hand: at a start, at a finish and after a delegation. Looks at `boulder` as it
 * was just now, and touches no file if nothing leaves. What fails is left for the next time.
 */
export async function tidyBoulder(
  shell: Tidying,
  boulder: Boulder,
  { work, reading }: { readonly work: Work; readonly reading: PlanFileReading },
): Promise<void> {
  const rules = {
    keepCompleted: KEEP_COMPLETED,
    keepCompletedMs: KEEP_COMPLETED_MS,
    now: shell.now(),
    keepSessions: KEEP_SESSIONS,
    unneeded: reading.kind === "read" ? unneededIn(shell, work, reading.plan) : null,
  }
  if (whatLeaves(boulder, rules) !== null)
    await unlessFailed(shell, () => archiveDeparted({ ...shell, rules }), undefined)
}

function unneededIn({ options }: Tidying, work: Work, plan: Plan) {
  const { shard_size: shardSize } = options.long_run
  const shards = shardPlan(plan.tasks, shardSize)
  return { workId: work.work_id, ...departing(plan, work, { shards, shardSize }) }
}
