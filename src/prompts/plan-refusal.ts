// Why a plan cannot be started as it is.
import { isAdapted } from "../plan/formats.ts"
import { outsideWords, type Plan, warningWords } from "../plan/model/plan.ts"
import { readLine } from "./start-text.ts"
import { aboutFile } from "./typed-command.ts"

/** Why a plan cannot be started, line by line; null where it can. `isOver`: nothing of a work of it is unfinished. */
export function planRefusal(plan: Plan, path: string, isOver: boolean): readonly string[] | null {
  if (plan.state === "complete" && isOver) return [`Nothing to do in ${path}: ${readLine(plan)}`]
  if (plan.state === "rows-outside" && isOver)
    return [`Nothing to do in ${path}: ${readLine(plan)}`, ...outsideWords(plan)]
  if (plan.state !== "invalid") return null
  const problems = plan.warnings.slice(0, 3).map((one) => aboutFile(warningWords(one), path))
  const [wanted, how] = isAdapted(plan.dialect)
    ? ["tasks", "Add tasks to it"]
    : ["tasks as checkboxes (- [ ] 1. …)", "Write each task as such a row"]
  const todo = problems.length > 0 ? problems : [`${how}, then start the plan again.`]
  return [`Expected ${wanted} in ${path}, found none.`, `Read as: ${readLine(plan)}`, ...todo]
}
