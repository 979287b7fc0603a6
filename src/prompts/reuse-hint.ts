// The one line that offers a session again, or says why to start fresh.
import type { Reuse } from "../decide/decision.ts"
import type { HostWords } from "./host-words.ts"
import { quote } from "./quote.ts"

/** The one line that offers a session again, or says why to start fresh; null for a task that never had one. */
export function reuseHint(taskKey: string, reuse: Reuse, words: HostWords): string | null {
  const key = quote(taskKey, 13)
  if (reuse.kind === "reuse") {
    return `Preferred reuse session for ${key}: ${reuse.sessionId} (${howTo(reuse.agent, words)})`
  }
  return reuse.reason === "no session yet"
    ? null
    : `Preferred reuse session for ${key}: none, start fresh (${reuse.reason}).`
}

/** A session goes on as the agent that it has run as: one that only reads implements nothing. */
function howTo(agent: string, { resume, agent: usual }: HostWords): string {
  return agent === "" || agent === usual
    ? `pass it as ${resume}`
    : `${resume} for ${quote(agent, 4)}`
}
