// Works in words.
import type { PauseReason, Work } from "../../boulder/boulder.ts"
import type { Task } from "../../plan/model/plan.ts"
import { REASONS } from "../../prompts/reasons.ts"
import { shellWord } from "../../prompts/shell-word.ts"

const SEEN_SOON = "A running opencode notices within seconds, or at its next event"

export const NOTHING_WAITS = "Expected a final wave that is waiting for approval; found none."

export function stoppedText(name: string, call: string): string {
  return `Stopped: ${name}. ${SEEN_SOON}; a running turn finishes. To resume: ${call} resume ${shellWord(name)}`
}

/** `reason` is what had paused the work; null where it was not paused. */
export function resumedText(name: string, reason: PauseReason | null, call: string): string {
  if (reason === null) return `${name} is not paused: nothing to resume. See: ${call} status`
  const budget = reason === "budget-spent" ? " with a fresh budget" : ""
  return `Resumed: ${name}${budget}. It was paused: ${REASONS[reason].says}. ${SEEN_SOON}; if none is running: ${call} run ${shellWord(name)}`
}

export function stillHoldsText(work: Work, reason: PauseReason): string {
  const { says, todo } = REASONS[reason]
  const next = todo === null ? "" : ` To resume: ${todo}.`
  return `Expected the cause of the pause to be gone; found ${work.plan_name} still paused: ${says} (${work.active_plan}).${next}`
}

export function approvedText(work: Work, call: string): string {
  const rows = Object.keys(work.final_wave)
  const which = rows.length === 0 ? "" : ` (${rows.join(", ")})`
  return `Approved: the final wave of ${work.plan_name}${which}. ${SEEN_SOON}; if none is running: ${call} run ${shellWord(work.plan_name)}`
}

/** `goesOn`: the work is not paused, or not any more. */
export function unblockedText(
  work: Work,
  task: Task,
  { goesOn, call }: { readonly goesOn: boolean; readonly call: string },
): string {
  const { plan_name: name, pause_reason: reason } = work
  const stays =
    reason === null ? `${name} is complete` : `${name} stays paused: ${REASONS[reason].says}`
  const next = goesOn ? `${SEEN_SOON}; if none is running: ${call} run ${shellWord(name)}` : stays
  return `Unblocked: ${task.key} "${task.title}". ${next}`
}
