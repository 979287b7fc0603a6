// Reads the states that a table with a column for them gives to lines with the same titles.
import { type Mask, stretchReader } from "../blocks/blocks.ts"
import { splitLabel } from "../dialects/label.ts"
import { cutLine } from "../model/lines.ts"
import { readState, STATUS_NAME } from "../model/state-words.ts"
import { hashTitle } from "../model/title.ts"
import { tablesIn } from "../table-warnings.ts"

const IS_STATUS = new RegExp(`^(?:${STATUS_NAME})$`, "iu")
const IS_NUMBER = /^#?(\d{1,9}(?:\.\d{1,9})*)$/
const MAX_CELLS = 20

/**
 * Tells whether a table calls a line done: each row that begins with its title says so in the one column that the head names as a status,
 * unless row and line have different numbers.
 */
export function doneInTables(
  lines: readonly string[],
  masks: readonly Mask[],
): (words: string) => boolean {
  const isDone = new Map<string, boolean>()
  for (const { name, state } of statedRows(lines, masks)) {
    const key = keyOf(name)
    isDone.set(key, readState(state).state === "done" && isDone.get(key) !== false)
  }
  return (words) => {
    if (isDone.size === 0) return false
    const { label, title } = nameOf(words)
    return (
      (isDone.get(keyOf({ label, title })) ?? isDone.get(keyOf({ label: null, title }))) === true
    )
  }
}

/** The rows of tables with such a column. */
function* statedRows(
  lines: readonly string[],
  masks: readonly Mask[],
): Generator<{ readonly name: Name; readonly state: string }, void> {
  const isMasked = stretchReader(masks)
  for (const { at, body } of tablesIn(lines)) {
    const column = isMasked(at) ? null : statusColumn(cellsIn(lines[at] ?? ""))
    if (column === null) continue
    for (const line of lines.slice(body.from, body.to + 1)) {
      const cells = cellsIn(line)
      yield { name: rowName(cells), state: cells[column] ?? "" }
    }
  }
}

function cellsIn(line: string): readonly string[] {
  const cells = cutLine(line)
    .split("|", MAX_CELLS)
    .map((cell) => cell.trim())
  return cells[0] === "" ? cells.slice(1) : cells
}

/** The column named as a status; null for none or several. */
function statusColumn(head: readonly string[]): number | null {
  const [column, other] = head.flatMap((cell, at) => (IS_STATUS.test(cell) ? [at] : []))
  return other === undefined ? (column ?? null) : null
}

interface Name {
  readonly label: string | null
  readonly title: string
}

/** A row is named by its first cell, or by its second behind a number. */
function rowName([first = "", second = ""]: readonly string[]): Name {
  const number = IS_NUMBER.exec(first)?.[1]
  const name = nameOf(number === undefined ? first : second)
  return { ...name, label: name.label ?? number ?? null }
}

function nameOf(words: string): Name {
  const { label, rest } = splitLabel(words.trim())
  return { label, title: hashTitle(rest === "" ? words : rest) }
}

function keyOf({ label, title }: Name): string {
  return `${label ?? ""} ${title}`
}
