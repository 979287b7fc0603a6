// `**Status:** complete` below a heading: what it says of the heading's work, and where.
import { type Blocks, type Heading, type Mask, stretchReader } from "../blocks/blocks.ts"
import { placeFrom } from "../model/lines.ts"
import { usualWord } from "../model/markers.ts"
import type { TaskState } from "../model/plan.ts"
import { BOXED, readState, STATUS_NAME, stateOfWord, writtenWord } from "../model/state-words.ts"
import { cleanTitle } from "../model/title.ts"

/** The status line of a heading. */
export interface StatusLine {
  /** Index of the line, from 0. */
  readonly index: number
  /** The word for the state as it is written, and where it begins in the line. */
  readonly word: string
  readonly at: number
  /** Null for a word that nobody knows. */
  readonly state: TaskState | null
  /** Whether it begins with a known word, also where something beside that takes back what it says. */
  readonly isKnown: boolean
  /** The whole value, for a message. */
  readonly said: string
}

const MAX_LENGTH = 400
const MAY_BE = new RegExp(STATUS_NAME, "i")
/** The name in two languages, one in brackets or behind a slash: `Status (状态)`, `状态/Status`; a name of which one side is another is bold. */
const OTHER = "\\p{L}[^|:：()（）/*_]{0,30}"
const NAME =
  `(?:(?:${STATUS_NAME})(?:[ \\t]*[(（]${OTHER}[)）]|[ \\t]*/[ \\t]*${OTHER})?` +
  `|(?:(?<=[*_])${OTHER}?|(?:${STATUS_NAME}))(?:[ \\t]*[(（](?:${STATUS_NAME})[)）]|[ \\t]*/[ \\t]*(?:${STATUS_NAME})))`
/** `- **Status:** `, up to the value; other fields may stand before it: `**Priority:** High | **Status:** `. */
const STATUS = new RegExp(
  "^[ \\t]{0,8}(?:[-*+>][ \\t]+)?(?:[*_]{0,2}\\p{L}[^|:：]{0,40}[:：][^|]{0,80}\\|[ \\t]*){0,4}" +
    `(?:[^\\p{L}\\p{N}\\s*_|[\\]]{1,4}[ \\t]*)?[*_]{0,2}${NAME}[*_]{0,2}[ \\t]*[:：][ \\t]*[*_]{0,2}[ \\t]*`,
  "iu",
)
/** `| **Status** | pending |`, in a table of fields: in one of two columns. */
const CELL = new RegExp(
  `^[ \\t]{0,8}\\|[ \\t]*[*_]{0,2}${NAME}[*_]{0,2}[ \\t]*\\|[ \\t]*(?=[^|]+\\|?[ \\t]*$)`,
  "iu",
)
const HEADING = new RegExp(`^[*_]{0,2}${NAME}[*_]{0,2}[ \\t]*(?:$|[:：])`, "iu")
const HASHES = /^ {0,3}#{2,6}[ \t]+/
const WORDS = /\S/
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/
const NO_ITEM = -1
const RULE = /^[ \t]*\|[ \t]*:?-+:?[ \t]*\|/
/** A name in lower case without emphasis is a heading's own only right below it: elsewhere it may be part of an answer or file that is described. */
const WEAK = /^[ \t]{0,8}(?:[-*+>][ \t]+)?status[ \t]*:/
const FIELD = /^[ \t]*(?:$|(?:[-*+>|][ \t]*)*[*_]{0,2}\p{L}[^:：|]{0,40}[:：|])/u

/** The status lines below headings, by the heading's line: the first one in front of the next heading or thematic break, behind which it is the document's; `isNear`: only where nothing but fields stands before it. */
export function readStatusLines(
  lines: readonly string[],
  { headings, breaks }: Pick<Blocks, "headings" | "breaks">,
  { masks, isNear }: { readonly masks: readonly Mask[]; readonly isNear: boolean },
): ReadonlyMap<number, StatusLine> {
  const found = new Map<number, StatusLine>()
  const masked = stretchReader(masks)
  const byLine = new Map(headings.map((each) => [each.index, each]))
  for (const [at, heading] of headings.entries()) {
    const outer = byLine.get(heading.parent)
    const told = outer !== undefined && isOfAround(heading, outer) ? outer : heading
    const end = firstBreak(breaks, heading.index, headings[at + 1]?.index ?? lines.length)
    const below = { start: heading.index, end, masked, isNear }
    const isOwn = told === heading
    const status = (isOwn ? null : statusIn(lines, heading)) ?? firstStatus(lines, below)
    const mayBe = isOwn || !isNear || told === headings[at - 1]
    if (status !== null && mayBe && !found.has(told.index)) found.set(told.index, status)
  }
  return found
}

function firstBreak(breaks: readonly number[], from: number, end: number): number {
  return Math.min(end, breaks[placeFrom(breaks, from)] ?? end)
}

function statusIn(lines: readonly string[], { index }: Heading): StatusLine | null {
  return statusOn(lines[index] ?? "", index)
}

