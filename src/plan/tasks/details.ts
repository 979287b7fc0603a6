// Finds where each task ends, and reads what the lines up to there say about it.

import { type Blocks, type Mask, type Row, stretchReader } from "../blocks/blocks.ts"
import { blockedWords, namesRecord, saysNothing, waitedWords } from "../model/blocked-words.ts"
import { linesWith, placeFrom, type TextLines } from "../model/lines.ts"
import type { BlockedNote } from "../model/plan.ts"
import { hashTitle } from "../model/title.ts"
import { verdictOn } from "../model/verdict.ts"
import type { Entry } from "./rows.ts"

/** What a task's row and detail lines say besides the marker. */
export interface Details {
  readonly hints: readonly DependencyHint[]
  /** A `BLOCKED:` line right below the row; one of ours names the record of the block. */
  readonly blocked: "by-us" | "by-hand" | null
  readonly note: BlockedNote | null
  /** The last verdict stated by the row or by a line of its own below it. */
  readonly verdict: "pass" | "reject" | null
}

export interface DependencyHint {
  readonly line: number
  /** The list after "depends on", as written. */
  readonly list: string
  /** Names that are no task's refer to nothing. */
  readonly isLoose?: true
}

const BULLET = /^[ \t]*[-*+][ \t]/
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/
const IN_PARENTHESES =
  /\((?:[^()]{0,200}?[;,][ \t]{0,4})??(?:depends(?:[ -]on)?|blocked[ -]by)(?![a-z])([^()]{1,400})\)/i
const BEHIND_COLON =
  /(?:(?<![a-z])(?:blocked[ -]by|depends(?:[ -]on)?|dependencies)|(?<![^\s*_(（])(?:依赖|依賴|依存(?:関係|先|タスク)?))(?:\*\*|__)?[ \t]*[:：](?:\*\*|__)?[ \t]*([^|]{0,400})/i
/** "Install dependencies: D3.js" names what is installed, "Task dependencies: 1" a task. */
const OF_KIND = /[a-z][ \t]{1,4}dependencies$/i
const COLON = /^:/
/** A line that states a verdict itself; inside a sentence it would be an instruction. */
const VERDICT_LINE = /(?:^|\|)[^\p{L}\p{N}|]{0,40}(?:x\][^\p{L}\p{N}|]{0,10})?verdict/iu
const NO_LINES: readonly number[] = []
const NONE: Details = { hints: [], blocked: null, note: null, verdict: null }

/** What headings say that their rows depend on, before the lines below them: names that are no task's refer to nothing. */
export function hintsOfHeadings(
  lines: readonly string[],
  { headings, rows }: Pick<Blocks, "headings" | "rows">,
  { told, telling }: { readonly told: ReadonlyMap<number, Row>; readonly telling: TellingLines },
): ReadonlyMap<Row, readonly DependencyHint[]> {
  const found = new Map<Row, readonly DependencyHint[]>()
  let at = 0
  for (const [order, { index }] of headings.entries()) {
    const row = told.get(index)
    if (row === undefined) continue
    while ((rows[at]?.index ?? lines.length) <= index) at++
    const next = headings[order + 1]?.index ?? lines.length
    const end = Math.min(next, rows[at]?.index ?? next)
    const hints = telling(index, end).flatMap((line) => hintIn(lines[line] ?? "", line))
    if (hints.length > 0)
      found.set(
        row,
        hints.map((hint) => ({ ...hint, isLoose: true })),
      )
  }
  return found
}

/**
 * The last line (from 1) of each task: up to the next task, heading or thematic break, so that details at the margin stay with their task.
 * A task that is a heading includes deeper headings. Trailing blank lines belong to none.
 */
export function findEndLines(
  tasks: readonly Entry[],
  { headings, breaks }: Blocks,
  lines: readonly string[],
): number[] {
  const ends = new Map(headings.map(({ index, end }) => [index, end]))
  const stops = [...ends.keys(), ...breaks].sort((one, other) => one - other)
  return tasks.map(({ row }, at) => {
    const stop = row.kind === "list" ? stops[placeFrom(stops, row.index)] : ends.get(row.index)
    let end = Math.min(stop ?? lines.length, tasks[at + 1]?.row.index ?? lines.length)
    while (end > row.index + 1 && (lines[end - 1] ?? "").trim() === "") end--
    return end
  })
}

/** A task's row, the last line that belongs to it, and its sub-items. */
export interface DetailsOf {
  readonly entry: Entry
  readonly endLine: number
  readonly parts: readonly Entry[]
  /** Whether words are those of a task or heading of the plan, by their hash. */
  readonly isKnown: (titleHash: string) => boolean
}

/** Reads the details of a task. */
export function readDetails(
  lines: readonly string[],
  telling: TellingLines,
  task: DetailsOf,
): Details {
  const { row } = task.entry
  const below = telling(row.index, task.endLine)
  if (below.length === 0 && !WORTH_READING.test(row.box.text)) return NONE
  const hints = hintIn(row.box.text, row.index)
  const notes: Note[] = []
  let verdict = verdictOf(row.box.text)
  const outermost = outermostItem(lines, row.index)
  for (const index of below) {
    const line = lines[index] ?? ""
    hints.push(...hintIn(line, index))
    const words = noteOn(lines, index, task, outermost)
    if (words !== null) notes.push({ line: index + 1, words })
    if (VERDICT_LINE.test(line.slice(0, MAX_LENGTH))) verdict = verdictOf(line) ?? verdict
  }
  if (hints.length === 0 && notes.length === 0 && verdict === null) return NONE
  return { hints, blocked: blockOf(notes), note: noteOf(notes), verdict }
}

