// Finds the rows of tables that have a box each: such a table lists work as a list does.
import { type Found, withAdded } from "../blocks/bare-rows.ts"
import { type Blocks, filledHeadings, type Stretch, stretchReader } from "../blocks/blocks.ts"
import { type Box, readBareBox, readLineBox } from "../blocks/box.ts"
import { splitLabel } from "../dialects/label.ts"
import { cutLine } from "../model/lines.ts"
import { isMarker } from "../model/markers.ts"
import { isStateAlone, stateOfSigned } from "../model/state-words.ts"
import { hashTitle } from "../model/title.ts"
import { cellsIn, tablesIn } from "../table-warnings.ts"
import { IS_STATUS } from "./table-states.ts"

/** The box of a table's row, in one of its cells. */
interface CellBox extends Box {
  readonly column: number
  /** It stands before words of its own, not alone in its cell or before a state. */
  readonly hasWords: boolean
  /** It stands in front, and one cell behind it. */
  readonly isAlone: boolean
}

const ID = /^#?(?:[A-Z]{1,5}-?)?\d{1,4}(?:\.\d{1,4}){0,4}$/
/** A cell with two boxes asks which. */
const CHOICE = /\[[ xX]?\]/

/**
 * The blocks with an added row for each row of a table at the margin in which one column holds a box in every row, and no other column does
 * in any: before words, or below a head that names a state. A table that explains marks is none, nor is one that tells again of rows, or of headings with rows below them. `shown` are the
 * lines that may show a box, ascending.
 */
export function withTableRows(
  lines: readonly string[],
  shown: readonly number[],
  blocks: Blocks,
): Blocks {
  if (!shown.some((index) => lines[index]?.startsWith("|") === true)) return blocks
  const isHidden = stretchReader(blocks.masks)
  const filled = filledHeadings(blocks.headings, blocks.rows)
  const texts = blocks.headings.flatMap(({ index, text }) => (filled.has(index) ? [text] : []))
  const known = new Set([...blocks.rows.map(({ box }) => box.text), ...texts].flatMap(namesOf))
  const isKnown = ({ index }: Found) =>
    cellsIn(lines[index] ?? "").some(({ text }) => namesOf(text).some((name) => known.has(name)))
  const found = [...tablesIn(lines)].flatMap(({ at, body }) => {
    const rows = isHidden(at) ? [] : boxedRows(lines, body, cellsIn(lines[at] ?? ""))
    return rows.some(isKnown) ? [] : rows
  })
  return found.length === 0 ? blocks : withAdded(blocks, lines, found)
}

/** The rows of a table if each has its box in the same column, except a legend; none otherwise, as where the box says something else. */
function boxedRows(
  lines: readonly string[],
  { from, to }: Stretch,
  head: ReturnType<typeof cellsIn>,
): readonly Found[] {
  const body = lines.slice(from, to + 1).map(cutLine)
  const rows = body.flatMap((line, at) => {
    const box = readCellBox(line)
    return box === null ? [] : [{ index: from + at, box, ordinal: null }]
  })
  const boxes = rows.map(({ box }) => box)
  const [column = 0, other] = new Set(boxes.map((box) => box.column))
  const isEach = rows.length === body.filter((line) => line.includes("|")).length
  const isWork = boxes.every(({ hasWords }) => hasWords) || namesState(head[column]?.text ?? "")
  return isEach && other === undefined && isWork && !isLegend(boxes) ? rows : []
}

/** A column of boxes called Required, or Approved, says nothing of work. */
function namesState(head: string): boolean {
  return head === "" || IS_STATUS.test(head) || stateOfSigned(head) === "done"
}

/** Each mark comes once, and is explained: by a state, or by whatever stands alone behind it if there are three or more. */
function isLegend(boxes: readonly CellBox[]): boolean {
  if (new Set(boxes.map(({ marker }) => marker)).size < boxes.length) return false
  return (
    boxes.every(({ text }) => isStateAlone(text)) ||
    (boxes.length > 2 && boxes.every(({ isAlone }) => isAlone))
  )
}

/** The box of a row of a list or table, of a heading or at the margin: what a single line shows without its neighbours. */
export function readRowBox(line: string): Box | null {
  return readLineBox(line) ?? readCellBox(line)
}

/** The only box that a cell of a row begins with: its text is that of this cell, or of all others. */
function readCellBox(line: string): CellBox | null {
  if (!line.startsWith("|")) return null
  const found = cellsIn(line).flatMap(({ at, text }, column) => {
    const box = readBareBox(text)
    return box !== null && isMarker(box.marker) ? [{ ...box, at: at + box.at, column }] : []
  })
  const [box] = found
  if (box === undefined || found.length > 1 || CHOICE.test(box.text)) return null
  const others = cellsIn(line).flatMap(({ text }, at) =>
    at === box.column || text === "" ? [] : [text],
  )
  const [first = "", ...rest] = others
  const isId = ID.test(first)
  const hasWords = box.text !== "" && !isStateAlone(box.text)
  const own = hasWords ? box.text : (isId ? rest : others).join(" | ")
  const text = isId ? `${first}. ${own}` : own
  const isAlone = box.column === 0 && others.length === 1
  return own === "" ? null : { ...box, text, hasWords, isAlone }
}

/** Its title, and an id that is no plain number. */
function namesOf(text: string): readonly string[] {
  const { label, rest } = splitLabel(text)
  const id = label === null || /^\d+$/.test(label) ? [] : [label]
  return /\p{L}/u.test(rest) ? [...id, hashTitle(rest)] : id
}
