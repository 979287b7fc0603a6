// What a turn has added to its session's context.
/** What a turn has added to its session's context: the host's figures, and what tools have returned since them. */
export interface ContextGrowth {
  /** Tokens after the turn's first answer; 0 while unknown. */
  readonly begunAt: number
  /** Tokens after its last answer, and when that was created, in ms. */
  readonly tokens: number
  readonly createdAt: number
  /** Characters that the tools of the last answer have returned: they come behind its tokens. */
  readonly lastChars: number
  /** Characters of an answer that is under way. */
  readonly newChars: number
}

export const NO_GROWTH: ContextGrowth = {
  begunAt: 0,
  tokens: 0,
  createdAt: 0,
  lastChars: 0,
  newChars: 0,
}

const CHARS_A_TOKEN = 4

/** An estimate, in tokens; 0 while the host has told nothing of this turn. */
export function grownBy({ begunAt, tokens, lastChars, newChars }: ContextGrowth): number {
  return begunAt === 0
    ? 0
    : Math.max(0, tokens - begunAt + Math.ceil((lastChars + newChars) / CHARS_A_TOKEN))
}

/** A tool has returned so many characters. */
export function toolReturned(growth: ContextGrowth, chars: number): ContextGrowth {
  return { ...growth, newChars: growth.newChars + chars }
}

/** The host has told the tokens of an answer: of one it may tell them several times. */
export function answerTold(
  growth: ContextGrowth,
  { tokens, createdAt }: { readonly tokens: number; readonly createdAt: number },
): ContextGrowth {
  const begunAt = growth.begunAt === 0 ? tokens : growth.begunAt
  if (createdAt === growth.createdAt)
    return tokens === growth.tokens ? growth : { ...growth, begunAt, tokens }
  return { begunAt, tokens, createdAt, lastChars: growth.newChars, newChars: 0 }
}
