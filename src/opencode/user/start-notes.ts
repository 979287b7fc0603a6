// What the user should know of a work that is resumed: whose it was, that its budget is fresh; and of works whose plan is gone.
import type { Work } from "../../boulder/boulder.ts"
import { begunKeys } from "../../boulder/find-dispatch.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { budgetWords } from "../../prompts/budget-words.ts"
import { doing, type Typed } from "../../prompts/typed-command.ts"

/** A budget that had been spent, for a start grants a fresh one; `before` is the work as it was. */
export function budgetNote(before: Work | null): readonly string[] {
  const spent = before?.spent_budget ?? null
  return spent === null ? [] : [`its budget was spent (${budgetWords(spent)}) and is fresh again`]
}

/** Who led the work before, where that was another session, and for which tasks its calls are not back: they may still run. */
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

/** A work whose plan was at `path`, where nothing is any more, and that continues with the plan that is started. */
export function movedNote(path: string): string {
  return cleanLine(`${path} is gone and this plan has its tasks, so its work continues here`)
}

/** Open works whose plan is gone, beside a work that is begun: the first of them, with what to do. */
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
