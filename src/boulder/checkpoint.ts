// Writes the text of a checkpoint's file.
import { blockedOf, withKeys } from "../plan/model/once-a-reading.ts"
import { isSettled, type Plan } from "../plan/model/plan.ts"
import type { RoundEnd, Work } from "./boulder.ts"
import { sumIn } from "./cost.ts"
import type { Tier } from "./proof-entry.ts"

/** What a checkpoint contains; `at` is an ISO 8601 time. */
export interface CheckpointFacts {
  readonly seq: number
  readonly reason: RoundEnd
  readonly work: Work
  readonly plan: Plan
  readonly planHash: string
  readonly window: readonly string[]
  readonly contextTokens: number
  /** The ticked tasks with checks, by what they are based on; null if the plan names no check. */
  readonly proof?: {
    readonly ticked: number
    readonly proven: number
    readonly unproven: readonly { readonly key: string; readonly tier: Tier }[]
  } | null
  /** Where the lead session's task state is stored, below `.boulder`; null if there is none. */
  readonly taskState: string | null
  readonly at: string
}

/** The text of a checkpoint's file. Apart from `at`, the same facts give the same bytes. */
export function checkpointText(facts: CheckpointFacts): string {
  const { work, plan } = facts
  const checkpoint = {
    checkpoint: facts.seq,
    work_id: work.work_id,
    plan: work.active_plan,
    plan_hash: facts.planHash,
    round: work.round.number,
    reason: facts.reason,
    counts: plan.counts,
    active_shard: work.active_shard,
    window: facts.window,
    blocked: Object.fromEntries(
      blockedOf(plan.tasks).map(({ key }) => [key, work.blocked[key] ?? null]),
    ),
    task_sessions: Object.fromEntries(
      withKeys(plan.tasks, Object.keys(work.task_sessions)).flatMap((task) => {
        const session = isSettled(task) ? undefined : work.task_sessions[task.key]
        return session === undefined ? [] : [[task.key, session.session_id]]
      }),
    ),
    task_state: facts.taskState,
    context_tokens: facts.contextTokens,
    tokens_spent: work.tokens.spent,
    cost: sumIn(work.cost),
    ...(facts.proof == null ? {} : { proof: facts.proof }),
    at: facts.at,
  }
  return `${JSON.stringify(checkpoint, null, 1)}\n`
}

/** Whether two checkpoints are the same apart from their times. */
export function isSameCheckpoint(one: string, other: string): boolean {
  return withoutTime(one) === withoutTime(other)
}

function withoutTime(text: string): string {
  return text.replace(/^ "at": .*$/m, "")
}
