// What the plugin itself adds to a subagent's prompt: how its result is read.
import type { Task } from "../plan/model/plan.ts"
import { frame } from "./frame.ts"

const BLOCKED = "If you cannot finish, end with a line `BLOCKED: why`."
const VERDICT = "End with a line `VERDICT: APPROVE` or `VERDICT: REJECT`."

/**
 * Added to the prompt of each delegated task, so that nobody has to remember it; null where the prompt says so
 * already. Budget: 40 tokens (o200k).
 */
export function subagentWords({ section }: Pick<Task, "section">, prompt: string): string | null {
  const lines = [
    section === "final-wave" && !prompt.includes("VERDICT:") ? VERDICT : null,
    section !== "final-wave" && !prompt.includes("BLOCKED:") ? BLOCKED : null,
  ].filter((line) => line !== null)
  return lines.length === 0 ? null : frame(lines)
}
