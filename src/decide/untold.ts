// Keeps track of unproven ticks and changed checks that a lead has not been told of yet.
import { type KnownTask, keyNow } from "../plan/match-tasks.ts"
import { byKey } from "../plan/model/once-a-reading.ts"
import type { Plan } from "../plan/model/plan.ts"
import type { TickNews } from "./decision.ts"

/** A tick or a change of checks that nobody was told of yet. */
export interface Untold extends KnownTask {
  readonly of: "tick" | "checks"
}

type Telling = Pick<Untold, "of" | "key">

/** What is still to be told, matched to the tasks of the current plan; nothing about a task that is gone. */
export function untoldNow(untold: readonly Untold[], plan: Plan): readonly Untold[] {
  return untold.flatMap((one) => {
    const key = keyNow({ kind: "read", plan }, one)
    return key === null ? [] : [{ ...one, key }]
  })
}

/** The same, with what a look at that plan has found, each once. */
export function withUntold(
  untold: readonly Untold[],
  plan: Plan,
  found: TickNews,
): readonly Untold[] {
  const more = tellingOf(found).flatMap(({ of, key }) => {
    const task = byKey(plan.tasks).get(key)
    return task === undefined ? [] : [{ of, key, titleHash: task.titleHash }]
  })
  return [...new Map([...untold, ...more].map((one) => [nameOf(one), one])).values()]
}

/** What is left after this was told. It was found in the plan that the untold items were last matched to. */
export function withoutTold(untold: readonly Untold[], told: Partial<TickNews>): readonly Untold[] {
  const names = new Set(tellingOf(told).map(nameOf))
  return untold.filter((one) => !names.has(nameOf(one)))
}

function tellingOf({
  unproven = [],
  edited = [],
  changed = [],
}: Partial<TickNews>): readonly Telling[] {
  return [
    ...unproven.map(({ task: { key } }) => ({ of: "tick", key }) as const),
    ...edited.map(({ taskKey: key }) => ({ of: "tick", key }) as const),
    ...changed.map(({ taskKey: key }) => ({ of: "checks", key }) as const),
  ]
}

function nameOf({ of, key }: Telling): string {
  return `${of} ${key}`
}
