// `**Status:** complete` below a heading: what it says of the heading's work, and where.
import type { Heading, Mask } from "../blocks/blocks.ts"
import { stateOfWord } from "../data/json-status.ts"
import type { TaskState } from "../model/plan.ts"

/** The status line of a heading. */
export interface StatusLine {
  /** Index of the line, from 0. */
  readonly index: number
  /** The word for the state as it is written, and where it begins in the line. */
  readonly word: string
  readonly at: number
  /** Null for a word that nobody knows. */
  readonly state: TaskState | null
}

const MAX_LENGTH = 400
const MAY_BE = /status|状态|狀態|状態/i
/** `- **Status:** `, up to the value. */
const STATUS =
  /^[ \t]{0,8}(?:[-*+>][ \t]+)?(?:[^\p{L}\p{N}\s*_|[\]]{1,4}[ \t]*)?[*_]{0,2}(?:status|状态|狀態|状態)[*_]{0,2}[ \t]*[:：][ \t]*[*_]{0,2}[ \t]*/iu
/** Emphasis, then signs such as an emoji, then up to three words of a value. */
const WRAPPING = /^[*_`([]{0,4}/
const SIGNS = /^(?:[^\p{L}\p{N}\s|*_`([]{1,6}[ \t]*)?/u
const WORDS = /^\p{L}+(?:[ _-]\p{L}+){0,2}/u
/** Behind a word: of several to choose from, and of a condition, none says a state. */
const OPEN_END = /^[*_`\])]*[ \t]*(?:[|/→]|->|(?:or|when|if|once|until|only|after|unless)\b)/i
const BY_SIGN: readonly (readonly [RegExp, TaskState])[] = [
  [/[✅☑✔]/u, "done"],
  [/[🔄🚧🔵🟡]/u, "in_progress"],
  [/[⬜⏳🔲📋☐⏸]/u, "open"],
  [/[🛑⛔🚫]/u, "blocked"],
]

/** The status lines right below headings, by the heading's line: the first one in front of the next heading. */
export function readStatusLines(
  lines: readonly string[],
  headings: readonly Heading[],
  masks: readonly Mask[],
): ReadonlyMap<number, StatusLine> {
  const found = new Map<number, StatusLine>()
  const masked = maskReader(masks)
  for (const [at, { index: start }] of headings.entries()) {
    const end = headings[at + 1]?.index ?? lines.length
    const status = firstStatus(lines, { start, end, masked })
    if (status !== null) found.set(start, status)
  }
  return found
}

interface Stretch {
  readonly start: number
  readonly end: number
  readonly masked: (index: number) => boolean
}

function firstStatus(lines: readonly string[], { start, end, masked }: Stretch): StatusLine | null {
  for (let index = start + 1; index < end; index++) {
    const line = lines[index] ?? ""
    const mayBe = line.length <= MAX_LENGTH && MAY_BE.test(line)
    const status = mayBe && !masked(index) ? statusOn(line, index) : null
    if (status !== null) return status
  }
  return null
}

/** Tells of ascending lines whether a mask covers them. */
function maskReader(masks: readonly Mask[]): (index: number) => boolean {
  let at = 0
  return (index) => {
    while ((masks[at]?.to ?? Number.POSITIVE_INFINITY) < index) at++
    return (masks[at]?.from ?? Number.POSITIVE_INFINITY) <= index
  }
}

/** The word that says a state in the manner of a plan: one that it uses for it, else the usual one, written as `word` is. */
export function statusWordFor(
  state: "open" | "in_progress" | "done",
  word: string,
  used: readonly string[],
): string {
  const known = used.find((other) => stateOf(other) === state)
  if (known !== undefined) return known
  const usual = USUAL[state]
  const plain = word.replace(NO_LETTERS, "")
  if (plain === plain.toUpperCase() && plain !== "") return usual.toUpperCase()
  const spaced = usual.replace("_", " ").replace(/(?:^| )[a-z]/g, (at) => at.toUpperCase())
  return /^\p{Lu}/u.test(plain) ? spaced : usual
}

const USUAL = { open: "pending", in_progress: "in_progress", done: "complete" } as const
const NO_LETTERS = /^[^\p{L}]+/u

/** What a line says of a state; null for any other line. */
function statusOn(line: string, index: number): StatusLine | null {
  const prefix = STATUS.exec(line)?.[0]
  if (prefix === undefined) return null
  const at = prefix.length + (WRAPPING.exec(line.slice(prefix.length))?.[0].length ?? 0)
  const value = line.slice(at)
  const signs = SIGNS.exec(value)?.[0] ?? ""
  const words = WORDS.exec(value.slice(signs.length))?.[0] ?? ""
  const word = signs + (knownWord(words) ?? words)
  const isOpenEnd = OPEN_END.test(value.slice(word.length))
  return { index, word: word.trimEnd(), at, state: isOpenEnd ? null : stateOf(word) }
}

/** What a word says, an emoji before it or not; an emoji alone says its own. */
function stateOf(word: string): TaskState | null {
  const words = word.replace(NO_LETTERS, "")
  if (words !== "") return stateOfWord(words)
  return BY_SIGN.find(([pattern]) => pattern.test(word))?.[1] ?? null
}

/** The longest part of the words, from their start, that says a state. */
function knownWord(words: string): string | null {
  const ends = [...words.matchAll(/[ _-]|$/g)].map(({ index }) => index).reverse()
  const end = ends.find((length) => length > 0 && stateOfWord(words.slice(0, length)) !== null)
  return end === undefined ? null : words.slice(0, end)
}
