// What is asked of a plan's tasks again and again, worked out once a reading, or once for all that ticks make of one.
import { addTo } from "./once.ts"
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

/** Parts of readings that ticks were put into, each with the same part of the reading that was made of a whole text. */
const untickedOf = new WeakMap<object, object>()

/** Says that `ticked` is `before` with ticks in it: its tasks have other states, and are otherwise the same in the same order. */
export function noteTicked<Part extends object>(ticked: Part, before: Part): Part {
  untickedOf.set(ticked, unticked(before))
  return ticked
}

/** The part that was made of a whole text, of which this one is what ticks have made; itself where it was made so. */
export function unticked<Part extends object>(part: Part): Part {
  return (untickedOf.get(part) as Part | undefined) ?? part
}

/**
 * The same for an answer that no tick changes and that holds no task, whose state (`state`, `marker`, `runnable`) one may change:
 * one for a plan and all that ticks make of it.
 */
export function oncePerPlan<Part extends object, Answer extends object>(
  make: (part: Part) => Answer,
): (part: Part) => Answer {
  const once = onceAReading(make)
  return (part) => once(unticked(part))
}

/** The tasks of which something holds that no tick changes, in their order. */
export function tasksWhere(
  holds: (task: Task) => boolean,
): (tasks: readonly Task[]) => readonly Task[] {
  const places = oncePerPlan((tasks: readonly Task[]) => {
    const those: number[] = []
    for (const [place, task] of tasks.entries()) if (holds(task)) those.push(place)
    return those
  })
  const found = onceAReading((tasks: readonly Task[]): readonly Task[] => {
    const those = places(tasks)
    if (those.length === tasks.length) return tasks
    const list = at(tasks, those)
    const before = unticked(tasks)
    return before === tasks ? list : noteTicked(list, found(before))
  })
  return found
}

/** The tasks in these places. */
export function at(tasks: readonly Task[], places: readonly number[]): readonly Task[] {
  return places.flatMap((place) => tasks[place] ?? [])
}

const placesByKey = oncePerPlan((tasks: readonly Task[]): ReadonlyMap<string, number> => {
  const places = new Map<string, number>()
  for (const [place, { key }] of tasks.entries()) places.set(key, place)
  return places
})

/** Where the task with a key stands, from 0; -1 for none. */
export function placeOf(tasks: readonly Task[], key: string | undefined): number {
  return placesByKey(tasks).get(key ?? "") ?? -1
}

/** The tasks by their keys. */
export function byKey(tasks: readonly Task[]): Pick<ReadonlyMap<string, Task>, "get" | "has"> {
  const places = placesByKey(tasks)
  return { get: (key) => tasks[places.get(key) ?? -1], has: (key) => places.has(key) }
}

/** The tasks with these keys, in their order; what no task has is left out. */
export function withKeys(tasks: readonly Task[], keys: readonly string[]): readonly Task[] {
  const places = keys.map((key) => placeOf(tasks, key)).filter((place) => place >= 0)
  return at(
    tasks,
    places.sort((one, other) => one - other),
  )
}

/** The tasks that are neither done nor cancelled, in their order. */
export function unsettledOf(tasks: readonly Task[]): readonly Task[] {
  const known = unsettled.get(tasks) ?? tasks.filter((task) => !isSettled(task))
  unsettled.set(tasks, known)
  return known
}

const unsettled = new WeakMap<readonly Task[], readonly Task[]>()

/**
 * The tasks with those in these places as ticks have made them: done, or free to be worked on. Only what was open is another, so
 * that what is left is not looked for anew.
 */
export function tickedTasks(
  before: readonly Task[],
  changed: ReadonlyMap<number, Task>,
): readonly Task[] {
  const tasks = [...before]
  const left = [...unsettledOf(before)]
  for (const [place, task] of changed) {
    const [was] = tasks.splice(place, 1, task)
    const isLeft = isSettled(task) ? [] : [task]
    if (was !== undefined) left.splice(left.indexOf(was), 1, ...isLeft)
  }
  unsettled.set(tasks, left)
  return noteTicked(tasks, before)
}

/** The tasks that are blocked, in their order: only open ones are ticked. */
export const blockedOf = tasksWhere(({ state }) => state === "blocked")

/** The tasks that are no rows of the final wave, in their order. */
export const beforeWave = tasksWhere(({ section }) => section !== "final-wave")

/** The tasks that name a check, in their order. */
export const withChecks = tasksWhere(({ checks }) => checks !== undefined)

/** Where the tasks stand that wait for others, by the keys of those. */
export const placesWaiting = oncePerPlan(
  (tasks: readonly Task[]): ReadonlyMap<string, readonly number[]> => {
    const waiting = new Map<string, number[]>()
    for (const [place, { dependsOn }] of tasks.entries())
      for (const key of dependsOn) addTo(waiting, key, place)
    return waiting
  },
)

/** Where the tasks stand that have a label, by it in lower case. */
export const placesByLabel = placesBy(({ label }) => label?.toLowerCase() ?? null)

/** Where tasks stand, by a name of theirs that hangs on no state, in their order; those without one are left out. */
export function placesBy(
  nameOf: (task: Task) => string | null,
): (tasks: readonly Task[]) => ReadonlyMap<string, readonly number[]> {
  return oncePerPlan((tasks: readonly Task[]) => {
    const groups = new Map<string, number[]>()
    for (const [place, task] of tasks.entries()) {
      const name = nameOf(task)
      if (name !== null) addTo(groups, name, place)
    }
    return groups
  })
}
