// How the orchestrator asks the user to approve the final wave, and what it reads once they have.
import { settlesWords } from "../plan/formats.ts"
import type { Task } from "../plan/model/plan.ts"
import type { HostWords } from "./host-words.ts"
import type { Settling } from "./how-to-work.ts"

/** Asks so that the answer is an act of the user's; words alone approve nothing. Begins in the middle of a sentence. */
export function askForApproval({ ask }: HostWords, isAnew = false): string {
  const anew = isAnew ? ", that the plan has changed since," : ""
  return `tell the user the final wave's verdicts${anew} and ask with \`${ask}\`: header \`Final wave\`, options \`Approve\` and \`Not yet\`. Settle its rows only on \`Approve\`. Without that tool, end your turn.`
}

/** Said once the user has approved the final wave: without it the rows would be run all over again. */
export const WAVE_APPROVED = "The user has approved the final wave: do not run its rows again"

/**
 * The same with what is left to do: each row knows how its format settles one. A row that is ticked and held says by
 * itself what it waits for.
 */
export function tickTheWave(rows: readonly Task[], settling: Settling): string {
  const open = rows.filter(({ held }) => held === undefined)
  if (open.length === 0 && rows.length > 0) return `${WAVE_APPROVED}.`
  const each = open.length < rows.length ? "each open one" : "each"
  const settle =
    settling === "by-tool"
      ? `, save ${each} as \`complete\``
      : `; for ${each}, ${settlesWords(open[0])} in the plan`
  return `${WAVE_APPROVED}${settle}.`
}
