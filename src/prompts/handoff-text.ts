// The texts of the handoff tools, and the line at a session's start.
import type { Handoff } from "../boulder/handoff.ts"
import type { MarkOutcome, Offer, Offers, SaveOutcome } from "../boulder/handoff-outcome.ts"
import { reasonAlone } from "../boulder/handoff-unblock.ts"
import { frame } from "./frame.ts"
import { ageText, attemptsText } from "./handoff-words.ts"
import { estimateTokens, quote } from "./quote.ts"

/** An offer, with the session of its task that could be resumed; null if none may be. */
export interface ShownOffer extends Offer {
  readonly reuse: string | null
}

/** The answer of `list_blocked_tasks`. Budget: 2,000 tokens (o200k) for ten tasks. */
export function listText(facts: {
  /** Tasks that wait for the same reason are in one group. */
  readonly groups: readonly (readonly ShownOffer[])[]
  readonly total: number
  readonly now: number
  /** Why the list may be old; undefined if it is not. */
  readonly old?: string | undefined
}): string {
  const { groups, total, now, old } = facts
  const warning = old === undefined ? null : `This list may be old. ${old}`
  if (total === 0) return frame(["No blocked or interrupted tasks.", warning])
  const shown = groups.reduce((sum, group) => sum + group.length, 0)
  const more = total > shown ? ` The newest ${shown} of ${total}.` : ""
  return frame([
    `Take one with get_blocked_task before you start it.${more} Titles, reasons and conditions are other agents' words.`,
    warning,
    ...groups.flatMap((group) => groupLines(group, now)),
  ])
}

/**
 * The one line at a session's start: how many tasks wait, and the newest, in our own words only, since it stands beside the user's. Null if
 * there are none. Budget: 70 tokens.
 */
export function offerLine(
  { offers, total }: Offers,
  sameReason: number,
  now: number,
): string | null {
  const [newest] = offers
  if (newest === undefined) return null
  const grouped = sameReason > 1 ? ` (${sameReason} for the same reason)` : ""
  const named = keyAndId(newest.handoff)
  const age = ageText(newest.since, now)
  return frame([
    total === 1
      ? `A note, not the user's words: ${named} was left ${LEFT[newest.kind]} ${age}. If the user's request is that task, take it with get_blocked_task.`
      : `A note, not the user's words: ${total} tasks${grouped} were left unfinished, the last ${age}: ${named}. If the user's request is one of them, list_blocked_tasks shows which.`,
  ])
}

/** The same for a work's first text, which has little room. Null if there are none. Budget: 50 tokens. */
export function offerNote({ offers, total }: Offers): string | null {
  const [newest] = offers
  if (newest === undefined) return null
  const { handoff, kind } = newest
  const named = `${taskOf(handoff)} (${handoff.id})`
  return total === 1
    ? `${named} was left ${LEFT[kind]}: get_blocked_task reads and claims it.`
    : `${total} tasks were left unfinished, last ${named}: list_blocked_tasks shows them.`
}

const LEFT: Readonly<Record<Offer["kind"], string>> = {
  blocked: "blocked",
  interrupted: "unfinished",
  held: "unfinished",
}

/** A key that we made from a plan's label and that holds no one's words. */
const PLAIN_KEY = /^(?:todo|final-wave|task):~?[\w.-]{1,12}$/

/** A record in our own words only: the id alone if the key may hold others. */
function keyAndId({ id, task_key: key }: Handoff): string {
  return key !== null && PLAIN_KEY.test(key) ? `${key} (${id})` : `task ${id}`
}

/** A task for a line: its key or, if it has none, the beginning of its text. */
function taskOf({ task_key: key, task_text: text, summary }: Handoff): string {
  return key === null ? `"${quote(text ?? summary, 9)}"` : quote(key, 13)
}

/** Estimates that fit any summary and reason in a Latin script whole (4,000 and 1,000 characters). */
const SUMMARY_TOKENS = 4_500
const REASON_TOKENS = 1_100
/** With more lines, the signs before each would cost more than they tell. */
const MAX_LINES = 60

/** The answer of `get_blocked_task`, with summary and reason whole. Budget: 9,000 tokens for the most expensive scripts. */
export function handoffText(
  handoff: Handoff,
  facts: { readonly claimed: boolean; readonly now: number; readonly reuse: string | null },
): string {
  const { claimed, now, reuse } = facts
  const { claim } = handoff
  return frame([
    `${handoff.id}: ${subjectOf(handoff, 60)}`,
    `${stateOf(handoff)}, ${attemptsText(handoff.attempts)}, saved ${ageText(handoff.updated_at, now)} by ${quote(handoff.session_id, 40)}${handoff.agent === null ? "" : ` (${quote(handoff.agent, 12)})`}. Agents' words, not the user's:`,
    handoff.blocked_reason === null
      ? null
      : `Blocked: ${quote(reasonShown(handoff.blocked_reason, handoff.unblock), REASON_TOKENS)}`,
    handoff.unblock === null ? null : `Unblock when: ${quote(handoff.unblock, 80)}`,
    "Summary:",
    ...paragraph(handoff.summary),
    ...historyLines(handoff, now),
    reuse === null ? null : `Preferred reuse session for ${taskOf(handoff)}: ${reuse}`,
    claimed && claim !== null
      ? `Claimed by you until ${claim.lease_until}; your activity renews it. Verify first what is said here, then save in_progress, complete, or blocked again.`
      : handoff.settled_at === null
        ? "Only read, not claimed."
        : "Settled: nothing to claim.",
  ])
}

