import type { LastTurn } from "../../src/decide/situation.ts"
import type { SessionApi } from "../../src/opencode/host/session-api.ts"
import { LEAD } from "./long-run-project.ts"
import type { PluginInProcess } from "./plugin-in-process.ts"

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

/** A `task` call whose subagent's provider refuses its request with `data`; the host tells as 1.18.33 does. */
export async function refusedChild(
  plugin: PluginInProcess,
  { key, child }: { readonly key: string; readonly child: string },
  data: { readonly message: string; readonly statusCode: number; readonly responseBody?: string },
): Promise<void> {
  const call = { tool: "task", sessionID: LEAD, callID: `call_${key}_${Math.random()}` }
  const args = { description: key, prompt: "do it", subagent_type: "general" }
  await plugin.hooks["tool.execute.before"]?.(call, { args })
  const tell = (type: string, properties: object) =>
    plugin.hooks.event?.({ event: { type, properties } as never })
  const part = (state: object) =>
    tell("message.part.updated", {
      part: { type: "tool", tool: "task", sessionID: LEAD, callID: call.callID, state },
    })
  const metadata = { sessionId: child }
  await part({ status: "running", input: args, metadata })
  await tell("session.error", { sessionID: child, error: { name: "APIError", data } })
  await part({ status: "error", error: data.message, input: args, metadata })
}

/** The same, since the provider has reached its limit, which ends in `resetsIn` seconds; null if it does not say when. */
export function limitedChild(
  plugin: PluginInProcess,
  key: string,
  child: string,
  resetsIn: number | null,
): Promise<void> {
  const error = {
    type: "usage_limit_reached",
    ...(resetsIn === null ? {} : { resets_in_seconds: resetsIn }),
  }
  const responseBody = JSON.stringify({ error })
  return refusedChild(plugin, { key, child }, { message: "used up", statusCode: 429, responseBody })
}
