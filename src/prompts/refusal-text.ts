// Says why a tool was refused, and what to do instead.
import { quote, quoteSentence, quoteWhole } from "./quote.ts"

/** Why a write was refused, and what to do instead; the model sees exactly this. */
export function refusalText(
  reason: "plan-by-subagent" | "shard-by-anyone" | "state-by-anyone" | "sources-by-lead",
  path: string,
  planPath: string,
): string {
  const file = quoteWhole(path, 90) ?? "that file"
  switch (reason) {
    case "plan-by-subagent":
      return `boulder: refused to write ${file}. The plan is ticked by the orchestrator: report what you did in your result instead.`
    case "shard-by-anyone":
      return `boulder: refused to write ${file}. It only shows a part of the plan: a task is settled by its box in ${quoteWhole(planPath, 90) ?? "the plan"}.`
    case "state-by-anyone":
      return `boulder: refused to write ${file}. It is the plugin's own state: tick the box in the plan instead.`
    case "sources-by-lead":
      return `boulder: refused to write ${file}. The orchestrator edits only the plan here: delegate this change with task.`
  }
}

/** Why a former lead may no longer delegate. */
export function takenOverRefusal(planName: string, leadId: string): string {
  return `boulder: not delegated. Session ${quote(leadId, 40)} has taken over the plan ${quote(planName, 24)}. Tell the user, and end this turn.`
}

/** Why a delegation was not started: nobody would know what its result is for. `problem` is null if writing took too long. */
export function unwrittenRefusal(problem: string | null): string {
  const why =
    problem === null
      ? "Recording this call took too long."
      : `This call could not be recorded: ${quoteSentence(problem, 120)}`
  return `boulder: not delegated. ${why} Try again; if it fails again, tell the user and end your turn.`
}

/** Why a write was refused although nothing speaks against it: whether it is allowed could not be found out in time. */
export function lateRefusal(): string {
  return "boulder: not written. Checking whether this session may write here took too long. Try again."
}

/** Why a tool of the lead session was refused, and what to do; the model sees exactly this. Budget: 60 tokens. */
export function hardLimitRefusal(contextTokens: number, hardLimit: number): string {
  return `boulder: refused, your context is at its hard limit (${contextTokens} of ${hardLimit} tokens). Settle what you have verified, leave the rest, and end this turn; the next round starts automatically.`
}
