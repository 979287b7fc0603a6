// Draws `████░░░░` for so many of so many.
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { fitLine } from "./columns.ts"

const WIDTH = 20

/** `████░░░░` for so many of so many; full only if everything is done. */
export function progressBar(settled: number, total: number, width = WIDTH): string {
  const share = total === 0 ? 0 : Math.min(1, settled / total)
  const full = Math.floor(share * width)
  return "█".repeat(full) + "░".repeat(width - full)
}

/** The line that a run redraws: bar, counts, and the current task. */
export function progressLine(
  progress: {
    readonly settled: number
    readonly total: number
    readonly task: { readonly key: string; readonly title: string } | null
  },
  columns: number,
): string {
  const { settled, total, task } = progress
  const current = task === null ? "" : ` ${cleanLine(task.key)} ${cleanLine(task.title)}`
  return fitLine(`${progressBar(settled, total)} ${settled}/${total}${current}`, columns)
}
