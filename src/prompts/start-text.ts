// What `/start-work` shows the orchestrator, and through it the user.
import type { BlockedTask } from "../boulder/blocked-tasks.ts"
import type { Reuse } from "../decide/decision.ts"
import { type Plan, settledCount } from "../plan/model/plan.ts"
import { TICK_THE_WAVE } from "./approval-words.ts"
import { blockedLines } from "./blocked-lines.ts"
import { howToWork } from "./continuation-text.ts"
import { frame } from "./frame.ts"
import { estimateTokens, quote } from "./quote.ts"
import { reuseHint } from "./reuse-hint.ts"
import { type ShownWindow, windowLines } from "./window-lines.ts"

const MAX_NOTES = 3
/** Shared by the notes that are shown: one alone may be long. */
const NOTES_TOKENS = 78
/** The same where a line of what waits stands beside them. */
const NOTES_TOKENS_BESIDE = 48

/** What all words but the window leave of the budget at their dearest. */
const WINDOW_TOKENS = 249

/** Budget: 600 tokens (o200k). */
export interface StartFacts {
  readonly planName: string
  readonly planPath: string
  readonly plan: Plan
  readonly resumed: boolean
  readonly window: ShownWindow
  readonly reuse: Reuse | null
  /** What the user should know: who led before, what was upgraded, what is odd in the plan. */
  readonly notes: readonly string[]
  readonly waveApproved?: boolean
  /** The line of what earlier sessions have left; null, or left out, where nothing waits. */
  readonly waiting?: string | null
  /** What is blocked, where nothing else is left. */
  readonly blocked?: readonly BlockedTask[]
}

/** Agents save without being asked: said once, where a work begins. */
const SAVE_PROGRESS = "Call `save_task_progress` at milestones and before giving up."

/** What `/start-work` shows the orchestrator, and through it the user. */
export function startText(facts: StartFacts): string {
  const { plan, window, reuse } = facts
  const waiting = facts.waiting ?? null
  const first = window.tasks[0]
  const name = quote(facts.planName, 16)
  return frame([
    `${facts.resumed ? "Resume" : "Start"} the plan ${name} (${quote(facts.planPath, 36)}).`,
    `First tell the user this line: ${readLine(plan)}`,
    ...noteLines(facts.notes, waiting === null ? NOTES_TOKENS : NOTES_TOKENS_BESIDE),
    ...(first === undefined ? [] : orders(facts)),
    waiting,
    ...(first === undefined ? nothingToDo(facts.blocked) : windowLines(window, WINDOW_TOKENS)),
    first === undefined || reuse === null ? null : reuseHint(first.key, reuse),
  ])
}

function orders({ waveApproved, window }: StartFacts): readonly string[] {
  return waveApproved === true ? [TICK_THE_WAVE] : [howToWork(window.tasks[0]), SAVE_PROGRESS]
}

function nothingToDo(blocked: readonly BlockedTask[] = []): readonly string[] {
  return blocked.length === 0
    ? ["Nothing is left to do: tell the user."]
    : [
        "Only blocked tasks are left: tell the user what would unblock them, and end your turn.",
        ...blockedLines(blocked, 3),
      ]
}

/** What was read of a plan, in one line: dialect, tasks, and the lines passed over with their reasons. */
export function readLine(plan: Plan): string {
  const { counts } = plan
  const settled = settledCount(counts)
  return `${quote(plan.dialect, 8)} plan, ${counts.total} tasks read, ${settled} settled, ${ignoredPart(plan)}.`
}

function ignoredPart(plan: Plan): string {
  if (plan.ignored.length === 0) return "0 lines ignored"
  const reasons = [...new Set(plan.ignored.map((line) => line.reason))].slice(0, 3)
  const lines = plan.ignored.length === 1 ? "1 line" : `${plan.ignored.length} lines`
  return `${lines} ignored (${quote(reasons.join(", "), 16)})`
}

function noteLines(notes: readonly string[], tokens: number): readonly string[] {
  const first = notes.slice(0, MAX_NOTES)
  const shares = sharesOf(
    first.map((note) => estimateTokens(quote(note, tokens))),
    tokens,
  )
  const shown = first.map((note, index) => `Note: ${quote(note, shares[index] ?? 0)}`)
  const more = notes.length - shown.length
  return more > 0 ? [...shown, `(${more} more: opencode-boulder plan)`] : shown
}

/** What each may take of `tokens`: who needs less than an equal share leaves the rest to the others. */
function sharesOf(needs: readonly number[], tokens: number): readonly number[] {
  const shares = new Array<number>(needs.length).fill(0)
  const smallestFirst = [...needs.keys()].sort((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0))
  let left = tokens
  for (const [taken, index] of smallestFirst.entries()) {
    const share = Math.min(needs[index] ?? 0, Math.floor(left / (needs.length - taken)))
    shares[index] = share
    left -= share
  }
  return shares
}
