// What is asked of a plan's tasks again and again, worked out once a reading.
import { isSettled, type Task } from "./plan.ts"

/**
 * A function of a part of a reading, such as its tasks, whose answer is kept for as long as that part is. A reading never
 * changes; a plan of thousands of tasks is asked many times at each hook.
 */
export function onceAReading<Part extends object, Answer extends object>(
  make: (part: Part) => Answer,
): (part: Part) => Answer {
  const made = new WeakMap<Part, Answer>()
  return (part) => {
    const known = made.get(part)
    if (known !== undefined) return known
    const answer = make(part)
    made.set(part, answer)
    return answer
  }
}

/** The tasks by their keys. */
export const byKey = onceAReading(
  (tasks: readonly Task[]): ReadonlyMap<string, Task> =>
    new Map(tasks.map((task) => [task.key, task])),
)

/** The tasks that are neither done nor cancelled, in their order. */
export const unsettledOf = onceAReading((tasks: readonly Task[]): readonly Task[] =>
  tasks.filter((task) => !isSettled(task)),
)

/** The tasks that are no rows of the final wave, in their order. */
export const beforeWave = onceAReading((tasks: readonly Task[]): readonly Task[] =>
  tasks.filter(({ section }) => section !== "final-wave"),
)

/** The tasks that have a label, by it in lower case. */
export const byLabel = onceAReading((tasks: readonly Task[]) =>
  grouped(tasks, ({ label }) => label?.toLowerCase() ?? null),
)

/** The tasks by a name of theirs, in their order; those without one are left out. */
export function grouped(
  tasks: readonly Task[],
  nameOf: (task: Task) => string | null,
): ReadonlyMap<string, readonly Task[]> {
  const groups = new Map<string, Task[]>()
  for (const task of tasks) {
    const name = nameOf(task)
    if (name === null) continue
    const same = groups.get(name)
    if (same === undefined) groups.set(name, [task])
    else same.push(task)
  }
  return groups
}
