// Every reason of the journal: its name, what it says, and what a person can do; all that show a reason take it from here.
import type { PauseReason, RoundEnd } from "../boulder/boulder.ts"
import type { Decision } from "../decide/decision.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"
import { doing, SLASH, starting, startOr, type Typed, unblocking } from "./typed-command.ts"

/** A reason in words for a person, both without the final full stop. */
interface ReasonWords {
  readonly says: string
  /** What the user can do, with commands as typed; missing if nothing has to be done. */
  readonly todo?: (typed: Typed, hasHeld: boolean) => string
}

/** The reasons of decisions, pauses and rounds; the others are of blocks, delegations, compactions, starts and old files. */
type Decided = Decision["reason"] | PauseReason | RoundEnd

const resume = (typed: Typed) => doing(typed("resume"))
const message = (typed: Typed) => `send its session a message or ${resume(typed)}`
const any = (typed: Typed) => `send its session a message, edit the plan or ${resume(typed)}`
/** Typed in the session that should lead a work, wherever this is read. */
const START = `type /${SLASH.start}`
const answer = () => "answer it"
const unblock = (typed: Typed) => `unblock the task: ${unblocking(typed)}`
/** A ticked and held task has no mark to remove; without such a task this is not said. */
const unblockOrApprove = (typed: Typed, hasHeld: boolean) =>
  `unblock a task (${unblocking(typed)})${hasHeld ? `. If it is already ticked, see ${typed("status")}` : ""}`

/** What toasts, `/work-status`, the command line and docs/REASONS.md say about each reason. */
export const REASONS: Readonly<Record<Decided, ReasonWords> & Record<string, ReasonWords>> = {
  continue: { says: "tasks remain" },
  "cooling-down": { says: "the last prompt was only seconds ago" },
  "backing-off": { says: "the last turns failed", todo: any },
  "children-running": { says: "subagents are still running" },
  "prompt-failed": { says: "opencode did not accept the prompt" },
  "prompt-unanswered": { says: "opencode accepted the prompt but started no turn" },
  "session-busy": { says: "the session has started another turn" },
  superseded: { says: "something changed in the meantime, so the plugin decided again" },
  "not-our-session": { says: "no work runs in this session" },
  "child-session": { says: "a subagent ended its turn" },
  "taken-over": {
    says: "another session leads the work",
    todo: () => `${START} in the session that should lead it`,
  },
  "work-completed": { says: "the work is complete" },
  "plan-complete": { says: "every required task is settled" },
  "awaiting-approval": {
    says: "the final wave is waiting for your approval",
    todo: (typed) => startOr(typed, "approve"),
  },
  "question-pending": { says: "a question is waiting for your answer", todo: answer },
  "permission-pending": { says: "a permission is waiting for your answer", todo: answer },
  "agent-changed": {
    says: "you switched the session to another agent",
    todo: () => `send its session a message as the work's agent, or ${START} there`,
  },
  "stopped-by-user": { says: "you stopped it", todo: resume },
  aborted: { says: "you interrupted it", todo: message },
  "rejected-by-user": { says: "a permission was rejected or a question dismissed", todo: message },
  "no-progress": { says: "its last turns changed nothing", todo: any },
  "compaction-loop": {
    says: "its context was compacted twice with no task settled in between",
    todo: any,
  },
  "budget-spent": {
    says: "its budget is spent",
    todo: (typed) => `${resume(typed)} (with a fresh budget)`,
  },
  "by-question": { says: "you approved the final wave" },
  "by-command": { says: "you resumed it" },
  "provider-refused": {
    says: "the provider refused, and a retry would not help",
    todo: (typed) => `fix the cause, then ${message(typed)}`,
  },
  "usage-limited": { says: "the provider's usage limit is reached", todo: message },
  "provider-wait": { says: "opencode itself is waiting for the provider" },
  "by-mark": { says: "the plan marks it as blocked", todo: unblock },
  "by-record": { says: "a session saved it as blocked", todo: unblock },
  "round-ended": { says: "the round is over and its context is large" },
  "checkpoint-due": { says: "enough tasks were settled" },
  "context-grown": { says: "its tasks filled much of the context" },
  "soft-limit": { says: "the context reached its soft limit" },
  "hard-limit": { says: "the context reached its hard limit" },
  "compaction-failed": { says: "opencode did not compact the session" },
  "plan-unavailable": {
    says: "the plan cannot be read or marked",
    todo: (typed) =>
      `put the plan back, fix it or make it writable, or ${doing(typed("run", { as: "<its new path>" }))}`,
  },
  "plan-invalid": { says: "the plan has no task", todo: () => "add a task to the plan" },
  "only-blocked-left": { says: "only blocked tasks are left", todo: unblockOrApprove },
  "rows-outside": {
    says: "all tasks are settled, but something open is outside them",
    todo: (typed) => `${doing(typed("plan"))} to see it; tick or delete it, or write it as a task`,
  },
  "task-blocked": {
    says: "a task is blocked, and the options say to wait for it",
    todo: unblockOrApprove,
  },
  restored: { says: "the state was damaged or missing, and was restored from its copy" },
  upgraded: {
    says: "the state of an older plugin was found and imported",
    todo: (typed) => starting(typed, { as: "<plan>" }),
  },
  "task-state-saved": { says: "the task state was saved during a compaction" },
  "task-state-kept": { says: "the summary could not be used, so the task state stays as it was" },
  "task-state-undone": { says: "the summary was undone, so the earlier task state is back" },
  "task-named": { says: "the call names its task" },
  "no-task": { says: "the call names no task, or several, so it counts for none" },
  removed: { says: "the state was removed while it was in use", todo: (typed) => starting(typed) },
  housekeeping: { says: "old files could not be removed" },
  "taken-up": { says: "opencode started and found the work active" },
  "subagent-silent": { says: "a subagent was silent for too long, so it was ended" },
  "notify-failed": {
    says: "your notification program failed",
    todo: () => "run the program by hand to see why",
  },
  "checkpoint-failed": {
    says: "a checkpoint could not be written, so the round continues without it",
    todo: () => "make sure that the project's folder is writable",
  },
  "subagent-failed": { says: "its subagent failed" },
  "subagent-limited": { says: "a subagent reached its provider's limit" },
  "subagent-limit-spent": {
    says: "every attempt at a task reached the provider's limit, so the task waits for you",
    todo: (typed) => starting(typed),
  },
  "tool-long": { says: "a subagent's tool has been running for a long time" },
  "tick-unproven": {
    says: "a task was ticked, but its checks do not prove it",
    todo: (typed) => `have the agent run its check in the session, and see ${typed("why")}`,
  },
  "nothing-done": {
    says: "a task was delegated and ticked, but nothing was changed and no check was run",
    todo: (typed) => `see what its session has done: ${typed("why")}`,
  },
  "check-failed": { says: "a check failed after a task's result" },
  "tick-taken-back": { says: "a task's tick was taken back" },
  "review-rejected": { says: "its review was a rejection" },
  "failed-five-times": {
    says: "five results of a task failed their verification",
    todo: (typed) => `see ${typed("why")}, change the task, then ${doing(typed("unblock"))}`,
  },
  "rejected-row": {
    says: "every box is ticked, but a review of the final wave was a rejection",
    todo: () => "untick what must be done again",
  },
}

