// Follows the tasks of a work into an edited plan.
import { findAgain, type KnownTask, matchTasks, type PlanThere } from "../plan/match-tasks.ts"
import { byKey, onceAReading } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import type { Dispatch, Work } from "./boulder.ts"

/**
 * Follows the tasks of a work into the plan as it is now: what is kept of a renumbered or moved task (its session, block, verdict and
 * running call) moves to its new key. A reworded task is another task: what is kept stays under the old title and no longer counts, except
 * a block that its note in the plan names. Whatever compares a work with a plan does this first. Following twice into the same plan changes
 * nothing, nor does a plan that cannot be read.
 */
export function followTasks(reading: PlanThere): (work: Work) => Work {
  if (reading.kind === "unavailable") return (work) => work
  const { tasks } = reading.plan
  const current = byKey(tasks)
  const isSame = ({ key, titleHash }: KnownTask) => current.get(key)?.titleHash === titleHash
  return (work) => {
    const known = knownIn(work)
    // The usual case: nobody has moved anything.
    if (Object.keys(work.blocked).length === 0 && known.every(isSame)) return work
    const moves = matchTasks(onceEach(known), { tasks }).flatMap((match) =>
      match.kind === "moved" ? [match] : [],
    )
    const noted = notedIn(work, tasks)
    if (moves.length === 0 && noted.size === 0) return work
    const there = new Map(moves.map(({ known, task }) => [idOf(known), task]))
    const newTask = (key: string, titleHash: string): Task | undefined =>
      there.get(idOf({ key, titleHash }))
    const keys = new Map(moves.map(({ known, task }) => [known.key, task.key]))
    return {
      ...work,
      current_window: windowIn(work).map(
        ({ key, titleHash }) =>
          (titleHash === null ? undefined : newTask(key, titleHash))?.key ?? key,
      ),
      task_sessions: moved(work.task_sessions, (key, session) => {
        const task = newTask(key, session.title_hash)
        return task && [task.key, { ...session, task_key: task.key, task_label: task.label }]
      }),
      final_wave: moved(work.final_wave, (key, row) => {
        const task = newTask(key, row.title_hash)
        return task && [task.key, row]
      }),
      blocked: moved(work.blocked, (key, id) => {
        const now = noted.get(id) ?? keys.get(key)
        return now === undefined ? undefined : [now, id]
      }),
      held: moved(work.held, (key, hold) => {
        const task = newTask(key, hold.title_hash)
        return task && [task.key, hold]
      }),
      dispatches: Object.fromEntries(
        Object.entries(work.dispatches).map(([call, dispatch]) => {
          const { task_key: key, title_hash: hash } = dispatch
          const task = key === null || hash === null ? undefined : newTask(key, hash)
          return [call, task === undefined ? dispatch : { ...dispatch, task_key: task.key }]
        }),
      ),
    }
  }
}

/**
 * For views of a followed work: a running call whose task is no longer in the plan counts as a call of no task, since its key may be
 * another's by now. Never written: the next edit may bring the task back.
 */
export function withoutGone(reading: PlanThere): (work: Work) => Work {
  if (reading.kind === "unavailable") return (work) => work
  return (work) => {
    const calls = Object.entries(work.dispatches)
    const isGone = ({ task_key: key, title_hash: titleHash }: Dispatch): boolean =>
      key !== null && findAgain(reading.plan, { key, titleHash }) === null
    if (!calls.some(([, call]) => isGone(call))) return work
    const shown = calls.map(([id, call]) => [
      id,
      isGone(call) ? { ...call, task_key: null, title_hash: null } : call,
    ])
    return { ...work, dispatches: Object.fromEntries(shown) }
  }
}

/**
 * Whether a plan belongs to a work, judged by its tasks alone: those that the work remembers, and those of its shard as last shown. The
 * plan must have all of them and the same number in all: plans made from one template share most of their rows.
 */
export function hasTasksOf(
  work: Work,
  shard: readonly KnownTask[],
  { tasks, counts }: Pick<Plan, "tasks" | "counts">,
): boolean {
  const known = onceEach([...knownIn(work), ...shard])
  const found = matchTasks(known, { tasks }).filter(
    ({ kind }) => kind === "same" || kind === "moved",
  )
  const hasAll = found.length === known.length && counts.total === work.total_count
  return hasAll && known.length > 0
}

const withWords = onceAReading((tasks: readonly Task[]) =>
  tasks.filter(({ note }) => note?.words != null),
)

/** The one task whose note in the plan names a record: the record belongs to that task, whatever its row says now. */
export function notedTask(tasks: readonly Task[], id: string): Task | null {
  const [task, ...others] = withWords(tasks).filter(({ note }) => note?.words?.includes(id))
  return task === undefined || others.length > 0 ? null : task
}

/** The keys that blocks move to, by their records. */
function notedIn({ blocked }: Work, tasks: readonly Task[]): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(blocked).flatMap(([key, id]) => {
      const task = notedTask(tasks, id)
      return task === null || task.key === key ? [] : [[id, task.key]]
    }),
  )
}

/** The tasks that a work remembers anything about. */
function knownIn(work: Work): readonly KnownTask[] {
  const { task_sessions, final_wave, dispatches, held } = work
  const all = [
    ...Object.entries(task_sessions).map(([key, { title_hash }]) => [key, title_hash] as const),
    ...Object.entries(final_wave).map(([key, { title_hash }]) => [key, title_hash] as const),
    ...Object.entries(held).map(([key, { title_hash }]) => [key, title_hash] as const),
    ...Object.values(dispatches).map(({ task_key, title_hash }) => [task_key, title_hash] as const),
    ...windowIn(work).map(({ key, titleHash }) => [key, titleHash] as const),
  ]
  return all.flatMap(([key, titleHash]) =>
    key === null || titleHash === null ? [] : [{ key, titleHash }],
  )
}

function onceEach(known: readonly KnownTask[]): readonly KnownTask[] {
  return [...new Map(known.map((task) => [idOf(task), task])).values()]
}

/** The window as last seen. */
export function windowIn({ current_window: keys, window_titles: titles }: Work) {
  return keys.map((key, at) => ({ key, titleHash: titles[at] ?? null }))
}

function idOf({ key, titleHash }: KnownTask): string {
  return `${key} ${titleHash}`
}

/** Moves entries to their new keys; entries that stood there are dropped. */
function moved<Value>(
  entries: Readonly<Record<string, Value>>,
  moveOf: (key: string, value: Value) => readonly [string, Value] | undefined,
): Record<string, Value> {
  const entered = Object.entries(entries).map(([key, value]) => ({
    stays: [key, value] as const,
    goes: moveOf(key, value),
  }))
  return Object.fromEntries([
    ...entered.flatMap(({ stays, goes }) => (goes === undefined ? [stays] : [])),
    ...entered.flatMap(({ goes }) => (goes === undefined ? [] : [goes])),
  ])
}
