// The keys that a session was told for its plan's tasks: they decide what a bare key means.
import type { Work } from "../../boulder/boulder.ts"
import { windowIn } from "../../boulder/follow-tasks.ts"
import { isBefore } from "../../boulder/iso-time.ts"
import type { PlanKeys, ToldTask } from "../../plan/match-tasks.ts"

/** What a session was told; `next` applies from the first message that its model starts after `at`, in ms. */
export interface ToldKeys extends PlanKeys {
  readonly next: (PlanKeys & { readonly at: number }) | null
}

/** Keys that a session was told, and when, in ms; null if they mean the same tasks as before. */
export interface NewKeys {
  readonly keys: PlanKeys
  readonly at: number | null
}

/** The keys its lead was told, as far as a work has them: for a process that knows none, after a restart. */
export function keysOf(work: Work): PlanKeys {
  return { plan: work.active_plan, tasks: windowIn(work) }
}

/** The keys that a session knows of a plan: none if nobody knows what it was told, null if it was told another plan's. */
export function keysTold(
  told: ToldKeys | null,
  { active_plan: plan }: Work,
): readonly ToldTask[] | null {
  if (told === null) return []
  return told.plan === plan ? told.tasks : null
}

/** The same, including what it was told since its last message. */
export function keysToldLast(
  told: ToldKeys | null,
  { active_plan: plan }: Work,
): readonly ToldTask[] {
  const last = told?.next ?? told
  return last?.plan === plan ? last.tasks : []
}

/** What is known after a text has told the keys, or a look has found them unchanged; nothing about a plan it was not told of. */
export function withKeys(told: ToldKeys | null, { keys, at }: NewKeys): ToldKeys {
  if (told === null) return { ...keys, next: null }
  if (at !== null) return { ...told, next: { ...keys, at } }
  const { next } = told
  if ((next ?? told).plan !== keys.plan) return told
  return next === null ? { ...keys, next } : { ...told, next: { ...next, ...keys } }
}

/** What is known after a message has started, reported at `at`: whoever writes it has read everything told before. */
export function asRead(
  told: ToldKeys | null,
  { createdAt, at }: { readonly createdAt: number; readonly at: number },
): ToldKeys | null {
  if (!told?.next || !isBefore(told.next.at, createdAt, at)) return told
  const { plan, tasks } = told.next
  return { plan, tasks, next: null }
}
