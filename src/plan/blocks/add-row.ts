// Makes a row from the list item at the cursor.

import type { Row } from "./blocks.ts"
import { readItemBox } from "./box.ts"
import type { Scan } from "./scan-state.ts"

/** Makes a row from an item without content so far, if its first words, which start at the cursor, are a box and a text. */
export function addRow({ containers, cursor, rows }: Scan, index: number): void {
  const item = containers[containers.length - 1]
  if (item === undefined || item.isQuote || !item.isEmpty) return
  const box = readItemBox(cursor.line, cursor.next)
  if (box === null || box.text === "") return
  let parent: Row | null = null
  let quoted = false
  for (const outer of containers) {
    if (outer.row !== null) parent = outer.row
    if (outer.isQuote) quoted = true
  }
  item.row = {
    index,
    box,
    kind: "list",
    ordinal: item.ordinal,
    parent,
    quoted,
    contentColumn: cursor.nextColumn,
  }
  rows.push(item.row)
}
