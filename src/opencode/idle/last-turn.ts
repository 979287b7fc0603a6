// How a session's last turn went: by the host's messages, and by what it has told of our last prompt.
import { msUntil } from "../../boulder/iso-time.ts"
import type { LastTurn } from "../../decide/situation.ts"
import type { SessionApi } from "../host/session-api.ts"
import type { Shell } from "../host/shell.ts"

const NOTHING: Pick<LastTurn, "contextTokens"> = { contextTokens: 0 }

/**
 * A session's last turn, and who it is of: of the last message that was received, where the host's last message lies in
 * the future. A prompt of ours that nothing has answered, neither by what was told nor by the host's last message, is
 * it, whatever message that is: the host sorts them by a clock that may have been set back, and answers none before that
 * has caught up.
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
