// Tells what waits for what, and what waits in a circle.
import { addTo } from "./once.ts"

/** For each name, the names of what comes first. */
export type Waits = ReadonlyMap<string, readonly string[]>

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
