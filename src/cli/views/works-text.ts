// Shows works, and the tasks of one, as tables.
import type { BlockedTask } from "../../boulder/blocked-tasks.ts"
import { elapsedMs } from "../../boulder/iso-time.ts"
import type { TaskWait } from "../../boulder/usage-limit.ts"
import type { Proof } from "../../decide/proof/proof.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { isSettled, type Task } from "../../plan/model/plan.ts"
import { attemptsText } from "../../prompts/handoff-words.ts"
import { taskLimitWords } from "../../prompts/pause-words.ts"
import { TIER_WORDS } from "../../prompts/proof-words.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { ArchivedTask } from "../../store/records/work-archive.ts"
import type { KnownWork } from "../project/known-works.ts"
import { recordsIn, tasksIn } from "../project/task-records.ts"
import { localTime } from "../terminal/local-time.ts"
import { columnsOf, fitLine, hangingLines, padLine, wrapLine } from "./columns.ts"
import { ago, type Screen } from "./status-view.ts"

const MAX_ROWS = 500
/** The first column keeps this many columns; the last columns are dropped if it would have fewer. */
const MIN_FIRST = 12
/** With fewer columns than this a session does not fit beside the state. */
const NARROW = 60

/** A work as its plan has it now, and its state in a word or two. */
export type WorkRow = KnownWork & {
  readonly said: string
  /** Its name among all works of the project. */
  readonly called: string
  /** Why it waits and what ends that; null if it does not wait. */
  readonly waits: string | null
  /** A living opencode drives it. */
  readonly isCarried: boolean
}

/** Works as a table, one line each; no line is longer than `columns`. */
export function worksText(works: readonly WorkRow[], now: number, columns: number): string {
  const rows = works.map((work) => [
    cleanLine(work.called),
    work.said,
    `${work.completed_count}/${work.total_count}`,
    ago(elapsedMs(work.updated_at, now)),
  ])
  return tableOf(["work", "state", "settled", "last change"], rows, columns)
}

/** Every task of one work, in plan order, with its records; no line is longer than `columns`. */
export function workText(
  { work, begun, limited, blocked, tasks, reading, proof }: WorkTasks,
  on: Screen,
): string {
  const { plan_name, active_plan, work_id, completed_count, total_count, said, waits } = work
  const { now, columns, paint } = on
  const head = [
    `${cleanLine(plan_name)}: ${said}, ${completed_count}/${total_count} settled`,
    ...(waits === null ? [] : [cleanLine(waits)]),
    `plan: ${cleanLine(active_plan)}`,
    `started ${ago(elapsedMs(work.started_at, now))}, last change ${ago(elapsedMs(work.updated_at, now))}`,
    `files: .boulder/works/${cleanLine(work_id)}/`,
  ].flatMap((line) => wrapLine(line, columns))
  const rows = taskRows(tasks, reading, proof).map((row) =>
    row.key !== null && begun.has(row.key)
      ? { ...row, state: begunState(work), isSettled: false }
      : row,
  )
  const waiting = new Map([
    ...limited.map(({ key, until }) => [key, taskLimitWords(until, localTime)] as const),
    ...blocked.flatMap(({ key, reason }) => (reason === null ? [] : [[key, reason] as const])),
  ])
  const shown = rows.slice(0, MAX_ROWS).flatMap((row) => {
    const { state, name, record } = row
    const why = row.key === null ? undefined : waiting.get(row.key)
    const lines = hangingLines(`${state.padEnd(11)} `, cleanLine(name), columns)
    const below = (words: string) =>
      hangingLines(" ".repeat(columns < NARROW ? 4 : 12), words, columns)
    const waits = why === undefined ? [] : below(cleanLine(why))
    const recorded = record === null ? [] : below(recordWords(record))
    return [...lines.map(paintOf(row, on)), ...waits.map(paint.warn), ...recorded.map(paint.dim)]
  })
  const more = rows.length > MAX_ROWS ? [`… and ${rows.length - MAX_ROWS} more`] : []
  const none = rows.length === 0 ? ["No task was delegated."] : []
  return `${[...head, "", ...shown, ...more, ...none].join("\n")}\n`
}

