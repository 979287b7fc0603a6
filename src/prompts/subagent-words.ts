// What the plugin adds to a subagent's prompt: how its result will be read.
import type { Task } from "../plan/model/plan.ts"
import { frame } from "./frame.ts"

const BLOCKED = "If you cannot finish, end with a line `BLOCKED: why`."
const VERDICT = "End with a line `VERDICT: APPROVE` or `VERDICT: REJECT`."

/**
 * Added to the prompt of each delegated task, so that nobody has to remember it; null if the prompt already has this line. Budget: 40
 * tokens (o200k).
 */
export function subagentWords({ section }: Pick<Task, "section">, prompt: string): string | null {
  const line = section === "final-wave" ? VERDICT : BLOCKED
  return prompt.includes(line) ? null : frame([line])
}
