import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { type ModelRequest, type RequestBody, readModelRequest } from "./host-model-request.ts"

type ToolCall = {
  readonly name: string
  readonly args: unknown
  readonly id?: string
  /** Waits this long before the stream has this call. The host begins a call as soon as it has come. */
  readonly delayMs?: number
}

export type Reply = {
  readonly text?: string
  readonly toolCalls?: readonly ToolCall[]
  /** Tokens as the provider counts them: `input` is the whole prompt, including its `cached` part. */
  readonly usage?: {
    readonly input?: number
    readonly output?: number
    readonly cached?: number
  }
  readonly finish?: "stop" | "length" | "tool_calls"
  /** Waits this long before the answer begins. */
  readonly delayMs?: number
  /**
   * Answers with this HTTP status, and `errorBody` as JSON. 400 to 422 fail the turn at once, and the host retries 5xx; an error with the
   * code `context_length_exceeded` makes it compact the session.
   */
  readonly status?: number
  readonly errorBody?: unknown
  /** Headers sent with that status, such as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Sends `text`, then never ends: only an abort (or `stop`) ends the turn. */
  readonly hang?: boolean
}

/** Undefined takes the default answer: "Title" for a title, "ok" for anything else. */
export type Script = (request: ModelRequest) => Reply | undefined | Promise<Reply | undefined>

export type ScriptedModel = {
  /** For the provider's `baseURL`. */
  readonly url: string
  /** Every request since the start, oldest first. */
  readonly requests: readonly ModelRequest[]
  /** The main requests, of one session or of all. */
  mainRequests(sessionId?: string): readonly ModelRequest[]
  /** Replaces the script from the next request on. */
  use(script: Script): void
  /** Closes every connection. Rejects if the script itself threw, so that no broken script goes unnoticed. */
  stop(): Promise<void>
}

/**
 * A script from a table: the first key found in the newest user text gives the replies, one for each step of that turn. After the last
 * reply, and for a text with no key, the model says "ok".
 */
export function scriptOf(table: Readonly<Record<string, readonly Reply[]>>): Script {
  return ({ kind, lastUserText, stepOfTurn }) => {
    if (kind !== "main") return undefined
    const key = Object.keys(table).find((text) => lastUserText.includes(text))
    return key === undefined ? undefined : table[key]?.[stepOfTurn]
  }
}

/**
 * A model server on loopback that answers as a script says, in the form of OpenAI's chat completions. Title requests are answered without
 * the script, unless it returns a reply for them.
 */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  let current = script
  let calls = 0
  const requests: ModelRequest[] = []
  const failures: unknown[] = []
  const mainRequests = (sessionId?: string) =>
    requests.filter(
      (request) =>
        request.kind === "main" && (sessionId === undefined || request.sessionId === sessionId),
    )

  async function replyTo(request: ModelRequest): Promise<Reply> {
    try {
      const reply = await current(request)
      return reply ?? { text: request.kind === "title" ? "Title" : "ok" }
    } catch (error) {
      failures.push(error)
      return { text: `The script failed: ${String(error)}` }
    }
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = JSON.parse(await readAll(incoming)) as RequestBody
    const request = readModelRequest(body, incoming.headers, (id) => mainRequests(id).length)
    requests.push(request)
    const reply = await replyTo(request)
    if (reply.delayMs) await sleep(reply.delayMs, undefined, { ref: false })
    if (reply.status !== undefined) return sendError(outgoing, reply.status, reply)
    await send(outgoing, body.stream === true, {
      ...reply,
      toolCalls: reply.toolCalls?.map((call) => ({ id: `call_${++calls}`, ...call })) ?? [],
    })
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      failures.push(error)
      outgoing.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    mainRequests,
    use: (next) => {
      current = next
    },
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      if (failures.length > 0) throw failures[0]
    },
  }
}

type NumberedReply = Omit<Reply, "toolCalls"> & {
  readonly toolCalls: readonly (ToolCall & { readonly id: string })[]
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

function sendError(
  outgoing: ServerResponse,
  status: number,
  { errorBody, headers }: Pick<Reply, "errorBody" | "headers">,
): void {
  const body = errorBody ?? { error: { message: `scripted error ${status}`, type: "scripted" } }
  outgoing
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(JSON.stringify(body))
}

async function send(
  outgoing: ServerResponse,
  stream: boolean,
  reply: NumberedReply,
): Promise<void> {
  const finish = reply.finish ?? (reply.toolCalls.length > 0 ? "tool_calls" : "stop")
  const said = {
    role: "assistant",
    ...(reply.text === undefined ? {} : { content: reply.text }),
  }
  if (!stream) {
    const calls = reply.toolCalls.length > 0 ? { tool_calls: reply.toolCalls.map(wireCall) } : {}
    const message = { ...said, ...calls }
    const choices = [{ index: 0, message, finish_reason: finish }]
    outgoing
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...envelope("chat.completion"), choices, usage: wireUsage(reply) }))
    return
  }
  const chunk = (delta: unknown, finish_reason: string | null, usage?: unknown) =>
    outgoing.write(
      `data: ${JSON.stringify({
        ...envelope("chat.completion.chunk"),
        choices: [{ index: 0, delta, finish_reason }],
        ...(usage === undefined ? {} : { usage }),
      })}\n\n`,
    )
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
  chunk(said, null)
  for (const [index, call] of reply.toolCalls.entries()) {
    if (call.delayMs) await sleep(call.delayMs, undefined, { ref: false })
    chunk({ tool_calls: [wireCall(call, index)] }, null)
  }
  if (reply.hang) return
  chunk({}, finish, wireUsage(reply))
  outgoing.end("data: [DONE]\n\n")
}

function envelope(object: string) {
  return { id: "chatcmpl-scripted", object, created: 0, model: "m" }
}

function wireCall(call: ToolCall & { readonly id: string }, index: number) {
  const text = typeof call.args === "string" ? call.args : JSON.stringify(call.args)
  return { index, id: call.id, type: "function", function: { name: call.name, arguments: text } }
}

function wireUsage({ usage }: Reply) {
  const input = usage?.input ?? 100
  const output = usage?.output ?? 10
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: usage?.cached ?? 0 },
  }
}
