// The one line that offers a session again, or says why to start fresh.
import type { Reuse } from "../decide/decision.ts"
import type { HostWords } from "./host-words.ts"
import { quote, quoteWhole } from "./quote.ts"

/** The one line that offers a session again, or says why to start fresh; null for a task that never had one. */
export function reuseHint(taskKey: string, reuse: Reuse, words: HostWords): string | null {
  const key = quote(taskKey, KEY_TOKENS)
  if (reuse.kind === "reuse") {
    return `Preferred reuse session for ${key}: ${reuse.sessionId} (${howTo(reuse.agent, words)})`
  }
  const { tried } = reuse
  if (tried !== undefined) {
    const agent = tried.agent === null ? null : quoteWhole(tried.agent, AGENT_TOKENS)
    const who = agent === null ? "" : ` as ${agent}`
    const words = quote(tried.words, TRIED_TOKENS)
    return `Preferred reuse session for ${key}: none, start fresh${who} (${tried.failed} failed verifications; last tried: ${words}).`
  }
  return reuse.reason === "no session yet"
    ? null
    : `Preferred reuse session for ${key}: none, start fresh (${reuse.reason}).`
}

const KEY_TOKENS = 13
const TRIED_TOKENS = 24
const AGENT_TOKENS = 24

/** What becomes of a result that is not right, by whether its session may be sent it again. */
export function sendBackWords(reuse: Reuse | null): string {
  return reuse?.kind === "reuse" ? "send it back" : "delegate it again"
}

/** A session goes on as the agent that it has run as: one that only reads implements nothing. */
function howTo(agent: string, { resume, agent: usual }: HostWords): string {
  const name = agent === "" || agent === usual ? null : quoteWhole(agent, AGENT_TOKENS)
  return name === null ? `pass it as ${resume}` : `${resume} for ${name}`
}
