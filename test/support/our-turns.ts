import type { LastTurn } from "../../src/decide/situation.ts"
import type { SessionApi } from "../../src/opencode/host/session-api.ts"

let turns = 0
/** A host in which every idle ends a turn of ours. */
export const ours = (): Partial<SessionApi> => ({
  lastTurn: async () => {
    turns += 1
    return {
      lastTurn: {
        messageId: `msg_t${turns}`,
        createdAt: Date.now(),
        ours: true,
        error: null,
        ended: true,
        contextTokens: 10,
        isSummary: false,
        isUnanswered: false,
      },
      failure: null,
      identity: { agent: null, model: null, variant: null },
      model: null,
    }
  },
})

/** The last turn of a child that the provider has refused. */
export const refusedTurn = (createdAt: number): LastTurn => ({
  messageId: "msg_1",
  createdAt,
  ours: false,
  error: "APIError",
  ended: true,
  contextTokens: 0,
  isSummary: false,
  isUnanswered: false,
})
