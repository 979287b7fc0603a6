// Works, and the tasks of one, as tables.
import { elapsedMs } from "../../boulder/iso-time.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import type { ArchivedTask } from "../../store/records/work-archive.ts"
import type { KnownWork } from "../project/known-works.ts"
import { columnsOf, fitLine, padLine, wrapLine } from "./columns.ts"
import { ago } from "./status-view.ts"

const MAX_ROWS = 500

/** Works as a table, a line a work; no line is longer than `columns`. */
export function worksText(works: readonly KnownWork[], now: number, columns: number): string {
  const rows = works.map((work) => [
    cleanLine(work.plan_name),
    work.pause_reason === null ? work.status : `${work.status} (${work.pause_reason})`,
    `${work.completed_count}/${work.total_count}`,
    ago(elapsedMs(work.updated_at, now)),
  ])
  return tableOf(["work", "state", "settled", "last change"], rows, columns)
}

/** What is recorded of one work's tasks; no line is longer than `columns`. */
export function workText(
  work: KnownWork,
  tasks: readonly ArchivedTask[],
  { now, columns }: { now: number; columns: number },
): string {
  const { plan_name, active_plan, work_id, completed_count, total_count } = work
  const head = [
    `${cleanLine(plan_name)}: ${work.status}, ${completed_count}/${total_count} settled`,
    `plan: ${cleanLine(active_plan)}`,
    `started ${ago(elapsedMs(work.started_at, now))}, last change ${ago(elapsedMs(work.updated_at, now))}`,
    `files: .boulder/works/${cleanLine(work_id)}/`,
  ].flatMap((line) => wrapLine(line, columns))
  if (tasks.length === 0) return `${head.join("\n")}\nNo task was delegated.\n`
  const rows = tasks.map((task) => [
    cleanLine(`${task.task_key} ${task.task_title}`),
    cleanLine(task.agent),
    String(task.attempts),
    cleanLine(task.session_id),
  ])
  return `${head.join("\n")}\n\n${tableOf(["task", "agent", "attempts", "session"], rows, columns)}`
}

/** Rows below a head; the first column gives way where the others leave too little room for all. */
export function tableOf(
  head: readonly string[],
  all: readonly (readonly string[])[],
  columns: number,
): string {
  const rows = [head, ...all.slice(0, MAX_ROWS)]
  const widths = head.map((_, column) =>
    Math.max(...rows.map((row) => columnsOf(row[column] ?? ""))),
  )
  const others = widths.slice(1).reduce((sum, width) => sum + width + 2, 0)
  const first = Math.min(widths[0] ?? 0, Math.max(8, columns - others))
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) =>
      padLine(cell, column === 0 ? first : (widths[column] ?? 0)),
    )
    return fitLine(cells.join("  ").trimEnd(), columns)
  })
  const more = all.length > MAX_ROWS ? [`… and ${all.length - MAX_ROWS} more`] : []
  return `${[...lines, ...more].join("\n")}\n`
}
