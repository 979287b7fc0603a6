// Tells what waits for what: circles, and waits of parts that do not apply to the whole.
import { addTo } from "./once.ts"

/** For each name, the names of what comes first. */
export type Waits = ReadonlyMap<string, readonly string[]>

/** States that a task, or a part of it, waits for another. */
export interface PartWait {
  readonly key: string
  /** Where it is stated: below a part's line it belongs to the part. */
  readonly line: number
  readonly first: string
  /** The lines of the parts that come first; empty for the whole other task. */
  readonly on: readonly number[]
}

/** If each waits only for earlier ones, as in most plans, there is no circle. */
export function isAscending(positions: ReadonlyMap<string, number>, of: Waits): boolean {
  for (const [key, firsts] of of) {
    const own = positions.get(key) ?? 0
    for (const first of firsts) if ((positions.get(first) ?? own) >= own) return false
  }
  return true
}

/** Those in a circle, and those that wait for one; none if all can be put in order. */
export function stuckIn(of: Waits): ReadonlySet<string> {
  const waiting = turnAround(of)
  const left = new Map([...of].map(([key, firsts]) => [key, firsts.length]))
  const ready = [...waiting.keys()].filter((key) => (left.get(key) ?? 0) === 0)
  for (let key = ready.pop(); key !== undefined; key = ready.pop()) {
    for (const next of waiting.get(key) ?? []) {
      const rest = (left.get(next) ?? 0) - 1
      left.set(next, rest)
      if (rest === 0) ready.push(next)
    }
  }
  return new Set([...left].flatMap(([key, rest]) => (rest > 0 ? [key] : [])))
}

/** These names, and all that wait for one of them. */
export function behind(
  names: readonly string[],
  waiting: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set(names)
  for (const name of found) for (const next of waiting.get(name) ?? []) found.add(next)
  return found
}

/** For each name, those that wait for it. */
export function turnAround(of: Waits): ReadonlyMap<string, string[]> {
  const waiting = new Map<string, string[]>()
  for (const [key, firsts] of of) for (const first of firsts) addTo(waiting, first, key)
  return waiting
}

/**
 * The waits that remain if a part's wait, or a wait for a part, does not apply to the whole: a circle of tasks may be none once each part
 * stands for itself. Null if it remains one.
 */
export function withoutParts(
  of: Waits,
  waits: readonly PartWait[],
  parts: readonly Part[],
): Waits | null {
  const linesOf = linesByTask(parts)
  const told = waits.map((wait) => ({ ...wait, part: partAt(wait, linesOf) }))
  if (stuckIn(apart(told, linesOf)).size > 0) return null
  const whole = new Set(
    told.flatMap(({ key, first, part, on }) =>
      part === undefined && on.length === 0 ? [`${key} ${first}`] : [],
    ),
  )
  const [behind, before] = [stuckIn(of), stuckIn(turnAround(of))]
  const isInCircle = (key: string) => behind.has(key) && before.has(key)
  const isKept = (key: string, first: string) =>
    !(isInCircle(key) && isInCircle(first)) || whole.has(`${key} ${first}`)
  return new Map(
    [...of].map(([key, firsts]) => [key, firsts.filter((first) => isKept(key, first))]),
  )
}

interface Part {
  readonly parentKey: string
  readonly line: number
}

function linesByTask(parts: readonly Part[]): ReadonlyMap<string, readonly number[]> {
  const linesOf = new Map<string, number[]>()
  for (const { parentKey, line } of parts) addTo(linesOf, parentKey, line)
  return linesOf
}

/** The line of the part that a wait belongs to; undefined for the task itself. */
function partAt({ key, line }: PartWait, linesOf: ReadonlyMap<string, readonly number[]>) {
  return linesOf.get(key)?.findLast((one) => one <= line)
}

/** The union of both sets of waits. */
export function joined(one: Waits, other: Waits): Waits {
  const keys = [...new Set([...one.keys(), ...other.keys()])]
  const firstsOf = (key: string) => [
    ...new Set([...(one.get(key) ?? []), ...(other.get(key) ?? [])]),
  ]
  return new Map(
    keys.map((key) => [key, firstsOf(key)] as const).filter(([, firsts]) => firsts.length > 0),
  )
}

interface Told extends PartWait {
  readonly part: number | undefined
}

/** A task's beginning comes before its parts, and these before its end. */
function apart(waits: readonly Told[], linesOf: ReadonlyMap<string, readonly number[]>): Waits {
  const of = new Map<string, string[]>()
  for (const [key, lines] of linesOf)
    for (const line of lines) {
      addTo(of, `part ${line}`, key)
      addTo(of, `end ${key}`, `part ${line}`)
    }
  const named = new Set(waits.flatMap(({ key, first }) => [key, first]))
  for (const key of named) addTo(of, `end ${key}`, key)
  for (const { key, first, part, on } of waits) {
    const firsts = on.length === 0 ? [`end ${first}`] : on.map((line) => `part ${line}`)
    for (const one of firsts) addTo(of, part === undefined ? key : `part ${part}`, one)
  }
  return of
}
