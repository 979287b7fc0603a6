// Reads what the plan itself says that its markers mean.
import type { Blocks, Row } from "../blocks/blocks.ts"
import { isLetter, isMarker, type MarkerTable, type Meaning, meaningOf } from "../model/markers.ts"
import type { TaskState } from "../model/plan.ts"
import { isStateAlone, readState } from "../model/state-words.ts"
import type { Dialect } from "./dialects.ts"
import { tellsOfLater } from "./heading-roles.ts"
import { LEGEND_HEADING } from "./section-rules.ts"

const LEGEND_LINE = /^[\s>*_#-]*(?:(?:status |task )?legend|status key|markers?)\b/i
const MARK = "\\[([^[\\]]{1,3})\\]`?[ \\t]{0,8}"
const SIGN = "(?:[:=|\\u2013\\u2014\\u2192-]{1,2}>?|(?:means|stands for|for)[ \\t])"
const WORDS = "[ \\t]{0,8}(\\p{L}(?:[\\p{L} -]|\\/(?=[ \\t]?\\p{L})){0,40})"
const PAIR = new RegExp(`${MARK}${SIGN}?${WORDS}`, "gu")
/** A pair as in a legend without a heading: a sign between the mark and its meaning. */
const TOLD = new RegExp(`${MARK}${SIGN}${WORDS}`, "gu")
/** A single one of these is enough: elsewhere a letter or number may be anything else, `[1]: Done`. */
const MEANS = /\]`?[ \t]+(?:means|stands for)[ \t]|\[[^\p{L}\p{N}\s[\]]\ufe0f?\]`?[ \t]{0,8}[:=]/u
/** A mark at the beginning of a line, in code after a bullet, with nothing after it but its meaning. */
const ALONE = /^[\s>]*(?:[-*+][ \t]+(?=`))?`?\[[^[\]]{1,3}\]`?[ \t]+[^[\]`|]{1,40}$/u
const ROW = /^[\s>]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[/
/** In a table the mark comes first. */
const AT_START = /^[ \t|`]*\[/
/** A line that only introduces the lines below it. */
const LEGEND_LABEL =
  /^[\s>*_]*(?:(?:status |task )?legend|status key|markers?|key)[\s*_]*[:：]?[\s*_]*$/i
const MAX_LABEL = 40
const MAX_LEGEND_LINES = 40
const MAX_LENGTH = 500

/** What a plan shows of a legend; looked for once a reading. */
export interface Legend {
  /** Lines that start with the word, and lines that explain several marks without it. */
  readonly said: readonly string[]
  /** Indexes of the lines of rows that only say what markers mean. */
  readonly rows: ReadonlySet<number>
}

/**
 * Finds the lines of a plan's legend. Rows only say what markers mean if they stand together, each with a marker of its own: with `=` after
 * it, if two or more name a state; or with nothing but words for states, if there are three or more, or if they stand right below a line
 * such as `**Legend**`.
 */
export function findLegend(lines: readonly string[], { rows }: Pick<Blocks, "rows">): Legend {
  const told: Told[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    const meant = line.includes("[") ? toldOn(line) : null
    if (meant !== null) told.push(meant)
  }
  const explained = explanations(rows, lines).flatMap((group) => group.map(({ index }) => index))
  return { said: linesOf(told), rows: new Set(explained) }
}

/** A line that says what marks mean, and which marks if it does not call itself a legend. */
interface Told {
  readonly line: string
  readonly markers: readonly string[] | null
}

function toldOn(line: string): Told | null {
  if (ROW.test(line)) return null
  if (LEGEND_LINE.test(line)) return { line, markers: null }
  if (!line.includes("]") || isInTable(line)) return null
  const pairs = pairsOn(line.slice(0, MAX_LENGTH))
  const areMeant = pairs.every(([, , words = ""]) => meaningsIn(words).every(isMeaning))
  if (pairs.length === 0 || !areMeant) return null
  return { line, markers: pairs.map(([, marker = ""]) => marker) }
}

/** Marks with a sign and a meaning after them; without a sign if each of several has a meaning, or if a line is nothing else. */
function pairsOn(text: string): readonly RegExpExecArray[] {
  const told = [...text.matchAll(TOLD)]
  if (told.length > 0) return told
  const pairs = [...text.matchAll(PAIR)].filter(agrees)
  const areAll = pairs.length === text.split("[").length - 1
  return areAll && (pairs.length > 1 || ALONE.test(text)) ? pairs : []
}

/** Without a sign between them, a mark and a state may be a row, so the usual marks must have their usual meaning. */
function agrees([, marker = "", words = ""]: readonly string[]): boolean {
  const usual = marker.trim() === "" ? "open" : marker.toLowerCase() === "x" ? "done" : null
  return usual === null || stateOfMark(marker, words) === usual
}

/** In a table about something else, a box and a state may also stand in one row. */
function isInTable(line: string): boolean {
  return line.includes("|") && !AT_START.test(line)
}

/** A single mark may be anything else, `[1]: Done`. Two explained marks, or one that "means" something, are a legend. */
function linesOf(told: readonly Told[]): readonly string[] {
  const isLegend = new Set(told.flatMap(({ markers }) => markers ?? [])).size > 1
  const isSaid = ({ line, markers }: Told) => markers === null || isLegend || MEANS.test(line)
  return told.filter(isSaid).map(({ line }) => line)
}

function isLabel(line: string): boolean {
  return line !== "" && line.length <= MAX_LABEL && LEGEND_LABEL.test(line)
}

/**
 * What the plan itself says that its markers mean: the lines below a heading Legend, and a line that starts with that word. It overrides
 * every table; unknown words are ignored.
 */
export function readLegend(
  lines: readonly string[],
  { headings }: Pick<Blocks, "headings">,
  legend: Legend,
): MarkerTable {
  const table: Record<string, Meaning> = {}
  for (const line of legendLines(lines, headings, legend)) {
    for (const [, marker, words] of line.slice(0, MAX_LENGTH).matchAll(PAIR)) {
      if (marker === undefined || words === undefined) continue
      const state = stateOfMark(marker, words)
      if (state !== null) table[marker] = { state }
    }
  }
  return table
}

/**
 * What a mark's words say; of several, the first one that is not open, `Future / out of scope`, since the empty box stands for that. A
 * special mark for what comes later means put off.
 */
function stateOfMark(marker: string, words: string): TaskState | null {
  const said = meaningsIn(words).flatMap((each) => readState(each).state ?? [])
  if (marker.trim() === "") return said[0] ?? null
  const other = said.find((state) => state !== "open")
  return other ?? (tellsOfLater(words) ? "blocked" : (said[0] ?? null))
}

function meaningsIn(words: string): readonly string[] {
  return words.split("/").map((each) => each.trim().replace(/ (?:and|or)$/, ""))
}

/**
 * Tells, for each row, by its place, whether the text in its brackets is a box. A capital letter is a tag, `- [P] Title`, unless the legend
 * names it, or it stands beside a box of the same list.
 */
export function boxReader(
  lines: readonly string[],
  { rows, headings }: Pick<Blocks, "rows" | "headings">,
  legend: () => MarkerTable,
): (row: Row, at: number) => boolean {
  let table: MarkerTable | null = null
  const before = ({ index, box }: Row) => (lines[index] ?? "").slice(0, box.at).replace(/\d+/g, "")
  const isParted = (one: Row, next: Row) =>
    headings.some(({ index }) => index > one.index && index < next.index)
  const areOneList = (one: Row, next: Row) =>
    next.parent === one.parent && before(one) === before(next) && !isParted(one, next)
  const isSign = ({ box: { marker } }: Row) => marker.trim().length < 2 && isMarker(marker)
  return (row, at) => {
    const { marker } = row.box
    if (isMarker(marker)) return true
    if (!isLetter(marker)) return false
    table ??= legend()
    const beside = [rows[at - 1], rows[at + 1]].filter((each) => each !== undefined)
    const isBeside = (other: Row) =>
      isSign(other) && (other.index < row.index ? areOneList(other, row) : areOneList(row, other))
    return Object.hasOwn(table, marker.trim()) || beside.some(isBeside)
  }
}

/** Rows that stand together, each with its own marker: `- [x] = done`, or three that are only words for states, or two below a label. */
function explanations(rows: readonly Row[], lines: readonly string[]): readonly (readonly Row[])[] {
  const groups: Row[][] = []
  for (const row of rows.filter(isTold)) {
    const last = groups.at(-1)
    if (last !== undefined && isNext(last.at(-1), row)) last.push(row)
    else groups.push([row])
  }
  const saysState = ({ box }: Row) => readState(box.text.slice(1).trim()).isKnown
  const isNamed = (row: Row | undefined) => {
    const above = (row?.index ?? 0) - 1
    return isLabel(lines[(lines[above] ?? "").trim() === "" ? above - 1 : above] ?? "")
  }
  const areTold = (group: readonly Row[]) =>
    new Set(group.map(({ box }) => box.marker)).size === group.length &&
    (group.every(isEquated)
      ? group.filter(saysState).length > 1
      : group.length > (isNamed(group[0]) ? 1 : 2))
  return groups.filter(areTold)
}

const isEquated = ({ box }: Row) => box.text.startsWith("=")

/** Whether the row says what its marker means, by `=`, or by a single word right beside a row with another marker. */
function isTold(row: Row, at: number, rows: readonly Row[]): boolean {
  const isAmongOthers = areOther(rows[at - 1], row) || areOther(row, rows[at + 1])
  return isEquated(row) || (isAmongOthers && saysMeaning(row))
}

function areOther(row: Row | undefined, next: Row | undefined): boolean {
  return isNext(row, next) && next?.box.marker !== row?.box.marker
}

/** Whether one stands right below the other, or with a line between them. */
function isNext(row: Row | undefined, next: Row | undefined): boolean {
  return row !== undefined && next !== undefined && next.index - row.index <= 2
}

function saysMeaning({ box }: Row): boolean {
  return box.text.length <= MAX_LABEL && meaningsIn(box.text).some(isMeaning)
}

function isMeaning(words: string): boolean {
  return isStateAlone(words) || tellsOfLater(words)
}

function legendLines(
  lines: readonly string[],
  headings: Blocks["headings"],
  legend: Legend,
): string[] {
  const rows = [...legend.rows].map((index) => lines[index] ?? "")
  const found = [...legend.said, ...rows]
  const heading = headings.findIndex(({ text }) => LEGEND_HEADING.test(text))
  const start = headings[heading]?.index
  if (start === undefined) return found.slice(0, MAX_LEGEND_LINES)
  const end = Math.min(headings[heading + 1]?.index ?? lines.length, start + MAX_LEGEND_LINES)
  return [...found.slice(0, MAX_LEGEND_LINES), ...lines.slice(start + 1, end)]
}

/** Other markers for a state, if the plan's legend gives the dialect's marker another meaning. */
const OTHERWISE: Readonly<Partial<Record<TaskState, readonly string[]>>> = {
  in_progress: ["/", ">"],
  done: ["X"],
}

/** The marker that we write for a state: one that the plan's legend gives, else of these `ticks` the plan's own, `√`, or the dialect's; undefined if there is none. */
export function writtenMarker(
  { written, markers }: Dialect,
  legend: MarkerTable,
  state: TaskState,
  ticks: readonly string[] = [],
): string | undefined {
  const usual = written[state]
  const named = Object.keys(legend).filter((marker) => legend[marker]?.state === state)
  if (usual !== undefined && named.includes(usual)) return usual
  if (named[0] !== undefined) return named[0]
  const own = ticks.includes(usual ?? "")
    ? []
    : ticks.filter((tick) => !/[\p{L}\p{N}]{2}/u.test(tick))
  return [...own, ...(usual === undefined ? [] : [usual]), ...(OTHERWISE[state] ?? [])].find(
    (marker) => meaningOf(marker, [legend, markers])?.state === state,
  )
}
