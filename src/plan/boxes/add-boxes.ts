// Puts boxes before lines of a plan that have none, and tells which lines may be meant.
import type { BoxSpot } from "../headings/own-headings.ts"
import { cutLine, lineRanges } from "../model/lines.ts"
import type { Task } from "../model/plan.ts"
import { cleanTitle, namedTitle } from "../model/title.ts"
import { areLines, type BoxPlace, placesIn, readRanges, typedRanges } from "./box-lines.ts"
import { doneSpots } from "./box-ticks.ts"
import { type BoxlessPlan, readBoxless, wantedWith } from "./without-box.ts"

/** A line that gets a box. */
export interface BoxedLine {
  readonly line: number
  readonly title: string
}

/** A plan with boxes, or why there is none to be had. */
export type AddedBoxes =
  | { readonly ok: true; readonly text: string; readonly added: readonly BoxedLine[] }
  | { readonly ok: false; readonly message: string }

/** Lines of a plan that may be its tasks, and how `addBoxes` is told to take them. */
export interface OfferedLines {
  readonly lines: string
  readonly kind: BoxPlace["kind"]
  readonly count: number
  /** The words of the first one. */
  readonly first: string
  /** Of rows the heading above; null where they stand below none, or below several. */
  readonly below: string | null
}

const MAX_OFFERS = 9
/** Most plans have fewer choices; each is tried by one more reading. */
const MAX_TRIED = 16
const EXPECTED = "Expected lines such as 20-140 or 12,15"

/**
 * Puts `[ ] ` before the first line of each range, `20-140,150`, and before all lines that are like it down to its last: headings of its level
 * that count alike, or rows of lists at the margin with numbers, or with bullets. Nothing else is changed. What is said to be done gets `[x] `.
 * The result must read as just these tasks beside those that the plan has, or it is refused.
 */
export function addBoxes(text: string, path: string, typed: string): AddedBoxes {
  const read = readBoxless(text, { path })
  if (read === null)
    return refused("Expected a plan in markdown; found one that keeps its tasks as data.")
  const ranges = readRanges(typed)
  if (ranges === null) return refused(`${EXPECTED}; found "${typed.slice(0, 40)}".`)
  const { lines, blocks } = read
  const found = placesIn(read.places(), ranges)
  if ("none" in found) {
    const line = lines[found.none - 1]
    const is = line === undefined ? `a plan of ${lines.length} lines` : `"${line.slice(0, 60)}"`
    return refused(
      `Expected a heading (\`## Title\`), or a row of a list, without a box on line ${found.none}; found ${is}.`,
    )
  }
  const { spots } = found
  const wanted = wantedWith(read, spots)
  const after = read.tasksWith(spots)
  if (!areLines(after, wanted)) return refused(unlike(wanted, after))
  const added = spots.map(({ index }) => ({
    line: index + 1,
    title: cleanTitle(lines[index] ?? ""),
  }))
  return { ok: true, text: withBoxes(text, spots, doneSpots(lines, blocks, spots)), added }
}

/** What may be the tasks of a plan in which none has a box, or what lacks one in any other, the likeliest first, behind it what was done, and last what tells of no work; none for a plan of data. */
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
    const { index = 0, at = 0 } = spots[0] ?? {}
    const first = namedTitle(cutLine(read.lines[index] ?? "").slice(at), 80)
    const isDone = doneSpots(read.lines, read.blocks, spots).size === spots.length
    const below = headingOver(read, kind, spots)
    const rank = (likelihood === "unlikely" ? 2 : 0) + Number(isDone)
    offers.push({ lines, kind, count: spots.length, first, below, rank })
  }
  const ranked = offers.sort((one, other) => one.rank - other.rank)
  return ranked.slice(0, MAX_OFFERS).map(({ rank, ...offer }) => offer)
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

/** What is said of lines, by their indexes, that would not be read as just these tasks. */
function unlike(wanted: readonly number[], after: readonly Pick<Task, "line">[]): string {
  const read = new Set(after.map(({ line }) => line - 1))
  const none = wanted.filter((index) => !read.has(index)).map((index) => index + 1)
  const [first] = none
  const which =
    first === undefined
      ? ""
      : none.length === 1
        ? `: line ${first} would be none`
        : `: ${none.length} lines, the first ${first}, would be none`
  return `Expected ${wanted.length} tasks once the boxes stand; found ${after.length}${which}. Choose others, or write each task as a row, \`- [ ] 1. Title\`.`
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
    return before + (done.has(spot) ? "[x] " : "[ ] ")
  })
  return pieces.join("") + text.slice(from)
}

function refused(message: string): AddedBoxes {
  return { ok: false, message }
}
