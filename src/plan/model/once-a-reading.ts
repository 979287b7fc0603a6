// Answers about a plan's tasks that are needed again and again, worked out once a reading, or once for all versions that ticks make of it.
import { addTo } from "./once.ts"
import { isSettled, type Task } from "./plan.ts"

/**
 * A function of a part of a reading, such as its tasks, whose answer is kept as long as that part. A reading never changes, and a plan of
 * thousands of tasks is queried many times in each hook.
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

/** Parts of readings that have had ticks added, each with the corresponding part of the reading of a whole text. */
const untickedOf = new WeakMap<object, object>()

/** Notes that `ticked` is `before` with ticks added: some tasks have other states, and nothing else differs. */
export function noteTicked<Part extends object>(ticked: Part, before: Part): Part {
  untickedOf.set(ticked, unticked(before))
  return ticked
}

/** The part from the reading of a whole text from which ticks have made this one; the part itself if it comes from such a reading. */
export function unticked<Part extends object>(part: Part): Part {
  return (untickedOf.get(part) as Part | undefined) ?? part
}

/**
 * The same for an answer that no tick changes and that contains no task, since a tick may change a task's state (`state`, `marker`,
 * `runnable`): one answer for a plan and all versions that ticks make of it.
 */
export function oncePerPlan<Part extends object, Answer extends object>(
  make: (part: Part) => Answer,
): (part: Part) => Answer {
  const once = onceAReading(make)
  return (part) => once(unticked(part))
}

/** The tasks with a property that no tick changes, in order. */
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

/** The place of the task with a key, from 0; -1 if there is none. */
export function placeOf(tasks: readonly Task[], key: string | undefined): number {
  return placesByKey(tasks).get(key ?? "") ?? -1
}

/** The tasks by key. */
export function byKey(tasks: readonly Task[]): Pick<ReadonlyMap<string, Task>, "get" | "has"> {
  const places = placesByKey(tasks)
  return { get: (key) => tasks[places.get(key) ?? -1], has: (key) => places.has(key) }
}

/** The tasks with these keys, in order; keys without a task are left out. */
export function withKeys(tasks: readonly Task[], keys: readonly string[]): readonly Task[] {
  const places = keys.map((key) => placeOf(tasks, key)).filter((place) => place >= 0)
  return at(
    tasks,
    places.sort((one, other) => one - other),
  )
}

/** The tasks that are neither done nor cancelled, in order. */
export function unsettledOf(tasks: readonly Task[]): readonly Task[] {
  const known = unsettled.get(tasks) ?? tasks.filter((task) => !isSettled(task))
  unsettled.set(tasks, known)
  return known
}

const unsettled = new WeakMap<readonly Task[], readonly Task[]>()

/**
 * The tasks after ticks in these places: done, or free to be worked on. Only open tasks change, so those that are left need not be searched
 * again.
 */
export function tickedTasks(
  before: readonly Task[],
  changed: ReadonlyMap<number, Task>,
): readonly Task[] {
  // In a long list a copy by `slice` takes half as long as one by `...`.
  const tasks = before.slice()
  const left = unsettledOf(before).slice()
  for (const [place, task] of changed) {
    const was = tasks[place]
    tasks[place] = task
    const isLeft = isSettled(task) ? [] : [task]
    if (was !== undefined) left.splice(left.indexOf(was), 1, ...isLeft)
  }
  unsettled.set(tasks, left)
  return noteTicked(tasks, before)
}

/** The blocked tasks, in order: only open ones can be ticked. */
export const blockedOf = tasksWhere(({ state }) => state === "blocked")

/** The tasks that are not rows of the final wave, in order. */
export const beforeWave = tasksWhere(({ section }) => section !== "final-wave")

/** The tasks that name a check, in order. */
export const withChecks = tasksWhere(({ checks }) => checks !== undefined)

/** The places of tasks that wait for others, by the keys of those others. */
export const placesWaiting = oncePerPlan(
  (tasks: readonly Task[]): ReadonlyMap<string, readonly number[]> => {
    const waiting = new Map<string, number[]>()
    for (const [place, { dependsOn }] of tasks.entries())
      for (const key of dependsOn) addTo(waiting, key, place)
    return waiting
  },
)

/** The places of tasks with a label, by label in lower case. */
export const placesByLabel = placesBy(({ label }) => label?.toLowerCase() ?? null)

/** The places of tasks, in order, by a name that does not depend on their state; tasks without one are left out. */
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
