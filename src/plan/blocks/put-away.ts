// Blocks that are removed from remark's input before it parses again.
import type { Nodes, Root } from "mdast"
import type { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item"
import { beginsComment, hiddenFence, isHiddenRow } from "./hidden-lines.ts"

/** A block that is removed before the next round. */
export interface PutAway {
  readonly line: number
  /** From 0. */
  readonly column: number
  /** The lines of indented code; null for a fence or comment that nothing closes. */
  readonly code: readonly string[] | null
}

/** The fences of a code block: a single one means that nothing closes it. */
interface Fence {
  count: number
  /** The opening fence, as written after its indent. */
  readonly signs: string
  readonly indent: number
}

export type Fences = Map<Nodes, Fence>
type Extension = ReturnType<typeof gfmTaskListItemFromMarkdown>

const CODE_INDENT = 4
const MAX_FENCE_INDENT = 3
const OPEN_COMMENT = /^[ \t]*<!(?![\s\S]*-->)/

/** A line with a list that cannot interrupt a paragraph: after a code block remark does not take it for a list. */
const MAY_NOT_INTERRUPT =
  /^(?:[ \t>]|(?:[-*+]|1[.)])(?=[ \t]))*(?:(?!1[.)][ \t])\d{1,9}[.)](?=[ \t]|$)|(?:[-*+]|1[.)])?[ \t]*$)/

/** An extension that counts the fences of each code block. */
export function countFences(fences: Fences): Extension {
  let before = { offset: -1, columns: 0 }
  return {
    enter: {
      linePrefix({ start, end }) {
        before = { offset: end.offset, columns: end.column - start.column }
      },
      codeFencedFence({ start, end }) {
        const node = this.stack.findLast(({ type }) => type === "code")
        if (node?.type !== "code") return
        const fence = fences.get(node)
        const signs = this.sliceSerialize({ start, end })
        const indent = before.offset === start.offset ? before.columns : 0
        if (fence !== undefined) fence.count += 1
        else fences.set(node, { count: 1, signs, indent })
      },
    },
  }
}

/** Removes a block in place, keeping the number of lines. */
export function putAway(lines: string[], { line, column, code }: PutAway): void {
  const first = lines[line - 1] ?? ""
  if (code === null) lines[line - 1] = disarm(first, column)
  for (const [at, content] of (code ?? []).entries()) {
    const whole = lines[line - 1 + at] ?? ""
    const start = at === 0 ? column : whole.length - content.length - CODE_INDENT
    if (content.trim() !== "") lines[line - 1 + at] = `${whole.slice(0, start)}___`
  }
}

/**
 * Blocks that can be removed in one round, in the order of the text: indented code that changes nothing after it, and one block that may.
 */
export function nextToPutAway(
  root: Root,
  fences: Fences,
  lines: readonly string[],
): readonly PutAway[] {
  const found: PutAway[] = []
  for (const block of candidates(root, fences)) {
    found.push(block)
    if (block.code === null || isBeforeItem(lines, block.line - 1 + block.code.length)) break
  }
  return found
}

function isBeforeItem(lines: readonly string[], from: number): boolean {
  let at = from
  while (at < lines.length && !/[^ \t>]/.test(lines[at] ?? "")) at++
  return at < lines.length && MAY_NOT_INTERRUPT.test(lines[at] ?? "")
}

function* candidates(node: Nodes, fences: Fences): Generator<PutAway> {
  const start = node.position?.start
  const fence = fences.get(node)
  const isCode = node.type === "code" && fence === undefined
  if (start !== undefined && (isCode || isOpen(node, fence))) {
    const code = isCode ? node.value.split("\n") : null
    yield { line: start.line, column: start.column - 1, code }
  }
  for (const child of "children" in node ? node.children : []) yield* candidates(child, fences)
}

/** A fence or comment that nothing closes, or only the end of a later one with rows in between. */
function isOpen(node: Nodes, fence: Fence | undefined): boolean {
  if (node.type === "html") {
    const [, ...lines] = node.value.split("\n")
    return OPEN_COMMENT.test(node.value) || isReopened(lines, (line) => beginsComment(line, 0))
  }
  if (node.type !== "code" || fence === undefined) return false
  const opening = /^(?:`+|~+)/.exec(fence.signs)?.[0] ?? ""
  const isOpener = (line: string) => {
    const indent = indentOf(line)
    const signs = hiddenFence(line, indent) ?? ""
    const isSibling = indent === 0 || indent + fence.indent <= MAX_FENCE_INDENT
    return isSibling && signs.startsWith(opening)
  }
  return fence.count < 2 || isReopened(node.value.split("\n"), isOpener)
}

function isReopened(lines: readonly string[], isOpener: (line: string) => boolean): boolean {
  const row = lines.findIndex((line) => isHiddenRow(line, indentOf(line)))
  return row !== -1 && lines.slice(row).some(isOpener)
}

function indentOf(line: string): number {
  return /^[ \t]*/.exec(line)?.[0].length ?? 0
}

function disarm(line: string, column: number): string {
  return line.slice(0, column) + line.slice(column).replace(/^([ \t]*)(`+|~+|<)/, hide)
}

function hide(_: string, indent: string, opener: string): string {
  return indent + "x".repeat(opener.length)
}
