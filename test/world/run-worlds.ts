// Runs random worlds until a limit, or until one breaks a rule; that one is made as short as possible.
import fc from "fast-check"
import { arbitraryWorld } from "./arbitrary-world.ts"
import { runWorld, type WorldEnd, type WorldPlan } from "./run-world.ts"

/** A world that broke a rule, at its shortest. */
export interface Failure {
  readonly seed: number
  readonly world: WorldPlan
  readonly end: WorldEnd
}

/** How far the worlds have come. */
export interface Tally {
  worlds: number
  steps: number
  /** The statuses of the works at the ends of their worlds. */
  readonly statuses: Record<string, number>
}

const BATCH = 20
const STEPS = 40
/** How long to look for a shorter story. */
const SHRINKING_SECONDS = 20

/** For how long or how many, and from which seed. */
interface Bounds {
  readonly seconds?: number
  readonly worlds?: number
  readonly seed: number
  readonly shrinkingSeconds?: number
}

/** Runs worlds until `seconds` are over, `worlds` are played or one breaks a rule. `told` is called after each batch. */
export async function runWorlds(
  bounds: Bounds,
  told: (tally: Tally) => void = () => undefined,
): Promise<{ readonly tally: Tally; readonly failure: Failure | null }> {
  const { seconds = Infinity, worlds = Infinity, seed } = bounds
  const { shrinkingSeconds = SHRINKING_SECONDS } = bounds
  const end = performance.now() + seconds * 1_000
  const tally: Tally = { worlds: 0, steps: 0, statuses: {} }
  for (let batch = seed; performance.now() < end && tally.worlds < worlds; batch++) {
    const failure = await runBatch(batch, tally, shrinkingSeconds * 1_000)
    told(tally)
    if (failure !== null) return { tally, failure }
  }
  return { tally, failure: null }
}

async function runBatch(seed: number, tally: Tally, shrinkingMs: number): Promise<Failure | null> {
  let until: number | null = null
  const checked = await fc.check(
    fc.asyncProperty(arbitraryWorld(STEPS), async (world) => {
      if (until !== null && performance.now() > until) return
      const end = await runWorld(world)
      if (until === null) count(tally, end)
      if (end.broken !== null) until ??= performance.now() + shrinkingMs
      if (end.broken !== null) throw new Error(storyOf(end))
    }),
    { seed, numRuns: BATCH },
  )
  const world = checked.counterexample?.[0]
  if (world === undefined) return null
  return { seed, world, end: await runWorld(world) }
}

function count(tally: Tally, { story, status }: WorldEnd): void {
  tally.worlds += 1
  tally.steps += story.length
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
}

/** A world's story for a person: one line for each step, then the rule that was broken, and how. */
export function storyOf({ story, broken }: WorldEnd): string {
  const names = new Map<string, string>()
  const short = (text: string) =>
    text.replace(/(ses|msg|per|que)_[0-9a-f]{12}A{14}/g, (id, kind: string) => {
      const known = names.get(id)
      const name = known ?? `${KINDS[kind]} ${String.fromCharCode(65 + names.size)}`
      names.set(id, name)
      return name
    })
  const lines = story.map((line, at) => `${String(at).padStart(3)}  ${short(line)}`)
  const end = broken === null ? [] : [`BROKEN: ${broken.rule}`, `     ${short(broken.words)}`]
  return [...lines, ...end].join("\n")
}

const KINDS: Readonly<Record<string, string>> = {
  ses: "session",
  msg: "message",
  per: "permission",
  que: "question",
}
