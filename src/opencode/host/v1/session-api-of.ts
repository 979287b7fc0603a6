// Asks opencode 1 and Kilo through the host's client, with time limits and types.
import type { PluginInput } from "@opencode-ai/plugin"
import { isOwnPart, OWN_PART, ROUND_OF_PART } from "../../../boulder/own-part.ts"
import { z } from "../../../boulder/z.ts"
import { classifyFailure } from "../../../decide/classify-failure.ts"
import { contextTokensOf } from "../../../decide/context-tokens.ts"
import type { FailedTurn, Identity, LastTurn } from "../../../decide/situation.ts"
import { cleanLine } from "../../../plan/model/foreign-text.ts"
import { TOLD } from "../../../prompts/notice-text.ts"
import { HostCallError, type SessionApi } from "../session-api.ts"
import { TimeLimitError, withinLimit } from "../time-limit.ts"
import type { SentTo } from "./served-at.ts"

/** Every call to the host ends within this, in ms. */
const CALL_LIMIT_MS = 2_000

const nullableText = z.string().nullish()
const sessionSchema = z.object({
  id: z.string(),
  parentID: nullableText,
  agent: nullableText,
  title: z.string().catch(""),
  directory: z.string().optional().catch(undefined),
})
const modelSchema = z.object({ providerID: z.string(), modelID: z.string(), variant: nullableText })
const infoSchema = z.object({
  id: z.string(),
  role: z.string(),
  parentID: nullableText,
  agent: nullableText,
  mode: nullableText,
  summary: z.unknown(),
  model: modelSchema.nullish().catch(null),
  variant: nullableText,
  providerID: nullableText,
  modelID: nullableText,
  time: z.object({ created: z.number(), completed: z.number().nullish() }),
  error: z.object({ name: z.string(), data: z.unknown() }).nullish().catch(null),
  tokens: z.unknown(),
})
const partSchema = z.object({
  metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
  overflow: z.unknown(),
})
const messageSchema = z.object({ info: infoSchema, parts: z.array(partSchema) })
const messagesSchema = z.array(messageSchema)
/** An answer that nobody reads. */
const anySchema = z.unknown()
const statusesSchema = z.record(z.string(), anySchema)
const providersSchema = z.object({
  providers: z.array(
    z.object({
      id: z.string(),
      models: z.record(z.string(), z.object({ limit: z.object({ context: z.number() }) })),
    }),
  ),
})
const configSchema = z.object({
  plugin: z.array(z.union([z.string(), z.tuple([z.string()]).rest(z.unknown())])).nullish(),
})
type MessageInfo = z.infer<typeof infoSchema>

