// What block structure shows of a plan, before any dialect has spoken: rows, headings, masked lines.
import { isMarker } from "../model/markers.ts"
import type { Box } from "./box.ts"

/** A checkbox row as block structure shows it, before any dialect has spoken. */
export interface Row {
  /** Index of its line, from 0. */
  readonly index: number
  readonly box: Box
  /** `list`: also a line that begins with a box, where no row of the text has the mark of a list. `bare-heading`: one without a box, whose rows below say its state. */
  readonly kind: "list" | "heading" | "bare-heading"
  /** The number of an ordered list item: `3. [ ] text`. */
  readonly ordinal: string | null
  /** The row that this one is nested under, by CommonMark. */
  readonly parent: Row | null
  readonly quoted: boolean
  /** Column of the item's content: where a sub-line must start. */
  readonly contentColumn: number
}

export interface Heading {
  readonly index: number
  readonly level: number
  readonly text: string
  readonly isRow: boolean
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
  /** The line of what looks like the next such block, where rows stand between and its end is the first one behind. */
  readonly reopenedAt: number | null
}

/** The block structure of a text, as far as a plan needs it. */
export interface Blocks {
  readonly rows: readonly Row[]
  readonly headings: readonly Heading[]
  readonly masks: readonly Mask[]
  /** Lines of thematic breaks outside of any list or quote. */
  readonly breaks: readonly number[]
  readonly unclosed: readonly Unclosed[]
}

/** Tells of ascending lines whether a mask covers them. */
export function maskReader(masks: readonly Mask[]): (index: number) => boolean {
  let at = 0
  return (index) => {
    while ((masks[at]?.to ?? Number.POSITIVE_INFINITY) < index) at++
    return (masks[at]?.from ?? Number.POSITIVE_INFINITY) <= index
  }
}

/** The indexes of the lines that have a box, also where they are no tasks: none is ever said to have none. A tag, `[P1]`, is no box. */
export function boxedLines(rows: Blocks["rows"]): ReadonlySet<number> {
  return new Set(
    rows.flatMap(({ index, kind, box }) =>
      kind !== "bare-heading" && isMarker(box.marker) ? [index] : [],
    ),
  )
}
