// Writes a task's state into the plan's text, and nothing else.
import { ADAPTERS } from "./adapters.ts"
import { type Box, readLineBox } from "./blocks/box.ts"
import { scanBlocks } from "./blocks/scan-blocks.ts"
import { checkMarked, type MarkResult, type MarkState, refused } from "./check-marked.ts"
import { readFrontMatter } from "./data/front-matter.ts"
import { dialectOf, GENERIC_FORMAT } from "./dialects/dialects.ts"
import { findLegend, readLegend, writtenMarker } from "./dialects/legend.ts"
import { type Markers, saysInWords, withStatus, withSteps } from "./mark-steps.ts"
import { lineRange, splitLines } from "./model/lines.ts"
import { type MarkerTable, meaningOf, stateWord } from "./model/markers.ts"
import { isSettled, isWorkable, type Task, type TaskState } from "./model/plan.ts"
import { cleanTitle } from "./model/title.ts"
import { parsePlan } from "./parse-plan.ts"
import { withNote, withoutNote } from "./tasks/note-lines.ts"

interface Target {
  /** Where its line begins in the text. */
  readonly start: number
  readonly box: Box
}

const OPEN = " "

/**
 * Writes a task's state into the plan's text: the marker between the brackets is replaced and
 * nothing else, byte for byte; of a heading with steps those of its open boxes. The line is first compared with what the
 * task says; a line that has changed, or that holds no box, is refused with a message. The marker is that of the plan's
 * own legend, else of its dialect. A blocked task gets the note as a `BLOCKED:` sub-line, also where neither has a marker
 * for it. What is written is read again: if it does not say what it was written for, it is refused.
 */
export function markTask(text: string, task: Task, state: MarkState, note?: string): MarkResult {
  const adapter = ADAPTERS.find(({ name }) => name === task.dialect)
  if (adapter?.mark) return adapter.mark(text, task, state, note)
  const before = parsePlan(text, { dialect: task.dialect ?? GENERIC_FORMAT }).tasks
  const now = before.find(({ key, line }) => key === task.key && line === task.line) ?? task
  const marking = { text, before, task, now }
  return task.steps === undefined
    ? markBox(marking, state, note)
    : markHeading(marking, state, note)
}

function markBox({ text, before, task, now }: Marking, state: MarkState, note: string | undefined) {
  const target = findTarget(text, before, task)
  if (typeof target === "string") return refused(target)
  const dialect = dialectOf(task.dialect)
  const legend = legendOf(text)
  const used = before.map(({ marker }) => marker)
  const ticks = state === "done" ? used : []
  const written =
    stateWord(task.marker, state, used) ?? writtenMarker(dialect, legend, state, ticks)
  const boxSays = meaningOf(task.marker, [legend, dialect.markers])?.state
  const marker = markerFor(written, task, { state, isInBox: boxSays === state })
  const from = target.start + target.box.at + 1
  const to = from + target.box.marker.length
  const marked = marker === null ? text : text.slice(0, from) + marker + text.slice(to)
  const needsLine = written === undefined && task.state !== "blocked"
  const needsNote = state === "blocked" && (needsLine || note !== undefined)
  const isKept = state === "done" || (state === "blocked" && !needsNote)
  const bare = isKept ? marked : withoutNote(marked, now)
  const whole = needsNote ? withNote(bare, task.line, target.box.at, note) : bare
  return checked(whole, { before, task }, [state])
}

interface Marking {
  readonly text: string
  readonly before: readonly Task[]
  /** As it was read, and as the text has it now. */
  readonly task: Task
  readonly now: Task
}

/**
 * A heading's steps determine its state, so one that is reopened may read as begun; the steps of a settled one are reopened before it is
 * blocked.
 */
function markHeading(marking: Marking, state: MarkState, note: string | undefined): MarkResult {
  const { before, task, now } = marking
  if (now.line !== task.line || stepsOf(now) !== stepsOf(task)) {
    return refused(changed(task, lineOf(marking.text, task.line)))
  }
  const text = withStatus(marking.text, now, state, before)
  const markers = markersOf(text, task, before)
  if (state === "blocked") {
    const opened = hasSteps(now) && isSettled(now) ? withSteps(text, now, "open", markers) : text
    if (note === undefined && now.note !== undefined) return checked(opened, marking, [state])
    return checked(withNote(withoutNote(opened, now), task.line, null, note), marking, [state])
  }
  const marked = saysInWords(now, before) ? text : withSteps(text, now, state, markers)
  if (state === "done") return checked(marked, { before, task }, [state])
  return checked(withoutNote(marked, now), { before, task }, ["open", "in_progress"])
}

function hasSteps({ steps = [] }: Task): boolean {
  return steps.length > 0
}

function markersOf(text: string, task: Task, all: readonly Task[]): Markers {
  const [dialect, legend] = [dialectOf(task.dialect), legendOf(text)]
  const ticks = all.flatMap(({ steps = [] }) => steps.map(({ marker }) => marker))
  return {
    done: writtenMarker(dialect, legend, "done", ticks) ?? "x",
    open: writtenMarker(dialect, legend, "open") ?? OPEN,
    inProgress: writtenMarker(dialect, legend, "in_progress") ?? "/",
  }
}

/** What must be unchanged for a heading to be the one that was read. */
function stepsOf({ titleHash, status, steps = [] }: Task): string {
  return (
    `${titleHash} ${status?.line} ${status?.word}` +
    steps.map(({ line, marker, title }) => `${line} ${marker} ${title}`).join("\n")
  )
}

/** Reads what is written again. */
function checked(
  written: string,
  { before, task }: Pick<Marking, "before" | "task">,
  wanted: readonly TaskState[],
): MarkResult {
  const after = parsePlan(written, { dialect: task.dialect ?? GENERIC_FORMAT }).tasks
  return checkMarked({ before, after, task, wanted, written })
}

function lineOf(text: string, line: number): string {
  const range = lineRange(text, line)
  return range === null ? "" : text.slice(range.start, range.end)
}

/** The box of a task whose line still reads as it did. */
function findTarget(text: string, before: readonly Task[], task: Task): Target | string {
  const range = lineRange(text, task.line)
  if (range === null) return `Line ${task.line} is no longer there: read the plan again.`
  const line = text.slice(range.start, range.end)
  const box = readLineBox(line)
  if (box === null) {
    return task.settledBy === undefined
      ? changed(task, line)
      : `${task.key} has no box: a file ${task.settledBy} next to the plan settles all its tasks at once. Write it once all are done.`
  }
  const now = before.find((each) => each.line === task.line)
  const isSame = now?.titleHash === task.titleHash && now.marker === task.marker
  return isSame ? { start: range.start, box } : changed(task, line)
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
  const blocks = scanBlocks(front.lines, front.lineCount)
  return readLegend(front.lines, blocks, findLegend(front.lines, blocks))
}

/** The marker to write; null if a sub-line states the state and the box stays as it is. */
function markerFor(
  written: string | undefined,
  task: Task,
  { state, isInBox }: { readonly state: MarkState; readonly isInBox: boolean },
): string | null {
  if (isInBox && state === task.state && state !== "open") return null
  if (written !== undefined) return written
  return isWorkable(task.state) ? null : OPEN
}
