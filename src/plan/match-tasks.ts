// Finds each known task again in a plan that was edited by hand.
import { byKey, onceAReading, oncePerPlan, unticked } from "./model/once-a-reading.ts"
import type { Plan, Task } from "./model/plan.ts"

/** What is remembered of a task from an earlier reading. */
export type KnownTask = Pick<Task, "key" | "titleHash">

/**
 * What happened to a known task: `same` key and title; `retitled`, its key belongs to another task now; `moved`, its title has another key
 * now; `gone`.
 */
export type TaskMatch<Known extends KnownTask = KnownTask> =
  | { readonly kind: "same" | "retitled" | "moved"; readonly known: Known; readonly task: Task }
  | { readonly kind: "gone"; readonly known: Known }

/**
 * Finds each known task in a plan that was edited by hand. Titles count for more than keys: a renumbered task is `moved`, and only a task
 * whose title is nowhere is `retitled`. If several tasks share a title, nobody can tell which one has moved, so none is said to have.
 */
export function matchTasks<Known extends KnownTask>(
  known: readonly Known[],
  plan: Pick<Plan, "tasks">,
): TaskMatch<Known>[] {
  const now = byKey(plan.tasks)
  const isSame = ({ key, titleHash }: KnownTask) => now.get(key)?.titleHash === titleHash
  const same = known.flatMap((one): TaskMatch<Known>[] => {
    const task = now.get(one.key)
    return task !== undefined && isSame(one) ? [{ kind: "same", known: one, task }] : []
  })
  // The usual case: nobody has moved anything.
  if (same.length === known.length) return same
  const stayed = new Set(known.filter(isSame).map(({ key }) => key))
  const newcomers = onlyOnes(plan.tasks.filter(({ key }) => !stayed.has(key)))
  const leavers = onlyOnes(known.filter((task) => !isSame(task)))
  const moved = new Map<Known, Task>()
  for (const [titleHash, leaver] of leavers) {
    const task = newcomers.get(titleHash)
    if (task !== undefined) moved.set(leaver, task)
  }
  const taken = new Set([...moved.values()].map(({ key }) => key))
  return known.map((task) => {
    const here = now.get(task.key)
    if (here !== undefined && isSame(task)) return { kind: "same", known: task, task: here }
    const there = moved.get(task)
    if (there !== undefined) return { kind: "moved", known: task, task: there }
    if (here === undefined || taken.has(here.key)) return { kind: "gone", known: task }
    return { kind: "retitled", known: task, task: here }
  })
}

/** A task as it was once recorded. The oldest records have no title, and are identified by key alone. */
export interface ToldTask {
  readonly key: string
  readonly titleHash: string | null
}

/** The task with a known key and title, as a plan has it now; null if the plan no longer has it, or if none is known. */
export function findAgain(plan: Pick<Plan, "tasks">, known: ToldTask | null): Task | null {
  if (known === null) return null
  const { key, titleHash } = known
  const here = byKey(plan.tasks).get(key) ?? null
  if (titleHash === null || here?.titleHash === titleHash) return here
  return byOnlyTitle(plan.tasks).get(titleHash) ?? null
}

/** The key that a known task has now: null for none, and for one that is gone; its own if the plan cannot be read. */
export function keyNow(reading: PlanThere, known: ToldTask | null): string | null {
  const task = reading.kind === "read" ? findAgain(reading.plan, known) : known
  return task?.key ?? null
}

/** The tasks in a plan's file, by the keys they had. */
export interface PlanKeys {
  readonly plan: string
  readonly tasks: readonly ToldTask[]
}

/**
 * Whether a key that was told may name another task in a plan by now: what it named has another one, or what it names had
 * another one; so may any where another plan's were told, null. That of a row that was only reworded means that row, and so does one beside which the title is said
 * (`saysTitle`). Of rows of one title, one is known by the rows beside it that have titles of their own: where those stand
 * beside another by now, or where it has none and there are more or fewer, nobody can tell.
 */
export function namesAnother(
  told: readonly ToldTask[] | null,
  { tasks }: Pick<Plan, "tasks">,
  known: KnownTask,
  saysTitle: () => boolean = () => false,
): boolean {
  if (told === null) return !saysTitle()
  const { key, titleHash } = known
  if (isAsTold(told, tasks)) {
    const here = byKey(tasks).get(key)
    return here !== undefined && here.titleHash !== titleHash && !saysTitle()
  }
  const { titles, keys, counts } = toldAs(told)
  const then = titles.get(key)
  if (then === undefined) return false
  if (then === titleHash) return isShifted(standingIn(told), standingIn(tasks), known)
  // Of several rows of one title, one that is gone was reworded.
  const isGone = (titlesIn(tasks).get(then) ?? 0) < (counts.get(then) ?? 1)
  return (keys.has(titleHash) || !isGone) && !saysTitle()
}

/** A task with another key than it was told by; `from` is null if it was not told by a single one. */
export interface MovedTask {
  readonly from: string | null
  readonly task: Task
}

