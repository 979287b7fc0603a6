// Adds up what the answers of a session have cost, each once.
import type { SpentSum } from "./host-event.ts"
import type { CountedAnswer, SessionMemory } from "./session-memory.ts"

/** The host may report an answer again while its turn runs, but not after so many others. */
const MAX_COUNTED = 64

/** Counts an answer once, however often the host reports it, and whatever it reports in between. */
export function countAnswer(memory: SessionMemory, answer: CountedAnswer): SessionMemory {
  const { messageId } = answer
  const known = memory.counted.find((one) => one.messageId === messageId)
  const before: CountedAnswer = known ?? { messageId, tokens: 0, usd: null }
  const answeredAt = answer.answeredAt ?? before.answeredAt
  const now = {
    messageId,
    tokens: Math.max(answer.tokens, before.tokens),
    usd: answer.usd === null ? before.usd : Math.max(answer.usd, before.usd ?? 0),
    ...(answeredAt === undefined ? {} : { answeredAt }),
  }
  const isNews = answeredAt !== before.answeredAt
  if (!isNews && now.tokens === before.tokens && now.usd === before.usd) return memory
  const others = memory.counted.filter((one) => one !== known)
  const unknownAnswers = unknown(now) - unknown(before)
  const added = {
    tokens: now.tokens - before.tokens,
    usd: (now.usd ?? 0) - (before.usd ?? 0),
    unpricedTokens: unpriced(now) - unpriced(before),
    ...(unknownAnswers === 0 ? {} : { unknownAnswers }),
    ...(isNews ? { answeredAt } : {}),
  }
  return {
    ...memory,
    spent: sumOf(memory.spent, added),
    counted: [...others, now].slice(-MAX_COUNTED),
  }
}

function unpriced({ tokens, usd }: CountedAnswer): number {
  return usd === null ? tokens : 0
}

/** 1 for an answer that ended normally and reports no usage at all, else 0. */
function unknown({ tokens, usd, answeredAt }: CountedAnswer): number {
  return tokens === 0 && usd === null && answeredAt !== undefined ? 1 : 0
}

/** Whether a sum says anything: an answer may have a price but no tokens, or tokens may be corrected downwards. */
export function isSpent({
  tokens,
  usd,
  unpricedTokens,
  unknownAnswers = 0,
  answeredAt,
}: SpentSum): boolean {
  return [tokens, usd, unpricedTokens, unknownAnswers].some(Boolean) || answeredAt !== undefined
}

/** Adds two sums. */
export function sumOf(one: SpentSum, other: SpentSum): SpentSum {
  const answered = [one.answeredAt, other.answeredAt].filter((at) => at !== undefined)
  const unknownAnswers = (one.unknownAnswers ?? 0) + (other.unknownAnswers ?? 0)
  return {
    ...(unknownAnswers === 0 ? {} : { unknownAnswers }),
    ...(answered.length === 0 ? {} : { answeredAt: Math.max(...answered) }),
    tokens: one.tokens + other.tokens,
    usd: one.usd + other.usd,
    unpricedTokens: one.unpricedTokens + other.unpricedTokens,
  }
}
