// Tells a person how works stand.

import type { BlockedTask } from "../../boulder/blocked-tasks.ts"
import type { Work } from "../../boulder/boulder.ts"
import { begunKeys } from "../../boulder/find-dispatch.ts"
import { elapsedMs } from "../../boulder/iso-time.ts"
import type { WorkState } from "../../boulder/live-view.ts"
import { asToDo } from "../../boulder/row-verdicts.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { isSettled } from "../../plan/model/plan.ts"
import { attemptsText, continuationsText } from "../../prompts/handoff-words.ts"
import { limitedLines } from "../../prompts/pause-words.ts"
import { leftOutLines } from "../../prompts/plan-refusal.ts"
import { summaryWords } from "../../prompts/proof-words.ts"
import { decidedWords } from "../../prompts/reasons.ts"
import { runFacts } from "../../prompts/run-facts.ts"
import { starting, type Typed } from "../../prompts/typed-command.ts"
import { stateName, waitWords } from "../../prompts/work-state-words.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import { tasksIn } from "../project/task-records.ts"
import { asCalled } from "../terminal/as-called.ts"
import { localTime } from "../terminal/local-time.ts"
import type { Paint, Terminal } from "../terminal/terminal.ts"
import { columnsOf, hangingLines, indentedLines, wrapLine } from "./columns.ts"
import { paceWords } from "./pace.ts"
import { progressBar } from "./progress-bar.ts"
import { countsOf, type WorkStatus, windowKeys } from "./status-json.ts"

/** Where works are shown. `now` in ms. */
export interface Screen extends Pick<Terminal, "paint"> {
  readonly now: number
  readonly columns: number
}

/** The same with how commands are typed there. */
export type ShownOn = Screen & Pick<Terminal, "typed">

/** How all works stand, for a person, and the details of one that stands alone; no line is longer than `columns`. */
export function statusText(
  statuses: readonly WorkStatus[],
  on: Screen & Pick<Terminal, "call">,
): string {
  const indented = (lines: readonly string[]) =>
    lines.flatMap((line) => indentedLines(line, on.columns, ["  ", "    "]))
  const blocks = statuses.map((status) =>
    [...headLines(status, on), ...indented(linesOf(status, on))].join("\n"),
  )
  const [only] = statuses
  if (only !== undefined && statuses.length === 1)
    blocks.push(indented(detailsOf(only, on)).join("\n"))
  return `${blocks.join("\n\n")}\n`
}

/** One line, or two on a narrow terminal: name, bar, counts, state. */
function headLines(
  { work, name: given, state, reading }: WorkStatus,
  { columns, paint }: Screen,
): readonly string[] {
  const { settled, total, blocked } = countsOf(work, reading)
  const name = cleanLine(given ?? work.plan_name)
  const bar = progressBar(settled, total)
  const counts = `${settled}/${total} settled${blocked === 0 ? "" : `, ${blocked} blocked`}`
  const said = stateName(state)
  const painted = paintOfState(state, paint)(said)
  if (columnsOf(`${name}  ${bar} ${counts}  ${said}`) <= columns)
    return [`${paint.strong(name)}  ${paint.good(bar)} ${counts}  ${painted}`]
  const isOne = columnsOf(`${name}  ${said}`) <= columns
  return [
    ...(isOne
      ? [`${paint.strong(name)}  ${painted}`]
      : [...wrapLine(name, columns).map(paint.strong), `  ${painted}`]),
    ...hangingLines(
      "  ",
      `${progressBar(settled, total, columns < 44 ? 10 : 20)} ${counts}`,
      columns,
    ),
  ]
}

function paintOfState({ kind }: WorkState, paint: Paint): (text: string) => string {
  if (kind === "working" || kind === "complete") return paint.good
  return kind === "idle" ? paint.dim : paint.warn
}

/** In the order in which a person asks: why it waits, what it is doing, what it needs, how long it takes. */
function linesOf(status: WorkStatus, on: Screen & Pick<Terminal, "call">): readonly string[] {
  const { work, reading, pace, typed } = status
  const { next } = countsOf(work, reading)
  const running = begunTasks(status)
  const rejected = rejectedRows(status)
  const waits = waitWords(status.state, { timeOf: localTime, now: on.now, typed })
  return [
    ...(waits === null ? [] : [cleanLine(waits)]),
    ...(reading.kind === "unavailable" ? [cleanLine(reading.message)] : []),
    ...runningLine(status, running),
    ...(rejected.length === 0 ? [] : [`rejected: ${rejected.map(cleanLine).join(", ")}`]),
    ...(next === null || [...running, ...rejected].includes(next)
      ? []
      : [nextLine(work, next, typed)]),
    ...firstOf(
      status.blocked.map((task) => blockedText(task, { ...on, typed })),
      "blocked",
    ),
    ...heldPart(reading, typed),
    ...leftOut(status, on),
    ...limitedLines(status.limited ?? [], { most: SHOWN_BLOCKED, typed, timeOf: localTime }),
    ...(pace === null ? [] : [`pace: ${paceWords(pace)}`]),
  ]
}

