// Ticks that are seen for the first time, and what each stands on.
import { withoutHold } from "../boulder/held-plan.ts"
import type { ProofEntry } from "../boulder/proof-entry.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import type { EditedJudges, Standing, UnprovenTick } from "./decision.ts"
import { proofOf } from "./proof.ts"
import type { SessionMemory } from "./session-memory.ts"

/** What a look at a plan's ticks gives to be written down, and which of the new ones are not proven. */
export interface SeenTicks {
  readonly added: readonly ProofEntry[]
  readonly unproven: readonly UnprovenTick[]
  readonly edited: readonly EditedJudges[]
}

/**
 * Looks for ticks that were not seen yet, of tasks with checks and of those for which nothing was done, and for those that
 * were taken back. `at` is an ISO 8601
 * time; the ticks of `untold` were seen before, and nobody was told of them yet.
 */
export function seeTicks(
  plan: Pick<Plan, "tasks">,
  entries: readonly ProofEntry[],
  at: string,
  untold: SessionMemory["untold"] = [],
): SeenTicks {
  const proof = proofOf(plan, entries)
  const tasks = plan.tasks.map(withoutHold)
  const back = tasks.filter((task) => task.state !== "done" && proof.isTickKnown(task))
  const ticked = tasks.flatMap((task): readonly UnprovenTick[] => {
    if (task.state !== "done" || proof.isTickProven(task)) return []
    const isNothingDone = proof.isNothingDone(task)
    const standing = proof.of(task) ?? (isNothingDone ? NO_CHECK : null)
    return standing === null ? [] : [{ task, standing, ...(isNothingDone && { isNothingDone }) }]
  })
  const fresh = ticked.filter(({ task }) => !proof.isTickKnown(task))
  const toTell = ticked.filter(({ task }) => !proof.isTickKnown(task) || untold.includes(task.key))
  // One that was not proven when it was ticked may be by now.
  const since = ticked.filter(
    ({ task, standing }) => proof.isTickKnown(task) && standing.tier === "proven",
  )
  return {
    added: [
      ...back.map((task) => ({ kind: "reopened" as const, at, task: named(task) })),
      ...[...fresh, ...since].map(({ task, standing }) => tickOf(task, at, standing.tier)),
    ],
    edited: toTell.flatMap(({ task }) => {
      const files = proof.judgesEdited(task)
      return files.length === 0 ? [] : [{ taskKey: task.key, files }]
    }),
    unproven: toTell.filter(({ standing }) => standing.tier !== "proven"),
  }
}

/** How a task stands that has no check. */
const NO_CHECK: Standing = { tier: "claimed", check: "", run: null, changed: null, replaced: null }

/** The ticks of tasks with checks that were there before a work began: nobody has claimed them in it. */
export function ticksBefore({ tasks }: Pick<Plan, "tasks">, at: string): readonly ProofEntry[] {
  return tasks
    .filter(({ checks, state }) => checks !== undefined && state === "done")
    .map((task) => tickOf(task, at, "before"))
}

function tickOf(task: Task, at: string, tier: (ProofEntry & { kind: "tick" })["tier"]): ProofEntry {
  return { kind: "tick", at, task: named(task), tier }
}

function named({ key, titleHash }: Task) {
  return { key, title_hash: titleHash }
}
