// The prompt that sets the orchestrator going again.
import type { Reuse } from "../decide/decision.ts"
import { settlesWords } from "../plan/formats.ts"
import { type PlanCounts, settledCount, type Task } from "../plan/model/plan.ts"
import { TICK_THE_WAVE } from "./approval-words.ts"
import { frame } from "./frame.ts"
import { quote } from "./quote.ts"
import { reuseHint } from "./reuse-hint.ts"
import { type ShownWindow, windowLines } from "./window-lines.ts"

/** What all words but the window leave of the budget at their dearest. */
const WINDOW_TOKENS = 254

/** Budget: 450 tokens (o200k) at any plan size. */
export interface ContinuationFacts {
  readonly planName: string
  readonly planPath: string
  readonly counts: PlanCounts
  readonly window: ShownWindow
  /** Null where reuse is switched off. */
  readonly reuse: Reuse | null
  /** The user has approved the wave whose rows are still open. */
  readonly waveApproved?: boolean
  /** A compaction has come into the middle of the last turn. */
  readonly cutOff?: boolean
}

/** The prompt that sets the orchestrator going again; fixed words first, what changes last. */
export function continuationText(facts: ContinuationFacts): string {
  const { counts, window, reuse } = facts
  const settled = settledCount(counts)
  const first = window.tasks[0]
  return frame([
    `Go on with the plan ${quote(facts.planName, 16)} (${quote(facts.planPath, 36)}).`,
    facts.waveApproved === true ? TICK_THE_WAVE : howToWork(first),
    ...windowLines(window, WINDOW_TOKENS),
    `${settled} of ${counts.total} tasks settled${blockedPart(counts.blocked)}.`,
    facts.cutOff === true ? CUT_OFF : null,
    first === undefined || reuse === null ? null : reuseHint(first.key, reuse),
  ])
}

/**
 * How the orchestrator works a window: said at the start and at each continuation, word for word the same. `task` is
 * the window's first: it knows how its format settles one.
 */
export function howToWork(task: Task | undefined): string {
  return `${HOW_TO_BEGIN} ${settlesWords(task)} in the plan. ${HOW_TO_GO_ON}`
}

const HOW_TO_BEGIN =
  "Delegate each task with `task`, its key in the description; verify the result yourself, then"
const HOW_TO_GO_ON =
  "A subagent that cannot go on ends with a line `BLOCKED: why`. If you need the user, ask and end your turn; otherwise go on until the tasks below are settled. The next ones come by themselves."

/** Said where the conversation was compacted in the middle of a turn: what it was about must not be lost. */
const CUT_OFF = "First finish what the compaction has cut off."

function blockedPart(blocked: number): string {
  return blocked === 0 ? "" : `, ${blocked} blocked`
}
