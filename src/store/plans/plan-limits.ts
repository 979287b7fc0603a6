// Decides which bytes are read as a plan: text in UTF-8 without a merge conflict, within limits that are counted before it is parsed.
import { Buffer, isUtf8 } from "node:buffer"
import { looksLikeBox } from "../../plan/blocks/box.ts"
import { cutLine, splitLines } from "../../plan/model/lines.ts"

/** Tasks, sub-items, rows that look like them, and headings: 10,000 tasks with four each. They take about 100 MB. */
const MAX_ROWS = 50_000
/** Lines of all kinds: 10,000 tasks with 25 lines each. They take about 150 MB. */
const MAX_LINES = 250_000
/** Characters that begin a value in JSON, including commas in texts. 10,000 tasks with three sub-tasks each have 490,000. */
const MAX_VALUES = 750_000

const HEADING = /^ {0,3}#{1,6}[ \t]/
/** Every row has a bracket, and every heading its sign. */
const MAY_COUNT = /[[#]|<task\b/g

/**
 * The text of a plan; for bytes that are not read, what was found and what to do. Other bytes than UTF-8 would come back changed when a
 * task is marked, so none of its tasks could be.
 */
export function planText(
  path: string,
  bytes: Buffer,
): string | { readonly found: string; readonly action: string } {
  if (bytes.includes(0)) return { found: "it is not text (it holds NUL bytes)", action: SAVE_IT }
  if (!isUtf8(bytes)) return { found: `line ${badLine(bytes)} is not UTF-8`, action: SAVE_IT }
  const text = bytes.toString("utf8")
  const line = conflictLine(text)
  if (line !== null) return { found: `line ${line} begins a merge conflict`, action: "resolve it" }
  const over = overLimit(path, text)
  if (over === null) return text
  return { found: `it has ${over.found}`, action: `split it, at most ${over.limit}` }
}

const SAVE_IT = "save it as text in UTF-8"

/** The 1-based line of the first byte that decoding changes. */
function badLine(bytes: Buffer): number {
  const decoded = Buffer.from(bytes.toString("utf8"), "utf8")
  const at = bytes.findIndex((byte, index) => byte !== decoded[index])
  return bytes.toString("latin1", 0, at).split("\n").length
}

/** The lines that git puts around the two sides of a conflict, in their order. */
const CONFLICT = [/^<{7} /gm, /^={7}\r?$/gm, /^>{7} /gm]
const FENCE = /^[ \t]*(?:`{3}|~{3})/gm

/** The 1-based line of the first conflict that a merge has left: read as it stands, its tasks are there twice. Null for one shown in a fence. */
function conflictLine(text: string): number | null {
  if (!text.includes("<<<<<<< ")) return null
  let [begin, end] = [-1, 0]
  for (const mark of CONFLICT) {
    mark.lastIndex = end
    const found = mark.exec(text)
    if (found === null) return null
    end = found.index
    if (begin < 0) begin = end
  }
  const above = text.slice(0, begin)
  return countOf(above, FENCE) % 2 > 0 ? null : countOf(above, /\n|\r(?!\n)/g) + 1
}

/** Counts what a plan's text holds before any of it is parsed; null within the limits. */
function overLimit(path: string, text: string) {
  if (path.endsWith(".json")) return over("values", countOf(text, /[{[,]/g), MAX_VALUES)
  const lines = over("lines", countOf(text, /\n|\r(?!\n)/g), MAX_LINES)
  if (lines !== null) return lines
  // Going through it line by line takes long, and few plans come close.
  if (countOf(text, MAY_COUNT) <= MAX_ROWS) return null
  const rows = splitLines(text).map(cutLine).filter(isRow).length
  return over("rows and headings", rows + countOf(text, /<task\b/g), MAX_ROWS)
}

function isRow(line: string): boolean {
  return looksLikeBox(line) !== null || HEADING.test(line)
}

function over(what: string, count: number, limit: number) {
  return count <= limit ? null : { found: `${count} ${what}`, limit: `${limit} are read` }
}

function countOf(text: string, pattern: RegExp): number {
  let count = 0
  for (pattern.lastIndex = 0; pattern.test(text); ) count += 1
  return count
}
