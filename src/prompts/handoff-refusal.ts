// Says why nothing was saved or claimed, and what to do.
import type { HandoffRefused } from "../boulder/handoff-outcome.ts"
import { frame } from "./frame.ts"
import { quote, quoteKey } from "./quote.ts"

/** Why nothing was saved or claimed, and what to do. Budget: 150 tokens. */
export function refusedText({ reason, ids, handoff }: HandoffRefused): string {
  const id = handoff === null ? "it" : handoff.id
  const among = ids
    .slice(0, 5)
    .map((one) => quote(one, 20))
    .join(", ")
  const words: Readonly<Record<HandoffRefused["reason"], string>> = {
    "unknown-handoff":
      "no such handoff in this project. list_blocked_tasks shows what waits; ids are copied whole",
    "unknown-task":
      "no plan that is open has this task. If its plan is complete, nothing is left to save; else name a key that you were shown, a handoff id, or say in words what the task is",
    "unread-plan": `its plan cannot be read now: ${quote((ids[0] ?? "").replace(/\.$/, ""), 60)}. Save it again once that is fixed; if the plan was put away as finished, nothing is left to save`,
    "ambiguous-task": `several tasks could be meant (${among}). Name one by its key and title, or say in words what the task is`,
    "moved-key": `the plan has changed: ${movedWords(ids)}. ${ids.length > 1 ? "Name the task by key and title" : "If that is what is done, save it again"}`,
    "one-step": `"${quote(ids[1] ?? "", 20)}" is one step of ${quoteKey(ids[0] ?? "")}, and others are not done. Tick that step in the plan, and save the task once all are done`,
    "several-held": `you hold several tasks (${among}). Name one in \`task\``,
    "held-by-other": `${id} is in the hands of ${heldBy(handoff)}. Take another task, or try again later`,
    settled: `${id} is settled: its task is complete. Name another task, or none`,
    "not-held": `${id} is not claimed by anyone`,
    "still-fresh": `${id} is as it was`,
    unclaimed: `${id} is of a work that you are no part of. Claim it with get_blocked_task first`,
  }
  return frame([`Refused: ${words[reason]}.`])
}

/** The task that a key names now, and the task that had it. */
function movedWords([now = "", other]: readonly string[]): string {
  const [said = ""] = now.split(" ")
  const key = quote(said, 13)
  const is = `${key} is ${quote(now.slice(said.length + 1), 20)} now`
  return other === undefined ? is : `${is}, and ${quote(other, 27)} was ${key}`
}

/** What a tool says if it failed. Budget: 150 tokens. */
export function failedText(tool: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return frame([`${quote(tool, 20)} failed: ${quote(message, 100)}`])
}

/** What is said to a caller of a tool that is not ours. Budget: 60 tokens. */
export function unknownToolText(name: string): string {
  return frame([`Refused: there is no tool ${quote(name, 20)}.`])
}

function heldBy(handoff: HandoffRefused["handoff"]): string {
  const claim = handoff?.claim ?? null
  if (claim === null) return "another session"
  return `session ${quote(claim.session_id, 40)} until ${claim.lease_until}`
}
