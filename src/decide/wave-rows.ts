// The rows of a plan's final wave, and what they look at.
import { isRow } from "../boulder/row-verdicts.ts"
import { hashText } from "../plan/model/hash-text.ts"
import { oncePerPlan, tasksWhere, unsettledOf } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"

/** The required rows of a plan's wave. */
export function rowsOf({ tasks }: Plan): readonly Task[] {
  return rowsIn(tasks)
}

/** No other required task is left. */
export function isWaveDue({ tasks }: Plan): boolean {
  return unsettledOf(tasks).every(isNoneBefore)
}

/** What a plan's wave is of, in 8 hex digits: its rows, and the tasks that whoever approves it approves. */
export function planOf({ tasks }: Plan): string {
  return waveOf(tasks).of
}

const waveOf = oncePerPlan((tasks: readonly Task[]) => {
  const rows = rowsIn(tasks)
  // Whoever approves a wave approves what it has looked at: tasks that are added behind it are none of that.
  const others = rows.length === 0 ? [] : tasks.filter((task) => !isNoneBefore(task))
  const titles = others.map(({ titleHash }) => titleHash).sort()
  const names = rows.map(({ key, titleHash }) => `${key} ${titleHash}`)
  return { of: hashText([...names, ...titles].join("\n")) }
})

/** A tick cancels none. */
const rowsIn = tasksWhere(isRow)

/** What the final wave does not wait for. */
export function isNoneBefore({ optional, section }: Task): boolean {
  return optional || section === "final-wave"
}
