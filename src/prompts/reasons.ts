// Every reason of the journal: what it says, and what a person can do.
/** A reason as a person reads it. */
export interface ReasonWords {
  /** Why, in a few words. */
  readonly says: string
  /** What the user can do; null where nothing is to be done. */
  readonly todo: string | null
}

const APPROVE = "choose Approve where it asks, type /start-work, or run opencode-boulder approve"
const MESSAGE = "send a message or type /start-work"
const ANY = "send a message, edit the plan or type /start-work"
const UNBLOCK = "take its mark out of the plan, or run opencode-boulder unblock <task>"

/** What `why`, `run` and docs/REASONS.md say of each reason; one that is not here speaks for itself. */
export const REASONS: Readonly<Record<string, ReasonWords>> = {
  continue: { says: "tasks are left and nothing stands in the way", todo: null },
  "cooling-down": { says: "the last prompt was a moment ago", todo: null },
  "backing-off": { says: "turns have failed, so wait", todo: ANY },
  "children-running": { says: "subagents are still at work", todo: null },
  "prompt-failed": { says: "opencode did not take the prompt", todo: null },
  "prompt-unanswered": { says: "opencode took the prompt and began no turn", todo: null },
  "session-busy": { says: "the session has begun another turn", todo: null },
  superseded: { says: "something has happened meanwhile, so look again", todo: null },
  "child-session": { says: "a subagent has ended its turn", todo: null },
  "taken-over": {
    says: "another session leads the work",
    todo: "type /start-work here to take it back",
  },
  "work-completed": { says: "the work is complete", todo: null },
  "plan-complete": { says: "every required task is settled", todo: null },
  "awaiting-approval": { says: "the final wave waits for your approval", todo: APPROVE },
  "question-pending": { says: "a question waits for your answer", todo: "answer it" },
  "permission-pending": { says: "a permission waits for your answer", todo: "answer it" },
  "agent-changed": {
    says: "you have switched the session to another agent",
    todo: "switch back to the work's agent",
  },
  "stopped-by-user": { says: "you have stopped it", todo: "type /start-work" },
  aborted: { says: "you have interrupted it", todo: MESSAGE },
  "rejected-by-user": { says: "you have said no to a question or a permission", todo: MESSAGE },
  "no-progress": { says: "turns in a row have changed nothing", todo: ANY },
  "compaction-loop": {
    says: "the context was compacted twice and no task settled between",
    todo: ANY,
  },
  "budget-spent": {
    says: "the budget of continuations or tokens is spent",
    todo: "type /start-work: it gives a fresh budget",
  },
  "by-question": { says: "you have approved the final wave in its question", todo: null },
  "provider-refused": { says: "the provider refuses until a person acts", todo: MESSAGE },
  "usage-limited": { says: "the provider's limit is reached", todo: MESSAGE },
  "provider-wait": { says: "opencode waits for the provider by itself", todo: null },
  "by-mark": { says: "it is marked in the plan", todo: UNBLOCK },
  "by-record": { says: "a session has saved it as blocked", todo: UNBLOCK },
  "round-ended": { says: "the round is over and the context is large", todo: null },
  "checkpoint-due": { says: "enough tasks are settled", todo: null },
  "context-grown": { says: "its tasks have filled much of the context", todo: null },
  "soft-limit": { says: "the context has reached its soft limit", todo: null },
  "hard-limit": { says: "the context has reached its hard limit", todo: null },
  "compaction-failed": { says: "opencode did not compact the session", todo: null },
  "plan-unavailable": {
    says: "the plan cannot be read",
    todo: "put the plan back, or type /start-work",
  },
  "plan-invalid": {
    says: "the plan has no task",
    todo: "give the plan a task, or type /start-work",
  },
  "only-blocked-left": { says: "only blocked tasks are left", todo: UNBLOCK },
  "task-blocked": { says: "a task is blocked, and the options say to wait for it", todo: UNBLOCK },
  restored: { says: "the state was damaged or missing, and is back from its copy", todo: null },
  upgraded: {
    says: "an older plugin's state lay in the place of ours, and was taken over",
    todo: "type /start-work to go on with one of its plans",
  },
  "task-state-saved": { says: "the session's task state was kept over a compaction", todo: null },
  "task-state-kept": {
    says: "the summary could not be used, so the task state stays as it was",
    todo: null,
  },
  "task-named": { says: "the call names the task that it works on", todo: null },
  "no-task": {
    says: "the call names no task, or several, so nothing of it is counted",
    todo: "name one key in the description of each call",
  },
  housekeeping: { says: "old files could not be removed", todo: null },
  "taken-up": { says: "opencode has started and found it going on", todo: null },
  "subagent-silent": {
    says: "nothing was heard of a subagent for long, so it is ended",
    todo: null,
  },
  "tool-long": { says: "a subagent's tool runs for long", todo: null },
}
