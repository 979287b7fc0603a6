import type { TaskState } from "./plan.ts"

/** What a marker means in a dialect. */
export interface Meaning {
  readonly state: TaskState
  /** A reading that other tools may not share: the user is told. */
  readonly isGuess?: boolean
}

export type MarkerTable = Readonly<Record<string, Meaning>>

/** Markers that mean the same everywhere; a dialect's table and a legend in the file come first. */
const COMMON_MARKERS: MarkerTable = {
  "": { state: "open" },
  x: { state: "done" },
  X: { state: "done" },
  v: { state: "done", isGuess: true },
  V: { state: "done", isGuess: true },
  "✓": { state: "done" },
  "✔": { state: "done" },
  "~": { state: "in_progress", isGuess: true },
  "-": { state: "cancelled", isGuess: true },
  "/": { state: "in_progress" },
  ">": { state: "in_progress" },
  "!": { state: "blocked" },
}

/** The closed list of marker words: any other word in brackets makes no row. */
const WORDS: MarkerTable = {
  BLOCKED: { state: "blocked" },
  SKIP: { state: "cancelled" },
  SKIPPED: { state: "cancelled" },
  "N/A": { state: "cancelled" },
  CANCELLED: { state: "cancelled" },
  CANCELED: { state: "cancelled" },
  DONE: { state: "done" },
  WIP: { state: "in_progress" },
}

const LETTERS_AND_DIGITS = /^[\p{L}\p{N}]{2,}/u
const CAPITAL = /^[A-Z]$/
const ONE_SIGN = /^\P{M}(?:\p{M}|\u200d\P{M})*$/u

/**
 * Whether the text in brackets can be a marker at all: nothing, one character as a person sees it,
 * or a word of the list. `[P]`, `[Story]` and `[P0]` are tags.
 */
export function isMarker(marker: string): boolean {
  const inner = marker.trim()
  if (inner === "" || lookUp(COMMON_MARKERS, inner) || lookUp(WORDS, inner.toUpperCase())) {
    return true
  }
  return !CAPITAL.test(inner) && !LETTERS_AND_DIGITS.test(inner) && ONE_SIGN.test(inner)
}

/** What a marker means, by the first table that knows it; null if none does. Nothing, and a blank of any kind, is open. */
export function meaningOf(marker: string, tables: readonly MarkerTable[]): Meaning | null {
  const inner = marker.trim()
  for (const table of [...tables, COMMON_MARKERS]) {
    const meaning = lookUp(table, inner)
    if (meaning !== null) return meaning
  }
  return lookUp(WORDS, inner.toUpperCase())
}

function lookUp(table: MarkerTable, key: string): Meaning | null {
  return Object.hasOwn(table, key) ? (table[key] ?? null) : null
}