/** `### Status: done` and `### Status` say the state of the heading around; below the title it is the document's. */
function isOfAround({ text }: Heading, outer: Heading): boolean {
  return outer.level > 1 && text.length <= MAX_LENGTH && HEADING.test(text)
}

interface Stretch {
  readonly start: number
  readonly end: number
  readonly masked: (index: number) => boolean
  readonly isNear: boolean
}

function firstStatus(
  lines: readonly string[],
  { start, end, masked, isNear }: Stretch,
): StatusLine | null {
  let isRightBelow = true
  const itemAt = itemReader(lines, start + 1)
  for (let index = start + 1; index < end && (isRightBelow || !isNear); index++) {
    const line = lines[index] ?? ""
    const mayBe =
      mayBeStatus(line, isRightBelow) &&
      !isOfOther(line, { item: itemAt(index), isRightBelow }) &&
      !masked(index)
    const status = mayBe ? statusOn(line, index) : null
    if (status !== null && !isHeadOfTable(status, lines[index + 1] ?? "")) return status
    isRightBelow &&= line.length <= MAX_LENGTH && FIELD.test(line)
  }
  return null
}

/** Within an item that stands further out, or a quote that the heading does not begin with, it says the state of what is told there. */
function isOfOther(
  line: string,
  { item, isRightBelow }: { readonly item: number; readonly isRightBelow: boolean },
): boolean {
  const indent = line.search(WORDS)
  return (item !== NO_ITEM && indent > item) || (!isRightBelow && line.startsWith(">", indent))
}

/** Tells of ascending lines how far the outermost item is indented that they may stand within; no line is read that nobody asks for. */
function itemReader(lines: readonly string[], from: number): (index: number) => number {
  let [at, item] = [from, NO_ITEM]
  return (index) => {
    for (; at < index; at++) item = itemBehind(lines[at] ?? "", item)
    return item
  }
}

function itemBehind(line: string, item: number): number {
  const indent = line.search(WORDS)
  if (indent === -1) return item
  if (!ITEM.test(line)) return indent > 0 ? item : NO_ITEM
  return item === NO_ITEM ? indent : Math.min(item, indent)
}

function mayBeStatus(line: string, isRightBelow: boolean): boolean {
  return line.length <= MAX_LENGTH && MAY_BE.test(line) && (isRightBelow || !WEAK.test(line))
}

/** `| Status | Owner |` above a table's rule names two columns. */
function isHeadOfTable({ isKnown }: StatusLine, next: string): boolean {
  return !isKnown && next.length <= MAX_LENGTH && RULE.test(next)
}

/** `DONE | BLOCKED`: the states that may be written there, and none that is. */
export function isTemplate({ said }: StatusLine): boolean {
  const states = said.split("|").map((each) => stateOfWord(each.trim()))
  return states[0] !== null && new Set(states.filter((state) => state !== null)).size > 1
}

/** The word that says a state in the manner of a plan: one that it uses for it, else the usual one, written as `word` is. */
export function statusWordFor(
  state: "open" | "in_progress" | "done",
  word: string,
  used: readonly string[],
): string {
  const known = writtenWord(state, used)
  if (known !== null) return known
  const usual = usualWord(state, [word, ...used])
  const plain = word.replace(BOXED, "").replace(NO_LETTERS, "")
  const box = BOXED.test(word) ? (state === "done" ? "[x] " : "[ ] ") : ""
  if (plain === plain.toUpperCase() && plain !== plain.toLowerCase())
    return box + usual.toUpperCase()
  const spaced = usual.replace("_", " ").replace(/(?:^| )\p{Ll}/gu, (at) => at.toUpperCase())
  return box + (/^\p{Lu}/u.test(plain) ? spaced : usual)
}

/** How a status line of its own begins that is to look like one that begins so; another field or a sign in front of the name is not copied. */
export function statusBegin(like: string): string {
  return PLAIN_BEGIN.test(like) && like.split("**").length % 2 === 1 ? like : "**Status:** "
}

const PLAIN_BEGIN = new RegExp(
  `^[ \\t]{0,8}(?:[-*+>][ \\t]+)?(?:\\*\\*)?(?:${STATUS_NAME})(?:\\*\\*)?[ \\t]*[:：](?:\\*\\*)?[ \\t]*$`,
  "iu",
)

const NO_LETTERS = /^[^\p{L}]+/u

/** What a line says of a state; null for any other line. */
function statusOn(line: string, index: number): StatusLine | null {
  const hashes = HASHES.exec(line)?.[0] ?? ""
  const found = (STATUS.exec(line.slice(hashes.length)) ?? CELL.exec(line))?.[0]
  if (found === undefined) return null
  const prefix = hashes + found
  const value = line.slice(prefix.length)
  const { at, word, state, isKnown } = readState(value)
  return {
    index,
    word,
    at: prefix.length + at,
    state,
    isKnown,
    said: cleanTitle(value).slice(0, 60),
  }
}
