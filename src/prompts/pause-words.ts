// Explains a pause beyond its reason: a ceiling, the provider's words, the end of a limit; and what else waits, a task or a final wave.
import type { Work } from "../boulder/boulder.ts"
import type { TaskWait } from "../boulder/usage-limit.ts"
import { hostWaitEnd } from "../boulder/usage-limit.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"
import { budgetWords } from "./budget-words.ts"
import { quote, quoteKeys } from "./quote.ts"
import { starting, type Typed } from "./typed-command.ts"

const REFUSAL_TOKENS = 60

/** What adds to the reason of a work's pause, including when it resumes by itself, or to its wait for approval; null for nothing. */
export function pauseWords(work: Work, timeOf: TimeOf = minuteWords): string | null {
  const at = resumesAt(work)
  const next = at === null ? null : `with opencode running, it resumes by itself at ${timeOf(at)}`
  const why = whyPaused(work, timeOf)
  if (why === null || next === null) return why ?? next
  return `${why}; ${next}`
}

/** When a paused work resumes by itself, as an ISO time; null if a person has to act. */
export function resumesAt({ limited, pause_reason: reason }: Work): string | null {
  return reason === "usage-limited" ? (limited?.goes_on_at ?? null) : null
}

/** The same without the time when it resumes. */
export function whyPaused(
  {
    spent_budget: spent,
    refusal,
    limited,
    status,
    pause_reason: reason,
    awaiting_approval: waits,
  }: Work,
  timeOf: TimeOf = minuteWords,
): string | null {
  if (status !== "paused") return unreviewedWords(waits?.unreviewed ?? [])
  if (spent !== null) return budgetWords(spent)
  if (refusal !== null) return quote(refusal, REFUSAL_TOKENS)
  // Another pause may come while the host itself waits for the end of a limit.
  if (limited === null || reason !== "usage-limited") return null
  const { until, goes_on_at: at } = limited
  // It was reported late, or a request was made after its end.
  if (limited.until <= limited.since) return null
  return `until ${timeOf(until)}${at === null ? "; then it waits for you" : ""}`
}

/** That these rows of a final wave were ticked without a review, by their keys; null for none. */
export function unreviewedWords(rows: readonly string[]): string | null {
  if (rows.length === 0) return null
  return `${quoteKeys(rows)} ${rows.length === 1 ? "was" : "were"} ticked without a review`
}

/** Says that a work is paused because its session has started or resumed another; `typed` belongs to that work. */
export function leadsOneWords({ plan_name: name }: Pick<Work, "plan_name">, typed: Typed): string {
  return `${name} was paused: a session leads only one plan (to resume it: ${typed("resume")})`
}

/** Until when the host of an active work waits for the provider, as a clause; null if it does not. `now` in ms. */
export function hostWaitWords(work: Work, now: number): string | null {
  const end = hostWaitEnd(work, now)
  return end === null ? null : `waits for the provider until ${minuteWords(end)}`
}

/** How long a task waits whose subagent has reached its provider's limit, as a clause; `until` is null if no attempt is left. */
export function taskLimitWords(until: string | null, timeOf: TimeOf = minuteWords): string {
  return until === null
    ? "every attempt reached the provider's limit; it waits for you"
    : `waits for its provider's limit until ${timeOf(until)}`
}

/**
 * The tasks held up by limits of their own subagents, one line each, at most `most`; with what ends the wait. `typed` belongs to their
 * work.
 */
export function limitedLines(
  tasks: readonly TaskWait[],
  {
    most,
    typed,
    timeOf = minuteWords,
  }: { readonly most: number; readonly typed: Typed; readonly timeOf?: TimeOf },
): readonly string[] {
  const lines = tasks.slice(0, most).map(({ key, title, until }) => {
    const todo = until === null ? `. To resume: ${starting(typed)}` : ""
    return cleanLine(`limited: ${key} ${title}: ${taskLimitWords(until, timeOf)}${todo}`)
  })
  const more = tasks.length - lines.length
  return more > 0 ? [...lines, `limited: ${more} more`] : lines
}

type TimeOf = (iso: string) => string

/** An ISO time for a person, in UTC, to the minute or to the second. */
export function minuteWords(time: string, toSecond = false): string {
  return `${time.slice(0, toSecond ? 19 : 16).replace("T", " ")} UTC`
}
