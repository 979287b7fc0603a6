// Takes what a work's sessions have spent out of memory, all at once.
import { descendantsOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"

/** Tokens taken out of memory, to be written down. */
interface Taken {
  readonly sum: number
  /** They could not be written: memory has them again. */
  giveBack(): void
}

/** Takes what a session and those below it have spent out of memory, all at once: no other booking sees it. */
export function takeTokens(shell: Pick<Shell, "sessions">, leadId: string): Taken {
  const { sessions } = shell
  const taken = spenders(shell, leadId)
  for (const { sessionId } of taken) sessions.note({ kind: "tokens-booked", sessionId })
  return {
    sum: sumOf(taken),
    giveBack() {
      for (const { sessionId, tokens } of taken)
        sessions.note({ kind: "tokens-returned", sessionId, tokens })
    },
  }
}

/** What a session and those below it have spent that no work has written down yet. */
export function spentSoFar(shell: Pick<Shell, "sessions">, leadId: string): number {
  return sumOf(spenders(shell, leadId))
}

interface Spender {
  readonly sessionId: string
  readonly tokens: number
}

function spenders({ sessions }: Pick<Shell, "sessions">, leadId: string): readonly Spender[] {
  return [leadId, ...descendantsOf({ sessions }, leadId)]
    .map((sessionId) => ({ sessionId, tokens: sessions.of(sessionId).spentTokens }))
    .filter(({ tokens }) => tokens > 0)
}

function sumOf(taken: readonly Spender[]): number {
  return taken.reduce((all, { tokens }) => all + tokens, 0)
}
