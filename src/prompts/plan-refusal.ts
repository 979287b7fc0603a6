// Says why a plan cannot be started as it is.
import { isAdapted } from "../plan/formats.ts"
import { type Plan, type PlanWarning, warningWords } from "../plan/model/plan.ts"
import { leftOutOf, losingOf } from "../plan/tasks/left-out.ts"
import { readLine } from "./start-text.ts"
import { aboutFile } from "./typed-command.ts"

const MAX_SAID = 3

/** Why a plan cannot be started, line by line; null if it can. `isOver`: no work of it is unfinished. */
export function planRefusal(plan: Plan, path: string, isOver: boolean): readonly string[] | null {
  const isSettled = plan.state === "complete" || plan.state === "rows-outside"
  if (isSettled && isOver)
    return [
      `Nothing to do in ${path}: ${readLine(plan)}`,
      ...linesOf(losingOf(plan.warnings), path),
    ]
  if (plan.state !== "invalid") return null
  const problems = linesOf(plan.warnings, path)
  const [wanted, how] = isAdapted(plan.dialect)
    ? ["tasks", "Add tasks to it"]
    : ["tasks as list rows with a box (`- [ ] 1. …`)", "Write each task as such a row"]
  const todo = problems.length > 0 ? problems : [`${how}, then start the plan again.`]
  return [`Expected ${wanted} in ${path}, found none.`, `Read as: ${readLine(plan)}`, ...todo]
}

/** What stands outside the tasks of a plan and is not run, line by line. */
export function leftOutLines({ warnings }: Plan, path: string): readonly string[] {
  return linesOf(leftOutOf(warnings), path)
}

function linesOf(warnings: readonly PlanWarning[], path: string): readonly string[] {
  return warnings.slice(0, MAX_SAID).map((one) => aboutFile(warningWords(one), path))
}
