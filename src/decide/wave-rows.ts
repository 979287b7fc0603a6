// The rows of a plan's final wave, and what they cover.
import { isRow } from "../boulder/row-verdicts.ts"
import { hashText } from "../plan/model/hash-text.ts"
import { oncePerPlan, tasksWhere, unsettledOf } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"

/** The required rows of the plan's wave. */
export function rowsOf({ tasks }: Plan): readonly Task[] {
  return rowsIn(tasks)
}

/** Whether no other required task is left. */
export function isWaveDue({ tasks }: Plan): boolean {
  return unsettledOf(tasks).every(isNoneBefore)
}

/** What the plan's wave covers, as 8 hex digits: its rows, and the tasks that an approval approves. */
export function planOf({ tasks }: Plan): string {
  return waveOf(tasks).of
}

const waveOf = oncePerPlan((tasks: readonly Task[]) => {
  const rows = rowsIn(tasks)
  // An approval covers what the wave has looked at. Tasks added later are not part of it.
  const others = rows.length === 0 ? [] : tasks.filter((task) => !isNoneBefore(task))
  const titles = others.map(({ titleHash }) => titleHash).sort()
  const names = rows.map(({ key, titleHash }) => `${key} ${titleHash}`)
  return { of: hashText([...names, ...titles].join("\n")) }
})

/** A tick does not cancel a row. */
const rowsIn = tasksWhere(isRow)

/** Whether the final wave does not wait for this task. */
export function isNoneBefore({ optional, section }: Task): boolean {
  return optional || section === "final-wave"
}
