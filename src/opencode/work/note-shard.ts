// Reads a shard a second time, with remark, once it has become active.
import type { Work } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { readWithRemark } from "../../plan/blocks/remark-reading.ts"
import { warnOfShard } from "../../plan/compare-readings.ts"
import { isAdapted } from "../../plan/formats.ts"
import type { PlanWarning, Task } from "../../plan/model/plan.ts"
import { shardOf, shardPlan, tasksOf } from "../../plan/shard-plan.ts"
import type { PlanFileReading, ReadPlan } from "../../store/plans/plan-files.ts"
import type { Shell } from "../host/shell.ts"

/** What a second reading, with remark, says against the scanner's reading of the shards that hold these tasks. */
export function shardWarnings(
  { options }: Pick<Shell, "options">,
  { plan, lines }: ReadPlan,
  tasks: readonly Task[],
): readonly PlanWarning[] {
  if (isAdapted(plan.dialect)) return []
  const shards = shardPlan(plan.tasks, options.long_run.shard_size)
  const meant = new Set(tasks.map((task) => shardOf(plan.tasks, shards, task)))
  return shards
    .filter(({ number }) => meant.has(number))
    .flatMap((shard) => warnOfShard(lines, tasksOf(plan.tasks, shard), readWithRemark))
}

/** If a shard has become active by this change, the grammar reads it too. If it sees another plan, the journal says so. */
export async function noteShard(
  shell: Pick<Shell, "options" | "journal" | "now">,
  { before, after }: { readonly before: Work; readonly after: Work },
  reading: PlanFileReading,
): Promise<void> {
  if (after.active_shard === before.active_shard || reading.kind !== "read") return
  const { tasks: all } = reading.plan
  const shard = shardPlan(all, shell.options.long_run.shard_size)[after.active_shard - 1]
  const tasks = shard === undefined ? [] : tasksOf(all, shard)
  for (const { line, rule: reason, message } of shardWarnings(shell, reading, tasks))
    await shell.journal.append({
      at: isoOf(shell.now()),
      session: after.lead_session_id,
      work: after.work_id,
      decision: "read",
      reason,
      facts: { line, message },
    })
}
