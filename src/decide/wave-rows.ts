// The rows of a plan's final wave, and what they look at.
import { isRow } from "../boulder/row-verdicts.ts"
import { hashText } from "../plan/model/hash-text.ts"
import { beforeWave, onceAReading, requiredIn, tasksWhere } from "../plan/model/once-a-reading.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"

/** The required rows of a plan's wave. */
export function rowsOf({ tasks }: Plan): readonly Task[] {
  return waveOf(tasks).rows
}

/** No other required task is left. */
export function isWaveDue({ tasks }: Plan): boolean {
  return waveOf(tasks).isDue
}

/** What a plan's wave is of, in 8 hex digits: its rows, and the tasks that whoever approves it approves. */
export function planOf({ tasks }: Plan): string {
  return waveOf(tasks).of
}

const waveOf = onceAReading((tasks: readonly Task[]) => {
  const rows = inWave(tasks).filter(isRow)
  const others = requiredIn(beforeWave(tasks))
  // Whoever approves a wave approves what it has looked at: tasks that are added behind it are none of that.
  const titles = rows.length === 0 ? [] : others.map(({ titleHash }) => titleHash).sort()
  const names = rows.map(({ key, titleHash }) => `${key} ${titleHash}`)
  return { rows, isDue: others.every(isSettled), of: hashText([...names, ...titles].join("\n")) }
})

const inWave = tasksWhere(({ section }) => section === "final-wave")