/** A work with its tasks: as its plan has them now, and as they were delegated. */
export interface WorkTasks {
  readonly work: WorkRow
  /** The keys of the tasks whose calls are not back. */
  readonly begun: ReadonlySet<string | null>
  /** The tasks that limits of their own subagents hold up. */
  readonly limited: readonly TaskWait[]
  readonly blocked: readonly BlockedTask[]
  /** A task may have several records: it was worked on again behind the departure of one. */
  readonly tasks: readonly ArchivedTask[]
  readonly reading: PlanFileReading
  /** Null if the plan names no check. */
  readonly proof: Proof | null
}

interface TaskRow {
  /** Null if it is no longer in the plan. */
  readonly key: string | null
  readonly state: string
  readonly isSettled: boolean
  readonly name: string
  readonly record: ArchivedTask | null
}

/** The plan's tasks, then delegated ones that are no longer in it. */
function taskRows(
  records: readonly ArchivedTask[],
  reading: PlanFileReading,
  proof: Proof | null,
): readonly TaskRow[] {
  const { of, gone } = recordsIn(reading, records)
  return [
    ...tasksIn(reading).map((task) => ({
      key: task.key,
      state: plannedState(task),
      isSettled: isSettled(task),
      name: `${task.key} ${task.title}${tierOf(task, proof)}`,
      record: of.get(task.key)?.at(-1) ?? null,
    })),
    ...gone
      .flatMap((known) => known.slice(-1))
      .map((record) => ({
        key: reading.kind === "read" ? null : record.task_key,
        state: reading.kind === "read" ? "not in plan" : "delegated",
        isSettled: true,
        name: `${record.task_key} ${record.task_title}`,
        record,
      })),
  ]
}

function tierOf(task: Task, proof: Proof | null): string {
  const tier = proof?.of(task)?.tier
  return tier === undefined ? "" : ` (${TIER_WORDS[tier]})`
}

/** The state of a task that no call works on. */
export function plannedState({ state, runnable }: Task): string {
  if (state === "in_progress") return "in progress"
  return state === "open" && !runnable ? "waits" : state
}

/** The state of a task whose call is not back; if nobody drives the work, it never will be. */
export function begunState({ isCarried }: Pick<WorkRow, "isCarried">): string {
  return isCarried ? "running" : "begun"
}

function recordWords({ agent, attempts, session_id: session }: ArchivedTask): string {
  return cleanLine(`${agent}, ${attemptsText(attempts)}, ${session}`)
}

function paintOf({ state, isSettled: isDone }: TaskRow, { paint }: Pick<Screen, "paint">) {
  if (state === "blocked") return paint.warn
  return isDone ? paint.good : (line: string) => line
}

/**
 * Rows below a head. If they are too wide the first column shrinks, and if too little would be left of it, the last columns are dropped.
 */
export function tableOf(
  head: readonly string[],
  all: readonly (readonly string[])[],
  columns: number,
): string {
  const rows = [head, ...all.slice(0, MAX_ROWS)]
  const widths = head.map((_, column) =>
    Math.max(...rows.map((row) => columnsOf(row[column] ?? ""))),
  )
  const shown = widths.slice(0, columnsThatFit(widths, columns))
  const others = shown.slice(1).reduce((sum, width) => sum + width + 2, 0)
  const first = Math.min(shown[0] ?? 0, Math.max(8, columns - others))
  const lines = rows.map((row) => {
    const cells = shown.map((width, column) =>
      padLine(row[column] ?? "", column === 0 ? first : width),
    )
    return fitLine(cells.join("  ").trimEnd(), columns)
  })
  const more = all.length > MAX_ROWS ? [`… and ${all.length - MAX_ROWS} more`] : []
  return `${[...lines, ...more].join("\n")}\n`
}

function columnsThatFit(widths: readonly number[], columns: number): number {
  const [first = 0, ...others] = widths
  let kept = others.length
  const room = () => columns - others.slice(0, kept).reduce((sum, width) => sum + width + 2, 0)
  while (kept > 1 && room() < Math.min(first, MIN_FIRST)) kept -= 1
  return kept + 1
}
