// Follows the tasks of a work into a plan that was edited.
import { findAgain, type KnownTask, matchTasks, type PlanThere } from "../plan/match-tasks.ts"
import { byKey, onceAReading } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import type { Dispatch, Work } from "./boulder.ts"

/**
 * Follows the tasks of a work into the plan as it is now: what is kept of one that was renumbered or moved (its
 * session, its block, its verdict, its call in flight) goes to its new key. A reworded task is another one: what is
 * kept stays under the old title, and counts no more but for a block, which its note in the plan names. Whatever
 * compares what a work remembers with a plan asks this first; followed twice into one plan, a work is as it was, and so
 * it is where the plan cannot be read.
 */
export function followTasks(reading: PlanThere): (work: Work) => Work {
  if (reading.kind === "unavailable") return (work) => work
  const { tasks } = reading.plan
  const current = byKey(tasks)
  const isSame = ({ key, titleHash }: KnownTask) => current.get(key)?.titleHash === titleHash
  return (work) => {
    const known = knownIn(work)
    // As it mostly is: nobody has moved anything.
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
      ...(work.held === undefined
        ? {}
        : {
            held: moved(work.held, (key, hold) => {
              const task = newTask(key, hold.title_hash)
              return task && [task.key, hold]
            }),
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
 * For whoever shows a followed work: a call under way whose task the plan has no more is one of no task, since its key may
 * be another's by now. Never written: the next edit may bring the task back.
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
 * Whether a plan is that of a work, by its tasks alone: those that the work remembers, and those of its shard as it was
 * shown last. It has them all and as many in all: plans that one template made have most of their rows in common.
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

/** The one task whose note in the plan names a record: that goes with its task, whatever its row says by now. */
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

/** The tasks that a work remembers something of. */
function knownIn(work: Work): readonly KnownTask[] {
  const { task_sessions, final_wave, dispatches, held = {} } = work
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

/** The window as it was seen last. */
export function windowIn({ current_window: keys, window_titles: titles = [] }: Work) {
  return keys.map((key, at) => ({ key, titleHash: titles[at] ?? null }))
}

function idOf({ key, titleHash }: KnownTask): string {
  return `${key} ${titleHash}`
}

/** The entries with those that move under their new keys, and what was left there goes. */
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
