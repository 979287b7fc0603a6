// How the orchestrator asks the user to approve the final wave, and what it reads once they have.
import { settlesWords } from "../plan/formats.ts"
import type { Task } from "../plan/model/plan.ts"
import type { HostWords } from "./host-words.ts"
import type { Settling } from "./how-to-work.ts"

/** Asks so that the answer is an act of the user's; words alone approve nothing. Begins in the middle of a sentence. */
export function askForApproval({ ask }: HostWords): string {
  return `tell the user the final wave's verdicts and ask with \`${ask}\`: header \`Final wave\`, options \`Approve\` and \`Not yet\`. Settle its rows only on \`Approve\`. Without that tool, end your turn.`
}

/** Said once the user has approved the final wave: without it the rows would be run all over again. */
export const WAVE_APPROVED = "The user has approved the final wave: do not run its rows again"

/** The same with what is left to do; `row` is one of them: it knows how its format settles one. */
export function tickTheWave(row: Task | undefined, settling: Settling): string {
  const settle =
    settling === "by-tool" ? "save each as `complete`" : `${settlesWords(row)} in the plan for each`
  return `${WAVE_APPROVED}, ${settle}.`
}
