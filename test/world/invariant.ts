// What must hold in every world, whatever happens in it.
import type { World } from "./world.ts"

/** A rule by its name; `broken` gives what breaks it in a world as it stands, in words; null where it holds. */
export interface Invariant {
  readonly name: string
  readonly broken: (world: World) => string | null
}

/** What the first of these gives that is broken. */
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
