// How works stand, for a person.
import type { BlockedTask } from "../boulder/blocked-tasks.ts"
import type { Work } from "../boulder/boulder.ts"
import { blockedLines } from "./blocked-lines.ts"
import { budgetWords } from "./budget-words.ts"
import { reopenedBy } from "./notice-text.ts"
import { runFacts } from "./run-facts.ts"

const SHOWN_BLOCKED = 5

/** How far a work is and why it waits, a line a fact; for a person. */
export function statusLines(work: Work, tasks: readonly BlockedTask[]): readonly string[] {
  const progress = `${work.completed_count}/${work.total_count} tasks settled`
  const blocked = work.blocked_count === 0 ? "" : `, ${work.blocked_count} blocked`
  const head = `${work.plan_name}: ${stateOf(work)}, ${progress}${blocked}, ${work.continuation.count} continuations`
  const facts = runFacts(work, { settled: work.completed_count, window: work.current_window })
  return [
    head,
    ...facts.map(({ name, text }) => `${name[0]?.toUpperCase()}${name.slice(1)}: ${text}`),
    ...(tasks.length === 0 ? [] : ["Blocked:", ...blockedLines(tasks, SHOWN_BLOCKED)]),
  ]
}

function stateOf(work: Work): string {
  if (work.status === "paused") {
    const reason = work.pause_reason ?? "stopped-by-user"
    const spent = work.spent_budget === null ? "" : `, ${budgetWords(work.spent_budget)}`
    return `paused (${reason}${spent}; goes on with ${reopenedBy(reason)})`
  }
  return work.awaiting_approval === null ? work.status : "waits for your approval of the final wave"
}
