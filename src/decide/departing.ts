// Which task sessions and wave outcomes a work no longer needs.
import type { Work } from "../boulder/boulder.ts"
import { byKey } from "../plan/model/once-a-reading.ts"
import type { Plan } from "../plan/model/plan.ts"
import { type Shard, shardOf } from "../plan/shard-plan.ts"
import { unsettledIn } from "./final-wave.ts"

/** At most this many recorded sessions stay at hand, whatever became of their tasks. */
const MAX_SESSIONS = 128

/** The plan's shards, and how many tasks a shard usually has. */
interface Sharding {
  readonly shards: readonly Shard[]
  readonly shardSize: number
}

/** Keys of records that a work no longer needs at hand. */
export interface Departing {
  readonly sessions: ReadonlySet<string>
  readonly wave: ReadonlySet<string>
}

/**
 * Which task sessions and wave outcomes may leave `boulder.json`: those of closed shards (all tasks settled), the oldest of settled or
 * vanished tasks beyond a shard's worth, and the oldest of all beyond `MAX_SESSIONS`. A task whose session has left is offered a fresh one.
 */
export function departing(plan: Plan, work: Work, { shards, shardSize }: Sharding): Departing {
  const near = shardsWithRecords(shards, work)
  const open = openAmong(near, plan, work)
  const closed = closedKeys(near, open)
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

/** In a large plan few tasks have a record, so only their shards are examined. */
function shardsWithRecords(shards: readonly Shard[], work: Work): readonly Shard[] {
  const keys = Object.keys(work.task_sessions)
  const numbers = new Set(keys.map((key) => shardOf(shards, { key })))
  return shards.filter(({ number }) => numbers.has(number))
}

function openAmong(shards: readonly Shard[], plan: Plan, work: Work): ReadonlySet<string> {
  const isOpen = unsettledIn(plan, work)
  const open = shards.flatMap(({ tasks }) => tasks.filter(isOpen))
  return new Set(open.map(({ key }) => key))
}

function closedKeys(shards: readonly Shard[], open: ReadonlySet<string>): ReadonlySet<string> {
  const closed = shards.filter(({ tasks }) => !tasks.some(({ key }) => open.has(key)))
  return new Set(closed.flatMap(({ tasks }) => tasks.map(({ key }) => key)))
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
