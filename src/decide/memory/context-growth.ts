// Estimates what a turn has added to its session's context.
/** What a turn has added to its session's context: the host's figures, and what tools have returned since. */
export interface ContextGrowth {
  /** Tokens after the turn's first answer; 0 if unknown. */
  readonly begunAt: number
  /** Tokens after its last answer, and when that answer was created, in ms. */
  readonly tokens: number
  readonly createdAt: number
  /** Characters that the last answer's tools have returned; its tokens do not include them. */
  readonly lastChars: number
  /** Characters that the current answer's tools have returned. */
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

/** An estimate in tokens; 0 while the host has reported nothing about this turn. */
export function grownBy({ begunAt, tokens, lastChars, newChars }: ContextGrowth): number {
  return begunAt === 0
    ? 0
    : Math.max(0, tokens - begunAt + Math.ceil((lastChars + newChars) / CHARS_A_TOKEN))
}

/** Adds the characters that a tool has returned. */
export function toolReturned(growth: ContextGrowth, chars: number): ContextGrowth {
  return { ...growth, newChars: growth.newChars + chars }
}

/** Takes the tokens of an answer. The host may report them several times for the same answer. */
export function answerTold(
  growth: ContextGrowth,
  { tokens, createdAt }: { readonly tokens: number; readonly createdAt: number },
): ContextGrowth {
  const begunAt = growth.begunAt === 0 ? tokens : growth.begunAt
  if (createdAt === growth.createdAt)
    return tokens === growth.tokens ? growth : { ...growth, begunAt, tokens }
  return { begunAt, tokens, createdAt, lastChars: growth.newChars, newChars: 0 }
}
