// How the orchestrator asks the user to approve the final wave, and what it reads once they have.
import type { HostWords } from "./host-words.ts"

/** Asks so that the answer is an act of the user's; words alone approve nothing. Begins in the middle of a sentence. */
export function askForApproval({ ask }: HostWords): string {
  return `tell the user the final wave's verdicts and ask with \`${ask}\`: header \`Final wave\`, options \`Approve\` and \`Not yet\`. Settle its rows only on \`Approve\`. Without that tool, end your turn.`
}

/** Said once the user has approved the final wave: without it the rows would be run all over again. */
export const TICK_THE_WAVE =
  "The user has approved the final wave: do not run its rows again, tick their boxes in the plan."
