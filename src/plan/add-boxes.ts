// Puts a box before each numbered row or task heading of a plan that has no box at all.
import type { Heading, List, RootContent } from "mdast"
import remarkParse from "remark-parse"
import { unified } from "unified"
import { scanBlocks } from "./blocks/scan-blocks.ts"
import { readFrontMatter } from "./data/front-matter.ts"
import { numberedWords } from "./dialects/heading-words.ts"
import { splitLabel } from "./dialects/label.ts"
import { tellsNoWork } from "./dialects/no-work.ts"
import { isAdapted } from "./formats.ts"
import { unitNumbers } from "./headings/empty-headings.ts"
import { readStatusLines } from "./headings/status-lines.ts"
import { lineRange, lineRanges, splitLines } from "./model/lines.ts"
import type { Plan } from "./model/plan.ts"
import { cleanTitle, saysDone } from "./model/title.ts"
import { boxlessOf, parsePlan } from "./parse-plan.ts"
import type { Boxless } from "./tasks/boxless-rows.ts"

/** A line that gets a box. */
export interface BoxedLine {
  readonly line: number
  readonly title: string
}

/** A plan with boxes, or why there is none to be had. */
export type AddedBoxes =
  | { readonly ok: true; readonly text: string; readonly added: readonly BoxedLine[] }
  | { readonly ok: false; readonly message: string }

/** Where a box goes in the text. */
interface Spot {
  readonly offset: number
  readonly line: number
}

const BOX = "[ ] "
const TICKED = "[x] "
/** A heading that bears its tick at the end. */
const TICK_BEHIND = /\[[xX✓✔✅☑√]\ufe0f?\]$/u
const LEAST = 2
/** Remark takes more than linear time, in long lists above all: a plan that somebody has thought out is far shorter. */
const MAX_LENGTH = 128 * 1024
const MAX_ROWS = 2_000
const ROW = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/
/** What a task's heading may be called, the smallest unit first: a phase holds steps. */
const UNITS = [
  ...["task", "story", "step", "milestone", "day", "week", "sprint", "iteration"],
  ...["phase", "stage", "part", "file", "change"],
]
const WORK =
  /\b(?:plan|steps?|implementation|tasks?|to-?dos?|checklist|order|phases|actions?|changes|roadmap|milestones|sequence|queue|backlog|work)\b|实施|實施|步骤|步驟|任务|任務|计划|計劃|待办|実装|手順|タスク|작업|단계/i
/** `A1. Title`, `M0 — Title`; Q1 is a quarter or a question, V1 a version. */
const LETTERED = /^(?![QV])[A-Z]{1,2}\d{1,3}[ \t]*[.):—–-][ \t]*\S/
const NUMBERED = /^\d{1,3}(?:\.\d{1,3})*[.):]?[ \t]+\S/

/**
 * Puts a box before each numbered row or task heading of a plan that has no box at all, or of one whose tasks are fewer than such lines or all settled: `[ ] ` and nothing else. What
 * is taken: headings such as "Task 1" or "Step 1", else the numbered rows below a heading that speaks of work, else
 * headings with a number, else all numbered rows. A heading that says that it is done, by its words or its `Status:`, gets `[x] `. The result must read as just those tasks, or it is refused.
 */
export function addBoxes(text: string, path: string): AddedBoxes {
  const before = parsePlan(text, { path })
  const beside = before.tasks.length === 0 ? [] : boxlessOf(text, { path })
  const reason = reasonAgainst(text, before, beside)
  if (reason !== null) return refused(reason)
  const spots = beside.length > 0 ? spotsOf(text, beside) : spotsIn(text)
  if (spots.length === 0)
    return refused(
      "Expected numbered rows (`1. Title`) or headings (`### Task 1: Title`); found neither. Write each task as a row, `- [ ] 1. Title`.",
    )
  const boxed = withBoxes(text, spots)
  const after = parsePlan(boxed, { path }).tasks
  const wanted = [...before.tasks, ...spots].map(({ line }) => line)
  const isMeant = after.length === wanted.length && after.every(({ line }) => wanted.includes(line))
  if (!isMeant)
    return refused(
      `Expected ${wanted.length} tasks once the boxes stand; found ${after.length}. Write them by hand, \`- [ ] 1. Title\`.`,
    )
  return { ok: true, text: boxed, added: spots.map(({ line }) => titled(text, line)) }
}

/** Why no box is added to this text; null where one may be. */
function reasonAgainst(text: string, before: Plan, beside: readonly Boxless[]): string | null {
  if (before.tasks.length > 0 && beside.length === 0)
    return `Expected a plan without a task; found ${before.tasks.length}: it needs no boxes.`
  if (isAdapted(before.dialect))
    return "Expected a plan in markdown; found one that keeps its tasks as data."
  if (text.length > MAX_LENGTH)
    return `Expected a plan of ${MAX_LENGTH} characters at most; found ${text.length}.`
  const rows = splitLines(text).filter((line) => ROW.test(line)).length
  return rows > MAX_ROWS
    ? `Expected a plan of ${MAX_ROWS} rows of lists at most; found ${rows}.`
    : null
}

function spotsOf(text: string, beside: readonly Boxless[]): readonly Spot[] {
  const starts = lineRanges(
    text,
    beside.map(({ index }) => index + 1),
  )
  return beside.map(({ index, at }, order) => ({
    offset: (starts[order]?.start ?? 0) + at,
    line: index + 1,
  }))
}

