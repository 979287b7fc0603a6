// The lines of a plan that can get a box, and those that a person means by `20-140`.
import {
  type Blocks,
  boxedLines,
  headingReader,
  type Mask,
  stretchReader,
} from "../blocks/blocks.ts"
import { seriesOf } from "../headings/named-headings.ts"
import type { BoxSpot, Own, OwnLines } from "../headings/own-headings.ts"
import { cutLine } from "../model/lines.ts"
import type { Task } from "../model/plan.ts"

/** What is known of a plan without tasks. */
export interface WithoutTask extends OwnLines, Pick<Blocks, "rows" | "headings"> {
  readonly masks: readonly Mask[]
}

/** A heading, or a row of a list at the margin, without a box. */
export interface BoxPlace extends BoxSpot {
  /** Whether it is a heading, or in a list with numbers or with bullets. */
  readonly kind: "headings" | "numbered rows" | "bullets"
  /** The heading itself, or the one above; undefined for a row before all headings. */
  readonly heading: Own | undefined
  /** Lines of one series are alike: headings of a level that count alike, rows with numbers, or rows with bullets. */
  readonly series: string
  readonly words: string
  /** The lines that it counts on with; undefined if it has no number. */
  readonly run: Run | undefined
}

/** Lines with ascending numbers, whatever headings come between. */
interface Run {
  /** The heading above its first line, or that line itself. */
  readonly heading: Own | undefined
  readonly lines: number[]
}

/** From its first line to its last, counted from 1. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** A row of a list at the margin that begins with words. */
const ROW =
  /^ ?(?:([-*+])[ \t]+|\d{1,9}[.)][ \t]+(?!\d{1,9}[.)][ \t]))(?![-+*>][ \t]|#{1,6}[ \t]|```|~~~)(?=[^\s|])/
/** A heading or row with a number, whether it has a box or not. */
const COUNTED =
  /^ ?(?:(#{1,6}|[-*+])[ \t]+)?(?:\[[^\]]{0,3}\][ \t]+)?[*_~]{0,2}(\d{1,9})[.):](?=[ \t*_~])/
/** An underlined heading cannot get a box. */
const ATX = /^ {0,3}#/
const RANGES = /^\d{1,7}(?:-\d{1,7})?(?:(?:,[ ]*|[ ]+)\d{1,7}(?:-\d{1,7})?)*$/

/** The words after the place of a box. */
export function wordsAt(lines: readonly string[], { index, at }: BoxSpot): string {
  return cutLine(lines[index] ?? "").slice(at)
}

/** All lines that can get a box, in order: headings of the text, and rows of lists at the margin. */
export function boxPlaces({
  lines,
  own: ownOf,
  masks,
  rows,
  headings,
}: WithoutTask): readonly BoxPlace[] {
  const own = ownOf()
  const byLine = new Map(headings.map((each) => [each.index, seriesOf(each)]))
  const isMasked = stretchReader(masks)
  const isBoxed = boxedLines(rows)
  const above = headingReader(own)
  const runOf = runReader()
  const headingOn = (heading: Own, run: Run | undefined): BoxPlace | [] => {
    const { index, at, text } = heading
    const series = byLine.get(index) ?? ""
    const isOne = ATX.test(lines[index] ?? "") && text !== ""
    return isOne ? { index, at, kind: "headings", heading, series, words: text, run } : []
  }
  return lines.flatMap((whole, index): BoxPlace | [] => {
    const heading = above(index)
    if (isMasked(index)) return []
    const line = cutLine(whole)
    const run = runOf(line, heading)
    run?.lines.push(index)
    if (isBoxed(index)) return []
    if (heading?.index === index) return headingOn(heading, run)
    const [mark, bullet] = ROW.exec(line) ?? []
    if (mark === undefined) return []
    const kind = bullet === undefined ? "numbered rows" : "bullets"
    const words = line.slice(mark.length)
    return { index, at: mark.length, kind, heading, series: kind, words, run }
  })
}

/** Gives, for ascending lines, what each counts on with: lines alike whose last number is lower. */
function runReader(): (line: string, heading: Own | undefined) => Run | undefined {
  const open = new Map<string, { readonly last: number; readonly run: Run }>()
  return (line, heading) => {
    const [, mark = "", digits] = COUNTED.exec(line) ?? []
    if (digits === undefined) return undefined
    const [last, known] = [Number(digits), open.get(mark)]
    const run = known !== undefined && known.last < last ? known.run : { heading, lines: [] }
    open.set(mark, { last, run })
    return run
  }
}

/** Whether the tasks are exactly those on these lines, given by index. */
export function areLines(tasks: readonly Pick<Task, "line">[], lines: Iterable<number>): boolean {
  const wanted = new Set(lines)
  return wanted.size === tasks.length && tasks.every(({ line }) => wanted.has(line - 1))
}

/** Reads typed lines such as `20-140,150`, with commas or blanks; null for anything else, and for a range that ends before it begins. */
export function readRanges(typed: string): readonly LineRange[] | null {
  if (!RANGES.test(typed)) return null
  const ranges = typed.split(/,? +|,/).map((each) => {
    const [from = 0, to = from] = each.split("-").map(Number)
    return { from, to }
  })
  return ranges.every(({ from, to }) => from > 0 && from <= to) ? ranges : null
}

/** The first line of each range and all that are like it down to its last; or the first line that cannot get a box. */
export function placesIn(
  places: readonly BoxPlace[],
  ranges: readonly LineRange[],
): { readonly spots: readonly BoxPlace[] } | { readonly none: number } {
  const known = new Set(places.map(({ index }) => index + 1))
  const unknown = ranges.find(({ from }) => !known.has(from))
  if (unknown !== undefined) return { none: unknown.from }
  const ends = new Map<number, number>()
  for (const { from, to } of ranges) ends.set(from, Math.max(to, ends.get(from) ?? 0))
  const reached = new Map<string, number>()
  const spots = places.filter(({ index, series }) => {
    const end = Math.max(ends.get(index + 1) ?? 0, reached.get(series) ?? 0)
    reached.set(series, end)
    return index < end
  })
  return { spots }
}

/** How a person names exactly these lines; null if one of them is no such place. */
export function typedRanges(places: readonly BoxPlace[], spots: readonly BoxSpot[]): string | null {
  const chosen = new Set(spots.map(({ index }) => index))
  const ranges: { from: number; to: number }[] = []
  const open = new Map<string, { from: number; to: number }>()
  for (const { index, series } of places) {
    const range = open.get(series)
    const line = index + 1
    if (!chosen.delete(index)) open.delete(series)
    else if (range === undefined) {
      const begun = { from: line, to: line }
      ranges.push(begun)
      open.set(series, begun)
    } else range.to = line
  }
  if (chosen.size > 0) return null
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(",")
}
