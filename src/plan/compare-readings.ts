import type { Row } from "./blocks.ts"
import { readFrontMatter } from "./front-matter.ts"
import { splitLines } from "./lines.ts"
import { readWithRemark } from "./remark-reading.ts"
import { scanBlocks } from "./scan-blocks.ts"

/** Remark takes more than linear time in long lists, long lines, deep nesting and for each round: such a text is not compared. */
const MAX_LENGTH = 8 * 1024
const MAX_ROUNDS = 4
const TOO_LONG = /^.{1001}|^[\s>*+\-\d.)]{81}/m

/**
 * Lines that the linear scanner and the grammar (remark) read differently, ascending. There should be none, and a
 * property test says so; this is for a person who looks at a plan of theirs, and takes a fraction of a second at most.
 * Null for a text too large to compare.
 */
export function compareReadings(text: string): readonly number[] | null {
  if (text.length > MAX_LENGTH || TOO_LONG.test(text)) return null
  const { lines, lineCount } = readFrontMatter(splitLines(text))
  const bare = lines.map((line, index) => (index < lineCount ? "" : line))
  const remark = readWithRemark(bare.join("\n"), MAX_ROUNDS)
  if (remark === null) return null
  const scanned = scanBlocks(lines, lineCount)
  const ours = [
    ...scanned.rows.filter(({ kind }) => kind === "list").map(rowText),
    ...scanned.headings.map(({ index, level }) => `${index + 1} heading ${level}`),
  ]
  const theirs = [
    ...remark.rows.map((row) => `${row.line} row ${row.parentLine} ${row.marker} ${row.isQuoted}`),
    ...remark.headings.map(({ line, level }) => `${line} heading ${level}`),
  ]
  const differing = [...missingFrom(ours, theirs), ...missingFrom(theirs, ours)]
  return [...new Set(differing)].sort((one, other) => one - other)
}

function rowText({ index, parent, box, quoted }: Row): string {
  return `${index + 1} row ${parent === null ? null : parent.index + 1} ${box.marker} ${quoted}`
}

/** The lines of what stands in the one reading and not in the other. */
function missingFrom(one: readonly string[], other: readonly string[]): readonly number[] {
  const known = new Set(other)
  return one.filter((text) => !known.has(text)).map((text) => Number.parseInt(text, 10))
}