type Note = { readonly line: number; readonly words: string }

function blockOf(found: readonly Note[]): Details["blocked"] {
  if (found.length === 0) return null
  return found.every(({ words }) => namesRecord(words)) ? "by-us" : "by-hand"
}

function noteOf(found: readonly Note[]): BlockedNote | null {
  const [first] = found
  if (first === undefined) return null
  return { words: first.words === "" ? null : first.words, lines: found.map(({ line }) => line) }
}

/** The lines below a row, up to a given line, that may say something and are not hidden. */
export type TellingLines = (row: number, endLine: number) => readonly number[]

/** Finds the lines that may say something, once for all rows. */
export function tellingReader({ text, lines }: TextLines, masks: readonly Mask[]): TellingLines {
  const isMasked = stretchReader(masks)
  // A character beyond Latin makes a pattern slower.
  const pattern = text.includes("依") ? TELLING_TOO : TELLING
  const shown = linesWith(pattern, { text, lines }).filter((index) => !isMasked(index))
  return (row, endLine) => {
    const from = placeFrom(shown, row + 1)
    const isNone = (shown[from] ?? endLine) >= endLine
    return isNone ? NO_LINES : shown.slice(from, placeFrom(shown, endLine))
  }
}

/** Tells, for ascending lines below a row, how far the outermost list item between the two is indented. */
function outermostItem(lines: readonly string[], row: number): (index: number) => number {
  let [at, indent] = [row + 1, Number.POSITIVE_INFINITY]
  return (index) => {
    for (; at < index; at++) {
      const line = lines[at] ?? ""
      if (LIST_ITEM.test(line)) indent = Math.min(indent, indentOf(line))
    }
    return indent
  }
}

/**
 * The words of a `BLOCKED:` line about the task itself, as `markTask` writes it; null for any other line. A line further in than a list item
 * above it is about that item, and so is a line at a heading's margin that continues a sub-item's text.
 */
function noteOn(
  lines: readonly string[],
  index: number,
  task: DetailsOf,
  outermost: (index: number) => number,
): string | null {
  const { row } = task.entry
  const line = lines[index] ?? ""
  const words = blockedWords(line) ?? waitedFor(line, task.isKnown)
  if (words === null || saysNothing(words)) return null
  const isBehind = index > firstBelow(row, task.parts)
  const indent = indentOf(line)
  const isFar = indent > row.contentColumn + (isBehind ? 0 : 1)
  if (isFar && (row.kind !== "list" || outermost(index) < indent)) return null
  const isLazy = isBehind && !BULLET.test(line) && (lines[index - 1] ?? "").trim() !== ""
  return isLazy && row.kind !== "list" ? null : words
}

/** The line of the first part below a row. */
function firstBelow({ index }: Row, parts: DetailsOf["parts"]): number {
  return parts.find(({ row }) => row.index > index)?.row.index ?? Number.POSITIVE_INFINITY
}

/** What a line says blocks a task, if that is neither a task nor a part of the plan. */
function waitedFor(line: string, isKnown: DetailsOf["isKnown"]): string | null {
  const words = line.length > MAX_LENGTH ? null : waitedWords(line)
  const isNothing = words === null || saysNothing(words)
  return isNothing || isKnown(hashTitle(words)) ? null : words
}

const MAX_LENGTH = 1_000
/** Most lines have none of this: one pattern is the cheapest way to find out. */
const WORTH_READING = /lock|LOCK|epend|EPEND|erdict|ERDICT/
/** The same for a line below a row, where dependencies may also be in other languages. */
const TELLING = /lock|LOCK|epend|EPEND|erdict|ERDICT/g
const TELLING_TOO = /lock|LOCK|epend|EPEND|erdict|ERDICT|依/g

function verdictOf(line: string): Details["verdict"] {
  return /verdict/i.test(line) ? verdictOn(line.slice(0, MAX_LENGTH)) : null
}

function hintIn(whole: string, index: number): DependencyHint[] {
  const text = whole.slice(0, MAX_LENGTH)
  const found = IN_PARENTHESES.exec(text) ?? BEHIND_COLON.exec(text)
  const list = found?.[1]?.trim().replace(COLON, "")
  if (found === null || list === undefined) return []
  const hint = { line: index + 1, list }
  const isOfKind = OF_KIND.test(text.slice(0, found.index + "dependencies".length))
  return isOfKind ? [{ ...hint, isLoose: true }] : [hint]
}

/** In columns: a tab reaches to the next one of four. */
function indentOf(line: string): number {
  let column = 0
  for (const sign of /^[ \t]*/.exec(line)?.[0] ?? "") column += sign === "\t" ? 4 - (column % 4) : 1
  return column
}
