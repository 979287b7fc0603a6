// Marks the steps of a heading task, and nothing else.
import { readLineBox } from "./blocks/box.ts"
import type { MarkState } from "./check-marked.ts"
import { nextStep } from "./headings/heading-tasks.ts"
import { statusBegin, statusWordFor } from "./headings/status-lines.ts"
import { leavesDone } from "./model/leaves-done.ts"
import { lineRange, lineRanges } from "./model/lines.ts"
import { isSettled, isWorkable, type Step, type Task } from "./model/plan.ts"
import { isBalanced, readState } from "./model/state-words.ts"
import { withLineBelowHeading } from "./tasks/note-lines.ts"

const HEADING = /^[ \t]{0,3}#{1,6}[ \t]+/

/** Whether a task states its state in a status line, or should, as the tasks beside it do. */
export function saysInWords({ status, steps = [] }: Task, others: readonly Task[]): boolean {
  return steps.length === 0 && (status !== undefined || others.some((other) => other.status))
}

/**
 * Writes the word of the task's status line, and nothing else: it says `state` in the words that the plan's other tasks
 * use. A remark behind it goes where it would take "done" back, and where it was one of what is done, left out or blocked: only
 * between open and under way it stays. What holds no word goes as a whole. A line that says open, or nothing known, stays as it is where the task is to be open. A block is said by its own line; where the status says that all is done, it says open before it can be blocked.
 * A heading that has no such line among others that have gets one, in their manner.
 */
export function withStatus(
  text: string,
  task: Task,
  state: MarkState,
  others: readonly Task[],
): string {
  const { status } = task
  if (status === undefined) return withStatusLine(text, task, state, others)
  const range = lineRange(text, status.line)
  if (range === null) return text
  if (state === "blocked" && !isSettled(task)) return text
  const from = range.start + status.at
  const said = readState(text.slice(from, range.end)).state
  if (state === "open" && (said === null || said === "open")) return text
  const used = others.flatMap((other) => other.status?.word ?? [])
  const word = statusWordFor(state === "blocked" ? "open" : state, status.word, used)
  const behind = text.slice(from + status.word.length, range.end)
  const isBegun = said === null || isWorkable(said)
  const isKept = state === "done" ? leavesDone(behind) : isBegun
  const kept =
    isKept && status.word !== "" && isBalanced(status.word)
      ? behind
      : withoutRemark(text.slice(range.start, from), behind)
  return text.slice(0, from) + word + kept + text.slice(range.end)
}

function withStatusLine(text: string, task: Task, state: MarkState, others: readonly Task[]) {
  const like = others.find(({ status }) => status !== undefined)
  const isSaid = state === "done" || (state === "in_progress" && task.note === undefined)
  if (!(isSaid && saysInWords(task, others)) || like?.status === undefined) return text
  const { line, at, word } = like.status
  const range = lineRange(text, line)
  const begin = statusBegin(range === null ? "" : text.slice(range.start, range.start + at))
  const used = others.flatMap(({ status }) => status?.word ?? [])
  const isApart = line > like.line + 1
  return withLineBelowHeading(text, task.line, begin + statusWordFor(state, word, used), isApart)
}

/** What follows a status, without a remark; other fields and the ends of emphasis stay. */
function withoutRemark(before: string, behind: string): string {
  const field = /[ \t]*\|/.exec(behind)?.index ?? behind.length
  const closing = /[*_`)]+[ \t]*$/.exec(behind.slice(0, field))?.[0] ?? ""
  const opening = closing.trim().replace(")", "(")
  const isOpen = opening !== "" && before.split(opening).length % 2 === 0
  return (isOpen ? closing : "") + behind.slice(field)
}

/** How the states of a plan's boxes are written. */
export interface Markers {
  readonly done: string
  readonly open: string
  readonly inProgress: string
}

/**
 * Marks the steps of a heading task so that they say `state`, and nothing else: done ticks those that are not settled, open removes the
 * ticks of a settled one, in progress marks its next step. A heading without steps gets a box of its own, if no heading states its state in
 * a status line.
 */
export function withSteps(
  text: string,
  task: Task,
  state: Exclude<MarkState, "blocked">,
  markers: Markers,
): string {
  const { steps = [] } = task
  if (steps.length === 0) return withHeadingBox(text, task, state, markers)
  if (state === "done") return withMarkers(text, stepsToTick(steps), markers.done)
  const opened = isSettled(task)
    ? withMarkers(
        text,
        steps.filter(({ state: now }) => now === "done"),
        markers.open,
      )
    : text
  const next = isSettled(task) ? steps[0] : nextStep(task)
  const isBegun = task.state === "in_progress"
  if (state === "open" || isBegun || next == null) return opened
  return withMarkers(opened, [next], markers.inProgress)
}

/** Those that are not settled; optional ones only if there are no others. */
function stepsToTick(steps: readonly Step[]): readonly Step[] {
  const required = steps.filter(({ optional }) => !optional)
  return (required.length === 0 ? steps : required).filter((step) => !isSettled(step))
}

function withMarkers(text: string, steps: readonly Step[], marker: string): string {
  const parts: string[] = []
  let from = 0
  const lines = steps.map(({ line }) => line)
  for (const { start, end } of lineRanges(text, lines)) {
    const box = readLineBox(text.slice(start, end))
    if (box === null) continue
    const at = start + box.at + 1
    parts.push(text.slice(from, at), marker)
    from = at + box.marker.length
  }
  return parts.join("") + text.slice(from)
}

function withHeadingBox(text: string, { line, note }: Task, state: MarkState, markers: Markers) {
  const range = lineRange(text, line)
  if (range === null || (note !== undefined && state !== "done")) return text
  const prefix = HEADING.exec(text.slice(range.start, range.end))?.[0] ?? ""
  const marker =
    state === "done" ? markers.done : state === "open" ? markers.open : markers.inProgress
  const at = range.start + prefix.length
  return prefix === "" ? text : `${text.slice(0, at)}[${marker}] ${text.slice(at)}`
}
