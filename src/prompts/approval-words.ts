// Words about the final wave: which reviews run again, how the user is asked for approval, what follows it.
import { settlesWords } from "../plan/formats.ts"
import type { Task } from "../plan/model/plan.ts"
import type { HostWords } from "./host-words.ts"
import type { Settling } from "./how-to-work.ts"
import { quoteKeys } from "./quote.ts"

/** Reviews of the final wave that are outdated. */
export interface OldReviews {
  readonly rows: readonly string[]
  /** How many of them are rejections. A fix that is back fixes one of them, nobody knows which. */
  readonly rejections: number
  /** The user's earlier approval no longer holds. */
  readonly isLapsed: boolean
}

/** The rows that must run again, and why. Begins in the middle of a sentence. */
export function reviewAgain({ rows, rejections, isLapsed }: OldReviews): string {
  const fixed = rejections > 1 ? " once every rejection is fixed" : ""
  const lapsed = isLapsed ? "; the user's approval has lapsed: ask again when told" : ""
  return `delegate ${quoteKeys(rows)} again${fixed}: the work may have changed since${lapsed}`
}

/** What a review says. The plan's own text may still reject a row whose review passed. */
export type ReviewVerdict = "pass" | "pass-against-plan" | "reject" | null

export const VERDICT_WORDS = {
  pass: "no objection",
  "pass-against-plan": "no objection",
  reject: "REJECTED",
  null: "no verdict",
} as const

/** The plan's text counts as long as it says so. */
export const REMOVE_REJECTION = "Remove the rejection that its text in the plan still states"

/** What to do with a review in a turn that goes on; `again` says which others are outdated, null for none. */
export function reviewAct(verdict: ReviewVerdict, again: string | null): string {
  switch (verdict) {
    case "pass":
      return again === null
        ? "Leave its box as it is: the user approves the wave once all its rows are back."
        : `Leave its box as it is, and ${again}.`
    case "pass-against-plan":
      return `${REMOVE_REJECTION}, and ${again ?? "leave its box as it is"}.`
    case "reject":
      return "Delegate the fix under the key of the task that it concerns, ticked or not; then you will be told which reviews to run again."
    case null:
      return "Have it end with a line `VERDICT: APPROVE` or `VERDICT: REJECT`."
  }
}

/** What the user should know about a wave before approving it, besides its verdicts. */
export interface AskedAnew {
  /** The plan has changed since its rows came back. */
  readonly isOfAnotherPlan: boolean
  /** They had approved it before. */
  readonly isLapsed: boolean
  /** How many of its rows were ticked without a review. Said if nothing else is: the toast and `status` name them. */
  readonly unreviewed: number
}

/** Asks in a way that makes the answer an act of the user: words alone approve nothing. Begins in the middle of a sentence. */
export function askForApproval(
  { ask }: HostWords,
  { isOfAnotherPlan, isLapsed, unreviewed }: AskedAnew,
): string {
  const news = isOfAnotherPlan
    ? `the plan has changed since${isLapsed ? " their approval" : ""}`
    : isLapsed
      ? "their approval has lapsed"
      : `${unreviewed} of its rows had no review`
  const that = isOfAnotherPlan || isLapsed || unreviewed > 0 ? `, that ${news},` : ""
  return `tell the user the final wave's verdicts${that} and ask with \`${ask}\`: header \`Final wave\`, options \`Approve\` and \`Not yet\`. Settle its rows only on \`Approve\`; on \`Not yet\` or without that tool, end your turn.`
}

/** Said once the user has approved the final wave: without it the rows would all run again. */
export const WAVE_APPROVED = "The user has approved the final wave: do not run its rows again"

/**
 * The same with what is left to do: each row knows how its format settles one. A row that is ticked but held says itself what it waits for.
 */
export function tickTheWave(rows: readonly Task[], settling: Settling): string {
  const open = rows.filter(({ held }) => held === undefined)
  if (open.length === 0 && rows.length > 0) return `${WAVE_APPROVED}.`
  const each = open.length < rows.length ? "each open one" : "each"
  const settle =
    settling === "by-tool"
      ? `, save ${each} as \`complete\``
      : `; for ${each}, ${settlesWords(open[0])}`
  return `${WAVE_APPROVED}${settle}.`
}
