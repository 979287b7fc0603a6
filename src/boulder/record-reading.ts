// Stores what a reading of the plan has shown.
import { byKey } from "../plan/model/once-a-reading.ts"
import { isSettled, type Plan, settledCount, type Task } from "../plan/model/plan.ts"
import type { Work } from "./boulder.ts"
import { followTasks } from "./follow-tasks.ts"
import { followTicks } from "./follow-ticks.ts"

/** Stores what a reading of the plan has shown, so that a turn need not read the plan while its fingerprint is unchanged. */
export function recordReading(reading: {
  readonly plan: Plan
  readonly fingerprint: NonNullable<Work["plan_fingerprint"]>
  readonly window: readonly Task[]
  readonly activeShard: number
}): (work: Work) => Work {
  const { plan, fingerprint, window, activeShard } = reading
  const settled = settledCount(plan.counts)
  const tasks = followTasks({ kind: "read", plan })
  const ticks = followTicks(plan)
  const record = (work: Work): Work => ({
    ...work,
    plan_fingerprint: fingerprint,
    completed_count: settled,
    total_count: plan.counts.total,
    blocked_count: plan.counts.blocked,
    blocked: blockedStill(work, plan),
    active_shard: activeShard,
    current_window: window.map(({ key }) => key),
    window_titles: window.map(({ titleHash }) => titleHash),
    round: countedAgain(work.round, settled),
  })
  return (work) => record(ticks(tasks(work)))
}

/** How many tasks there are, settled ones and blocked ones: in the plan or, if it cannot be read (null), at its last reading. */
export function countsNow(
  work: Pick<Work, "completed_count" | "total_count"> & Partial<Pick<Work, "blocked_count">>,
  plan: Plan | null,
) {
  const { completed_count: settled, total_count: total, blocked_count: blocked = 0 } = work
  if (plan === null) return { settled, total, blocked }
  const { counts } = plan
  return { settled: settledCount(counts), total: counts.total, blocked: counts.blocked }
}

/** Settled tasks that are reopened or removed from the plan do not delay a checkpoint: it counts from what is left. */
function countedAgain(round: Work["round"], settled: number): Work["round"] {
  return settled < round.settled_at_checkpoint
    ? { ...round, settled_at_checkpoint: settled }
    : round
}

/** A block ends when its task is settled in the plan, whoever edited it. */
function blockedStill({ blocked }: Work, plan: Plan): Work["blocked"] {
  if (Object.keys(blocked).length === 0) return blocked
  const tasks = byKey(plan.tasks)
  const left = Object.entries(blocked).filter(([key]) => {
    const task = tasks.get(key)
    return task === undefined || !isSettled(task)
  })
  return left.length === Object.keys(blocked).length ? blocked : Object.fromEntries(left)
}
