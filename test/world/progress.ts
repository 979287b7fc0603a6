// What counts as progress in a world, by what has really happened.
import { OLD_PLAN } from "./older-state.ts"
import type { World } from "./world.ts"
import { RENAMED, rowsOf, SIDE } from "./world-plan.ts"

/** A text of everything that counts as progress. Equal texts mean that nothing has moved. */
export function progressOf(world: World): string {
  const texts = [
    world.plan,
    ...[SIDE, RENAMED, OLD_PLAN].map((path) => world.disk.textOf(path) ?? ""),
  ]
  const marks = texts.flatMap((text) => rowsOf(text)).map(({ title, state }) => `${title} ${state}`)
  const handoffs = world.disk.paths().filter((path) => /handoffs\/.*\.json$/.test(path))
  const saved = handoffs.map((path) => world.disk.textOf(path))
  const results = world.ledger.calls.filter(
    ({ state, names }) => state === "returned" && names.some(Boolean),
  )
  return JSON.stringify([marks, saved, results.length, world.tree])
}