/** The host behind the plugin's own client. Each call is sent `to` where the host serves. */
export function sessionApiOf(
  client: PluginInput["client"],
  to: () => SentTo = () => ({}),
): SessionApi {
  const call = async <Answer>(
    what: string,
    made: Promise<{ data?: unknown; error?: unknown }>,
    schema: z.ZodType<Answer>,
  ): Promise<Answer> => {
    const answer = await withinLimit(made, CALL_LIMIT_MS, what)
    const parsed = answer.error === undefined ? schema.safeParse(answer.data) : null
    if (parsed?.success) return parsed.data
    const found = parsed === null ? JSON.stringify(answer.error) : z.prettifyError(parsed.error)
    throw new HostCallError(`opencode refused ${what}: ${found?.slice(0, 300)}`)
  }
  const newest = (id: string, limit: number) => {
    const made = client.session.messages({ ...to(), path: { id }, query: { limit } })
    return call("session.messages", made, messagesSchema)
  }
  return {
    async session(id) {
      const made = client.session.get({ ...to(), path: { id } })
      const answer = await withinLimit(made, CALL_LIMIT_MS, "session.get")
      if (answer.response.status === 404) return null
      const found = await call("session.get", made, sessionSchema)
      const { title, directory } = found
      const known = { id: found.id, parentId: found.parentID ?? null, agent: found.agent ?? null }
      return { ...known, title, ...(directory === undefined ? {} : { directory }) }
    },
    async refusedTurn(id) {
      const [turn, mark] = await newest(id, 2)
      const isOverflow = mark?.parts.some((part) => part.overflow === true) ?? false
      return isOverflow ? (turn?.info.parentID ?? null) : null
    },
    async lastTurn(id) {
      const messages = await newest(id, 2)
      const last = messages.at(-1)
      const begunBy = last?.info.role === "assistant" ? last.info.parentID : null
      const user =
        begunBy == null
          ? messages.findLast(isOfUser)
          : (messages.find((message) => message.info.id === begunBy) ??
            (await call(
              "session.message",
              client.session.message({ ...to(), path: { id, messageID: begunBy } }),
              messageSchema,
            )))
      const ours = user?.parts.some(({ metadata }) => isOwnPart(metadata)) ?? false
      return {
        lastTurn: last === undefined ? null : turnOf(last.info, ours),
        failure: failureOf(last?.info),
        // A message that came while a step of the turn ran has no answer. It still says as whom the session runs.
        identity: identityOf((messages.findLast(isOfUser) ?? user)?.info),
        model: modelOf(last?.info),
        to: begunBy ?? null,
      }
    },
    async busySessions() {
      const statuses = await call("session.status", client.session.status(to()), statusesSchema)
      return new Set(Object.keys(statuses))
    },
    async contextLimit({ providerId, modelId }) {
      const { providers } = await call(
        "config.providers",
        client.config.providers(to()),
        providersSchema,
      )
      const provider = providers.find((one) => one.id === providerId)
      return provider?.models[modelId]?.limit.context ?? null
    },
    async prompt(id, text, { identity: { agent, model, variant }, round }) {
      const metadata = { [OWN_PART]: "continuation", [ROUND_OF_PART]: round }
      const body = {
        parts: [{ type: "text" as const, text, synthetic: true, metadata }],
        ...(agent === null ? {} : { agent }),
        ...(model === null
          ? {}
          : { model: { providerID: model.providerId, modelID: model.modelId } }),
        ...(variant === null ? {} : { variant }),
      }
      await call(
        "session.promptAsync",
        client.session.promptAsync({ ...to(), path: { id }, body }),
        anySchema,
      )
    },
    async compact(id, { providerId, modelId }) {
      const body = { providerID: providerId, modelID: modelId }
      try {
        const made = client.session.summarize({ ...to(), path: { id }, body })
        await call("session.summarize", made, anySchema)
      } catch (error) {
        // The host answers only when the summary is written. The session's idle event reports that.
        if (!(error instanceof TimeLimitError)) throw error
      }
    },
    async abort(id) {
      await call("session.abort", client.session.abort({ ...to(), path: { id } }), anySchema)
    },
    async rename(id, title) {
      const made = client.session.update({ ...to(), path: { id }, body: { title } })
      await call("session.update", made, anySchema)
    },
    async pluginNames() {
      const { plugin } = await call("config.get", client.config.get(to()), configSchema)
      return (plugin ?? []).map((entry) => (typeof entry === "string" ? entry : entry[0]))
    },
    async toast(message, variant, title = TOLD.notice) {
      const body = { title, message: cleanLine(message), variant }
      await call("tui.showToast", client.tui.showToast({ ...to(), body }), anySchema)
    },
  }
}

function isOfUser({ info }: { readonly info: MessageInfo }): boolean {
  return info.role === "user"
}

/** The turn that a session's last message stands for; null if it is a user's own message that has no answer yet. */
function turnOf(info: MessageInfo, ours: boolean): LastTurn | null {
  const isUnanswered = info.role !== "assistant"
  if (isUnanswered && !ours) return null
  return {
    messageId: info.id,
    createdAt: info.time.created,
    ours,
    error: info.error?.name ?? null,
    ended: info.time.completed != null,
    contextTokens: contextTokensOf(info.tokens),
    isSummary: info.summary === true,
    isUnanswered,
  }
}

/** Dated by its own message, so it is the same at every look, and after a restart. */
function failureOf(info: MessageInfo | undefined): FailedTurn | null {
  if (info?.role !== "assistant") return null
  const at = info.time.completed ?? info.time.created
  const failure = classifyFailure(info.error, at)
  return failure === null ? null : { ...failure, at }
}

function identityOf(info: MessageInfo | undefined): Identity {
  return {
    agent: info?.agent ?? null,
    model: modelOf(info),
    variant: info?.model?.variant ?? info?.variant ?? null,
  }
}

function modelOf(info: MessageInfo | undefined): Identity["model"] {
  if (info?.model) return { providerId: info.model.providerID, modelId: info.model.modelID }
  if (info?.providerID && info.modelID)
    return { providerId: info.providerID, modelId: info.modelID }
  return null
}
