// Runs a world, step by step, and checks after each step what must hold.
import { ATTRIBUTION_RULES } from "./attribution-rules.ts"
import { BOUND_RULES } from "./bound-rules.ts"
import { HARD_TIMES } from "./hard-times.ts"
import type { Invariant } from "./invariant.ts"
import { LIVE_RUN, RUN_RULES } from "./live-run.ts"
import { whatIsDead } from "./liveness.ts"
import { ODD_ACTS } from "./odd-acts.ts"
import { ODD_RULES } from "./odd-rules.ts"
import { HOST_ACTS, MODEL_ACTS, TIME_ACTS } from "./other-acts.ts"
import type { Pick } from "./parking.ts"
import { PROMPT_RULES } from "./prompt-rules.ts"
import { loadAll } from "./replaced-modules.ts"
import { SECOND_PLAN_ACTS } from "./second-plan-acts.ts"
import type { Play, Step } from "./step.ts"
import { USER_ACTS } from "./user-acts.ts"
import { WORK_RULES } from "./work-rules.ts"
import { World, type WorldBegin } from "./world.ts"

/** A world as plain data: the same data give the same world. */
export interface WorldPlan {
  readonly begin: WorldBegin
  readonly steps: readonly Step[]
}

/** The result of a world. */
export interface WorldEnd {
  /** One line for each step that did something. */
  readonly story: readonly string[]
  /** The rule that was broken, and how; null if all held. */
  readonly broken: { readonly rule: string; readonly words: string } | null
  /** The status of the work at the end. */
  readonly status: string
}

const ACTS: Readonly<Record<string, Play<World>>> = {
  ...USER_ACTS,
  ...MODEL_ACTS,
  ...HOST_ACTS,
  ...TIME_ACTS,
  ...ODD_ACTS,
  ...SECOND_PLAN_ACTS,
  ...HARD_TIMES,
  ...LIVE_RUN,
}
const RULES: readonly Invariant[] = [
  ...PROMPT_RULES,
  ...ATTRIBUTION_RULES,
  ...WORK_RULES,
  ...ODD_RULES,
  ...BOUND_RULES,
  ...RUN_RULES,
]
/** Time between two steps, in ms. */
const STEP_MS = 20
const START: Step = { act: "starts", a: 0, b: 0, c: 0, hold: null, order: 0 }
const A_SECOND: Step = { act: "passes", a: 1, b: 0, c: 0, hold: null, order: 0 }

/** No world takes this long in real time, however busy the machine. One that does waits for something that never comes. */
const MOST_SECONDS = 240
/** The system's own: a world has a clock of its own. */
const realTimeout = globalThis.setTimeout
const clearRealTimeout = globalThis.clearTimeout

/** Plays a world until a rule is broken or its steps are done. */
export async function runWorld({ begin, steps }: WorldPlan): Promise<WorldEnd> {
  const world = new World(begin)
  const story: string[] = [
    `A plan of ${begin.tasks} tasks and ${begin.reviews} reviews; options ${JSON.stringify(begin.options)}${begin.repeatsIds ? "; call ids that repeat" : ""}.`,
  ]
  await loadAll()
  let timer: ReturnType<typeof setTimeout> | undefined
  const hung = new Promise<WorldEnd["broken"]>((resolve) => {
    const words = `it has not ended within ${MOST_SECONDS} s of real time`
    timer = realTimeout(() => resolve({ rule: "a world ends", words }), MOST_SECONDS * 1_000)
  })
  world.open()
  try {
    const broken = await Promise.race([play(world, steps, story), hung])
    return { story, broken, status: world.work?.status ?? "none" }
  } finally {
    world.close()
    clearRealTimeout(timer)
  }
}

async function play(
  world: World,
  steps: readonly Step[],
  story: string[],
): Promise<WorldEnd["broken"]> {
  await world.start()
  // State of an older format is upgraded after a short time of its own.
  const begin = world.begin.older === "none" ? [START] : [START, A_SECOND]
  for (const step of [...begin, ...steps]) {
    const line = await played(world, step)
    if (line === null) continue
    story.push(line)
    await letGo(world, step)
    const broken = brokenRule(world)
    if (broken !== null) return broken
  }
  const dead = await whatIsDead(world)
  return dead === null ? brokenRule(world) : { rule: "liveness", words: dead }
}

/** If an act cannot be done, something else is: a model works, or time passes. */
async function played(world: World, step: Step): Promise<string | null> {
  for (const act of [step.act, "works", "passes"]) {
    const line = await ACTS[act]?.(world, step)
    if (line != null) return line
  }
  return null
}

async function letGo(world: World, { hold, order }: Step): Promise<void> {
  const pick = pickOf(order)
  world.clock.tick(STEP_MS)
  if (hold === null) {
    await world.parking.settle(order === 0 ? undefined : pick)
    if (world.ledger.stopped !== null) world.ledger.stopped.isArmed = true
  } else await world.parking.letGo(hold, pick)
}

/** Choices that are the same for the same seed; for 0 always the oldest. */
function pickOf(seed: number): Pick {
  let state = seed
  return (n) => {
    if (seed === 0) return 0
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % n
  }
}

function brokenRule(world: World): WorldEnd["broken"] {
  for (const { name, broken } of RULES) {
    const words = broken(world)
    if (words !== null) return { rule: name, words }
  }
  world.ledger.saidBefore = world.ledger.said.length
  return null
}
