export type EndingKind = "backtick" | "tilde" | "comment"

/**
 * The last line of each ending in one container, known once a search there has failed: so a
 * container is searched in vain only once, however many openers it holds.
 */
export interface Closers {
  last: Readonly<Record<EndingKind, readonly number[]>> | null
  /** The line that the search did not reach: a lazy paragraph may carry the container past it. */
  until: number
}

export function newClosers(): Closers {
  return { last: null, until: 0 }
}
