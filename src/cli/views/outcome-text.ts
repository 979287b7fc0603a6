// Puts the end of a run into words and an exit code.
import type { Need, RunOutcome } from "../../headless/run-event.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { occupiedIn } from "../../prompts/occupied-text.ts"
import { reasonSays } from "../../prompts/reasons.ts"
import { shellWord } from "../../prompts/shell-word.ts"
import { ofWork, type Typed } from "../../prompts/typed-command.ts"

/** What was run: its plan as named (may be ""), and the session once there is one. */
interface RunFacts {
  readonly plan: string
  readonly sessionId: string | null
  readonly typed: Typed
  /** The name of the work for commands about it; null if it is the only open one. */
  readonly name: string | null
  /** The server was ours and has been stopped. */
  readonly serverStopped: boolean
}

/** The end of a run for a person: what came of it, why, and how to go on. */
export function outcomeText(outcome: RunOutcome, facts: RunFacts) {
  const again = facts.plan === "" ? facts.typed("run") : facts.typed("run", facts.plan)
  switch (outcome.kind) {
    case "complete":
      return { text: completeText(outcome, facts), code: 0 }
    case "needs-user":
      return { text: needText(outcome.need, facts, again), code: 3 }
    case "failed":
      return { text: `Failed: ${cleanLine(failedText(outcome.message, facts, again))}`, code: 1 }
    case "out-of-time":
      return {
        text: `Failed: the time limit of ${outcome.seconds} s is over. ${afterEnd(facts, again)}`,
        code: 1,
      }
    case "interrupted":
      return { text: `Interrupted. ${afterEnd(facts, again)}`, code: 130 }
  }
}

function completeText(
  { settled, total }: RunOutcome & { kind: "complete" },
  { plan, typed }: RunFacts,
): string {
  const page = typed("report", ...(plan === "" ? [] : [plan]), { as: "--html report.html" })
  return `Complete: ${settled}/${total} tasks settled.\nTo see what came of it: ${page}`
}

/** If somebody else works on the plan, what to type in a shell: opencode's own start does not work there. */
function failedText(message: string, { typed, name }: RunFacts, again: string): string {
  const occupied = occupiedIn(message)
  if (occupied === null) return message
  const { planName, session } = occupied
  return `Expected ${planName} to be free; found session ${session} working on it right now. Pause it there with ${ofWork(typed, name)("stop")} and then: ${again}`
}

/** What happens to a work whose run was ended from outside. */
function afterEnd({ serverStopped, sessionId, typed, name }: RunFacts, again: string): string {
  if (serverStopped) return `The server is stopped. To resume: ${again}`
  // It was ended before it had started anything there.
  if (sessionId === null) return `To resume: ${again}`
  return `The server continues the work. To pause it: ${ofWork(typed, name)("stop")}`
}

function needText({ reason, detail }: Need, facts: RunFacts, again: string): string {
  const typed = ofWork(facts.typed, facts.name)
  const session = facts.sessionId === null ? null : shellWord(facts.sessionId)
  const inServer = facts.serverStopped ? `opencode --session ${session}` : `session ${session}`
  const open = session === null ? "opencode" : inServer
  const quoted = detail === "" ? "" : ` ${cleanLine(detail).slice(0, 300)}`
  const paused = `paused (${cleanLine(reason)}): ${reasonSays(reason)}${detail === "" ? "" : ` (${cleanLine(detail)})`}`
  switch (reason) {
    case "awaiting-approval":
      return `Needs you (awaiting-approval): the reviews of the final wave are back. Look at their results in ${open}; then ${typed("approve")} and ${again}`
    case "rejected-row":
      return `Needs you (rejected-row): every box is ticked, and the verdict on ${cleanLine(detail)} was a rejection. Untick what must be done again, then: ${again}`
    case "question":
      return `Needs you (question-pending):${quoted} Answer in ${open}. To resume: ${again}`
    case "permission":
      return `Needs you (permission-pending):${quoted} Allow it in opencode.json ("permission") or in ${open}, then: ${again}`
    case "taken-over":
      return `Needs you (taken-over):${quoted}. Follow it there, or take it back with: ${again}`
    case "only-blocked-left":
    case "task-blocked":
      return `Needs you: ${paused}. ${typed("status")} says what would unblock each; then ${typed("unblock")} and ${again}`
    case "budget-spent":
      return `Needs you: ${paused}. With a fresh budget: ${again}`
    case "provider-refused":
      return `Needs you: ${paused}. Fix that, then: ${again}`
    case "usage-limited":
      return `Needs you: ${paused}. Then: ${again}`
    case "provider-wait":
      return `Needs you (provider-wait): opencode ${cleanLine(detail)}. Then: ${again}`
    default:
      return `Needs you: ${paused}. ${typed("why")} says more. To resume: ${again}`
  }
}
