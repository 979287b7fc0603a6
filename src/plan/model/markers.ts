// Tells whether the text in brackets can be a marker, and what it means.
import { isWorkable, type TaskState } from "./plan.ts"
import { isPlainWord, plainWord, stateOfSigned, writtenWord } from "./state-words.ts"

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
  "✅": { state: "done" },
  "☑": { state: "done" },
  "√": { state: "done" },
  "~": { state: "in_progress", isGuess: true },
  "-": { state: "cancelled", isGuess: true },
  "/": { state: "in_progress" },
  ">": { state: "in_progress" },
  "!": { state: "blocked" },
}

/** Words that stand in brackets only for a state; any other word for a state may be a tag, and reading it is a guess. */
const MARKER_WORDS: ReadonlySet<string> = new Set([
  ...["pending", "todo", "open", "not-started", "in-progress", "doing", "wip", "done"],
  ...["complete", "completed", "blocked", "skip", "skipped", "n/a", "cancelled", "canceled"],
])
const LETTERS_AND_DIGITS = /^[\p{L}\p{N}]{2,}/u
const CAPITAL = /^[A-Z]$/
const ONE_SIGN = /^\P{M}(?:\p{M}|\u200d\P{M})*$/u

/**
 * Whether the text in brackets can be a marker: nothing, one character as a person sees it, or a word for a state. `[P]`, `[Story]` and
 * `[P0]` are tags.
 */
export function isMarker(marker: string): boolean {
  const inner = marker.trim()
  if (inner === "" || lookUp(COMMON_MARKERS, inner) || wordFor(inner)) {
    return true
  }
  return !CAPITAL.test(inner) && !LETTERS_AND_DIGITS.test(inner) && ONE_SIGN.test(inner)
}

/** Whether the text in brackets is a single capital letter: a tag, or a marker defined by the plan. */
export function isLetter(marker: string): boolean {
  return CAPITAL.test(marker.trim())
}

/** What a marker means, by the first table that knows it; null if none does. Nothing, or any blank, means open. */
export function meaningOf(marker: string, tables: readonly MarkerTable[]): Meaning | null {
  const inner = marker.trim()
  for (const table of tables) {
    const meaning = lookUp(table, inner)
    if (meaning !== null) return meaning
  }
  return lookUp(COMMON_MARKERS, inner) ?? wordFor(inner)
}

/**
 * The word to write for a state if the row states its own in words: a word that other rows use, else the usual one, in the same case; null
 * otherwise.
 */
export function stateWord(
  marker: string,
  state: TaskState,
  others: readonly string[],
): string | null {
  if (!isPlainWord(marker)) return null
  const said = writtenWord(state, others.filter(isPlainWord))
  if (said !== null) return said
  // Beside `[x]` a word is one among signs: `[wip]` becomes `[x]`.
  const hasSigns = others.some((other) => !isPlainWord(other))
  if (hasSigns || !isWritten(state)) return null
  const usual = usualWord(state, [marker])
  const spaced = marker.trim().includes(" ") ? usual.replace("_", " ") : usual
  return marker === marker.toUpperCase() ? spaced.toUpperCase() : spaced
}

/** Open, begun and done, in English and in other languages. */
const ENGLISH = ["pending", "in_progress", "complete"] as const
const ELSEWHERE = [
  ["offen", "in Arbeit", "erledigt"],
  ["pendiente", "en curso", "completado"],
  ["pendente", "em andamento", "concluído"],
  ["à faire", "en cours", "terminé"],
  ["da fare", "in corso", "completato"],
  ["не начато", "в работе", "готово"],
  ["do zrobienia", "w toku", "zrobione"],
  ["未开始", "进行中", "已完成"],
  ["未着手", "進行中", "完了"],
  ["대기", "진행중", "완료"],
] as const
const NO_LETTERS = /^[^\p{L}]+/u

/** The usual word for a state, in the language of a plan's own words if one of them shows it. */
export function usualWord(state: "open" | "in_progress" | "done", used: readonly string[]): string {
  const own = new Set(used.map((word) => plainWord(word.replace(NO_LETTERS, ""))))
  const words = ELSEWHERE.find((each) => each.some((word) => own.has(plainWord(word)))) ?? ENGLISH
  return words[state === "open" ? 0 : state === "done" ? 2 : 1]
}

function isWritten(state: TaskState): state is "open" | "in_progress" | "done" {
  return isWorkable(state) || state === "done"
}

function wordFor(marker: string): Meaning | null {
  const state = stateOfSigned(marker)
  if (state === null) return null
  return MARKER_WORDS.has(plainWord(marker)) ? { state } : { state, isGuess: true }
}

/** A sign may be followed by the selector that shows it in colour. */
function lookUp(table: MarkerTable, key: string): Meaning | null {
  const plain = key.length > 1 && key.endsWith("\ufe0f") ? key.slice(0, -1) : key
  return Object.hasOwn(table, plain) ? (table[plain] ?? null) : null
}
