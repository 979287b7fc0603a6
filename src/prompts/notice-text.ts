// Writes toasts: one line about what has happened.

import type { PauseReason, Work } from "../boulder/boulder.ts"
import type { TokenLimits } from "../decide/situation.ts"
import { minuteWords } from "./pause-words.ts"
import { quote, quoteSentence } from "./quote.ts"
import { REASONS } from "./reasons.ts"
import { doing, SLASH, startOr, type Typed } from "./typed-command.ts"

/** The titles of messages shown at once; the panel shows a command that did nothing as a dialog. */
export const TOLD = {
  notice: "boulder",
  refused: "boulder: nothing was done",
  whichPlan: "boulder: which plan?",
  takeOver: "boulder: take it over?",
} as const

/** A title of such a message. */
export type ToldAs = (typeof TOLD)[keyof typeof TOLD]

/**
 * One line about a paused work; `facts` are what it waits for, or the figures that paused it; `typed` belongs to that work. `hasHeld`: one
 * of its blocked tasks is ticked. `resumesAt`: when it resumes by itself, as an ISO time.
 */
export function pauseNotice(
  planName: string,
  reason: PauseReason,
  {
    facts = null,
    typed,
    hasHeld = false,
    resumesAt = null,
  }: {
    readonly facts?: string | null
    readonly typed: Typed
    readonly hasHeld?: boolean
    readonly resumesAt?: string | null
  },
): string {
  const { says, todo } = REASONS[reason]
  const head = `Plan ${quote(planName, 24)} paused: ${says}${facts === null ? "" : ` (${facts})`}.`
  if (todo === undefined) return head
  const resume =
    resumesAt === null
      ? "To resume"
      : `It resumes by itself at ${minuteWords(resumesAt)}. To resume sooner`
  return `${head} ${resume}: ${todo(typed, hasHeld)}.`
}

/** One line about a work whose host itself waits for the provider, until an ISO time. */
export function hostWaitNotice(planName: string, until: string): string {
  return `Plan ${quote(planName, 24)} waits for the provider until ${minuteWords(until)}.`
}

/** One line about a subagent that the host waits for in that way; `key` is its task's, null if its call names none. */
export function childWaitNotice(key: string | null, until: string): string {
  return `The subagent of ${quote(key ?? "a call", 24)} waits for the provider until ${minuteWords(until)}. The others continue.`
}

/** One line about a task whose subagent has reached its provider's limit; `until` is an ISO time, null if no attempt is left. */
export function taskLimitNotice(key: string, until: string | null, typed: Typed): string {
  return until === null
    ? `Every attempt at ${quote(key, 24)} reached the provider's limit. The task waits for you: ${doing(typed("run"))}.`
    : `The subagent of ${quote(key, 24)} reached its provider's limit. The task waits until ${minuteWords(until)}.`
}

/** Shown at the first start of a version, by the plugin or its panel. */
export function greetingNotice(version: string, plans: number): string {
  const found =
    plans === 0
      ? "none found yet: write one to .boulder/plans/<name>.md"
      : plans === 1
        ? "1 plan found"
        : `${plans} plans found`
  return `opencode-boulder ${version}: /${SLASH.start} starts a plan; ${found}`
}

/**
 * One line about a work that was active when opencode started; a work whose session opencode does not have for this folder is left alone. `typed`
 * belongs to the work.
 */
export function takenUpNotice(
  planName: string,
  sessionId: string,
  { isKnown, typed }: { readonly isKnown: boolean; readonly typed: Typed },
): string {
  const head = `Plan ${quote(planName, 24)} is active in session ${quote(sessionId, 40)}`
  return isKnown
    ? `${head}. To pause it: ${doing(typed("stop"))}.`
    : `${head}, which opencode does not have for this folder. To take it over: ${doing(typed("run"))}.`
}

/** One line about a work that another session has taken from its lead, or, if `by` is null, another opencode with the same session. */
export function takenOverNotice(planName: string, by: string | null): string {
  const plan = quote(planName, 24)
  return by === null
    ? `Another opencode works on plan ${plan} now, in the same session. This one leaves it alone.`
    : `Plan ${plan} was taken over by session ${quote(by, 40)}. This session no longer delegates.`
}

/** One line about a subagent that was ended; `key` is its task's, null if its call names none. */
export function silentChildNotice(key: string | null, minutes: number): string {
  return `The subagent of ${quote(key ?? "a call", 24)} was silent for ${minutes} min and was ended. The others continue.`
}

/** One line about a subagent's tool that has been running for long. */
export function longToolNotice(key: string | null, tool: string, minutes: number): string {
  return `The subagent of ${quote(key ?? "a call", 24)} has been running ${quote(tool, 12)} for ${minutes} min. It is left alone.`
}

/** One line about a plan that is not continued because a file could not be read or written; `why` says which, and what to do. */
export function lookLostNotice(why: string): string {
  return `The plan is not continued: ${quote(why, 120)} The plugin tries again by itself.`
}

/** One line about a plan that is done; `leftOut`: what stands outside its tasks and was not run, the likeliest first. */
export function finishNotice(
  planName: string,
  { settled, total }: { readonly settled: number; readonly total: number },
  leftOut: readonly string[],
): string {
  const [first] = leftOut
  const left = first === undefined ? "" : ` Left out: ${quoteSentence(first, 48)}`
  return `Plan ${quote(planName, 24)} complete: ${settled}/${total} tasks settled.${left}`
}

/** One line about a final wave that waits; `facts` add to that, `typed` belongs to its work. */
export function approvalNotice(planName: string, facts: string | null, typed: Typed): string {
  return `Plan ${quote(planName, 24)} waits for your approval${facts === null ? "" : ` (${facts})`}. To approve: ${startOr(typed, "approve")}.`
}

/** One line about a work whose session was switched to another agent than its own; `typed` belongs to it. */
export function agentNotice(
  { plan_name, agent }: Pick<Work, "plan_name" | "agent">,
  typed: Typed,
): string {
  const { says, todo } = REASONS["agent-changed"]
  const own = agent === null ? "" : ` (the work's is ${quote(agent, 24)})`
  return `Plan ${quote(plan_name, 24)} waits: ${says}${own}. To resume: ${todo?.(typed, false)}.`
}

/** One line for the user about limits that are larger than the model's context, or smaller than what always fills it. */
export function scaledNotice(
  { soft, hard, base }: TokenLimits,
  contextLimit: number,
  compactsAt: number | null,
): string {
  if (base !== undefined)
    return `This session's context begins at ${base} tokens (instructions, tools and summary), where the token limits would act at once: ${soft} (soft) and ${hard} (hard) are in force.`
  const full = compactsAt === null ? "" : `, which opencode compacts at ${compactsAt}`
  return `The token limits do not fit this model's context of ${contextLimit} tokens${full}: ${soft} (soft) and ${hard} (hard) are in force.`
}
