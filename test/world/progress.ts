// What counts as progress in a world, by what has really happened.
import type { World } from "./world.ts"
import { rowsOf } from "./world-plan.ts"

/** Equal texts: nothing has moved. */
export function progressOf(world: World): string {
  const marks = rowsOf(world.plan).map(({ title, state }) => `${title} ${state}`)
  const handoffs = world.disk.paths().filter((path) => /handoffs\/.*\.json$/.test(path))
  const texts = handoffs.map((path) => world.disk.textOf(path))
  const results = world.ledger.calls.filter(
    ({ state, names }) => state === "returned" && names.some(Boolean),
  )
  return JSON.stringify([marks, texts, results.length, world.tree])
}
