// A plan in which ticked tasks that are held count as open: their boxes stay as they are.
import type { Plan, Task } from "../plan/model/plan.ts"
import { summarize } from "../plan/tasks/summarize.ts"
import type { Work } from "./boulder.ts"

/** So often a task is held before it is blocked: nobody goes in circles over it. */
export const MAX_HOLDS = 3

type Reading =
  | { readonly kind: "read"; readonly plan: Plan }
  | { readonly kind: "unavailable"; readonly message: string }

/** A reading in which the tasks that a work holds back are still to be done, each with the reason. */
export function heldReading<Read extends Reading>(reading: Read, work: Pick<Work, "held">): Read {
  if (reading.kind === "unavailable") return reading
  const plan = asHeld(reading.plan, work)
  return plan === reading.plan ? reading : { ...reading, plan }
}

/** The same for a plan, whatever was held in it before. */
function asHeld(plan: Plan, { held = {} }: Pick<Work, "held">): Plan {
  const isAny = Object.keys(held).length > 0 || plan.tasks.some((task) => task.held !== undefined)
  if (!isAny) return plan
  const tasks = plan.tasks.map((task) => taskAsHeld(withoutHold(task), held))
  return { ...plan, ...summarize(tasks) }
}

/** A task as the plan's text has it. */
export function withoutHold(task: Task): Task {
  if (task.held === undefined) return task
  const { held: _, note: __, ...kept } = task
  return { ...kept, state: "done", runnable: false }
}

function taskAsHeld(task: Task, held: NonNullable<Work["held"]>): Task {
  const hold = Object.hasOwn(held, task.key) ? held[task.key] : undefined
  if (hold === undefined || hold.approved || task.state !== "done") return task
  if (hold.title_hash !== task.titleHash) return task
  const { why } = hold
  return hold.times < MAX_HOLDS
    ? { ...task, held: why, state: "in_progress", runnable: true }
    : { ...task, held: why, state: "blocked", runnable: false, note: { words: why, lines: [] } }
}
