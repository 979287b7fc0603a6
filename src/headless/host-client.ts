import { Buffer } from "node:buffer"
import { createOpencodeClient } from "@opencode-ai/sdk"
import { eventStream } from "./event-stream.ts"
import { RunError } from "./run-error.ts"

/** What a run asks of an opencode server. Each call may throw a `RunError`. */
export interface HostClient {
  /** The folder that the server takes for the project's root: `/` where there is no git. */
  paths(): Promise<{ readonly worktree: string; readonly directory: string }>
  commandNames(): Promise<readonly string[]>
  agentNames(): Promise<readonly string[]>
  /** As `provider/model`. */
  modelNames(): Promise<readonly string[]>
  createSession(title: string): Promise<string>
  /**
   * Runs `/start-work` and resolves when its turn has ended, or earlier when the connection was given up: a long
   * turn may outlast it. Resolves with what the server refused, or null.
   */
  startWork(sessionId: string, start: StartRequest): Promise<string | null>
  /** Sends a user's message and does not wait for its answer. */
  say(sessionId: string, text: string): Promise<void>
  /** The texts of a session's first user message. */
  firstTexts(sessionId: string): Promise<readonly string[]>
  /** What waits for an answer now, in the form of the events that told it. */
  waiting(): Promise<readonly unknown[]>
  /**
   * Events of the project until the signal. Rejects, also in between, when there is no connection; not by the SDK,
   * whose stream leaves a rejection unhandled when it is aborted.
   */
  events(signal: AbortSignal): Promise<AsyncIterable<unknown>>
}

interface StartRequest {
  /** What stands behind `/start-work`, made by `planArgument`; may be empty. */
  readonly argument: string
  /** `provider/model`; undefined: the host's own choice. */
  readonly model?: string | undefined
  readonly agent?: string | undefined
  /** Gives the connection up; the turn itself goes on. */
  readonly signal: AbortSignal
}

/** The server's API for one project, by the SDK's v1 client; what that lacks (open questions) by HTTP. */
export function hostClient(options: {
  readonly url: string
  readonly directory: string
  readonly env: Readonly<Record<string, string | undefined>>
}): HostClient {
  const { url, directory } = options
  const headers = authorization(options.env)
  const client = createOpencodeClient({ baseUrl: url, directory, headers })
  const call = async <Data>(what: string, made: Promise<Answer<Data>>): Promise<Data> => {
    const answer = await made.catch((error: unknown) => ({ data: undefined, error }))
    if (answer.data !== undefined) return answer.data
    throw new RunError(`opencode at ${url} refused ${what}: ${reasonOf(answer.error)}`)
  }
  const get = async (path: string): Promise<readonly unknown[]> => {
    const target = `${url}${path}?directory=${encodeURIComponent(directory)}`
    const response = await fetch(target, { headers })
    const found: unknown = response.ok ? await response.json() : []
    return Array.isArray(found) ? found : []
  }

  return {
    paths: () => call("its paths", client.path.get()),
    commandNames: async () =>
      (await call("the list of commands", client.command.list())).map(({ name }) => name),
    agentNames: async () =>
      (await call("the list of agents", client.app.agents())).map(({ name }) => name),
    async modelNames() {
      const { providers } = await call("the list of models", client.config.providers())
      return providers.flatMap(({ id, models }) =>
        Object.keys(models).map((name) => `${id}/${name}`),
      )
    },
    createSession: async (title) =>
      (await call("a new session", client.session.create({ body: { title } }))).id,
    async startWork(sessionId, { argument, model, agent, signal }) {
      const body = {
        command: "start-work",
        arguments: argument,
        ...(model === undefined ? {} : { model }),
        ...(agent === undefined ? {} : { agent }),
      }
      const made = client.session.command({ path: { id: sessionId }, body, signal })
      // A connection that breaks off tells nothing: the turn goes on, and the event stream tells how.
      const answer = await made.catch(() => null)
      return answer === null || answer.error === undefined || answer.response === undefined
        ? null
        : reasonOf(answer.error)
    },
    async say(sessionId, text) {
      const body = { parts: [{ type: "text" as const, text }] }
      const answer = await client.session.promptAsync({ path: { id: sessionId }, body })
      if (answer.error !== undefined)
        throw new RunError(`opencode at ${url} refused a message: ${reasonOf(answer.error)}`)
    },
    async firstTexts(sessionId) {
      const made = client.session.messages({ path: { id: sessionId } })
      const [first] = await call("the messages", made)
      return (first?.parts ?? []).flatMap((part) => (part.type === "text" ? [part.text] : []))
    },
    async waiting() {
      const [questions, permissions] = await Promise.all([get("/question"), get("/permission")])
      return [
        ...questions.map((properties) => ({ type: "question.asked", properties })),
        ...permissions.map((properties) => ({ type: "permission.asked", properties })),
      ]
    },
    async events(signal) {
      const target = `${url}/event?directory=${encodeURIComponent(directory)}`
      const { ok, body, status } = await fetch(target, { headers, signal })
      if (ok && body !== null) return eventStream(body)
      throw new RunError(`opencode at ${url} refused its events: HTTP ${status}`)
    },
  }
}

interface Answer<Data> {
  readonly data?: Data | undefined
  readonly error?: unknown
}

function authorization(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const { OPENCODE_SERVER_PASSWORD: password, OPENCODE_SERVER_USERNAME: user } = env
  if (password === undefined || password === "") return {}
  const pair = Buffer.from(`${user ?? "opencode"}:${password}`).toString("base64")
  return { Authorization: `Basic ${pair}` }
}

function reasonOf(error: unknown): string {
  if (error instanceof Error) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ""
    return `${error.message}${cause}`.slice(0, 400)
  }
  return (typeof error === "string" ? error : (JSON.stringify(error) ?? "no answer")).slice(0, 400)
}
