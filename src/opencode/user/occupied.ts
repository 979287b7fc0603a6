// Finds whether somebody else works on a plan that is being started, and reads the word that takes it over.
import type { Work } from "../../boulder/boulder.ts"
import { planArgument } from "../../boulder/plan-argument.ts"
import { occupiedText } from "../../prompts/occupied-text.ts"
import type { Shell } from "../host/shell.ts"

const TAKE_OVER = /(^|[\s"'])--take-over(?=$|[\s"'])/

/** What follows `/start-work`, without `--take-over`, and whether that was there. */
export function takeOverIn(request: string): {
  readonly request: string
  readonly takesOver: boolean
} {
  return { request: request.replace(TAKE_OVER, "$1").trim(), takesOver: TAKE_OVER.test(request) }
}

/** One line about who works on a work right now, with the way to take it over; null if nobody else does. */
export async function occupiedLine(
  shell: Pick<Shell, "api" | "process">,
  work: Work,
  sessionId: string,
): Promise<string | null> {
  const who = await occupantOf(shell, work, sessionId)
  const { plan_name: planName, active_plan: path, lead_session_id: session } = work
  return who === null
    ? null
    : occupiedText({ planName, session, argument: planArgument(path) }, who === "elsewhere")
}

async function occupantOf(
  { api, process }: Pick<Shell, "api" | "process">,
  { status, driver, lead_session_id: leadId }: Work,
  sessionId: string,
): Promise<"elsewhere" | "here" | null> {
  if (status === "completed") return null
  // Nobody works on a paused work, whichever opencode had it last.
  if (status === "active" && (await process.isElsewhere(driver))) return "elsewhere"
  return leadId !== sessionId && (await api.busySessions()).has(leadId) ? "here" : null
}
