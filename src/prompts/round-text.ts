// The hard limit in words for the model; limits too large for the model in words for the user.
import type { TokenLimits } from "../decide/situation.ts"

/** Why a tool of the lead session was refused, and what to do; the model sees exactly this. Budget: 60 tokens. */
export function hardLimitRefusal(contextTokens: number, hardLimit: number): string {
  return `boulder: refused, your context is at its hard limit (${contextTokens} of ${hardLimit} tokens). Settle what you have verified, leave the rest, and end this turn; the next round starts automatically.`
}

/** One line for the user about limits that are larger than the model's context. */
export function scaledNotice(
  { soft, hard }: TokenLimits,
  contextLimit: number,
  compactsAt: number | null,
): string {
  const full = compactsAt === null ? "" : `, which opencode compacts at ${compactsAt}`
  return `The token limits do not fit this model's context of ${contextLimit} tokens${full}: ${soft} (soft) and ${hard} (hard) are in force.`
}
