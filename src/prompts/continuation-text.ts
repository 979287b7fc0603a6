// Writes the prompt that continues a plan at an idle.
import type { TickNews } from "../decide/decision.ts"
import { type PlanCounts, settledCount, type Task } from "../plan/model/plan.ts"
import { tickTheWave } from "./approval-words.ts"
import { frame } from "./frame.ts"
import type { HostWords } from "./host-words.ts"
import { blockWords, howToWork, isOfWave, type Settling } from "./how-to-work.ts"
import { planWords } from "./plan-words.ts"
import { changedLines, editedLines, unprovenLines } from "./proof-words.ts"
import { estimateTokens, quote, quoteKey } from "./quote.ts"
import { sendBackWords } from "./reuse-hint.ts"
import {
  approvedWindow,
  heldYet,
  layOut,
  type ShownTask,
  type ShownWindow,
} from "./window-lines.ts"

/** Budget: 450 tokens (o200k) at any plan size; the frame and the line ends come on top of the estimate. */
const TOKENS = 442
const UNPROVEN_TOKENS = 48

/** What a continuation is made from. */
export interface ContinuationFacts extends Partial<TickNews> {
  readonly planName: string
  readonly planPath: string
  readonly counts: PlanCounts
  readonly window: ShownWindow
  readonly settling: Settling
  readonly words: HostWords
  /** The conversation still says how to work: a start or a continuation said it, and no compaction followed. */
  readonly isTold: boolean
  /** The user has approved the wave, and its rows are still open. */
  readonly waveApproved?: boolean
  /** The user's earlier approval of the wave no longer holds. */
  readonly approvalLapsed?: boolean
  /** How many turns in a row have changed nothing, and after how many more the work pauses; null if the last one changed something. */
  readonly idleTurns?: {
    readonly count: number
    readonly left: number
    /** git has reported the work tree, before and now. */
    readonly isTreeKnown: boolean
  } | null
  /** A compaction interrupted the last turn: the next step according to the task state. */
  readonly cutOffStep?: string | null
}

/** The prompt that continues a plan at an idle. */
export function continuationText(facts: ContinuationFacts): string {
  const { counts, words } = facts
  const window = facts.waveApproved === true ? approvedWindow(facts.window) : facts.window
  const happened = cutOffLine(facts.cutOffStep ?? null) ?? idleLine(facts)
  const blocked = counts.blocked === 0 ? "" : `, ${counts.blocked} blocked`
  const settled = `${settledCount(counts)} of ${counts.total} settled${blocked}.`
  const orders = [
    happened,
    ...changedLines(facts.changed ?? [], UNPROVEN_TOKENS),
    ...unprovenLines(facts.unproven ?? [], UNPROVEN_TOKENS),
    ...editedLines(facts.edited ?? []),
    ordersOf(
      facts,
      window.tasks.map(({ task }) => task),
    ),
  ].filter((line) => line !== null)
  const shown = { withRules: !facts.isTold, words, settling: facts.settling }
  const lines = layOut(window, shown)
  const room = TOKENS - estimateTokens([settled, ...orders].join("\n")) - lines.least
  const plan = planWords("Continue the plan", facts, room)
  const before = [`${plan}: ${settled}`, ...orders]
  const tokens = TOKENS - estimateTokens(before.join("\n"))
  return frame([...before, ...lines.within(tokens)])
}

function ordersOf(facts: ContinuationFacts, tasks: readonly Task[]): string {
  const [first] = tasks
  if (facts.waveApproved === true) return tickTheWave(tasks, facts.settling)
  const { words, approvalLapsed = false } = facts
  if (!facts.isTold || isOfWave(first))
    return howToWork(first, facts.settling, words, approvalLapsed)
  // After a turn that was no work at all, only the second part applies.
  const before = (facts.idleTurns ?? null) === null ? "Work as before; ask" : "Ask"
  return `${before} only with \`${words.ask}\`.`
}

/** From the first turn without progress the text differs: it says what has not happened and what follows. */
function idleLine({
  idleTurns = null,
  window,
  waveApproved,
  settling,
}: ContinuationFacts): string | null {
  if (idleTurns === null || window.tasks.length === 0) return null
  const next = window.tasks.find((one) => !one.isReviewed && one.limitedUntil === null)
  const turns = idleTurns.count === 1 ? "Your last turn" : `Your last ${idleTurns.count} turns`
  const act = next === undefined || waveApproved === true ? "" : ` ${actOn(next, settling)}`
  const nothing = idleTurns.isTreeKnown
    ? "settled no task, brought no new result for one and changed no file"
    : "settled no task and brought no new result for one"
  // A held task is blocked after a few such turns, and the work goes on.
  const pause = next !== undefined && heldYet(next) !== null ? "" : ` ${pauseIn(idleTurns.left)}`
  return `${turns} ${nothing}.${act}${pause}`
}

function pauseIn(turns: number): string {
  return turns === 1
    ? "After one more such turn the work pauses."
    : `After ${turns} more such turns the work pauses.`
}

/**
 * What to do with a task now: delegate it, handle its result, or run its missing check. A row of the final wave is never settled before the
 * approval.
 */
function actOn(shown: ShownTask, settling: Settling): string {
  const { task, back, reuse } = shown
  const isBack = back === "result"
  const key = quoteKey(task.key)
  if (back === "rejected-in-plan") return `Remove the rejection of ${key} from the plan now.`
  if (isOfWave(task) && task.rejected) return `Delegate the fix for ${key} now.`
  if (heldYet(shown) !== null) return `Get the check of ${key} to exit with 0 now.`
  if (isOfWave(task))
    return isBack && reuse?.kind === "reuse"
      ? `Have the session of ${key} give its verdict now.`
      : `Delegate ${key} now.`
  const act = isBack ? `Settle ${key} now or ${sendBackWords(reuse)}` : `Delegate ${key} now`
  const reason = settling === "by-tool" ? " with the reason" : ""
  return `${act}, or ${blockWords("it", task, settling)}${reason}.`
}

function cutOffLine(step: string | null): string | null {
  return step === null || step.trim() === ""
    ? null
    : `The conversation was compacted. You were about to: ${quote(step, 40)}`
}
