// Decides, after a tool has run, whether the round ends, on the newest state.
import type { Work } from "../boulder/boulder.ts"
import { endRound } from "../boulder/round-record.ts"
import { type Plan, settledCount } from "../plan/model/plan.ts"
import { decideRound, type RoundDecision } from "./decide-round.ts"
import type { TokenLimits } from "./situation.ts"

/** What is known after a tool of a lead session has run. */
export interface ToolLook {
  readonly plan: Plan
  readonly planHash: string
  readonly checkpointEvery: number
  /** Tokens in the lead session's context after its last answer, and an estimate of what the turn has added since. */
  readonly contextTokens: number
  readonly grownBy: number
  readonly limits: TokenLimits
  /** The turn is the user's own: no round ends in it. */
  readonly isUsersTurn: boolean
  /** The checkpoint that was written for the end of the round; null if none was due. */
  readonly checkpoint: number | null
  /** Stores in the work what reading its plan has shown. */
  readonly counted: (work: Work) => Work
}

const NOT_OURS: RoundDecision = { kind: "go-on", reason: "nothing-due" }

/** What was decided, and the work after it. */
export interface LookDecision {
  readonly decision: RoundDecision
  readonly work: Work
}

/**
 * Decides on the newest state whether the round ends after a tool. Newly settled tasks are counted once, and no round ends without its
 * checkpoint.
 */
export function lookBehindTool(look: ToolLook, newest: Work): LookDecision {
  const { plan, planHash, counted, checkpoint } = look
  const settled = settledCount(plan.counts)
  const decision: RoundDecision = look.isUsersTurn
    ? NOT_OURS
    : decideRound({
        ...look,
        round: newest.round,
        settled,
        isNewlySettled: settled > newest.completed_count,
      })
  if (decision.kind === "end" && checkpoint !== null)
    return { decision, work: endRound(decision.reason, checkpoint, settled)(counted(newest)) }
  const isSame =
    newest.plan_fingerprint?.hash === planHash &&
    newest.completed_count === settled &&
    newest.blocked_count === plan.counts.blocked
  return { decision, work: isSame ? newest : counted(newest) }
}
