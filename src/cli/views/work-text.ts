// Puts works into words.
import type { PauseReason, Work } from "../../boulder/boulder.ts"
import { hasHeldBlock } from "../../boulder/held-plan.ts"
import type { WorkState } from "../../boulder/live-view.ts"
import type { Task } from "../../plan/model/plan.ts"
import { REASONS } from "../../prompts/reasons.ts"
import { ofWork, type Typed } from "../../prompts/typed-command.ts"
import { type StateReader, stateWords } from "../../prompts/work-state-words.ts"
import type { CalledWork } from "../project/meant-work.ts"

export const NOTHING_WAITS = "Expected a final wave that is waiting for approval; found none."

type Called = Pick<CalledWork, "typed" | "name">

/** `isNew`: it was not stopped before. */
export function stoppedText(
  plan: string,
  { typed, name, isNew }: Called & { readonly isNew: boolean },
): string {
  const said = isNew
    ? `Stopped: ${plan}. A running turn finishes, then nothing more is sent.`
    : `${plan} was stopped already.`
  return `${said} To resume: ${typed("resume", name)}`
}

/** A work that is not paused: what it does or waits for, and what ends that. */
export function notPausedText(plan: string, state: WorkState, reader: StateReader): string {
  return `${plan} is not paused: ${stateWords(state, reader)}`
}

/** `reason` is what had paused the work; `beside` lists what its session has stopped for it. */
export function resumedText(
  plan: string,
  reason: PauseReason,
  { beside = [], ...called }: Called & { readonly beside?: readonly string[] },
): string {
  const budget = reason === "budget-spent" ? " with a fresh budget" : ""
  const said = [`It was paused: ${REASONS[reason].says}`, ...beside].map((words) => `${words}.`)
  return `Resumed: ${plan}${budget}. ${said.join(" ")} ${goesOnText(called)}`
}

/** `typed` belongs to the work. */
export function stillHoldsText(work: Work, reason: PauseReason, typed: Typed): string {
  const { says } = REASONS[reason]
  const next = nextText(work, reason, typed)
  return `Expected the cause of the pause to be gone; found ${work.plan_name} still paused: ${says} (${work.active_plan}).${next}`
}

/** A work that changed between the look at it and the write. */
export function changedSinceText({ plan_name: name }: Work, called: Called): string {
  return `Expected ${name} as it was read; found it changed meanwhile. Nothing was resumed. See: ${called.typed("status", called.name)}`
}

export function approvedText(work: Work, called: Called): string {
  const rows = Object.keys(work.final_wave)
  const which = rows.length === 0 ? "" : ` (${rows.join(", ")})`
  return `Approved: the final wave of ${work.plan_name}${which}. ${work.pause_reason === null ? goesOnText(called) : staysText(work, called)}`
}

export function unblockedText(work: Work, task: Task, called: Called): string {
  return `Unblocked: ${task.key} "${task.title}". ${work.status === "active" ? goesOnText(called) : staysText(work, called)}`
}

function staysText(work: Work, { typed, name }: Called): string {
  const { plan_name: plan, pause_reason: reason } = work
  return reason === null
    ? `${plan} is complete.`
    : `${plan} stays paused: ${REASONS[reason].says}.${nextText(work, reason, ofWork(typed, name))}`
}

function nextText(work: Work, reason: PauseReason, typed: Typed): string {
  const { todo } = REASONS[reason]
  return todo === undefined ? "" : ` To resume: ${todo(typed, hasHeldBlock(work))}`
}

function goesOnText({ typed, name }: Called): string {
  return `A running opencode continues it within seconds; if not: ${typed("run", name)}`
}
