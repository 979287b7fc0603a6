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
  const { tried } = reuse
  if (tried !== undefined) {
    const who = tried.agent === null ? "" : ` as ${quote(tried.agent, 4)}`
    const words = quote(tried.words, TRIED_TOKENS)
    return `Preferred reuse session for ${key}: none, start fresh${who} (${tried.failed} failed verifications; last tried: ${words}).`
  }
  return reuse.reason === "no session yet"
    ? null
    : `Preferred reuse session for ${key}: none, start fresh (${reuse.reason}).`
}

const TRIED_TOKENS = 24

/** A session goes on as the agent that it has run as: one that only reads implements nothing. */
function howTo(agent: string, { resume, agent: usual }: HostWords): string {
  return agent === "" || agent === usual
    ? `pass it as ${resume}`
    : `${resume} for ${quote(agent, 4)}`
}
