// Ends a turn of a simulated host that has failed or was aborted.
import type { HostCore, Run } from "./host-core.ts"
import type { HostError, Message } from "./host-database.ts"
import { closeText } from "./host-request.ts"

export const ABORTED: HostError = { name: "MessageAbortedError", data: { message: "Aborted" } }

/** The host reports an idle first and closes the message afterwards. Ends when everything still running has ended. */
export async function fail(
  core: HostCore,
  run: Run,
  message: Message,
  { error, running }: { readonly error: HostError; readonly running?: Promise<unknown> },
): Promise<"failed"> {
  const { info, parts } = message
  core.emit("session.error", { sessionID: info.sessionID, error })
  if (core.runs.get(run.sessionId) === run) core.runs.delete(run.sessionId)
  core.emitStatus(run.sessionId, "idle")
  await core.live(running ?? Promise.resolve())
  for (const part of parts) {
    if (part.time !== undefined && part.time.end === undefined) closeText(core, part)
    const { state } = part
    if (state?.status !== "running" && state?.status !== "pending") continue
    part.state = { ...state, status: "error", error: "Tool execution aborted" }
    core.emitPart(part)
  }
  info.error = error
  info.time.completed = core.db.now()
  core.emitMessage(message)
  return "failed"
}

/** What the host calls an error that was thrown during a turn. */
export function errorOf(error: unknown, signal: AbortSignal): HostError {
  if (signal.aborted) return ABORTED
  const message = error instanceof Error ? error.message : String(error)
  return { name: "UnknownError", data: { message } }
}
