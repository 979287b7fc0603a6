// Which task sessions and wave outcomes a work no longer needs.
import type { Unneeded } from "../boulder/archive-settled.ts"
import type { Work } from "../boulder/boulder.ts"
import { byKey } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { type Shard, shardOf, tasksOf } from "../plan/shard-plan.ts"
import { unsettledIn } from "./final-wave.ts"

/** At most this many recorded sessions stay at hand, whatever became of their tasks. */
const MAX_SESSIONS = 128

/** The plan's shards, and how many tasks a shard usually has. */
interface Sharding {
  readonly shards: readonly Shard[]
  readonly shardSize: number
}

/**
 * Which task sessions and wave outcomes may leave `boulder.json`: those of closed shards (all tasks settled), the oldest of settled or
 * vanished tasks beyond a shard's worth, and the oldest of all beyond `MAX_SESSIONS`. A task whose session has left is offered a fresh one.
 */
export function departing(plan: Plan, work: Work, { shards, shardSize }: Sharding): Unneeded {
  const near = shardsWithRecords(shards, plan, work)
  const isOpen = unsettledIn(plan, work)
  const open = keysOf(near.flat().filter(isOpen))
  const closed = keysOf(near.filter((tasks) => !tasks.some(isOpen)).flat())
  const sessions = Object.values(work.task_sessions).map(({ task_key, updated_at }) => ({
    key: task_key,
    at: updated_at,
  }))
  const staying = sessions.filter(({ key }) => !closed.has(key))
  const spare = oldestBeyond(
    staying.filter(({ key }) => !open.has(key)),
    shardSize,
  )
  const needed = staying.filter(({ key }) => !spare.includes(key))
  const leaving = [...closed, ...spare, ...oldestBeyond(needed, MAX_SESSIONS)]
  const rows = Object.entries(work.final_wave).map(([key, { at }]) => ({ key, at }))
  const vanished = rows.filter(({ key }) => !byKey(plan.tasks).has(key))
  return { sessions: new Set(leaving), wave: new Set(oldestBeyond(vanished, shardSize)) }
}

/** The tasks of each shard that has a record: in a large plan few have one, so only these are examined. */
function shardsWithRecords(
  shards: readonly Shard[],
  { tasks }: Plan,
  work: Work,
): readonly (readonly Task[])[] {
  const keys = Object.keys(work.task_sessions)
  const numbers = new Set(keys.map((key) => shardOf(tasks, shards, { key })))
  return shards.filter(({ number }) => numbers.has(number)).map((shard) => tasksOf(tasks, shard))
}

function keysOf(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.map(({ key }) => key))
}

interface Dated {
  readonly key: string
  readonly at: string
}

/** All but the newest `keep`. */
function oldestBeyond(records: readonly Dated[], keep: number): readonly string[] {
  const oldestFirst = records.toSorted((a, b) => a.at.localeCompare(b.at))
  return oldestFirst.slice(0, Math.max(0, records.length - keep)).map(({ key }) => key)
}
