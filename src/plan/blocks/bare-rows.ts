// Rows without the mark of a list, `[ ] text`, in a text that has no other row.
import { cutLine } from "../model/lines.ts"
import { isMarker, meaningOf } from "../model/markers.ts"
import type { Blocks, Mask, Row } from "./blocks.ts"
import { type Box, readBareBox } from "./box.ts"

/** What stands in brackets elsewhere too, such as `[!]`, makes no plan by itself. */
const TELLING: ReadonlySet<string> = new Set(["", "x", "X", "/", "-", "~"])
/** Two of a kind make a pattern, one does not. */
const LEAST = 2
/** Where a line below must begin that speaks of the row. */
const CONTENT_INDENT = 2

/**
 * The blocks with a row for each of two or more lines that begin with a box, where no list and no heading of the text has one: their
 * author has left the mark of the list out. The same blocks where there is nothing to add. CommonMark sees paragraphs
 * there, so that the scanner and remark never know of it. One that is indented further than the one before is its part.
 */
export function withBareRows(lines: readonly string[], from: number, blocks: Blocks): Blocks {
  if (blocks.rows.some(({ quoted, box }) => !quoted && isMarker(box.marker))) return blocks
  const added = bareRows(lines, from, blocks)
  const telling = added.filter(({ box }) => TELLING.has(box.marker.trim()))
  if (telling.length < LEAST) return blocks
  const rows = [...blocks.rows, ...added].sort((one, other) => one.index - other.index)
  return { ...blocks, rows }
}

interface Found {
  readonly index: number
  readonly box: Box
}

function bareRows(lines: readonly string[], from: number, blocks: Blocks): readonly Row[] {
  const starts = blocks.headings.map(({ index }) => index)
  let at = 0
  let outer: readonly Row[] = []
  return bareBoxes(lines, from, blocks.masks).map((found) => {
    const { index, box } = found
    if ((starts[at] ?? lines.length) < index) outer = []
    while ((starts[at] ?? lines.length) < index) at++
    outer = outer.filter((row) => row.box.at < box.at)
    const row = rowOf(found, outer.at(-1) ?? null)
    outer = [...outer, row]
    return row
  })
}

function bareBoxes(lines: readonly string[], from: number, masks: readonly Mask[]): Found[] {
  const found: Found[] = []
  let at = 0
  for (let index = from; index < lines.length; index++) {
    const box = boxOn(lines[index] ?? "")
    if (box === null) continue
    while ((masks[at]?.to ?? lines.length) < index) at++
    if ((masks[at]?.from ?? lines.length) > index) found.push({ index, box })
  }
  return found
}

function boxOn(line: string): Box | null {
  const box = line.includes("[") ? readBareBox(cutLine(line)) : null
  if (box === null || box.text === "") return null
  return meaningOf(box.marker, []) === null ? null : box
}

function rowOf({ index, box }: Found, parent: Row | null): Row {
  return {
    index,
    box,
    kind: "list",
    ordinal: null,
    parent,
    quoted: false,
    contentColumn: box.at + CONTENT_INDENT,
  }
}