/** The text with a box at each spot; a tick where the heading's status or the title says that it is done. */
function withBoxes(text: string, spots: readonly Spot[]): string {
  const lines = splitLines(text)
  const { headings, masks } = scanBlocks(lines, readFrontMatter(lines).lineCount)
  const statuses = readStatusLines(lines, headings, { masks, isNear: false })
  return spots.reduceRight((done, { offset, line }) => {
    const title = titleAt(text, offset)
    const isDone =
      statuses.get(line - 1)?.state === "done" || saysDone(title) || TICK_BEHIND.test(title)
    const box = isDone ? TICKED : BOX
    return done.slice(0, offset) + box + done.slice(offset)
  }, text)
}

/** What stands behind a spot, without its number. */
function titleAt(text: string, offset: number): string {
  const end = text.slice(offset).search(/[\r\n]|$/)
  const words = text.slice(offset, offset + end).trim()
  const { rest } = splitLabel(words)
  return rest === "" ? words : rest
}

function titled(text: string, line: number): BoxedLine {
  const range = lineRange(text, line)
  return { line, title: cleanTitle(range === null ? "" : text.slice(range.start, range.end)) }
}

function spotsIn(text: string): readonly Spot[] {
  const start = text.startsWith("\ufeff") ? 1 : 0
  const nodes = unified()
    .use(remarkParse)
    .parse(withoutFront(text.slice(start))).children
  const headings = ofWork(nodes.filter((node) => node.type === "heading"))
  const spots = [
    ...UNITS.map((unit) => unitHeadings(headings, unit)),
    countedHeadings(headings),
    commonLevel(headings.filter((heading) => LETTERED.test(numberedWords(wordsOf(heading))))),
    rowsBelow(nodes, ({ words, isTitle }) => !isTitle && isWork(words)),
    rowsBelow(nodes, ({ words }) => isWork(words)),
    commonLevel(headings.filter((heading) => NUMBERED.test(wordsOf(heading)))),
    rowsBelow(nodes, ({ words }) => !tellsNoWork(words)),
  ].find((found) => found.length >= LEAST)
  return (spots ?? []).map(({ offset, line }) => ({ offset: offset + start, line }))
}

/** The headings that do not stand below one which tells of no work: `### Step 9` below `## Testing`. */
function ofWork(headings: readonly Heading[]): readonly Heading[] {
  let aside = 0
  return headings.filter((heading) => {
    const { depth } = heading
    if (aside > 0 && depth > aside) return false
    aside = depth > 1 && tellsNoWork(wordsOf(heading)) ? depth : 0
    return true
  })
}

/** The text with its front matter blanked: remark would read its last line as a heading. */
function withoutFront(text: string): string {
  const { lineCount } = readFrontMatter(splitLines(text))
  const end = lineCount === 0 ? 0 : (lineRange(text, lineCount)?.end ?? 0)
  return text.slice(0, end).replace(/[^\r\n]/g, " ") + text.slice(end)
}

/** Headings of one and the same number count nothing. */
function unitHeadings(headings: readonly Heading[], unit: string): readonly Spot[] {
  const named = new RegExp(`^(?:[^\\p{L}\\p{N}]*)${unit}[ \\t]+#?(\\d+(?:\\.\\d+)*|[A-Z]\\b)`, "iu")
  const found = headings.filter((heading) => named.test(wordsOf(heading)))
  const numbers = new Set(found.map((heading) => named.exec(wordsOf(heading))?.[1]))
  return numbers.size < LEAST ? [] : commonLevel(found)
}

/** Headings that count by any other word: `Fix 1`, `Fix 2`. */
function countedHeadings(headings: readonly Heading[]): readonly Spot[] {
  const lineOf = (heading: Heading) => heading.position?.start.line ?? 0
  const units = unitNumbers(headings.map((each) => ({ index: lineOf(each), text: wordsOf(each) })))
  return commonLevel(headings.filter((heading) => units.has(lineOf(heading))))
}

/** Those headings that stand on the level where most of them stand. */
function commonLevel(headings: readonly Heading[]): readonly Spot[] {
  const counts = [1, 2, 3, 4, 5, 6].map(
    (level) => headings.filter(({ depth }) => depth === level).length,
  )
  const level = counts.indexOf(Math.max(...counts)) + 1
  return headings
    .filter(({ depth }) => depth === level)
    .flatMap(({ children }) => spotOf(children[0]?.position?.start))
}

function isWork(words: string): boolean {
  return WORK.test(words) && !tellsNoWork(words)
}

/** The rows of numbered lists at the margin, below headings that will do. */
function rowsBelow(
  nodes: readonly RootContent[],
  isMeant: (heading: { readonly words: string; readonly isTitle: boolean }) => boolean,
): readonly Spot[] {
  const spots: Spot[] = []
  let heading = { words: "", isTitle: true }
  for (const node of nodes) {
    if (node.type === "heading") heading = { words: wordsOf(node), isTitle: node.depth === 1 }
    if (node.type === "list" && node.ordered === true && isMeant(heading))
      spots.push(...rowsOf(node))
  }
  return spots
}

function rowsOf({ children }: List): readonly Spot[] {
  return children.flatMap((item) => {
    const [first] = item.children
    return first?.type === "paragraph" ? spotOf(first.children[0]?.position?.start) : []
  })
}

function spotOf(start: { line: number; offset?: number | undefined } | undefined): Spot[] {
  return start?.offset === undefined ? [] : [{ offset: start.offset, line: start.line }]
}

/** The words of a heading, as far as they stand in plain text, emphasis or code. */
function wordsOf(heading: Heading): string {
  const texts = heading.children.map((child) => {
    if ("value" in child) return child.value
    if (!("children" in child)) return ""
    return child.children.map((inner) => ("value" in inner ? inner.value : "")).join("")
  })
  return texts.join("").trim()
}

function refused(message: string): AddedBoxes {
  return { ok: false, message }
}
