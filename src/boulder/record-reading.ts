import type { Plan, Task } from "../plan/plan.ts"
import type { Work } from "./boulder.ts"

/** Keeps what a reading of the plan gave, so that a turn need not read the plan while its fingerprint holds. */
export function recordReading(reading: {
  readonly plan: Plan
  readonly fingerprint: NonNullable<Work["plan_fingerprint"]>
  readonly window: readonly Task[]
}): (work: Work) => Work {
  const { plan, fingerprint, window } = reading
  const settled = plan.counts.done + plan.counts.cancelled
  return (work) => ({
    ...work,
    plan_fingerprint: fingerprint,
    completed_count: settled,
    total_count: plan.counts.total,
    blocked_count: plan.counts.blocked,
    current_window: window.map((task) => task.key),
  })
}
