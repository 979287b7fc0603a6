// The end of a round and the hard limit, in words for the model.
import type { RoundEnd } from "../boulder/boulder.ts"
import type { TokenLimits } from "../decide/situation.ts"
import { frame } from "./frame.ts"

const WHY: Readonly<Record<RoundEnd, string>> = {
  "checkpoint-due": "The round is over",
  "context-grown": "The round is over",
  "soft-limit": "Your context has reached its soft limit",
  "hard-limit": "Your context has reached its hard limit: tools are refused until the next round",
}

/** What ends a round, in the result of the tool that ended it. Budget: 60 tokens (o200k). */
export function roundEndText(
  reason: RoundEnd,
  { seq, settled, total }: { seq: number; settled: number; total: number },
): string {
  return frame([
    `End this turn. ${WHY[reason]}; checkpoint ${seq} is written (${settled}/${total} settled). The next round starts by itself.`,
  ])
}

/** Why a tool of the lead session was refused, and what to do; the model sees exactly this. Budget: 60 tokens. */
export function hardLimitRefusal(contextTokens: number, hardLimit: number): string {
  return `boulder: refused, your context is at its hard limit (${contextTokens} of ${hardLimit} tokens). Tick the boxes of finished tasks, then end this turn; the next round starts by itself.`
}

/** One line for the user on limits that are larger than the model. */
export function scaledNotice(
  { soft, hard }: TokenLimits,
  contextLimit: number,
  compactsAt: number | null,
): string {
  const full = compactsAt === null ? "" : `, which opencode compacts at ${compactsAt}`
  return `The token limits do not fit this model's context of ${contextLimit} tokens${full}: ${soft} (soft) and ${hard} (hard) are in force.`
}
