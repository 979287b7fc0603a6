// Writes the line that offers sessions again, or says why to start fresh.
import type { Reuse } from "../decide/decision.ts"
import { linesCost } from "./first-within.ts"
import type { HostWords } from "./host-words.ts"
import { quote, quoteKey, quoteWhole } from "./quote.ts"

/** A task, and whether its session may get it again. */
export interface Offer {
  readonly taskKey: string
  readonly reuse: Reuse
}

/** The line that offers a session again, or says why to start fresh; null for a task that never had one. */
export function reuseHint(taskKey: string, reuse: Reuse, words: HostWords): string | null {
  const key = quoteKey(taskKey)
  if (reuse.kind === "reuse") return reuseHints([{ taskKey, reuse }], words)
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

/** The first sessions that fit within `tokens` by estimate, in one line; one that must start fresh has its own. */
export function offerLines(
  offers: readonly Offer[],
  tokens: number,
  words: HostWords,
): readonly string[] {
  const sessions = offers.flatMap(({ taskKey, reuse }) =>
    reuse.kind === "reuse" ? [{ taskKey, reuse }] : [],
  )
  const fresh = offers.flatMap(({ taskKey, reuse }) =>
    reuse.kind === "reuse" ? [] : (reuseHint(taskKey, reuse, words) ?? []),
  )
  for (let most = sessions.length; most > 0; most -= 1) {
    const line = reuseHints(sessions.slice(0, most), words)
    if (linesCost([line, ...fresh]) <= tokens) return [line, ...fresh]
    if (linesCost([line]) <= tokens) return [line]
  }
  return linesCost(fresh) <= tokens ? fresh : []
}

/** The line that offers the sessions of several tasks again: how to resume one is said once. */
function reuseHints(
  offers: readonly (Offer & { readonly reuse: { readonly kind: "reuse" } })[],
  words: HostWords,
): string {
  const ways = offers.map(({ reuse }) => howTo(reuse.agent, words))
  const each = offers.map(({ taskKey, reuse }, index) => {
    const way = ways[index] === ways[index + 1] ? "" : ` (${ways[index]})`
    return `for ${quoteKey(taskKey)}: ${reuse.sessionId}${way}`
  })
  return `Preferred reuse session ${each.join(", ")}`
}

const TRIED_TOKENS = 24
const AGENT_TOKENS = 24

/** What happens to a result that is not right, depending on whether its session may get the task again. */
export function sendBackWords(reuse: Reuse | null): string {
  return reuse?.kind === "reuse" ? "send it back" : "delegate it again"
}

/** A session goes on as the agent it has run as: a read-only one implements nothing. */
function howTo(agent: string, { resume, agent: usual }: HostWords): string {
  const name = agent === "" || agent === usual ? null : quoteWhole(agent, AGENT_TOKENS)
  return name === null ? `pass it as ${resume}` : `${resume} for ${name}`
}
