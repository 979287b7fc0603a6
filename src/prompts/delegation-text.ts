// What the orchestrator reads under the result of a `task` call.
import type { Reuse } from "../decide/decision.ts"
import { frame } from "./frame.ts"
import { quote } from "./quote.ts"
import { reuseHint } from "./reuse-hint.ts"

/** Budget: 150 tokens (o200k) for all that is added to one delegated task. */
export interface DelegationFacts {
  /** The task that the call worked on; null when nothing was recorded for it. */
  readonly taskKey: string | null
  /** Why nothing was recorded, where nothing was. */
  readonly notRecorded:
    | "no task was named"
    | "the call resumed another session"
    | "another call has its task"
  /** Why the subagent could not go on; null, or left out, where it did. */
  readonly blocked?: {
    readonly reason: string
    /** The plan says so already. */
    readonly isMarked: boolean
    /** The work pauses until it is unblocked. */
    readonly waits: boolean
  } | null
  readonly settled: number
  readonly total: number
  /** The task that the hint is for, and the hint; null when nothing is left to hint at. */
  readonly hint: { readonly taskKey: string; readonly reuse: Reuse } | null
  readonly waveReturned: boolean
}

/** What the orchestrator reads under the result of a `task` call. */
export function delegationText(facts: DelegationFacts): string {
  return frame([
    resultLine(facts),
    facts.waveReturned
      ? "The final wave is back: tell the user its verdicts, ask for approval and end your turn."
      : null,
    facts.hint === null ? null : reuseHint(facts.hint.taskKey, facts.hint.reuse),
  ])
}

function resultLine(facts: DelegationFacts): string {
  const { taskKey, notRecorded, blocked, settled, total, hint } = facts
  const progress = `(${settled}/${total} settled)`
  if (taskKey === null && notRecorded === "no task was named") {
    const example = hint === null ? "" : `, such as ${quote(hint.taskKey, 13)}`
    return `Counted for no task ${progress}: the call named none, or several. Begin its description with one key${example}.`
  }
  if (taskKey === null) return `Result not recorded: ${notRecorded} ${progress}.`
  if (blocked != null) {
    const mark = blocked.isMarked ? "" : " Mark it blocked in the plan."
    const next = blocked.waits
      ? "End this turn: the work waits until it is unblocked."
      : "Go on with other tasks."
    return `${quote(taskKey, 13)} is blocked ${progress}: ${quote(blocked.reason, 40)}.${mark} ${next}`
  }
  return `Result for ${quote(taskKey, 13)} ${progress}. Verify it yourself before you tick its box.`
}
