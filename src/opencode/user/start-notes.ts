// What to tell the user about a resumed work (who led it before, that its budget is fresh), and about works whose plan is gone.
import type { Work } from "../../boulder/boulder.ts"
import { begunKeys } from "../../boulder/find-dispatch.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { budgetWords } from "../../prompts/budget-words.ts"
import { doing, type Typed } from "../../prompts/typed-command.ts"

/** Says that a budget had been spent, since a start grants a fresh one. `before` is the work as it was. */
export function budgetNote(before: Work | null): readonly string[] {
  const spent = before?.spent_budget ?? null
  return spent === null ? [] : [`its budget was spent (${budgetWords(spent)}) and is fresh again`]
}

/** Says which other session led the work before, and for which tasks its calls have not returned: they may still be running. */
export function takeoverNote(before: Work | null, sessionId: string): readonly string[] {
  if (before === null || before.lead_session_id === sessionId) return []
  const keys = begunKeys(before).filter((key) => key !== null)
  const them = keys.length === 1 ? "it" : "them"
  const begun =
    keys.length === 0
      ? ""
      : `, which had begun ${keys.join(", ")}: see what is there before you begin ${them} again`
  return [`taken over from session ${before.lead_session_id}${begun}`]
}

/** Says that a work's plan is no longer at `path`, and that the work continues with the plan being started. */
export function movedNote(path: string): string {
  return cleanLine(`${path} is gone and this plan has its tasks, so its work continues here`)
}

/** Names the first open work whose plan is gone, and what to do, if another work is begun. */
export function goneNote(
  gone: readonly Work[],
  called: (work: Work) => string,
  typed: Typed,
): readonly string[] {
  const [work, ...more] = gone
  if (work === undefined) return []
  const name = called(work)
  const others = more.length === 0 ? "" : ` (${more.length} more: ${typed("works")})`
  return [
    cleanLine(
      `${work.active_plan} is gone. If this is that plan, move it back and ${doing(typed("resume", name))}; else drop its work: ${typed("stop", name)}, then ${typed("prune", name, { as: "--yes" })}${others}`,
    ),
  ]
}
