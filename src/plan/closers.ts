export type EndingKind = "backtick" | "tilde" | "comment"

/**
 * The last line of each ending in one container, known once a search there has failed: so a
 * container is searched in vain only once, however many openers it holds.
 */
export interface Closers {
  last: Record<EndingKind, number[]> | null
}

export function newClosers(): Closers {
  return { last: null }
}
