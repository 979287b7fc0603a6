// Puts boxes before lines of a plan that have none, and lists the lines that may be meant.
import type { BoxSpot } from "../headings/own-headings.ts"
import { lineRanges } from "../model/lines.ts"
import { namedTitle } from "../model/title.ts"
import { areLines, type BoxPlace, placesIn, readRanges, typedRanges, wordsAt } from "./box-lines.ts"
import { doneSpots } from "./box-ticks.ts"
import { noTasksByBox } from "./no-tasks-by-box.ts"
import { type BoxlessPlan, readBoxless, wantedWith } from "./without-box.ts"

/** A line that gets a box, with its new text. */
export interface BoxedLine {
  readonly line: number
  readonly text: string
  /** It gets a tick, since the plan says that it is done. */
  readonly isDone: boolean
}

/** A plan with boxes, or why that is not possible. */
export type AddedBoxes =
  | { readonly ok: true; readonly text: string; readonly added: readonly BoxedLine[] }
  | { readonly ok: false; readonly message: string }

/** Lines of a plan that may be its tasks, and how to name them to `addBoxes`. */
export interface OfferedLines {
  readonly lines: string
  readonly kind: BoxPlace["kind"]
  readonly count: number
  /** The words of the first one, */
  readonly first: string
  /** and of the last. */
  readonly last: string
  /** For rows, the heading above; null if they stand below none, or below several. */
  readonly below: string | null
}

const MAX_OFFERS = 12
/** Most plans have fewer choices; trying one costs another reading. */
const MAX_TRIED = 16

/**
 * Puts `[ ] ` before the first line of each range, such as `20-140,150`, and before every line like it down to the range's last: headings
 * of its level that count alike, or rows of lists at the margin with numbers, or with bullets. Nothing else is changed. Lines that are said
 * to be done get `[x] `. The result must read as exactly these tasks besides those that the plan has, or it is refused.
 */
export function addBoxes(text: string, path: string, typed: string): AddedBoxes {
  const read = readBoxless(text, { path })
  if (read === null)
    return refused("Expected a plan in markdown; found one that keeps its tasks as data.")
  const ranges = readRanges(typed)
  if (ranges === null) return refused(unlikeRanges(typed.slice(0, 40)))
  const { lines, blocks } = read
  const last = Math.max(...ranges.map(({ to }) => to))
  if (last > lines.length)
    return refused(`Expected lines up to ${lines.length}, the last one; found ${last}.`)
  const found = placesIn(read.places(), ranges)
  if ("none" in found) return refused(unlikePlace(read, found.none))
  const { spots } = found
  const after = read.readWith(spots)
  if (!areLines(after.tasks, wantedWith(read, spots)))
    return refused(noTasksByBox(read, spots, after))
  const done = doneSpots(lines, blocks, spots)
  const added = spots.map((spot) => {
    const { index, at } = spot
    const line = lines[index] ?? ""
    const isDone = done.has(spot)
    return { line: index + 1, text: line.slice(0, at) + boxOf(isDone) + line.slice(at), isDone }
  })
  return { ok: true, text: withBoxes(text, spots, done), added }
}

/** Why lines that were typed for boxes are none; null if they can be read. */
export function whyNotRanges(typed: string): string | null {
  return readRanges(typed) === null ? unlikeRanges(typed.slice(0, 40)) : null
}

/** Ranges typed from their last line up are shown the way they were meant. */
function unlikeRanges(typed: string): string {
  const turned = typed.replace(/(\d+)-(\d+)/g, (range, from, to) =>
    Number(from) > Number(to) ? `${to}-${from}` : range,
  )
  const isTurned = turned !== typed && readRanges(turned) !== null
  const expected = isTurned
    ? `each range from its first line to its last, ${turned}`
    : "lines such as 20-140 or 12,15"
  return `Expected ${expected}; found "${typed}".`
}

function unlikePlace({ lines, blocks }: BoxlessPlan, line: number): string {
  const text = lines[line - 1] ?? ""
  const found = `"${text.slice(0, 60)}"`
  if (blocks.rows.some(({ index }) => index === line - 1))
    return `Expected lines that have no box yet; line ${line} has one already: ${found}. Leave it out.`
  const isOfTable = text.trimStart().startsWith("|")
  const which = isOfTable ? "a row of a table, which cannot be ticked, " : ""
  return `Expected a heading (\`## Title\`) or a row of a list at the margin on line ${line}; found ${which}${found}. Choose another line, or write what is a task as a row with a box, \`- [ ] 1. Title\`.`
}

/**
 * What may be the tasks of a plan in which none has a box, or what lacks one in any other plan: the likeliest first, then what was done,
 * and last what does not look like work; none for a plan of data.
 */
export function offeredLines(text: string, path: string): readonly OfferedLines[] {
  const read = readBoxless(text, { path })
  const offers: (OfferedLines & { readonly rank: number })[] = []
  let tried = 0
  for (const { kind, spots: all, likelihood } of read?.choices() ?? []) {
    if (read === null || ++tried > MAX_TRIED) break
    const spots = read.taken(all)
    const lines = typedRanges(read.places(), spots)
    const isKnown = offers.some((each) => each.lines === lines)
    if (lines === null || spots.length === 0 || isKnown) continue
    const [first, last] = [titleAt(read, spots[0]), titleAt(read, spots.at(-1))]
    const isDone = doneSpots(read.lines, read.blocks, spots).size === spots.length
    const below = headingOver(read, kind, spots)
    const rank = (likelihood === "unlikely" ? 2 : 0) + Number(isDone)
    offers.push({ lines, kind, count: spots.length, first, last, below, rank })
  }
  const ranked = offers.sort((one, other) => one.rank - other.rank)
  return ranked.slice(0, MAX_OFFERS).map(({ rank, ...offer }) => offer)
}

function titleAt({ lines }: BoxlessPlan, spot: BoxSpot | undefined): string {
  return spot === undefined ? "" : namedTitle(wordsAt(lines, spot), 80)
}

function headingOver(
  { places }: BoxlessPlan,
  kind: BoxPlace["kind"],
  spots: readonly BoxSpot[],
): string | null {
  const meant = new Set(spots.map(({ index }) => index))
  const found = places().flatMap(({ index, heading }) => (meant.has(index) ? [heading] : []))
  const [heading] = found
  const isOne = kind !== "headings" && found.every((each) => each === heading)
  return isOne && heading !== undefined ? namedTitle(heading.text, 60) : null
}

function withBoxes(text: string, spots: readonly BoxSpot[], done: ReadonlySet<BoxSpot>): string {
  const starts = lineRanges(
    text,
    spots.map(({ index }) => index + 1),
  )
  let from = 0
  const pieces = spots.map((spot, order) => {
    const offset = (starts[order]?.start ?? 0) + spot.at
    const before = text.slice(from, offset)
    from = offset
    return before + boxOf(done.has(spot))
  })
  return pieces.join("") + text.slice(from)
}

function boxOf(isDone: boolean): string {
  return isDone ? "[x] " : "[ ] "
}

function refused(message: string): AddedBoxes {
  return { ok: false, message }
}
