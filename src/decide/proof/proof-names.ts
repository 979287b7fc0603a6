// Finds the task of the current plan that a record of its work's proof belongs to.
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import { type KnownTask, matchTasks } from "../../plan/match-tasks.ts"
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
 * Records of a renumbered task count under its new key. For a reworded one all but its ticks count: its writes still make a run stale, but
 * nobody has looked at what it says now. A tick older than the work is nobody's claim, whatever the task's words.
 */
export function namesIn(
  plan: Pick<Plan, "tasks">,
  entries: readonly ProofEntry[],
): (entry: ProofEntry) => string {
  const known = new Map<string, KnownTask>()
  for (const { task } of entries) {
    if (task === null) continue
    const one = { key: task.key, titleHash: task.title_hash }
    known.set(idOf(one), one)
  }
  const matches = new Map(
    matchTasks([...known.values()], plan).flatMap((match) =>
      match.kind === "gone" ? [] : [[idOf(match.known), match] as const],
    ),
  )
  return (entry) => {
    const { task } = entry
    if (task === null) return ""
    const id = idOf({ key: task.key, titleHash: task.title_hash })
    const match = matches.get(id)
    const isOfItsWords = entry.kind === "approved" || isClaim(entry)
    return match === undefined || (match.kind === "retitled" && isOfItsWords)
      ? id
      : idOf(match.task)
  }
}
