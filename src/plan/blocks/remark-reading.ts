// Reads block structure with remark and the task-list extension.
import type { ListItem, Parents, Root } from "mdast"
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item"
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item"
import remarkParse from "remark-parse"
import { unified } from "unified"
import { splitLines } from "../model/lines.ts"
import { type Box, readBox, readItemBox } from "./box.ts"
import { countFences, type Fences, nextToPutAway, putAway } from "./put-away.ts"

/** A row as remark sees it. */
interface RemarkRow {
  readonly line: number
  /** The line of the row that it is nested under. */
  readonly parentLine: number | null
  readonly marker: string
  readonly isQuoted: boolean
  /** What the task-list extension says; null for a marker that it does not know. */
  readonly checked: boolean | null
}

/** The reading of remark: the grammar that `scanBlocks` is checked against. */
export interface RemarkReading {
  readonly rows: readonly RemarkRow[]
  readonly headings: readonly { readonly line: number; readonly level: number }[]
  readonly unclosed: readonly number[]
}

interface Walk {
  readonly lines: readonly string[]
  readonly rows: RemarkRow[]
}

/** Constructs within a line decide nothing here, and remark takes more than linear time for some of them. */
const WITHIN_A_LINE = [
  "attention",
  "autolink",
  "characterEscape",
  "characterReference",
  "codeText",
  "hardBreakEscape",
  "htmlText",
  "labelEnd",
  "labelStartImage",
  "labelStartLink",
]

/** A text that needs more rounds is no shard, and no test's document. */
const MAX_ROUNDS = 1_000

/**
 * Reads block structure with remark and the task-list extension. Slow, and worse than linear in one long list: for one task, one shard or a
 * test, never for a whole large plan. Our own rules are applied by changing the text, line for line: only a comment is an HTML block, and a
 * fence or comment that nothing closes is plain text. Indented code is removed as well, since after it micromark, unlike the CommonMark
 * specification, takes no list that starts with a number other than 1. Each round parses the whole text once more, and there is one for
 * each block that nothing closes; null if `maxRounds` are not enough.
 */
export function readWithRemark(text: string, maxRounds = MAX_ROUNDS): RemarkReading | null {
  const shown = splitLines(text).map(expandTabs)
  const lines = shown.map(hideMarkup)
  const unclosed: number[] = []
  for (let round = 0; round < maxRounds; round++) {
    const fences: Fences = new Map()
    const root = parse(lines, fences)
    const blocks = nextToPutAway(root, fences, lines)
    if (blocks.length === 0) return { ...readTree(root, shown), unclosed }
    for (const block of blocks) {
      if (block.code === null) unclosed.push(block.line)
      putAway(lines, block)
    }
  }
  return null
}

function parse(lines: readonly string[], fences: Fences): Root {
  const data = {
    micromarkExtensions: [gfmTaskListItem(), { disable: { null: WITHIN_A_LINE } }],
    fromMarkdownExtensions: [gfmTaskListItemFromMarkdown(), countFences(fences)],
  }
  return unified().data(data).use(remarkParse).parse(lines.join("\n"))
}

/** No HTML but comments, and no link definitions: neither is part of a plan's rules. */
function hideMarkup(line: string): string {
  return line.replace(/<(?!!--)/g, "(").replaceAll("]:", "];")
}

function expandTabs(line: string): string {
  const prefix = /^[\s>*+\-\d.)]*/.exec(line)?.[0] ?? ""
  let wide = ""
  for (const sign of prefix) wide += sign === "\t" ? " ".repeat(4 - (wide.length % 4)) : sign
  return wide + line.slice(prefix.length)
}

function readTree(root: Root, lines: readonly string[]): Omit<RemarkReading, "unclosed"> {
  const walk: Walk = { lines, rows: [] }
  visit(walk, root, null, false)
  const headings = root.children.flatMap((node) => {
    const line = node.position?.start.line
    return node.type === "heading" && line !== undefined ? [{ line, level: node.depth }] : []
  })
  return { rows: walk.rows, headings }
}

function visit(walk: Walk, parent: Parents, parentLine: number | null, isQuoted: boolean): void {
  for (const node of parent.children) {
    if (!("children" in node)) continue
    const row = node.type === "listItem" ? rowOf(walk.lines, node, parentLine, isQuoted) : null
    if (row !== null) walk.rows.push(row)
    visit(walk, node, row?.line ?? parentLine, isQuoted || node.type === "blockquote")
  }
}

function rowOf(
  lines: readonly string[],
  item: ListItem,
  parentLine: number | null,
  isQuoted: boolean,
): RemarkRow | null {
  const [first] = item.children
  const start = first?.position?.start
  if (start === undefined || (first?.type !== "paragraph" && first?.type !== "heading")) return null
  const line = lines[start.line - 1] ?? ""
  const box =
    item.checked == null ? readItemBox(line, start.column - 1) : boxAt(line, start.column - 1)
  if (box === null || box.text === "") return null
  const { marker } = box
  return { line: start.line, parentLine, marker, isQuoted, checked: item.checked ?? null }
}

/**
 * The extension may have moved the start of the paragraph past the box that it has read; a box read over two lines (`[` at the end of the
 * first) is none.
 */
function boxAt(line: string, column: number): Box | null {
  const before = line.lastIndexOf("[", column - 1)
  const isMoved = /^\[[ \txX]\][ \t]*$/.test(line.slice(Math.max(0, before), column))
  const isSplit = before === -1 && /\][ \t]*$/.test(line.slice(0, column))
  if (isSplit) return null
  return readBox(line, isMoved ? before : column)
}
