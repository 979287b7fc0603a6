// Stores what a reading of the plan gave, and how full the lead session's context is.
import type { Work } from "../../boulder/boulder.ts"
import { recordReading } from "../../boulder/record-reading.ts"
import { unsettledTasks } from "../../decide/final-wave.ts"
import { windowOf } from "../../decide/window.ts"
import { shardOf, shardPlan } from "../../plan/shard-plan.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import { limitsInForce } from "../host/limits-in-force.ts"
import type { Shell } from "../host/shell.ts"

/** Stores what a reading of the plan gave, how full the lead session's context is, and the limits in force. */
export function changeReading(
  shell: Pick<Shell, "options" | "sessions">,
  reading: PlanFileReading | null,
  sessionId: string,
): (work: Work) => Work {
  if (reading?.kind !== "read") return (work) => ({ ...work, plan_fingerprint: null })
  const { plan, fingerprint } = reading
  const { soft, hard, scaled } = limitsInForce(shell, sessionId)
  const tokens = shell.sessions.of(sessionId).contextTokens
  const { enabled, window_size: size, shard_size: shardSize } = shell.options.long_run
  const { max_tokens_per_work: ceiling, max_cost_per_work: ceiling_usd } =
    shell.options.continuation
  const shards = shardPlan(plan.tasks, shardSize)
  const context = enabled ? { tokens, soft_limit: soft, hard_limit: hard, scaled } : null
  return (work) => {
    const window = windowOf(plan, work, size)
    const active = window[0] ?? unsettledTasks(plan, work)[0] ?? plan.tasks.at(-1)
    const activeShard = active === undefined ? 0 : shardOf(plan.tasks, shards, active)
    const read = recordReading({ plan, fingerprint, window, activeShard })(work)
    return {
      ...read,
      context,
      tokens: { ...work.tokens, ceiling },
      cost: { ...work.cost, ceiling_usd },
    }
  }
}
