import type { Work } from "../boulder/boulder.ts"
import type { Plan } from "../plan/plan.ts"
import { unsettledTasks } from "./final-wave.ts"

/** Recorded sessions that stay at hand at most, whatever became of their tasks. */
const MAX_SESSIONS = 128

/** Keys of a work's records that are no longer needed at hand. */
export interface Departing {
  readonly sessions: ReadonlySet<string>
  readonly wave: ReadonlySet<string>
}

/**
 * Which task sessions and wave outcomes may leave `boulder.json`: those of closed shards (all tasks settled), the
 * oldest of settled or vanished tasks beyond a shard's worth, and the oldest of all beyond `MAX_SESSIONS`. A task
 * whose session has left is offered a fresh one.
 */
export function departing(plan: Plan, work: Work, shardSize: number): Departing {
  const open = new Set(unsettledTasks(plan, work).map((task) => task.key))
  const closed = closedKeys(plan, open, shardSize)
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
  const known = new Set(plan.tasks.map((task) => task.key))
  const rows = Object.entries(work.final_wave).map(([key, { at }]) => ({ key, at }))
  const vanished = rows.filter(({ key }) => !known.has(key))
  return { sessions: new Set(leaving), wave: new Set(oldestBeyond(vanished, shardSize)) }
}

function closedKeys(plan: Plan, open: ReadonlySet<string>, shardSize: number): ReadonlySet<string> {
  const closed = new Set<string>()
  for (let first = 0; first < plan.tasks.length; first += shardSize) {
    const shard = plan.tasks.slice(first, first + shardSize).map((task) => task.key)
    if (shard.some((key) => open.has(key))) continue
    for (const key of shard) closed.add(key)
  }
  return closed
}

interface Dated {
  readonly key: string
  readonly at: string
}

/** All but the last `keep`. */
function oldestBeyond(records: readonly Dated[], keep: number): readonly string[] {
  const oldestFirst = records.toSorted((a, b) => a.at.localeCompare(b.at))
  return oldestFirst.slice(0, Math.max(0, records.length - keep)).map(({ key }) => key)
}
