// A decision and its reason in words.
import { cleanLine } from "../../plan/model/foreign-text.ts"
import type { JournalEntry } from "../../store/records/journal.ts"

/** What a reason means, in a few words; what is not here speaks for itself. */
const MEANINGS: Readonly<Record<string, string>> = {
  continue: "tasks are left and nothing speaks against it",
  "cooling-down": "the last prompt was a moment ago",
  "backing-off": "turns have failed, so wait",
  "children-running": "subagents are still at work",
  "prompt-failed": "opencode did not take the prompt",
  "prompt-unanswered": "opencode took the prompt and began no turn",
  "session-busy": "the session has begun another turn",
  superseded: "something has happened meanwhile, so look again",
  "child-session": "a subagent has ended its turn",
  "taken-over": "another session leads the work",
  "work-completed": "the work is complete",
  "plan-complete": "every required task is settled",
  "awaiting-approval": "the final wave waits for your approval",
  "question-pending": "a question waits for your answer",
  "permission-pending": "a permission waits for your answer",
  "agent-changed": "you have switched the session to another agent",
  "stopped-by-user": "you have stopped it",
  aborted: "you have interrupted it",
  "rejected-by-user": "you have said no to a question or a permission",
  "no-progress": "turns in a row have changed nothing",
  "compaction-loop": "the context was compacted twice and no task settled between",
  "budget-spent": "the budget of continuations or tokens is spent",
  "by-question": "you have approved the final wave in its question",
  "provider-refused": "the provider refuses until a person acts",
  "usage-limited": "the provider's limit is reached",
  "provider-wait": "opencode waits for the provider by itself",
  "taken-up": "opencode has started and found it going on",
  "subagent-silent": "nothing was heard of a subagent for long, so it is ended",
  "tool-long": "a subagent's tool runs for long",
  "by-mark": "it is marked in the plan",
  "by-record": "a session has saved it as blocked",
  "round-ended": "the round is over and the context is large",
  "checkpoint-due": "enough tasks are settled",
  "context-grown": "its tasks have filled much of the context",
  "soft-limit": "the context has reached its soft limit",
  "hard-limit": "the context has reached its hard limit",
  "compaction-failed": "opencode did not compact the session",
  "plan-unavailable": "the plan cannot be read",
  "plan-invalid": "the plan has no task",
  "only-blocked-left": "only blocked tasks are left",
  "task-blocked": "a task is blocked, and the options say to wait for it",
  restored: "the state was damaged or missing, and is back from its copy",
  "task-state-saved": "the session's task state was kept over a compaction",
  "task-state-kept": "the summary could not be used, so the task state stays as it was",
  "task-named": "the call names the task that it works on",
  "no-task": "the call names no task, or several, so nothing of it is counted",
  housekeeping: "old files could not be removed",
}

/** A decision and its reason in words. */
export function decisionText(decision: string, reason: string): string {
  const meaning = MEANINGS[reason]
  const what = `${cleanLine(decision)} (${cleanLine(reason)})`
  return meaning === undefined ? what : `${what}: ${meaning}`
}

/** A decision as one line: when, what, why, and the facts that made it. */
export function whyLine({ at, work, decision, reason, facts }: JournalEntry): string {
  const known = Object.entries(facts).filter(([, value]) => isTelling(value))
  const told = known.map(([name, value]) => `${cleanLine(name)}=${cleanLine(String(value))}`)
  return [
    cleanLine(at)
      .replace("T", " ")
      .replace(/\.\d+Z$/, "Z"),
    work === null ? null : cleanLine(work),
    decisionText(decision, reason),
    told.length === 0 ? null : `[${told.join(" ")}]`,
  ]
    .filter((part) => part !== null)
    .join("  ")
}

/** Nothing, none and no are what a reader expects; only the rest made the decision what it is. */
function isTelling(value: JournalEntry["facts"][string]): boolean {
  return value !== null && value !== "" && value !== 0 && value !== false
}
