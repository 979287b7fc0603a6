// `npm run world -- --minutes 60 [--seed N]`: plays random worlds for a long time, and shows their progress.
import { readFile } from "node:fs/promises"
import process from "node:process"
import { parseArgs } from "node:util"
import { runWorld } from "./run-world.ts"
import { runWorlds, storyOf, type Tally } from "./run-worlds.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string" },
    /** Prints one line of JSON at the end, for the proof. */
    brief: { type: "boolean", default: false },
    /** A file with a world: plays only that one. */
    world: { type: "string" },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000_000)
const begun = performance.now()
const STEP_MS = 10_000
const BRIEF_SECONDS = 6
let toldAt = begun

if (values.world !== undefined) {
  const end = await runWorld(JSON.parse(await readFile(values.world, "utf8")))
  console.log(values.brief ? JSON.stringify(end.broken) : storyOf(end))
  process.exit(0)
}
console.log(`Worlds for ${values.minutes} minutes from seed ${seed}.`)
const { tally, failure } = await runWorlds(
  {
    seconds: Number(values.minutes) * 60,
    seed,
    ...(values.brief ? { shrinkingSeconds: BRIEF_SECONDS } : {}),
  },
  (now) => {
    if (performance.now() - toldAt < STEP_MS) return
    toldAt = performance.now()
    console.log(wordsOf(now))
  },
)
console.log(wordsOf(tally))
if (values.brief) {
  const { rule = null, words = "" } = failure?.end.broken ?? {}
  const story = failure?.end.story.length ?? 0
  const { worlds, steps } = tally
  console.log(JSON.stringify({ worlds, steps, rule, words, story, world: failure?.world ?? null }))
} else if (failure !== null) {
  console.log(
    `\nSeed ${failure.seed}:\n${storyOf(failure.end)}\n\n${JSON.stringify(failure.world)}`,
  )
  process.exitCode = 1
}

function wordsOf({ worlds, steps, statuses }: Tally): string {
  const minutes = (performance.now() - begun) / 60_000
  const ends = Object.entries(statuses).map(([status, count]) => `${count} ${status}`)
  return `${minutes.toFixed(1)} min: ${worlds} worlds, ${steps} steps (${Math.round(worlds / minutes)} worlds/min, ${Math.round(steps / minutes)} steps/min); at their ends ${ends.join(", ")}`
}
