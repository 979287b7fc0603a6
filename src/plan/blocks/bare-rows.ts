// Finds rows that CommonMark does not see as a list: `-[ ] text`, `[ ] text` in a text with few other rows, and `4. [ ] text` right below prose.
import { cutLine } from "../model/lines.ts"
import { isMarker, meaningOf } from "../model/markers.ts"
import { type Blocks, type Row, stretchReader } from "./blocks.ts"
import { type Box, readBareBox, readBox, readGluedBox } from "./box.ts"

/** What stands in brackets for other reasons too, such as `[!]`, makes no plan by itself. */
const TELLING: ReadonlySet<string> = new Set(["", ..."xX✓✔✅☑√/-~"])
/** Two of a kind make a pattern, one does not. */
const LEAST = 2
/** How many boxes without a list mark there must be for each one with it, before they count as the way the plan is written. */
const OUTWEIGHS = 2
/** Where a line below a row must begin to belong to it. */
const CONTENT_INDENT = 2
const BLANKS = /^[ \t]*/
/** How each of these boxes begins. */
const MAY_BEGIN = /^[ \t]*(?:[-+]|[*_]{1,2}|\d{1,9}[.)][ \t]+)?\\?\[/
/** A numbered row, which interrupts a paragraph only if it is the first. */
const NUMBERED = /^ {0,3}(\d{1,9})[.)][ \t]+(?=\\?\[)/

/**
 * The blocks with an added row for each of two or more lines that begin with a box right after a bullet, or with a bare box if those are
 * more than twice as many as the rows of lists and headings: the author has left out the blank, or the list mark. Also for each that
 * continues the numbers of the row before it right below a line of prose. The same blocks if there is nothing to add. CommonMark sees
 * paragraphs there, so the scanner and remark do not know of these rows. A row that is indented further
 * than the one before is its part. `shown` are the lines that may show a box, ascending.
 */
export function withBareRows(
  lines: readonly string[],
  shown: readonly number[],
  blocks: Blocks,
): Blocks {
  const isHidden = stretchReader(blocks.masks)
  const begun = shown.filter((index) => MAY_BEGIN.test(lines[index] ?? "") && !isHidden(index))
  if (begun.length === 0) return blocks
  const glued = foundBy(readGluedBox, lines, begun)
  const bare = foundBy(readBareBox, lines, begun)
  const isUsual = bare.length > (listedBeside(bare, lines, blocks) + glued.length) * OUTWEIGHS
  const found = [...glued, ...(isUsual ? bare : []), ...continuing(lines, begun, blocks.rows)]
  return found.length > 0 ? withAdded(blocks, lines, found) : blocks
}

/** How many rows with a box are no part of such a line: what somebody notes below it is no sign of how the plan is written. */
function listedBeside(bare: readonly Found[], lines: readonly string[], blocks: Blocks): number {
  const { rows } = bare.length === 0 ? blocks : withAdded(blocks, lines, bare)
  const added = new Set(bare.map(({ index }) => index))
  const parts = new Set<Row | null>()
  for (const row of rows) if (added.has(row.index) || parts.has(row.parent)) parts.add(row)
  return rows.filter((row) => !(row.quoted || parts.has(row)) && isMarker(row.box.marker)).length
}

interface Found {
  readonly index: number
  readonly box: Box
  readonly ordinal: string | null
}

/** The numbered lines that are no rows, whose number follows that of the row before. */
function continuing(
  lines: readonly string[],
  begun: readonly number[],
  rows: readonly Row[],
): readonly Found[] {
  const ordinals = new Map(rows.map(({ index, ordinal }) => [index, ordinal]))
  let last = ""
  return begun.flatMap((index) => {
    const line = cutLine(lines[index] ?? "")
    const [prefix = "", number = ""] = NUMBERED.exec(line) ?? []
    const isRow = ordinals.has(index)
    const box = isRow || Number(last) + 1 !== Number(number) ? null : readBox(line, prefix.length)
    if (isRow || box !== null) last = number || last
    return box === null || last === "" ? [] : [{ index, box, ordinal: number }]
  })
}

/** The lines with such a box; none if there are fewer than two. */
function foundBy(
  read: (line: string) => Box | null,
  lines: readonly string[],
  begun: readonly number[],
): Found[] {
  const found = begun.flatMap((index) => {
    const box = read(cutLine(lines[index] ?? ""))
    const isBox = box !== null && box.text !== "" && meaningOf(box.marker, []) !== null
    return isBox ? [{ index, box, ordinal: null }] : []
  })
  const telling = found.filter(({ box }) => TELLING.has(box.marker.trim()))
  return telling.length < LEAST ? [] : found
}

/** A row that a further indented one may be a part of. */
interface Open {
  readonly row: Row
  readonly indent: number
  /** How many headings come before it. */
  readonly section: number
}

/** Rows that the scanner has found below an added one are its parts, too. */
function withAdded(blocks: Blocks, lines: readonly string[], found: readonly Found[]): Blocks {
  const isAdded = new Set(found.map(({ index }) => index))
  const sectionAt = sectionReader(blocks)
  const placed = new Map<Row, Row>()
  const open: Open[] = []
  for (const row of [...blocks.rows, ...found.map(rowOf)].sort((a, b) => a.index - b.index)) {
    const indent = BLANKS.exec(lines[row.index] ?? "")?.[0].length ?? 0
    const section = sectionAt(row.index)
    while (isOver(open.at(-1), indent, section)) open.pop()
    const above = open.at(-1)?.row ?? null
    const isPart = isAdded.has(row.index) || isAdded.has(above?.index ?? -1)
    const next = { ...row, parent: parentOf(row, placed) ?? (isPart ? above : null) }
    placed.set(row, next)
    open.push({ row: next, indent, section })
  }
  return { ...blocks, rows: [...placed.values()] }
}

function parentOf({ parent }: Row, placed: ReadonlyMap<Row, Row>): Row | null {
  return parent === null ? null : (placed.get(parent) ?? null)
}

function isOver(open: Open | undefined, indent: number, section: number): boolean {
  return open !== undefined && (open.indent >= indent || open.section < section)
}

/** Tells, for ascending lines, how many headings come before them. */
function sectionReader({ headings }: Pick<Blocks, "headings">): (index: number) => number {
  let at = 0
  return (index) => {
    while ((headings[at]?.index ?? Number.POSITIVE_INFINITY) < index) at++
    return at
  }
}

function rowOf({ index, box, ordinal }: Found): Row {
  return {
    ...{ index, box, ordinal },
    kind: "list",
    parent: null,
    quoted: false,
    contentColumn: box.at + CONTENT_INDENT,
  }
}
