import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { runWorld, type WorldPlan } from "./run-world.ts"
import { runWorlds, storyOf } from "./run-worlds.ts"

/** A world that has broken a rule before, and what it was about. */
interface Kept {
  readonly about: string
  readonly world: WorldPlan
}

/** For so long; `npm test` gives them two minutes. */
const SECONDS = Number(process.env["WORLD_SECONDS"] ?? 10)
/** Others each time; a seed that is given begins with the worlds that it has made before. */
const SEED = Number(process.env["WORLD_SEED"] ?? Date.now() % 1_000_000_000)
/** For the shortest story of one that breaks a rule, on a busy machine. */
const SHRINKING_MS = 240_000
const kept: readonly Kept[] = JSON.parse(
  await readFile(new URL("seeds.json", import.meta.url), "utf8"),
)

test(`${kept.length} worlds that have broken a rule before`, async () => {
  for (const { about, world } of kept) {
    const end = await runWorld(world)
    if (end.broken !== null) throw new Error(`${about}\n${storyOf(end)}`)
  }
}, 600_000)

test(
  `random worlds for ${SECONDS} s`,
  async () => {
    console.log(`WORLD_SEED=${SEED}`)
    const { tally, failure } = await runWorlds({ seconds: SECONDS, seed: SEED })
    console.log(`${tally.worlds} worlds of ${tally.steps} steps, ${JSON.stringify(tally.statuses)}`)
    if (failure !== null)
      throw new Error(
        `WORLD_SEED=${failure.seed}\n${storyOf(failure.end)}\n${JSON.stringify(failure.world)}`,
      )
    expect(tally.worlds).toBeGreaterThan(0)
  },
  SECONDS * 1_000 + SHRINKING_MS,
)
