// The window as our texts show it, and the shards' files that go with it.
import type { Work } from "../../boulder/boulder.ts"
import { warnOfShard } from "../../plan/compare-readings.ts"
import { isAdapted } from "../../plan/formats.ts"
import type { PlanWarning, Task } from "../../plan/model/plan.ts"
import { detailsOf, printShard } from "../../plan/print-shard.ts"
import { shardOf, shardPlan } from "../../plan/shard-plan.ts"
import type { ShownWindow } from "../../prompts/window-lines.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import { shardPath } from "../../store/records/shard-files.ts"
import type { Shell } from "../host/shell.ts"

type Showing = Pick<Shell, "options" | "shards">

/** What a second reading, with remark, says against the scanner's of the shards that a window's tasks stand in. */
export function shardWarnings(
  { options }: Pick<Shell, "options">,
  { plan, lines }: ReadPlan,
  window: readonly Task[],
): readonly PlanWarning[] {
  if (isAdapted(plan.dialect)) return []
  const shards = shardPlan(plan.tasks, options.long_run.shard_size)
  const shown = new Set(window.map((task) => shardOf(shards, task)))
  return shards
    .filter(({ number }) => shown.has(number))
    .flatMap((shard) => warnOfShard(lines, shard))
}

/** The window as our texts show it, with the files of the shards that its tasks stand in brought up to date. */
export async function showWindow(
  shell: Showing,
  work: Work,
  reading: ReadPlan,
  window: readonly Task[],
): Promise<ShownWindow> {
  const shards = await keepShards(shell, work, reading, window)
  return {
    tasks: window,
    details: window.map((task) => detailsOf(reading.lines, task)),
    shards,
  }
}

/**
 * Brings the files of a work's shards in use to what the plan says: those that the window's tasks stand in, and the
 * one that was active before, whose last tick may have closed it. Gives the paths of the window's shards.
 */
export async function keepShards(
  { options, shards: files }: Showing,
  { work_id: workId, active_plan: planPath, active_shard: before }: Work,
  { plan, lines }: ReadPlan,
  window: readonly Task[],
): Promise<readonly string[]> {
  if (!options.long_run.enabled) return []
  const shards = shardPlan(plan.tasks, options.long_run.shard_size)
  const shown = new Set(window.map((task) => shardOf(shards, task)))
  for (const number of new Set([before, ...shown])) {
    const shard = shards[number - 1]
    if (shard === undefined) continue
    const text = printShard({ planPath, shard, count: shards.length, lines })
    await files.show({ workId, number, text })
  }
  return [...shown].map((number) => `.boulder/${shardPath(workId, number)}`)
}
