import { ADAPTERS } from "./adapters.ts"
import { type Box, readLineBox } from "./box.ts"
import { isBlockedLine } from "./details.ts"
import { dialectOf } from "./dialects.ts"
import { readFrontMatter } from "./front-matter.ts"
import { splitLabel } from "./label.ts"
import { readLegend } from "./legend.ts"
import { lineRange, splitLines } from "./lines.ts"
import { type MarkerTable, meaningOf } from "./markers.ts"
import { parsePlan } from "./parse-plan.ts"
import type { Task } from "./plan.ts"
import { saysNothing } from "./says-nothing.ts"
import { scanBlocks } from "./scan-blocks.ts"
import { cleanTitle, hashTitle } from "./title.ts"
import { writtenMarker } from "./written-marker.ts"

export type MarkResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }

export type MarkState = "done" | "open" | "in_progress" | "blocked"

interface Target {
  readonly start: number
  readonly end: number
  readonly line: string
  readonly box: Box
}

const CONTINUES = /^[ \t]+[^\s\-*+#>`~|<\d]/
const OPEN = " "
const GENERIC = "generic"
const LAST_BREAK = /(?:\r\n|\r|\n)$/
const NO_REASON = "no reason given"

/**
 * Writes a task's state into the plan's text: the marker between the brackets is replaced and
 * nothing else, byte for byte. The line is first compared with what the task says; a line that has
 * changed, or that holds no box, is refused with a message. The marker is that of the plan's own legend, else of its
 * dialect. A blocked task gets the note as a `BLOCKED:` sub-line, also where neither has a marker for it. What is
 * written is read again: if it does not say what it was written for, it is refused.
 */
export function markTask(text: string, task: Task, state: MarkState, note?: string): MarkResult {
  const adapter = ADAPTERS.find(({ name }) => name === task.dialect)
  if (adapter?.mark) return adapter.mark(text, task, state, note)
  const target = findTarget(text, task)
  if (typeof target === "string") return { ok: false, message: target }
  const dialect = dialectOf(task.dialect)
  const legend = legendOf(text)
  const written = writtenMarker(dialect, legend, state)
  const boxSays = meaningOf(task.marker, [legend, dialect.markers])?.state
  const marker = markerFor(written, task, { state, isInBox: boxSays === state })
  const from = target.start + target.box.at + 1
  const to = from + target.box.marker.length
  const marked = marker === null ? text : text.slice(0, from) + marker + text.slice(to)
  const shift = marked.length - text.length
  const lineEnd = target.end + shift
  const bare = state === "done" ? marked : unblock(marked, task, target, lineEnd)
  const needsLine = written === undefined && task.state !== "blocked"
  const needsNote = state === "blocked" && (needsLine || note !== undefined)
  if (state === "blocked" && !needsNote) return checked(text, marked, marked, task, state)
  const whole = needsNote ? addNote(bare, target, lineEnd, note) : bare
  return checked(text, marked, whole, task, state)
}

/** What is written must read back, and a line more or less must not change how the lines below are read. */
function checked(
  text: string,
  marked: string,
  written: string,
  task: Task,
  state: MarkState,
): MarkResult {
  const dialect = task.dialect ?? GENERIC
  const after = parsePlan(written, { dialect }).tasks
  const found = after.find(({ key }) => key === task.key)?.state ?? "no such task"
  if (found !== state) {
    const message = `Expected ${task.key} to read as ${state} once it is written; found ${found}, by this plan's legend or structure. Mark it by hand.`
    return { ok: false, message }
  }
  if (
    written === marked ||
    others(parsePlan(text, { dialect }).tasks, task) === others(after, task)
  ) {
    return { ok: true, text: written }
  }
  const message = `A BLOCKED line below ${task.key} would change how other tasks are read: write it by hand.`
  return { ok: false, message }
}

function others(tasks: readonly Task[], task: Task): string {
  return tasks
    .filter(({ key }) => key !== task.key)
    .map(({ key, state }) => `${key} ${state}`)
    .join("\n")
}

function findTarget(text: string, task: Task): Target | string {
  const range = lineRange(text, task.line)
  if (range === null) return `Line ${task.line} is no longer there: read the plan again.`
  const line = text.slice(range.start, range.end)
  const box = readLineBox(line)
  if (box === null) {
    return task.marker === ""
      ? `${task.key} has no box to tick on line ${task.line}: its format keeps the state elsewhere.`
      : changed(task, line)
  }
  const { rest } = splitLabel(box.text)
  const isSame = hashTitle(rest === "" ? box.text : rest) === task.titleHash
  return isSame && box.marker === task.marker ? { ...range, line, box } : changed(task, line)
}

function changed(task: Task, line: string): string {
  const wanted = `[${task.marker}] ${task.label === null ? "" : `${task.label} `}${task.title}`
  return (
    `Line ${task.line} has changed since the plan was read: expected "${wanted.slice(0, 120)}", ` +
    `found "${cleanTitle(line).slice(0, 120)}". Read the plan again.`
  )
}

/** What the plan itself says that its markers mean. */
function legendOf(text: string): MarkerTable {
  const front = readFrontMatter(splitLines(text))
  return readLegend(front.lines, scanBlocks(front.lines, front.lineCount))
}

/** The marker to write; null where the state is said by a sub-line and the box stays as it is. */
function markerFor(
  written: string | undefined,
  task: Task,
  { state, isInBox }: { readonly state: MarkState; readonly isInBox: boolean },
): string | null {
  if (isInBox && state === task.state && state !== "open") return null
  if (written !== undefined) return written
  return task.state === "open" || task.state === "in_progress" ? null : OPEN
}

/** Takes the `BLOCKED:` lines away that would keep an open task blocked. */
function unblock(text: string, task: Task, { box, line }: Target, lineEnd: number): string {
  const contentColumn = isHeading(line) ? 0 : box.at
  let kept = text.slice(0, nextLine(text, lineEnd))
  let start = kept.length
  for (let number = task.line + 1; number <= task.endLine && start < text.length; number++) {
    const next = nextLine(text, endOfLine(text, start))
    const below = text.slice(start, next)
    if (!isBlockedLine(below, contentColumn)) kept += below
    else if (endOfLine(below, 0) === below.length) kept = kept.replace(LAST_BREAK, "")
    start = next
  }
  return kept + text.slice(start)
}

function isHeading(line: string): boolean {
  return line.trimStart().startsWith("#")
}

function addNote(text: string, target: Target, lineEnd: number, note: string | undefined): string {
  const reason = note === undefined ? "" : cleanTitle(note)
  const words = `BLOCKED: ${reason === "" || saysNothing(reason) ? NO_REASON : reason}`
  const eol = lineBreakOf(text)
  if (isHeading(target.line)) {
    const start = nextLine(text, lineEnd)
    const isLast = text.slice(start, endOfLine(text, start)).trim() === ""
    return text.slice(0, lineEnd) + eol + words + (isLast ? "" : eol) + text.slice(lineEnd)
  }
  const indent = /^[ \t]*/.exec(target.line)?.[0] ?? ""
  const padding = indent + " ".repeat(target.box.at - indent.length)
  const at = endOfParagraph(text, lineEnd)
  return `${text.slice(0, at)}${eol}${padding}- ${words}${text.slice(at)}`
}

/** The end of the line on which the row's own words end. */
function endOfParagraph(text: string, lineEnd: number): number {
  let end = lineEnd
  for (;;) {
    const start = nextLine(text, end)
    const stop = endOfLine(text, start)
    if (start === end || !CONTINUES.test(text.slice(start, stop))) return end
    end = stop
  }
}

function endOfLine(text: string, from: number): number {
  const found = /[\r\n]/g
  found.lastIndex = from
  return found.exec(text)?.index ?? text.length
}

function nextLine(text: string, end: number): number {
  if (text.startsWith("\r\n", end)) return end + 2
  return Math.min(end + 1, text.length)
}

function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"
}
