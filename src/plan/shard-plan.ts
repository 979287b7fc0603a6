// Cuts a plan into shards of 10 to 15 tasks.
import { placeFrom } from "./model/lines.ts"
import { onceAReading, oncePerPlan, placeOf } from "./model/once-a-reading.ts"
import type { Task } from "./model/plan.ts"

/** A shard has 10 to 15 tasks; a plan of fewer than 10, or of 16 to 19, cannot be cut that way. */
const LEAST = 10
const MOST = 15
const LENGTHS = Array.from({ length: MOST - LEAST + 1 }, (_, more) => LEAST + more)

/** A part of a plan, in its order. */
export interface Shard {
  /** From 1. */
  readonly number: number
  /** The place of its first task in the plan's list, and how many there are: no tick moves one. */
  readonly first: number
  readonly length: number
}

/**
 * Cuts a plan into shards of 10 to 15 tasks, at the border of a section or of the wave if that fits the size, else after `size` tasks. A
 * cut depends only on the tasks up to it and on how many are left: tasks added at the end leave the first shards as they are. States do not
 * matter, so a tick never moves a task. Linear, and done once for a plan and all versions that ticks make of it.
 */
export function shardPlan(tasks: readonly Task[], size: number): readonly Shard[] {
  const cuts = cutsOf(tasks)
  const shards = cuts.get(size) ?? cut(tasks, size)
  cuts.set(size, shards)
  return shards
}

/** By the size asked for. */
const cutsOf = oncePerPlan((_: readonly Task[]) => new Map<number, readonly Shard[]>())

function cut(tasks: readonly Task[], size: number): readonly Shard[] {
  const shards: Shard[] = []
  for (let first = 0; first < tasks.length; ) {
    const length = nextLength(tasks, first, size)
    shards.push({ number: shards.length + 1, first, length })
    first += length
  }
  return shards
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

/** The tasks of a shard, of these of its plan. */
export function tasksOf(tasks: readonly Task[], { first, length }: Shard): readonly Task[] {
  return tasks.slice(first, first + length)
}

/** The number of the shard that contains a task; 0 for a task of another plan. */
export function shardOf(
  tasks: readonly Task[],
  shards: readonly Shard[],
  { key }: Pick<Task, "key">,
): number {
  return placeFrom(firstsOf(shards), placeOf(tasks, key) + 1)
}

const firstsOf = onceAReading((shards: readonly Shard[]) => shards.map(({ first }) => first))
