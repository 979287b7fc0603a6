// Finds the rows of tables that have a box each: such a table lists work as a list does.
import { withAdded } from "../blocks/bare-rows.ts"
import { type Blocks, filledHeadings, type Stretch, stretchReader } from "../blocks/blocks.ts"
import { type CellBox, readCellBox } from "../blocks/box.ts"
import { splitLabel } from "../dialects/label.ts"
import { cutLine } from "../model/lines.ts"
import { isStateAlone } from "../model/state-words.ts"
import { hashTitle } from "../model/title.ts"
import { tablesIn } from "../table-warnings.ts"

/**
 * The blocks with an added row for each row of a table at the margin in which one column holds a box in every row, and no other column does
 * in any. A table that explains marks is none, nor is one that tells again of rows, or of headings with rows below them. `shown` are the
 * lines that may show a box, ascending.
 */
export function withTableRows(
  lines: readonly string[],
  shown: readonly number[],
  blocks: Blocks,
): Blocks {
  if (!shown.some((index) => lines[index]?.startsWith("|") === true)) return blocks
  const isHidden = stretchReader(blocks.masks)
  const isKnown = knownNames(blocks)
  const found = [...tablesIn(lines)].flatMap(({ body }) => {
    const rows = isHidden(body.from) ? [] : boxedRows(lines, body)
    return isLegend(rows) || rows.some(({ box }) => box.cells.some(isKnown)) ? [] : rows
  })
  return found.length === 0 ? blocks : withAdded(blocks, lines, found)
}

interface Found {
  readonly index: number
  readonly box: CellBox
  readonly ordinal: null
}

/** The rows of a table if each has its box in the same column; none otherwise. */
function boxedRows(lines: readonly string[], { from, to }: Stretch): readonly Found[] {
  const body = lines.slice(from, to + 1)
  const rows = body.flatMap((line, at) => {
    const box = readCellBox(cutLine(line))
    return box === null ? [] : [{ index: from + at, box, ordinal: null }]
  })
  const columns = new Set(rows.map(({ box }) => box.column))
  const count = body.filter((line) => line.includes("|")).length
  return columns.size === 1 && rows.length === count ? rows : []
}

/** Each mark comes once, and is explained: by a state, or by whatever stands alone behind it if there are three or more. */
function isLegend(rows: readonly Found[]): boolean {
  const isEach = new Set(rows.map(({ box }) => box.marker)).size === rows.length
  const isOfStates = rows.every(({ box }) => isStateAlone(box.text))
  const areAlone = rows.every(({ box }) => box.column === 1 && box.cells.length === 2)
  return isEach && (isOfStates || (areAlone && rows.length > 2))
}

/** Tells whether a cell names a row, or a heading that has rows. */
function knownNames({ rows, headings }: Blocks): (cell: string) => boolean {
  const filled = filledHeadings(headings, rows)
  const texts = headings.flatMap(({ index, text }) => (filled.has(index) ? [text] : []))
  const named = [...rows.map(({ box }) => box.text), ...texts].flatMap(namesOf)
  const known = new Set(named)
  return (cell) => namesOf(cell).some((name) => known.has(name))
}

/** Its title, and an id that is no plain number. */
function namesOf(text: string): readonly string[] {
  const { label, rest } = splitLabel(text)
  const id = label === null || /^\d+$/.test(label) ? [] : [label]
  return /\p{L}/u.test(rest) ? [...id, hashTitle(rest)] : id
}
