// The block structure of a plan before any dialect is applied: rows, headings and what stands below them, masked lines.
import { placeFrom } from "../model/lines.ts"
import { isMarker } from "../model/markers.ts"
import { once } from "../model/once.ts"
import type { Box } from "./box.ts"

/** A checkbox row as block structure shows it, before any dialect is applied. */
export interface Row {
  /** Index of its line, from 0. */
  readonly index: number
  readonly box: Box
  /**
   * `list`: also a line that begins with a box, if no row of the text has a list mark. `bare-heading`: a heading without a box whose rows
   * below say its state.
   */
  readonly kind: "list" | "heading" | "bare-heading"
  /** The number of an ordered list item: `3. [ ] text`. */
  readonly ordinal: string | null
  /** The row that this one is nested under, by CommonMark. */
  readonly parent: Row | null
  readonly quoted: boolean
  /** Column of the item's content, where a sub-line must start. */
  readonly contentColumn: number
}

export interface Heading {
  readonly index: number
  readonly level: number
  readonly text: string
  readonly isRow: boolean
  /** The line of the heading around it; -1 for none. */
  readonly parent: number
  /** The line of the next heading that is not part of it; after the last line if there is none. */
  readonly end: number
}

/** Lines (from and to included) that hold no task, whatever they look like. */
export interface Mask {
  readonly from: number
  readonly to: number
  readonly reason: "front-matter" | "fence" | "comment" | "indented-code"
}

export interface Unclosed {
  readonly index: number
  readonly rule: "unclosed-fence" | "unclosed-comment"
  /** The line of what looks like the start of the next such block, if rows stand in between and its end is the first one after them. */
  readonly reopenedAt: number | null
}

/** The block structure of a text, as far as a plan needs it. */
export interface Blocks {
  readonly rows: readonly Row[]
  readonly headings: readonly Heading[]
  readonly masks: readonly Mask[]
  /** Lines of thematic breaks outside any list or quote. */
  readonly breaks: readonly number[]
  readonly unclosed: readonly Unclosed[]
}

/** Lines from one to another, both included. */
export type Stretch = Pick<Mask, "from" | "to">

/** The headings found in a text with this many lines, each with its place among the others. */
export function nestHeadings(
  found: readonly Omit<Heading, "parent" | "end">[],
  lineCount: number,
): Heading[] {
  const around: { readonly level: number; readonly index: number; end: number }[] = []
  return found.map((each) => {
    for (let outer = around.at(-1); outer !== undefined; outer = around.at(-1)) {
      if (outer.level < each.level) break
      outer.end = each.index
      around.pop()
    }
    const heading = { ...each, parent: around.at(-1)?.index ?? -1, end: lineCount }
    around.push(heading)
    return heading
  })
}

/** The line of a plan's title, its first heading and the only one of level 1; -1 if it has none. */
export function titleIndex(headings: readonly Pick<Heading, "index" | "level">[]): number {
  const [first, ...others] = headings
  const isTitle = first?.level === 1 && others.every(({ level }) => level > 1)
  return isTitle ? first.index : -1
}

/** Where a heading stands: its level, below the heading around it. */
export function placeOf({ parent, level }: Pick<Heading, "parent" | "level">): string {
  return `${parent} ${level}`
}

/** The headings that have one of these lines below them, or below their own headings. */
export function filledHeadings(
  headings: readonly Heading[],
  rows: readonly Pick<Row, "index">[],
): ReadonlySet<number> {
  let at = 0
  const filled = headings.filter(({ index, end }) => {
    while ((rows[at]?.index ?? end) <= index) at++
    return (rows[at]?.index ?? end) < end
  })
  return new Set(filled.map(({ index }) => index))
}

/** Gives, for ascending lines, the heading that they stand right below, or that they are. */
export function headingReader<Each extends Pick<Heading, "index">>(
  headings: readonly Each[],
): (index: number) => Each | undefined {
  let at = 0
  return (index) => {
    while ((headings[at]?.index ?? Number.POSITIVE_INFINITY) <= index) at++
    return headings[at - 1]
  }
}

/** What stands below certain headings, including everything below their own headings. The plan's title counts for none of them. */
export function below(
  headings: readonly Heading[],
  isMeant: (heading: Heading) => boolean,
): readonly Stretch[] {
  const title = titleIndex(headings)
  let last = 0
  const meant = headings.filter((heading) => {
    if (heading.index < last || heading.index === title || !isMeant(heading)) return false
    last = heading.end
    return true
  })
  return meant.map(({ index, end }) => ({ from: index + 1, to: end - 1 }))
}

/** Such a stretch with its heading. */
export function withHeading({ from, to }: Stretch): Stretch {
  return { from: from - 1, to }
}

/** Tells, for ascending lines, whether they stand below such a heading, except the title. */
export function belowReader(
  headings: readonly Heading[],
  isMeant: (heading: Heading) => boolean,
): (index: number) => boolean {
  return stretchReader(below(headings, isMeant))
}

/** Tells, for ascending lines, whether a stretch, or mask, contains them. */
export function stretchReader(stretches: readonly Stretch[]): (index: number) => boolean {
  const sorted = stretches.toSorted((one, other) => one.from - other.from)
  let at = 0
  let end = -1
  return (index) => {
    for (; (sorted[at]?.from ?? Number.POSITIVE_INFINITY) <= index; at++) {
      end = Math.max(end, sorted[at]?.to ?? -1)
    }
    return index <= end
  }
}

/**
 * Tells which lines count or have a box, even if they are no tasks: none of these is ever said to have no box. A tag, `[P1]`, is no box.
 */
export function boxedLines(
  rows: Blocks["rows"],
  counted: readonly { readonly row: Row }[] = [],
): (index: number) => boolean {
  const counts = once(() => new Set(counted.map(({ row }) => row)))
  const hasBox = ({ kind, box }: Row) => kind !== "bare-heading" && isMarker(box.marker)
  const found = rows.filter((row) => hasBox(row) || counts().has(row))
  const boxed = found.map(({ index }) => index)
  return (index) => boxed[placeFrom(boxed, index)] === index
}
