import type { BlockedTask } from "../boulder/blocked-tasks.ts"
import type { Work } from "../boulder/boulder.ts"
import { blockedLines } from "./blocked-lines.ts"
import { reopenedBy } from "./notice-text.ts"

const SHOWN_BLOCKED = 5

/** How far a work is and why it waits, a line a fact; for a person. */
export function statusLines(work: Work, tasks: readonly BlockedTask[]): readonly string[] {
  const progress = `${work.completed_count}/${work.total_count} tasks settled`
  const blocked = work.blocked_count === 0 ? "" : `, ${work.blocked_count} blocked`
  const head = `${work.plan_name}: ${stateOf(work)}, ${progress}${blocked}, ${work.continuation.count} continuations`
  if (work.status === "completed") return [head]
  const isGoing = work.status === "active" && work.current_window.length > 0
  return [
    head,
    ...(isGoing ? [`Next: ${work.current_window.join(", ")}`] : []),
    ...(tasks.length === 0 ? [] : ["Blocked:", ...blockedLines(tasks, SHOWN_BLOCKED)]),
  ]
}

function stateOf(work: Work): string {
  if (work.status === "paused") {
    const reason = work.pause_reason ?? "stopped-by-user"
    return `paused (${reason}; goes on with ${reopenedBy(reason)})`
  }
  return work.awaiting_approval === null ? work.status : "waits for your approval of the final wave"
}
