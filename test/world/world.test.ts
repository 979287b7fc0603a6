import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { runWorld, type WorldPlan } from "./run-world.ts"
import { runWorlds, storyOf } from "./run-worlds.ts"

/** A world that has broken a rule before, and what it was about. */
interface Kept {
  readonly about: string
  readonly world: WorldPlan
}

/** The same worlds each time, fewer on a slow machine: random ones are for `npm run world`. */
const SECONDS = Number(process.env["WORLD_SECONDS"] ?? 10)
const SEED = Number(process.env["WORLD_SEED"] ?? 1)
/** Of the seeds 1 to 20: see the one that is still to be decided below. */
const MOST = 400
const kept: readonly Kept[] = JSON.parse(
  await readFile(new URL("seeds.json", import.meta.url), "utf8"),
)

test(`${kept.length} worlds that have broken a rule before`, async () => {
  for (const { about, world } of kept) {
    const end = await runWorld(world)
    if (end.broken !== null) throw new Error(`${about}\n${storyOf(end)}`)
  }
}, 600_000)

test(`${MOST} worlds, or those of ${SECONDS} s, from seed ${SEED}`, async () => {
  const { tally, failure } = await runWorlds({ seconds: SECONDS, seed: SEED, most: MOST })
  console.log(`${tally.worlds} worlds of ${tally.steps} steps, ${JSON.stringify(tally.statuses)}`)
  if (failure !== null)
    throw new Error(
      `WORLD_SEED=${failure.seed}\n${storyOf(failure.end)}\n${JSON.stringify(failure.world)}`,
    )
  expect(tally.worlds).toBeGreaterThan(0)
}, 3_600_000)

// `WORLD_SEED=21 npm run test:world` plays it: behind an answered question the lead is prompted a third time, though two
// turns of ours have moved nothing. Whether the answer is progress, or the plugin prompts once too often, is not decided.
test.todo("the worlds of seed 21: no more than two turns of ours without progress")
