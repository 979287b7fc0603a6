// The one line that offers a session again, or says why to start fresh.
import type { Reuse } from "../decide/decision.ts"
import { quote } from "./quote.ts"

/** The one line that offers a session again, or says why to start fresh. */
export function reuseHint(taskKey: string, reuse: Reuse): string {
  const key = quote(taskKey, 13)
  return reuse.kind === "reuse"
    ? `Preferred reuse session for ${key}: ${reuse.sessionId} (pass it as task_id)`
    : `Preferred reuse session for ${key}: none, start fresh (${reuse.reason}).`
}
