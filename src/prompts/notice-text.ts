// Toasts: one line on what has happened.
import type { PauseReason } from "../boulder/boulder.ts"
import { minuteWords } from "./pause-words.ts"
import { quote } from "./quote.ts"

/** What stopped a work, and what sets it going again, for a toast and the journal. */
const PAUSES: Readonly<
  Record<PauseReason, { readonly what: string; readonly reopenedBy: string }>
> = {
  "stopped-by-user": { what: "stopped by you", reopenedBy: "/start-work" },
  aborted: { what: "you interrupted it", reopenedBy: "your next message or /start-work" },
  "rejected-by-user": { what: "you said no", reopenedBy: "your next message or /start-work" },
  "no-progress": {
    what: "two turns in a row changed nothing",
    reopenedBy: "your next message, an edit of the plan or /start-work",
  },
  "backing-off": {
    what: "the model failed too often",
    reopenedBy: "your next message, an edit of the plan or /start-work",
  },
  "compaction-loop": {
    what: "its context was compacted twice with no task settled between",
    reopenedBy: "your next message, an edit of the plan or /start-work",
  },
  "provider-refused": {
    what: "the provider refuses",
    reopenedBy: "your next message or /start-work",
  },
  "usage-limited": {
    what: "the provider's limit is reached",
    reopenedBy: "your next message or /start-work",
  },
  "budget-spent": { what: "its budget is spent", reopenedBy: "/start-work" },
  "plan-unavailable": {
    what: "the plan cannot be read",
    reopenedBy: "the plan's return or /start-work",
  },
  "plan-invalid": {
    what: "the plan has no task",
    reopenedBy: "an edit of the plan or /start-work",
  },
  "only-blocked-left": {
    what: "only blocked tasks are left",
    reopenedBy:
      "an unblocked task (take its mark out of the plan, or run opencode-boulder unblock <task>) or /start-work",
  },
  "task-blocked": {
    what: "a task is blocked",
    reopenedBy:
      "an unblocked task (take its mark out of the plan, or run opencode-boulder unblock <task>) or /start-work",
  },
}

/** One line on a paused work; `facts` are what it waits for, or the figures that made it. */
export function pauseNotice(
  planName: string,
  reason: PauseReason,
  facts: string | null = null,
): string {
  const { what, reopenedBy } = PAUSES[reason]
  return `Plan ${quote(planName, 24)} paused: ${what}${facts === null ? "" : ` (${facts})`}. Resumes with ${reopenedBy}.`
}

/** What sets a work going again that was paused for `reason`. */
export function reopenedBy(reason: PauseReason): string {
  return PAUSES[reason].reopenedBy
}

/** One line on a work whose host waits for the provider by itself, until an ISO time. */
export function hostWaitNotice(planName: string, until: string): string {
  return `Plan ${quote(planName, 24)} waits for the provider until ${minuteWords(until)}.`
}

/** One line on a work that was found going on behind a start of opencode. */
export function takenUpNotice(planName: string, sessionId: string): string {
  return `Plan ${quote(planName, 24)} is going on in session ${quote(sessionId, 40)}. /stop-work stops it.`
}

/** One line on a subagent that was ended; `key` is its task's, null where its call names none. */
export function silentChildNotice(key: string | null, minutes: number): string {
  return `The subagent of ${quote(key ?? "a call", 24)} was silent for ${minutes} min and is ended. The others go on.`
}

/** One line on a tool of a subagent that runs for long. */
export function longToolNotice(key: string | null, tool: string, minutes: number): string {
  return `The subagent of ${quote(key ?? "a call", 24)} runs ${quote(tool, 12)} for ${minutes} min now. It is left alone.`
}

/** One line on a plan that is done. */
export function finishNotice(planName: string, settled: number, total: number): string {
  return `Plan ${quote(planName, 24)} complete: ${settled}/${total} tasks settled.`
}

/** One line on a final wave that waits. */
export function approvalNotice(planName: string): string {
  return `Plan ${quote(planName, 24)} waits for your approval of its final wave: choose Approve where it asks, type /start-work, or run opencode-boulder approve.`
}
