// The client that a simulated host gives to its plugin, as far as the plugin uses it.
import { startCompaction } from "./host-compaction.ts"
import type { ClientCall, HostCore } from "./host-core.ts"
import { MODEL } from "./host-database.ts"
import type { HostTurns } from "./host-turn.ts"

interface Answer {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: { readonly status: number }
}

const good = (data: unknown): Answer => ({ data, response: { status: 200 } })
const missing = (id: string): Answer => ({
  error: { name: "NotFoundError", data: { message: `Session not found: ${id}` } },
  response: { status: 404 },
})
const broken: Answer = { error: { name: "UnknownError", data: {} }, response: { status: 500 } }
const NEVER = new Promise<never>(() => undefined)

/** The client for the plugin of one process. */
export function clientOf(core: HostCore, turns: HostTurns) {
  const { db, options } = core
  /** Waits at the border, before the host looks and afterwards. */
  const answered = async (what: ClientCall, look: () => Answer): Promise<Answer> => {
    await core.pass(`client ${what}`)
    const fate = options.fateOf?.(what) ?? "answered"
    if (fate === "mute") return NEVER
    const answer = fate === "refused" ? broken : structuredClone(look())
    await core.pass(`client ${what} is answered`)
    return answer
  }
  const ofSession = (id: string, look: () => unknown): Answer =>
    db.sessions.has(id) ? good(look()) : missing(id)
  return {
    session: {
      get: ({ path: { id } }: ById) =>
        answered("get", () => ofSession(id, () => db.sessions.get(id))),
      messages: ({ path: { id }, query }: ById & { query?: { limit?: number } }) =>
        answered("messages", () =>
          ofSession(id, () => db.messages(id).slice(-(query?.limit ?? Number.POSITIVE_INFINITY))),
        ),
      message: ({ path: { id, messageID } }: { path: { id: string; messageID: string } }) =>
        answered("message", () => {
          const found = db.messages(id).find(({ info }) => info.id === messageID)
          return found === undefined ? missing(messageID) : good(found)
        }),
      status: () =>
        answered("status", () => {
          const busy = [...core.runs.keys()]
          options.witness?.({ kind: "status", busy })
          return good(Object.fromEntries(busy.map((id) => [id, { type: "busy" }])))
        }),
      promptAsync: (given: PromptGiven) => promptAsync(core, turns, given),
      summarize: ({ path: { id } }: ById) => summarize(core, turns, id),
    },
    config: {
      get: () => answered("config", () => good({ plugin: ["opencode-boulder"] })),
      providers: () =>
        answered("providers", () => {
          const limit = { context: options.contextLimit ?? 200_000, output: 8_000 }
          return good({
            providers: [{ id: MODEL.providerID, models: { [MODEL.modelID]: { limit } } }],
          })
        }),
    },
    tui: {
      showToast: ({ body }: { body: { message: string } }) => {
        options.witness?.({ kind: "toast", message: body.message })
        return answered("toast", () => good(true))
      },
    },
    app: {
      log: async ({ body }: { body: { message: string } }) => {
        options.witness?.({ kind: "log", message: body.message })
        return good(true)
      },
    },
  }
}

interface ById {
  readonly path: { readonly id: string }
}

interface PromptGiven extends ById {
  readonly body: {
    readonly parts: readonly {
      text: string
      synthetic?: boolean
      metadata?: Record<string, unknown>
    }[]
    readonly agent?: string
    readonly model?: { readonly modelID: string }
  }
}

/** Answers at once. The turn begins afterwards, or never. */
async function promptAsync(
  core: HostCore,
  turns: HostTurns,
  { path: { id }, body }: PromptGiven,
): Promise<Answer> {
  const text = body.parts.map((part) => part.text).join("\n")
  core.options.witness?.({ kind: "prompt", sessionId: id, text, body })
  await core.pass("client promptAsync")
  const fate = core.options.fateOfPrompt?.(id) ?? "taken"
  if (fate === "mute") return NEVER
  if (fate === "refused") return broken
  if (!core.db.sessions.has(id)) return missing(id)
  if (fate === "failed") {
    const data = { message: "the turn could not begin" }
    core.emit("session.error", { sessionID: id, error: { name: "UnknownError", data } })
  }
  if (fate === "taken") {
    const { parts, agent, model } = body
    const incoming = {
      parts,
      ...(agent === undefined ? {} : { agent }),
      ...(model === undefined ? {} : { model: model.modelID }),
    }
    const taken = turns.receive(id, incoming)
    taken
      .then(({ ended }) => ended)
      .catch((error: unknown) => {
        const data = { message: String(error) }
        core.emit("session.error", { sessionID: id, error: { name: "UnknownError", data } })
      })
  }
  await core.pass("client promptAsync is answered")
  return { data: {}, response: { status: 204 } }
}

async function summarize(core: HostCore, turns: HostTurns, id: string): Promise<Answer> {
  core.options.witness?.({ kind: "summarize", sessionId: id })
  await core.pass("client summarize")
  if (!core.db.sessions.has(id)) return missing(id)
  startCompaction(core, id, { auto: false, overflow: false })
  await core.live(turns.start(id).ended)
  return good(true)
}
