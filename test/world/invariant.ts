// What must hold in every world, whatever happens in it.
import type { World } from "./world.ts"

/** A named rule. `broken` says in words what breaks it in a world as it is; null if it holds. */
export interface Invariant {
  readonly name: string
  readonly broken: (world: World) => string | null
}

/** The words for the first element that breaks the rule; null if none does. */
export function firstBroken<One>(
  list: readonly One[],
  broken: (one: One) => string | null,
): string | null {
  for (const one of list) {
    const words = broken(one)
    if (words !== null) return words
  }
  return null
}
