// By which task of a plan, as it is now, an entry of its work's proof is told.
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import { type KnownTask, matchTasks } from "../../plan/match-tasks.ts"
import type { Plan } from "../../plan/model/plan.ts"

/** What one task is told by in the facts. */
export function idOf({ key, titleHash }: KnownTask): string {
  return `${key} ${titleHash}`
}

/** The task that an id tells of. */
export function taskNamed(id: string): KnownTask {
  const at = id.lastIndexOf(" ")
  return { key: id.slice(0, at), titleHash: id.slice(at + 1) }
}

/** A tick that somebody has set in the work; not one that was there before. */
export function isClaim(entry: ProofEntry): boolean {
  return entry.kind === "tick" && entry.tier !== "before"
}

/**
 * What was written down of a task that was renumbered since is told of it under its new key. Of one that was reworded all but
 * its ticks is: its writes still make a run stale, and nobody has looked at what it says now. A tick that is older than the
 * work is nobody's claim, whatever its words.
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
