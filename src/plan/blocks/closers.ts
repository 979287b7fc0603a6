// Remembers where blocks end, so that no search runs twice.
export type EndingKind = "backtick" | "tilde" | "comment"

/**
 * What was seen on the lines of one container, ascending: each line is looked at only once, however many openers the container has and
 * however often a block in it is read again.
 */
export interface Closers {
  /** By kind and length: lines that end a block of this kind opened with this length. */
  readonly ends: SeenLines
  /** By kind and length: lines that would open another block of this kind and at least this length. */
  readonly starts: SeenLines
  /** Lines that look like a row with a box. */
  readonly rows: number[]
  /** The first line not looked at yet. */
  until: number
  /** The container ends at `until`, as far as is known: a lazy paragraph may carry it further. */
  hasEnded: boolean
}

type SeenLines = Readonly<Record<EndingKind, number[][]>>

export function newClosers(): Closers {
  return { ends: newSeen(), starts: newSeen(), rows: [], until: 0, hasEnded: false }
}

function newSeen(): SeenLines {
  return { backtick: [], tilde: [], comment: [] }
}

/** Notes a line for a length and for every shorter one. */
export function noteLine(seen: number[][], length: number, line: number): void {
  for (let shorter = 0; shorter <= length; shorter++) {
    const lines = seen[shorter]
    if (lines === undefined) seen[shorter] = [line]
    else lines.push(line)
  }
}

/** The first of ascending lines after a line; null if there is none. */
export function firstBehind(lines: readonly number[] | undefined, line: number): number | null {
  if (lines === undefined) return null
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle] ?? 0) <= line) low = middle + 1
    else high = middle
  }
  return lines[low] ?? null
}
