// Finds the task of the current plan that a record of its work's proof belongs to.
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import { findAgain, type KnownTask } from "../../plan/match-tasks.ts"
import { byKey } from "../../plan/model/once-a-reading.ts"
import type { Plan } from "../../plan/model/plan.ts"

/** What identifies a task in the facts. */
export function idOf({ key, titleHash }: KnownTask): string {
  return `${key} ${titleHash}`
}

/** The task that an id stands for. */
export function taskNamed(id: string): KnownTask {
  const at = id.lastIndexOf(" ")
  return { key: id.slice(0, at), titleHash: id.slice(at + 1) }
}

/** A tick set during the work, not one that was there before. */
export function isClaim(entry: ProofEntry): boolean {
  return entry.kind === "tick" && entry.tier !== "before"
}

/**
 * Records of a renumbered task count under its new key, whenever they were made. For a reworded one, whose title is nowhere, all but its
 * ticks count: its writes still make a run stale, but nobody has looked at what it says now. A row that has had another key before is no
 * reworded one. A tick older than the work is nobody's claim, whatever the task's words.
 */
export function namesIn(
  plan: Pick<Plan, "tasks">,
  entries: readonly ProofEntry[],
): (entry: ProofEntry) => string {
  const keys = new Map<string, Set<string>>()
  for (const { task } of entries)
    if (task !== null)
      keys.set(task.title_hash, (keys.get(task.title_hash) ?? new Set()).add(task.key))
  const here = byKey(plan.tasks)
  return (entry) => {
    if (entry.task === null) return ""
    const known = { key: entry.task.key, titleHash: entry.task.title_hash }
    const again = findAgain(plan, known)
    if (again !== null) return idOf(again)
    const reworded = here.get(known.key)
    const isOfItsWords = entry.kind === "approved" || isClaim(entry)
    if (reworded === undefined || isOfItsWords) return idOf(known)
    const [key = known.key, ...others] = keys.get(reworded.titleHash) ?? []
    return idOf(key === known.key && others.length === 0 ? reworded : known)
  }
}
