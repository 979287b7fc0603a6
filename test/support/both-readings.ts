import { expect } from "bun:test"
import type { Row } from "../../src/plan/blocks/blocks.ts"
import { readWithRemark } from "../../src/plan/blocks/remark-reading.ts"
import { scanBlocks } from "../../src/plan/blocks/scan-blocks.ts"
import { splitLines } from "../../src/plan/model/lines.ts"

/** What the linear scanner reads in a text. */
export function scan(text: string) {
  const blocks = scanBlocks(splitLines(text), 0)
  return {
    rows: blocks.rows.filter(({ kind }) => kind === "list").map(flat),
    headings: blocks.headings.map(({ index, level }) => ({ line: index + 1, level })),
    unclosed: blocks.unclosed.map(({ index }) => index + 1),
  }
}

/** The same by remark. */
export function remark(text: string) {
  const reading = readWithRemark(text)
  if (reading === null) throw new Error("too many rounds")
  const { rows, headings, unclosed } = reading
  for (const { checked, marker } of rows) {
    if (checked !== null) expect(checked).toBe(marker.toLowerCase() === "x")
  }
  return { rows: rows.map(({ checked: _, ...row }) => row), headings, unclosed }
}

function flat(row: Row) {
  return {
    line: row.index + 1,
    parentLine: row.parent === null ? null : row.parent.index + 1,
    marker: row.box.marker,
    isQuoted: row.quoted,
  }
}