function detailsOf(status: WorkStatus, { now }: Screen): readonly string[] {
  const { work, last, proof } = status
  return [
    `plan: ${cleanLine(work.active_plan)}`,
    ...(proof == null || proof.ticked === 0 ? [] : [`proof: ${summaryWords(proof)}`]),
    ...runLines(status),
    `session: ${work.lead_session_id}, ${continuationsText(work)}, last change ${ago(elapsedMs(work.updated_at, now))}`,
    ...(last === null
      ? []
      : [`last decision: ${decidedWords(last)}, ${ago(elapsedMs(last.at, now))}`]),
  ]
}

/** A complete work is not resumed by itself if its plan has another open task again. */
function nextLine({ status }: Work, next: string, typed: Typed): string {
  if (status !== "completed") return `next: ${cleanLine(next)}`
  return `A task of it is open again. To work on it: ${starting(typed)}`
}

/** The tasks whose calls have begun, each by key and title. */
function begunTasks({ work, reading }: WorkStatus): readonly string[] {
  if (work.status !== "active") return []
  const titles = new Map(tasksIn(reading).map(({ key, title }) => [key, title]))
  return begunKeys(work).flatMap((key) =>
    key === null ? [] : [`${key} ${titles.get(key) ?? ""}`.trim()],
  )
}

/** The rows of the final wave whose reviews are rejections, each by key and title. */
function rejectedRows({ work, reading }: WorkStatus): readonly string[] {
  const rejected = tasksIn(reading).filter((task) => asToDo(work, task).rejected)
  return rejected.map(({ key, title }) => `${key} ${title}`)
}

function runningLine({ state }: WorkStatus, running: readonly string[]): readonly string[] {
  if (running.length === 0) return []
  const what = state.kind === "idle" ? "interrupted" : "running"
  return [`${what}: ${running.map(cleanLine).join(", ")}`]
}

const SHOWN_BLOCKED = 9

function firstOf(lines: readonly string[], what: string): readonly string[] {
  const more = lines.length - SHOWN_BLOCKED
  return more > 0 ? [...lines.slice(0, SHOWN_BLOCKED), `${what}: ${more} more`] : lines
}

/** Ticked tasks that do not count yet; one that is held again and again is blocked, and shown there. */
function heldPart(reading: PlanFileReading, typed: Typed): readonly string[] {
  const held = tasksIn(reading).filter(
    (task) => task.held !== undefined && task.state !== "blocked",
  )
  const lines = held.map(({ key, title, held: why = "" }) =>
    cleanLine(
      `held: ${key} ${title}: ${why}. It counts once the agent runs its check in the session and it exits with 0, or you approve it: ${typed("approve", key)}`,
    ),
  )
  return firstOf(lines, "held")
}

/** What a plan without open tasks leaves undone outside of them. */
function leftOut(
  { work, reading }: WorkStatus,
  { call }: Pick<Terminal, "call">,
): readonly string[] {
  if (reading.kind === "unavailable" || !reading.plan.tasks.every(isSettled)) return []
  const lines = leftOutLines(reading.plan, work.active_plan)
  return lines.map((line) => cleanLine(`left out: ${asCalled(line, call)}`))
}

function blockedText(
  { key, title, reason, unblock, isHeld, handoff }: BlockedTask,
  { now, typed }: ShownOn,
): string {
  const record =
    handoff === null
      ? ""
      : ` (${handoff.id}, ${attemptsText(handoff.attempts)}, ${ago(elapsedMs(handoff.updated_at, now))})`
  const until =
    unblock === null
      ? `Unblock: ${typed("unblock", key)}`
      : `Unblock when: ${unblock}${isHeld ? `: ${typed("approve", key)}` : ""}`
  return cleanLine(`blocked: ${key} ${title}: ${reason ?? "no reason is given"}${record}. ${until}`)
}

function runLines({ work, reading }: WorkStatus): readonly string[] {
  const facts = { settled: countsOf(work, reading).settled, window: windowKeys(work, reading) }
  return runFacts(work, facts).map(({ name, text }) => cleanLine(`${name}: ${text}`))
}

/** A span of time in words; says so if there was no time. */
export function ago(ms: number): string {
  if (!Number.isFinite(ms)) return "at a time that is not known"
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s ago`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`
}
