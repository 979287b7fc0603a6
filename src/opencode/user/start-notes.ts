// What the user should know of a work that is resumed: whose it was, and that its budget is fresh.
import type { Work } from "../../boulder/boulder.ts"
import { budgetWords } from "../../prompts/budget-words.ts"

/** A budget that had been spent, for a start grants a fresh one; `before` is the work as it was. */
export function budgetNote(before: Work | null): readonly string[] {
  const spent = before?.spent_budget ?? null
  return spent === null ? [] : [`its budget was spent (${budgetWords(spent)}) and is fresh again`]
}

/** Who led the work before, where that was another session. */
export function takeoverNote(before: Work | null, sessionId: string): readonly string[] {
  return before === null || before.lead_session_id === sessionId
    ? []
    : [`taken over from session ${before.lead_session_id}`]
}
