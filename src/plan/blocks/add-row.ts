// Makes a row of the list item that the cursor stands in.
import { readItemBox } from "./box.ts"
import type { Scan } from "./scan-state.ts"

/** Makes a row of an item without content yet, if its first words, which the cursor stands before, are a box and a text. */
export function addRow({ containers, cursor, rows }: Scan, index: number): void {
  const item = containers.at(-1)
  if (item === undefined || item.isQuote || !item.isEmpty) return
  const box = readItemBox(cursor.line, cursor.next)
  if (box === null || box.text === "") return
  const outer = containers.slice(0, -1)
  item.row = {
    index,
    box,
    kind: "list",
    ordinal: item.ordinal,
    parent: outer.findLast((container) => container.row !== null)?.row ?? null,
    quoted: outer.some((container) => container.isQuote),
    contentColumn: cursor.nextColumn,
  }
  rows.push(item.row)
}
