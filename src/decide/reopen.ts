// What resumes a paused work.
import type { PauseReason, Work } from "../boulder/boulder.ts"
import { followTasks } from "../boulder/follow-tasks.ts"
import type { PlanReading } from "../boulder/held-plan.ts"
import { isRejected } from "../boulder/reopen-work.ts"
import { isGoing } from "../boulder/usage-limit.ts"
import { unsettledTasks } from "./final-wave.ts"
import { hasBlocked, nextIn } from "./window.ts"

/** What can set a paused work going again. */
export type Opener = "user-message" | "start" | "plan-edited"

/** `if-cleared`: only if what paused the work no longer holds. */
type Answer = "no" | "yes" | "if-cleared"

/** What resumes a paused work, cell by cell. */
const REOPENS: Readonly<Record<PauseReason, Readonly<Record<Opener, Answer>>>> = {
  "stopped-by-user": { "user-message": "no", start: "yes", "plan-edited": "no" },
  aborted: { "user-message": "yes", start: "yes", "plan-edited": "no" },
  "rejected-by-user": { "user-message": "yes", start: "yes", "plan-edited": "no" },
  "no-progress": { "user-message": "yes", start: "yes", "plan-edited": "yes" },
  "compaction-loop": { "user-message": "yes", start: "yes", "plan-edited": "yes" },
  "backing-off": { "user-message": "yes", start: "yes", "plan-edited": "yes" },
  "provider-refused": { "user-message": "yes", start: "yes", "plan-edited": "no" },
  "usage-limited": { "user-message": "yes", start: "yes", "plan-edited": "no" },
  "budget-spent": { "user-message": "no", start: "yes", "plan-edited": "no" },
  "plan-unavailable": { "user-message": "no", start: "if-cleared", "plan-edited": "if-cleared" },
  "plan-invalid": { "user-message": "no", start: "if-cleared", "plan-edited": "if-cleared" },
  "only-blocked-left": { "user-message": "no", start: "if-cleared", "plan-edited": "if-cleared" },
  "rows-outside": { "user-message": "no", start: "if-cleared", "plan-edited": "if-cleared" },
  "task-blocked": { "user-message": "no", start: "if-cleared", "plan-edited": "if-cleared" },
}

/** Whether `opener` resumes a work that is paused for `reason`; `stillHolds` tells whether its cause is still there. */
export function reopens(reason: PauseReason, opener: Opener, stillHolds: boolean): boolean {
  const answer = REOPENS[reason][opener]
  return answer === "yes" || (answer === "if-cleared" && !stillHolds)
}

/** Whether an edit of the plan may resume a work that is paused for `reason`, so that the plan must be watched. */
function waitsForEdit(reason: PauseReason | null): boolean {
  return reason !== null && REOPENS[reason]["plan-edited"] !== "no"
}

/**
 * Lets a work go on past a stop or refusal that was told, including refusals from before an edit of its plan, and past anything that such
 * an edit may resume: what came before no longer counts. Any other work stays as it is.
 */
export function goOnPastStop(now: string): (work: Work) => Work {
  return (work) =>
    isGoing(work) || waitsForEdit(work.pause_reason) || isRejected(work)
      ? { ...work, rejections: {}, resumed_at: now }
      : work
}

/** Whether the cause of a pause still holds. Only the plan can tell, and only for reasons that come from the plan. */
export function causeHolds(reason: PauseReason, reading: PlanReading, known: Work): boolean {
  const work = followTasks(reading)(known)
  switch (reason) {
    case "plan-unavailable":
      return reading.kind === "unavailable"
    case "plan-invalid":
      return reading.kind === "unavailable" || reading.plan.state === "invalid"
    case "only-blocked-left":
      return (
        reading.kind === "unavailable" ||
        (nextIn(reading.plan, work) === null &&
          unsettledTasks(reading.plan, work).some((task) => !task.optional))
      )
    case "rows-outside":
      return reading.kind === "unavailable" || reading.plan.state === "rows-outside"
    case "task-blocked":
      return reading.kind === "unavailable" || hasBlocked(reading.plan, work)
    default:
      return false
  }
}
