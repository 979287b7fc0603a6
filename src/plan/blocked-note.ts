import { isBlockedLine } from "./details.ts"
import type { Task } from "./plan.ts"

const WORDS = /BLOCKED(?:\*\*)?:(?:\*\*)?[ \t]*(.*)$/

/** What the `BLOCKED:` line below a task's row says; null where there is none, or it says nothing. */
export function blockedNote(
  lines: readonly string[],
  { line, endLine }: Pick<Task, "line" | "endLine">,
): string | null {
  const row = lines[line - 1] ?? ""
  const contentColumn = Math.max(0, row.indexOf("["))
  const found = lines.slice(line, endLine).find((below) => isBlockedLine(below, contentColumn))
  return WORDS.exec(found ?? "")?.[1]?.trim() || null
}
