import type { ListItem, Nodes, Parents, Root } from "mdast"
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item"
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item"
import remarkParse from "remark-parse"
import { unified } from "unified"
import { type Box, readBox } from "./box.ts"
import { splitLines } from "./lines.ts"

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

/** The reading of remark: the grammar that `scanBlocks` is held to. */
export interface RemarkReading {
  readonly rows: readonly RemarkRow[]
  readonly headings: readonly { readonly line: number; readonly level: number }[]
  readonly unclosed: readonly number[]
}

type Extension = ReturnType<typeof gfmTaskListItemFromMarkdown>

interface Walk {
  readonly lines: readonly string[]
  readonly rows: RemarkRow[]
}

/** A block that is put away before the next round. */
interface Disarmable {
  readonly line: number
  /** From 0. */
  readonly column: number
  /** The lines of indented code; null for a fence or comment that nothing closes. */
  readonly code: readonly string[] | null
}

const CODE_INDENT = 4
const OPEN_COMMENT = /^[ \t]*<!(?![\s\S]*-->)/

/** What stands within a line decides nothing here, and remark takes more than linear time for some of it. */
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

/** A line with a list that may not break into a paragraph: behind a code block remark takes it for none. */
const MAY_NOT_INTERRUPT =
  /^(?:[ \t>]|(?:[-*+]|1[.)])(?=[ \t]))*(?:(?!1[.)][ \t])\d{1,9}[.)](?=[ \t]|$)|(?:[-*+]|1[.)])?[ \t]*$)/

/** A text that takes more is no shard, and no test's document. */
const MAX_ROUNDS = 1_000

/**
 * Reads block structure with remark and the task-list extension. Slow, and worse than linear in one
 * long list: for one task, one shard or a test, never for a whole large plan. Rules of ours are put on top
 * by changing the text, line for line: only a comment is an HTML block, and a fence or comment that
 * nothing closes is plain text. Indented code is put away as well, since micromark takes no list
 * that starts with another number than 1 behind it, unlike the CommonMark specification. Each round parses the
 * whole text once more, and there is one for each block that nothing closes; null if `maxRounds` do not do.
 */
export function readWithRemark(text: string, maxRounds = MAX_ROUNDS): RemarkReading | null {
  const shown = splitLines(text).map(expandTabs)
  const lines = shown.map(hideMarkup)
  const unclosed: number[] = []
  for (let round = 0; round < maxRounds; round++) {
    const fences = new Map<Nodes, number>()
    const root = parse(lines, fences)
    const blocks = nextToDisarm(root, fences, lines)
    if (blocks.length === 0) return { ...readTree(root, shown), unclosed }
    for (const block of blocks) {
      if (block.code === null) unclosed.push(block.line)
      putAway(lines, block)
    }
  }
  return null
}

function parse(lines: readonly string[], fences: Map<Nodes, number>): Root {
  const data = {
    micromarkExtensions: [gfmTaskListItem(), { disable: { null: WITHIN_A_LINE } }],
    fromMarkdownExtensions: [gfmTaskListItemFromMarkdown(), countFences(fences)],
  }
  return unified().data(data).use(remarkParse).parse(lines.join("\n"))
}

/** How many fences a code block has: one means that nothing closes it. */
function countFences(fences: Map<Nodes, number>): Extension {
  return {
    enter: {
      codeFencedFence() {
        const node = this.stack.findLast(({ type }) => type === "code")
        if (node?.type === "code") fences.set(node, (fences.get(node) ?? 0) + 1)
      },
    },
  }
}

/** No HTML but comments, no link definitions: neither is a rule of plans. */
function hideMarkup(line: string): string {
  return line.replace(/<(?!!--)/g, "(").replaceAll("]:", "];")
}

function expandTabs(line: string): string {
  const prefix = /^[\s>*+\-\d.)]*/.exec(line)?.[0] ?? ""
  let wide = ""
  for (const sign of prefix) wide += sign === "\t" ? " ".repeat(4 - (wide.length % 4)) : sign
  return wide + line.slice(prefix.length)
}

function disarm(line: string, column: number): string {
  return line.slice(0, column) + line.slice(column).replace(/^([ \t]*)(`+|~+|<)/, hide)
}

function hide(_: string, indent: string, opener: string): string {
  return indent + "x".repeat(opener.length)
}

function putAway(lines: string[], { line, column, code }: Disarmable): void {
  const first = lines[line - 1] ?? ""
  if (code === null) lines[line - 1] = disarm(first, column)
  for (const [at, content] of (code ?? []).entries()) {
    const whole = lines[line - 1 + at] ?? ""
    const start = at === 0 ? column : whole.length - content.length - CODE_INDENT
    if (content.trim() !== "") lines[line - 1 + at] = `${whole.slice(0, start)}___`
  }
}

/**
 * Blocks that can be put away in one round, in the order of the text: indented code that changes nothing behind it,
 * and one block that may.
 */
function nextToDisarm(
  root: Root,
  fences: ReadonlyMap<Nodes, number>,
  lines: readonly string[],
): readonly Disarmable[] {
  const found: Disarmable[] = []
  for (const block of disarmables(root, fences)) {
    found.push(block)
    if (block.code === null || isBeforeItem(lines, block.line - 1 + block.code.length)) break
  }
  return found
}

function isBeforeItem(lines: readonly string[], from: number): boolean {
  const next = lines.find((line, index) => index >= from && /[^ \t>]/.test(line))
  return next !== undefined && MAY_NOT_INTERRUPT.test(next)
}

function* disarmables(node: Nodes, fences: ReadonlyMap<Nodes, number>): Generator<Disarmable> {
  const start = node.position?.start
  const count = node.type === "code" ? (fences.get(node) ?? 0) : 2
  const isOpenComment = node.type === "html" && OPEN_COMMENT.test(node.value)
  if ((count < 2 || isOpenComment) && start !== undefined) {
    const code = node.type === "code" && count === 0 ? node.value.split("\n") : null
    yield { line: start.line, column: start.column - 1, code }
  }
  for (const child of "children" in node ? node.children : []) yield* disarmables(child, fences)
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
  const box = item.checked == null ? readBox(line, start.column - 1) : boxAt(line, start.column - 1)
  if (box === null || box.text === "") return null
  const { marker } = box
  return { line: start.line, parentLine, marker, isQuoted, checked: item.checked ?? null }
}

/**
 * The extension may have moved the start of the paragraph behind the box that it has read; one that it has read over
 * two lines (`[` at the end of the first) is none.
 */
function boxAt(line: string, column: number): Box | null {
  const before = line.lastIndexOf("[", column - 1)
  const isMoved = /^\[[ \txX]\][ \t]*$/.test(line.slice(Math.max(0, before), column))
  const isSplit = before === -1 && /\][ \t]*$/.test(line.slice(0, column))
  if (isSplit) return null
  return readBox(line, isMoved ? before : column)
}