/** A reason in words; null for one that is not in the table, from a newer version or in place of an error. */
export function reasonWords(reason: string): ReasonWords | null {
  return Object.hasOwn(REASONS, reason) ? (REASONS[reason] ?? null) : null
}

const DONE: Readonly<Record<string, string>> = {
  continue: "Continued",
  compact: "Compacted the context",
  rest: "Did nothing",
  retry: "Waited",
  pause: "Paused",
  finish: "Finished",
  delegate: "Delegated",
  approve: "Approved",
  resume: "Resumed",
  "end-round": "Ended the round",
  "task-blocked": "Blocked",
  tick: "Ticked",
  "turn-down": "Turned down",
  lose: "Failed",
  notice: "Notice",
  read: "Read the plan",
  error: "Something failed",
}

/** What was decided, as a person says it: `Paused`. */
export function doneWords(decision: string): string {
  return (Object.hasOwn(DONE, decision) ? DONE[decision] : undefined) ?? cleanLine(decision)
}

interface Told {
  readonly decision: string
  readonly reason: string
}

/** A decision in a few words: `Paused (you interrupted it)`. */
export function decidedWords({ decision, reason }: Told): string {
  return `${doneWords(decision)} (${reasonSays(reason)})`
}

/** What a reason says; one that is not in the table as it is. */
export function reasonSays(reason: string): string {
  return reasonWords(reason)?.says ?? cleanLine(reason)
}

/**
 * What a person can do about a decision: `To resume: …`, `To approve: …`; null if nothing has to be done or it resumes by itself. `hasHeld`: one of its
 * work's blocked tasks is ticked.
 */
export function resumeWords(
  { decision, reason }: Told,
  typed: Typed,
  hasHeld: boolean,
): string | null {
  const todo = decision === "pause" || decision === "rest" ? reasonWords(reason)?.todo : undefined
  const does = reason === "awaiting-approval" ? "approve" : "resume"
  return todo === undefined ? null : `To ${does}: ${todo(typed, hasHeld)}`
}
