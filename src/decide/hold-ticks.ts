// Decides which ticks are held back if `ticks` asks for proof, and how often.
import type { Work } from "../boulder/boulder.ts"
import { followTasks } from "../boulder/follow-tasks.ts"
import { MAX_HOLDS, withoutHold } from "../boulder/held-plan.ts"
import { onceAReading } from "../plan/model/once-a-reading.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"
import type { Standing } from "./decision.ts"
import { isAnswered } from "./progress.ts"
import type { Proof } from "./proof/proof.ts"
import type { LastTurn } from "./situation.ts"

type Hold = NonNullable<Work["held"]>[string]

/** A work remembers this many held tasks; others are held once these are settled. */
const MAX_HELD = 2_000
const MAX_WHY = 400

/**
 * Holds each ticked task that its checks do not prove, and releases those that are proven by now or that a person has approved. A task that
 * is ticked again without proof is held once more, and so it is after each continuation that a model has answered (`countHolds`); the third
 * time it is blocked. A check that cannot run blocks its task at once. `whyOf` puts a standing into words.
 */
export function holdTicks(
  plan: Pick<Plan, "tasks">,
  proof: Proof,
  { fresh, whyOf }: { fresh: ReadonlySet<string>; whyOf: (standing: Standing) => string },
): (work: Work) => Work {
  const tasks = new Map(plan.tasks.map((task) => [task.key, withoutHold(task)]))
  const doubted = [...tasks.values()].flatMap((task) => {
    const isAsked = isSettled(task) && !proof.isTickProven(task)
    const standing = isAsked ? proof.of(task) : null
    return standing === null ? [] : [{ task, standing }]
  })
  const isStill = ([key, hold]: readonly [string, Hold]): boolean => {
    const task = tasks.get(key)
    if (task === undefined || task.titleHash !== hold.title_hash) return false
    // An approval covers only the tick that it was given for.
    return isSettled(task)
      ? hold.approved === true || (!proof.isTickProven(task) && proof.of(task) !== null)
      : hold.approved !== true
  }
  const follow = followTasks({ kind: "read", plan })
  return (known) => {
    const work = follow(known)
    const { held: before } = work
    const kept = new Map(Object.entries(before).filter(isStill))
    const holds = doubted.map(({ task, standing }) => {
      const still = kept.get(task.key)
      const isAgain = still === undefined || fresh.has(task.key)
      // A held task stays the same task under a new title.
      const other = before[task.key]
      const held = still ?? (other?.approved === true ? undefined : other)
      const times = timesOf(standing, (held?.times ?? 0) + (isAgain ? 1 : 0))
      const why = whyOf(standing).slice(0, MAX_WHY)
      const hold: Hold = { title_hash: task.titleHash, why, times, ...askedIn(held) }
      return [task.key, still?.approved === true ? still : hold] as const
    })
    const held = Object.fromEntries([...kept, ...holds].slice(0, MAX_HELD))
    return JSON.stringify(held) === JSON.stringify(before) ? work : { ...work, held }
  }
}

function timesOf({ tier }: Standing, times: number): number {
  return tier === "unavailable" ? MAX_HOLDS : Math.min(times, MAX_HOLDS)
}

/** Notes that a prompt which asks for the checks of held tasks is reserved; `countHolds` counts it once it is answered. */
export function askHolds(plan: Pick<Plan, "tasks">): (work: Work) => Work {
  return withHolds(([key, hold]) => (heldIn(plan.tasks).has(key) ? { ...hold, asked: true } : hold))
}

const heldIn = onceAReading(
  (tasks: readonly Task[]): ReadonlySet<string> =>
    new Set(tasks.flatMap(({ key, held }) => (held === undefined ? [] : [key]))),
)

/** The prompt is not sent after all: only what was asked before it remains asked. */
export function unaskHolds({ held: before }: Work): (work: Work) => Work {
  return withHolds(([key, hold]) => (before[key]?.asked === true ? hold : unasked(hold)))
}

/**
 * Holds once more what a prompt has asked for, after a model has answered it. A turn that failed or was cut off does not count, as it does
 * not for progress, and neither does the turn before the prompt.
 */
export function countHolds(turn: LastTurn | null): (work: Work) => Work {
  return (work) => {
    const isNew = turn !== null && turn.messageId !== work.continuation.counted_message_id
    if (!isNew || !isAnswered(turn) || turn.isSummary) return work
    return withHolds(([, hold]) =>
      hold.asked === true ? { ...unasked(hold), times: Math.min(hold.times + 1, MAX_HOLDS) } : hold,
    )(work)
  }
}

function askedIn(held: Hold | undefined): Pick<Hold, "asked"> {
  return held?.asked === true ? { asked: true } : {}
}

function unasked(hold: Hold): Hold {
  const { asked, ...rest } = hold
  return asked === undefined ? hold : rest
}

function withHolds(change: (entry: readonly [string, Hold]) => Hold): (work: Work) => Work {
  return (work) => {
    const held = Object.entries(work.held).map(([key, hold]) => [key, change([key, hold])] as const)
    return held.every(([key, hold]) => hold === work.held[key])
      ? work
      : { ...work, held: Object.fromEntries(held) }
  }
}

/** A person says that a held task is done. */
export function approveHeld(key: string): (work: Work) => Work {
  return (work) => {
    const hold = Object.hasOwn(work.held, key) ? work.held[key] : undefined
    return hold === undefined
      ? work
      : { ...work, held: { ...work.held, [key]: { ...hold, approved: true } } }
  }
}
