// Cuts a plan into shards of 10 to 15 tasks.
import { noteTicked, onceAReading, oncePerPlan, unticked } from "./model/once-a-reading.ts"
import type { Task } from "./model/plan.ts"

/** A shard has 10 to 15 tasks; a plan of fewer than 10, or of 16 to 19, cannot be cut that way. */
const LEAST = 10
const MOST = 15
const LENGTHS = Array.from({ length: MOST - LEAST + 1 }, (_, more) => LEAST + more)

/** A part of a plan, in its order. */
export interface Shard {
  /** From 1. */
  readonly number: number
  readonly tasks: readonly Task[]
}

/**
 * Cuts a plan into shards of 10 to 15 tasks, at the border of a section or of the wave if that fits the size, else after `size` tasks. A
 * cut depends only on the tasks up to it and on how many are left: tasks added at the end leave the first shards as they are. States do not
 * matter, so a tick never moves a task. Linear, and done once a reading.
 */
export function shardPlan(tasks: readonly Task[], size: number): readonly Shard[] {
  const cuts = cutsOf(tasks)
  const known = cuts.get(size)
  if (known !== undefined) return known
  const before = unticked(tasks)
  const shards = before === tasks ? cut(tasks, size) : cutAs(shardPlan(before, size), tasks)
  cuts.set(size, shards)
  return shards
}

/** By the size asked for. */
const cutsOf = onceAReading((_: readonly Task[]) => new Map<number, readonly Shard[]>())

function cut(tasks: readonly Task[], size: number): readonly Shard[] {
  const shards: Shard[] = []
  for (let first = 0; first < tasks.length; ) {
    const length = nextLength(tasks, first, size)
    shards.push({ number: shards.length + 1, tasks: tasks.slice(first, first + length) })
    first += length
  }
  return shards
}

/** The shards of a plan after ticks. */
function cutAs(before: readonly Shard[], tasks: readonly Task[]): readonly Shard[] {
  let first = 0
  const shards = before.map(({ number, tasks: { length } }): Shard => {
    first += length
    return { number, tasks: tasks.slice(first - length, first) }
  })
  return noteTicked(shards, before)
}

function nextLength(tasks: readonly Task[], first: number, size: number): number {
  const left = tasks.length - first
  if (left <= MOST) return left
  const lengths = LENGTHS.filter((length) => canBeCut(left - length))
  const possible = lengths.length > 0 ? lengths : LENGTHS
  const atBorder = possible.filter((length) => isBorder(tasks, first + length))
  return nearest(atBorder.length > 0 ? atBorder : possible, size)
}

/** Whether this many tasks can be cut into shards of 10 to 15: 16 to 19 cannot. */
function canBeCut(count: number): boolean {
  return count >= 2 * LEAST || (count >= LEAST && count <= MOST)
}

function nearest(lengths: readonly number[], size: number): number {
  return lengths.reduce((best, length) =>
    Math.abs(length - size) < Math.abs(best - size) ? length : best,
  )
}

/** Whether another heading or section begins with the task at `index`. */
function isBorder(tasks: readonly Task[], index: number): boolean {
  const before = tasks[index - 1]
  const after = tasks[index]
  if (before === undefined || after === undefined) return false
  return before.group !== after.group || before.section !== after.section
}

/** The number of the shard that contains a task; 0 for a task of another plan. */
export function shardOf(shards: readonly Shard[], { key }: Pick<Task, "key">): number {
  return numbersOf(shards).get(key) ?? 0
}

const numbersOf = oncePerPlan((shards: readonly Shard[]): ReadonlyMap<string, number> => {
  const numbers = new Map<string, number>()
  for (const { number, tasks } of shards) for (const { key } of tasks) numbers.set(key, number)
  return numbers
})
