import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { runWorld, type WorldPlan } from "./run-world.ts"
import { runWorlds, storyOf } from "./run-worlds.ts"

/** A world that has broken a rule before, and what it was about. */
interface Kept {
  readonly about: string
  readonly world: WorldPlan
}

/** How many worlds, in batches of 20. `npm test` plays as many as take two minutes. */
const WORLDS = Number(process.env["WORLDS"] ?? 20)
/**
 * The same each time: a change fails because of what it has changed, never because of when it was tested, and a failure can be played
 * again. `npm run world` plays others for as long as one likes.
 */
const SEED = Number(process.env["WORLD_SEED"] ?? 20_261_122)
/** A batch takes about 10 s on one core. */
const WORLD_MS = 3_000
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
  `${WORLDS} random worlds`,
  async () => {
    console.log(`WORLD_SEED=${SEED}`)
    const { tally, failure } = await runWorlds({ worlds: WORLDS, seed: SEED })
    console.log(`${tally.worlds} worlds of ${tally.steps} steps, ${JSON.stringify(tally.statuses)}`)
    if (failure !== null)
      throw new Error(
        `WORLD_SEED=${failure.seed}\n${storyOf(failure.end)}\n${JSON.stringify(failure.world)}`,
      )
    expect(tally.worlds).toBeGreaterThanOrEqual(WORLDS)
  },
  WORLDS * WORLD_MS + SHRINKING_MS,
)
