// Finds how a session's last turn went, from the host's messages and from what it has reported about our last prompt.
import { msUntil } from "../../boulder/iso-time.ts"
import type { LastTurn } from "../../decide/situation.ts"
import type { SessionApi } from "../host/session-api.ts"
import type { Shell } from "../host/shell.ts"

const NOTHING: Pick<LastTurn, "contextTokens"> = { contextTokens: 0 }

/**
 * A session's last turn, and as whom it ran. If the host's last message lies in the future, its agent is that of the last message received.
 * If nothing has answered our last prompt, neither an event nor the host's last message, that prompt is the last turn, whatever message
 * comes last: the host sorts messages by a clock that may have been set back, and answers none before that clock has caught up.
 */
export async function lastTurnOf(
  { api, sessions, now }: Pick<Shell, "api" | "sessions" | "now">,
  sessionId: string,
): ReturnType<SessionApi["lastTurn"]> {
  const inOrder = await api.lastTurn(sessionId)
  const { unansweredSince: createdAt, lastMessage: messageId, agent } = sessions.of(sessionId)
  const isSetBack = inOrder.lastTurn !== null && msUntil(inOrder.lastTurn.createdAt, now()) > 0
  const told =
    isSetBack && agent !== null ? { ...inOrder, identity: { ...inOrder.identity, agent } } : inOrder
  if (createdAt === null || messageId === null || told.to === messageId) return told
  const { contextTokens } = told.lastTurn ?? NOTHING
  const lastTurn = {
    ...{ messageId, createdAt, ours: true, error: null, ended: false },
    ...{ contextTokens, isSummary: false, isUnanswered: true },
  }
  return { ...told, lastTurn, failure: null }
}
