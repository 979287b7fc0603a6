// The keys by which a session was told of its plan's tasks: what a key means that it says alone.
import type { Work } from "../../boulder/boulder.ts"
import { windowIn } from "../../boulder/follow-tasks.ts"
import { isBefore } from "../../boulder/iso-time.ts"
import type { PlanKeys, ToldTask } from "../../plan/match-tasks.ts"

/** What a session was told; `next` counts from the first message that its model begins after `at`, in ms. */
export interface ToldKeys extends PlanKeys {
  readonly next: (PlanKeys & { readonly at: number }) | null
}

/** Keys that a session was told, and when, in ms; null where they name the tasks that they did before. */
export interface NewKeys {
  readonly keys: PlanKeys
  readonly at: number | null
}

/** What a work has of the keys that its lead was told: where no process knows better, behind a restart. */
export function keysOf(work: Work): PlanKeys {
  return { plan: work.active_plan, tasks: windowIn(work) }
}

/** The keys that a session knows of a plan: none where nobody knows what it was told, null where that was another plan's. */
export function keysTold(
  told: ToldKeys | null,
  { active_plan: plan }: Work,
): readonly ToldTask[] | null {
  if (told === null) return []
  return told.plan === plan ? told.tasks : null
}

/** The same with what it was told since its last message. */
export function keysToldLast(
  told: ToldKeys | null,
  { active_plan: plan }: Work,
): readonly ToldTask[] {
  const last = told?.next ?? told
  return last?.plan === plan ? last.tasks : []
}

/** Behind a text that has told the keys, or a look that has found them as they were told: none of a plan that was not. */
export function withKeys(told: ToldKeys | null, { keys, at }: NewKeys): ToldKeys {
  if (told === null) return { ...keys, next: null }
  if (at !== null) return { ...told, next: { ...keys, at } }
  const { next } = told
  if ((next ?? told).plan !== keys.plan) return told
  return next === null ? { ...keys, next } : { ...told, next: { ...next, ...keys } }
}

/** Behind the begin of a message, told `at`: whoever writes it has read what was told before. */
export function asRead(
  told: ToldKeys | null,
  { createdAt, at }: { readonly createdAt: number; readonly at: number },
): ToldKeys | null {
  if (!told?.next || !isBefore(told.next.at, createdAt, at)) return told
  const { plan, tasks } = told.next
  return { plan, tasks, next: null }
}
