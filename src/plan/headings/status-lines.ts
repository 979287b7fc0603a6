// Reads `**Status:** complete` below a heading: what it says about the heading's work, and where.
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
  /** The word for the state as written, and where it begins in the line. */
  readonly word: string
  readonly at: number
  /** Null for an unknown word. */
  readonly state: TaskState | null
  /** Whether it begins with a known word, even if something beside that takes back what it says. */
  readonly isKnown: boolean
  /** The whole value, for a message. */
  readonly said: string
}

const MAX_LENGTH = 400
const MAY_BE = new RegExp(STATUS_NAME, "i")
/**
 * The name in two languages, one in brackets or after a slash: `Status (状态)`, `状态/Status`; if one side is another name, it must be bold.
 */
const OTHER = "\\p{L}[^|:：()（）/*_]{0,30}"
const NAME =
  `(?:(?:${STATUS_NAME})(?:[ \\t]*[(（]${OTHER}[)）]|[ \\t]*/[ \\t]*${OTHER})?` +
  `|(?:(?<=[*_])${OTHER}?|(?:${STATUS_NAME}))(?:[ \\t]*[(（](?:${STATUS_NAME})[)）]|[ \\t]*/[ \\t]*(?:${STATUS_NAME})))`
/** `- **Status:** `, up to the value; other fields may come before it: `**Priority:** High | **Status:** `. */
const STATUS = new RegExp(
  "^[ \\t]{0,8}(?:[-*+>][ \\t]+)?(?:[*_]{0,2}\\p{L}[^|:：]{0,40}[:：][^|]{0,80}\\|[ \\t]*){0,4}" +
    `(?:[^\\p{L}\\p{N}\\s*_|[\\]]{1,4}[ \\t]*)?[*_]{0,2}${NAME}[*_]{0,2}[ \\t]*[:：][ \\t]*[*_]{0,2}[ \\t]*`,
  "iu",
)
/** `| **Status** | pending |`, in a two-column table of fields. */
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
/**
 * A name in lower case without emphasis belongs to a heading only right below it: elsewhere it may be part of an answer or file that is
 * described.
 */
const WEAK = /^[ \t]{0,8}(?:[-*+>][ \t]+)?status[ \t]*:/
const FIELD = /^[ \t]*(?:$|(?:[-*+>|][ \t]*)*[*_]{0,2}\p{L}[^:：|]{0,40}[:：|])/u

/**
 * The status lines below headings, by the heading's line: the first one before the next heading or thematic break, after which it is the
 * document's; `isNear`: only if nothing but fields comes before it.
 */
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

/** `### Status: done` and `### Status` state the state of the heading around; below the title it is the document's. */
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

/** Inside an item that starts further left, or a quote that the heading is not in, it belongs to what is described there. */
function isOfOther(
  line: string,
  { item, isRightBelow }: { readonly item: number; readonly isRightBelow: boolean },
): boolean {
  const indent = line.search(WORDS)
  return (item !== NO_ITEM && indent > item) || (!isRightBelow && line.startsWith(">", indent))
}

/** Tells, for ascending lines, the indent of the outermost item that they may be in; lines are read only on demand. */
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

/** `DONE | BLOCKED`: the states that may be written there, none of which is stated. */
export function isTemplate({ said }: StatusLine): boolean {
  const states = said.split("|").map((each) => stateOfWord(each.trim()))
  return states[0] !== null && new Set(states.filter((state) => state !== null)).size > 1
}

/** The word that states a state in the style of a plan: one that the plan uses for it, else the usual one, written like `word`. */
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
  if (box !== "" && plain === "" && state !== "in_progress") return box.trimEnd()
  if (plain === plain.toUpperCase() && plain !== plain.toLowerCase())
    return box + usual.toUpperCase()
  const spaced = usual.replace("_", " ").replace(/(?:^| )\p{Ll}/gu, (at) => at.toUpperCase())
  return box + (/^\p{Lu}/u.test(plain) ? spaced : usual)
}

/**
 * How a new status line begins that should look like one that begins with `like`; another field or a sign before the name is not copied.
 */
export function statusBegin(like: string): string {
  return PLAIN_BEGIN.test(like) && !opensBold(like) ? like : "**Status:** "
}

const PLAIN_BEGIN = new RegExp(
  `^[ \\t]{0,8}(?:[-*+>][ \\t]+)?(?:\\*\\*)?(?:${STATUS_NAME})(?:\\*\\*)?[ \\t]*[:：](?:\\*\\*)?[ \\t]*$`,
  "iu",
)

/** Whether what follows stands in bold. */
function opensBold(begin: string): boolean {
  return begin.split("**").length % 2 === 0
}

const NO_LETTERS = /^[^\p{L}]+/u

/** What a line says about a state; null for any other line. */
function statusOn(line: string, index: number): StatusLine | null {
  const hashes = HASHES.exec(line)?.[0] ?? ""
  const found = (STATUS.exec(line.slice(hashes.length)) ?? CELL.exec(line))?.[0]
  if (found === undefined) return null
  const prefix = hashes + found
  const rest = line.slice(prefix.length)
  // What stands in bold with the name is the value: `**Status: DONE** (b12cdef) — it builds`.
  const end = opensBold(prefix) ? rest.indexOf("**") : -1
  const value = end === -1 ? rest : rest.slice(0, end)
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