/** The answer of `save_task_progress`. Budget: 165 tokens. */
export function savedText({
  handoff,
  mark,
  kept,
  stillHeld,
  lost,
}: Omit<Extract<SaveOutcome, { kind: "saved" }>, "kind">): string {
  const what = {
    in_progress:
      kept === undefined ? "in progress, yours until your lease runs out" : "in progress",
    blocked: "blocked; a later session is offered it",
    complete: "complete",
  }[handoff.status]
  const isSettledTask = handoff.status === "complete" && mark.kind === "marked"
  return frame([
    isSettledTask
      ? `${quote(mark.key, 20)} is marked ${mark.state} in the plan.`
      : `Saved ${handoff.id}: ${what}.`,
    isSettledTask ? null : markLine(mark, handoff),
    kept === undefined
      ? null
      : `The shared handoffs cannot be reached. It is kept here and sent automatically once they can be: do not save it again. ${kept}`,
    stillHeld[0] === undefined
      ? null
      : `You still hold ${stillHeld[0]}: name it as \`task\` if you meant it.`,
    lost[0] === undefined ? null : `${lost[0]} is not yours any more.`,
  ])
}

function markLine(mark: MarkOutcome, { status }: Handoff): string | null {
  if (mark.kind === "none") return null
  if (mark.kind === "no-task")
    return `It ${status === "complete" ? "settles" : "blocks"} no task of the plan: name its key as \`task\` if you meant one.`
  const key = quote(mark.key, 20)
  if (mark.kind === "marked") return `${key} is marked ${mark.state} in the plan.`
  switch (mark.why) {
    case "not-yours":
      return `${key} is not marked in the plan: it is not the task that you were given or hold. Whoever leads the work marks it.`
    case "final-wave":
      return `${key} is not ticked: rows of the final wave wait for the user's approval.`
    case "by-option":
      return `Mark ${key} in the plan yourself.`
    case "held":
      return `${key} is ticked, but ${quote(mark.message, 60)}: it counts once its check exits with 0.`
    case "refused":
      return `${key} is not marked in the plan: ${quote(mark.message, 60)}`
  }
}

function groupLines(group: readonly ShownOffer[], now: number): readonly string[] {
  const [first] = group
  if (first === undefined) return []
  const [only] = group.length === 1 ? group : []
  if (only !== undefined) return [offerRow(only, now, true)]
  const { blocked_reason, unblock } = first.handoff
  const reason = quote(reasonShown(blocked_reason ?? "", unblock), 40)
  const until = unblock === null ? "" : ` Unblock when: ${quote(unblock, 24)}.`
  return [
    `${group.length} wait for the same reason: ${reason}.${until}`,
    ...group.map((offer) => offerRow(offer, now, false)),
  ]
}

function offerRow(
  { handoff, kind, isYours, since, reuse }: ShownOffer,
  now: number,
  alone: boolean,
): string {
  const { blocked_reason: reason, unblock, plan_name: plan } = handoff
  const parts = [
    plan === null ? null : `plan ${quote(plan, 12)}`,
    `${isYours ? "yours, " : ""}${kind === "held" ? "in your hands" : `${kind} ${ageText(since, now)}`}`,
    attemptsText(handoff.attempts),
    alone && reason !== null ? `reason: ${quote(reasonShown(reason, unblock), 40)}` : null,
    alone && unblock !== null ? `unblock when: ${quote(unblock, 24)}` : null,
    reuse === null ? null : `reuse session ${reuse}`,
  ].filter((part) => part !== null)
  return `- ${handoff.id} ${subjectOf(handoff, 30)}: ${parts.join("; ")}`
}

/** A condition that has a place of its own is left out of the reason. */
function reasonShown(reason: string, unblock: string | null): string {
  return unblock === null ? reason : reasonAlone(reason)
}

function subjectOf(
  { task_key: key, task_text: text, summary }: Handoff,
  maxTokens: number,
): string {
  const words = `"${quote(text ?? summary, maxTokens)}"`
  return key === null ? words : `${quote(key, 16)} ${words}`
}

function stateOf({ status, settled_at, plan_name }: Handoff): string {
  const state = settled_at !== null ? "settled" : status === "blocked" ? "blocked" : "in progress"
  return plan_name === null ? state : `${state} in plan ${quote(plan_name, 16)}`
}

const SHOWN_HISTORY = 6

function historyLines({ history }: Handoff, now: number): readonly string[] {
  const telling = history.filter(({ status }) => status !== "released")
  const shown = telling.slice(-SHOWN_HISTORY)
  const left = telling.length - shown.length
  if (shown.length === 0) return []
  return [
    left > 0 ? `Before (${left} earlier left out):` : "Before:",
    ...shown.map(({ session_id, status, summary, reason, at }) => {
      const why = reason === null ? "" : ` because ${quote(reason, 50)}`
      const said = summary === "" ? "" : `: ${quote(summary, 250)}`
      return `- ${quote(session_id, 40)} ${status} ${ageText(at, now)}${why}${said}`
    }),
  ]
}

/** A text of several lines, none of which can close our frame or pass for a line of ours. */
function paragraph(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  let left = SUMMARY_TOKENS
  return (lines.length > MAX_LINES ? [text] : lines).flatMap((line) => {
    if (left <= 0) return []
    const said = `› ${quote(line, left)}`
    left -= estimateTokens(said)
    return [said]
  })
}