/** The tasks that a plan has under other keys than were told, or under keys of others, in order. */
export function movedSince(
  told: readonly ToldTask[],
  plan: Pick<Plan, "tasks">,
): readonly MovedTask[] {
  if (told.length === 0 || isAsTold(told, plan.tasks)) return []
  const { keys } = toldAs(told)
  const now = byKey(plan.tasks)
  return plan.tasks.flatMap((task) => {
    const from = keys.get(task.titleHash) ?? null
    const isMoved = from !== null && now.get(from)?.titleHash !== task.titleHash
    return isMoved || namesAnother(told, plan, task) ? [{ from, task }] : []
  })
}

/** Whether a plan has other words under a key than were told. */
export function isReworded(told: readonly ToldTask[], { tasks }: Pick<Plan, "tasks">): boolean {
  if (isAsTold(told, tasks)) return false
  const now = byKey(tasks)
  return told.some(({ key, titleHash }) => (now.get(key)?.titleHash ?? titleHash) !== titleHash)
}

/**
 * What a session knows of a plan's keys that was told which of them are others: all, but a row with new words is known by those it was told
 * with. Gives the tasks themselves if there is none.
 */
export function knownNow(
  told: readonly ToldTask[],
  { tasks }: Pick<Plan, "tasks">,
): readonly ToldTask[] {
  if (isAsTold(told, tasks)) return tasks
  const { titles, keys } = toldAs(told)
  const there = titlesIn(tasks)
  const replaced = new Map<string, string>()
  for (const { key, titleHash } of tasks) {
    const then = titles.get(key)
    if (then !== undefined && !there.has(then) && !keys.has(titleHash)) replaced.set(key, then)
  }
  if (replaced.size === 0) return tasks
  return tasks.map(({ key, titleHash }) => ({ key, titleHash: replaced.get(key) ?? titleHash }))
}

/** Most looks are at the plan that was told: ticks change neither keys nor titles, so it need not be gone through again. */
function isAsTold(told: readonly ToldTask[], tasks: readonly Task[]): boolean {
  return unticked(told) === unticked<object>(tasks)
}

/** The titles of told tasks by key, and the keys by title; null for a title that several had. */
const toldAs = oncePerPlan((told: readonly ToldTask[]) => {
  const titles = new Map<string, string>()
  const keys = new Map<string, string | null>()
  const counts = countedBy(told.flatMap(({ titleHash }) => titleHash ?? []))
  for (const { key, titleHash } of told) {
    if (titleHash === null) continue
    titles.set(key, titleHash)
    keys.set(titleHash, keys.has(titleHash) ? null : key)
  }
  return { titles, keys, counts }
})

/** Rows with their places by key and by unique title, and how many there are that only a count distinguishes. */
const standingIn = oncePerPlan((rows: readonly ToldTask[]) => ({
  rows,
  places: new Map(rows.map(({ key }, place) => [key, place])),
  own: onlyOnes(rows.map((row, place) => ({ ...row, place }))),
  alike: countedBy(rows.map(rowOf)),
}))

type Standing = ReturnType<typeof standingIn>

/** Whether a key of a row whose title others have, too, may be another's by now, judged by the rows beside it then and now. */
function isShifted(then: Standing, now: Standing, known: KnownTask): boolean {
  if (now.own.has(known.titleHash) && then.own.has(known.titleHash)) return false
  const found = [...foundBeside(then, now, known.key), ...foundBeside(now, then, known.key)]
  const alike = found.filter((one) => one?.titleHash === known.titleHash)
  if (alike.length > 0) return alike.some((one) => one?.key !== known.key)
  const row = rowOf(known)
  const [before = 0, after = 0] = [then.alike.get(row), now.alike.get(row)]
  return before !== after || (after > 1 && found.length > 0)
}

/** The rows in `to` at the place that a key's row has in `from`, judged by the titles beside it that are unique in both. */
function foundBeside(from: Standing, to: Standing, key: string): (ToldTask | undefined)[] {
  const place = from.places.get(key) ?? Number.NaN
  return [-1, 1].flatMap((side) => {
    const title = from.rows[place + side]?.titleHash ?? ""
    const there = from.own.has(title) ? to.own.get(title) : undefined
    return there === undefined ? [] : [to.rows[there.place - side]]
  })
}

/** What rows have in common whose keys differ only by a count: `task:~63edf339` and `task:~63edf339#2`. */
function rowOf({ key, titleHash }: ToldTask): string {
  return `${key.replace(/#\d{1,9}$/, "")} ${titleHash}`
}

const titlesIn = oncePerPlan((tasks: readonly Task[]) =>
  countedBy(tasks.map(({ titleHash }) => titleHash)),
)

function countedBy(titles: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1)
  return counts
}

/** A reading of a plan, or that there is none. */
export type PlanThere =
  | { readonly kind: "read"; readonly plan: Pick<Plan, "tasks"> }
  | { readonly kind: "unavailable" }

const byOnlyTitle = onceAReading((tasks: readonly Task[]) => onlyOnes(tasks))

/** By title, those whose title is unique. */
function onlyOnes<Known extends ToldTask>(tasks: readonly Known[]): ReadonlyMap<string, Known> {
  const only = new Map<string, Known>()
  const shared = new Set<string>()
  for (const task of tasks) {
    const title = task.titleHash ?? ""
    if (only.has(title)) shared.add(title)
    only.set(title, task)
  }
  for (const title of ["", ...shared]) only.delete(title)
  return only
}
