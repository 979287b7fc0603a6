// Calls the server's API for one project, through the SDK's v1 client.
import { createOpencodeClient } from "@opencode-ai/sdk/client"
import type { PlanArgument } from "../../../boulder/plan-argument.ts"
import type { HostEvent } from "../../../decide/memory/host-event.ts"
import { SLASH } from "../../../prompts/typed-command.ts"
import { heardIn, translateEvent } from "../v1/translate-event.ts"
import { eventStream } from "./event-stream.ts"
import { RunError } from "./run-error.ts"
import { authorization, type ServerAccess } from "./server-access.ts"

const UNAUTHORIZED = 401
const NOT_FOUND = 404
/** The first call waits until the host has loaded its plugins, which takes over a minute if it reaches no registry. */
const CALL_LIMIT_MS = 180_000
/** To answer anything at all, a server needs neither project nor plugins. */
const ANSWER_LIMIT_MS = 5_000

/** What a run asks of an opencode server. Each call may throw a `RunError`. */
export interface HostClient {
  /** The folder that the server takes for the project's root: `/` if there is no git. */
  paths(): Promise<{ readonly worktree: string; readonly directory: string }>
  commandNames(): Promise<readonly string[]>
  agentNames(): Promise<readonly string[]>
  /** As `provider/model`. */
  modelNames(): Promise<readonly string[]>
  createSession(title: string): Promise<string>
  /** The folder that a session was opened in; null if the server knows no such session. */
  folderOf(sessionId: string): Promise<string | null>
  /**
   * Runs `/start-work`. Resolves when its turn has ended, or earlier if the connection was given up, since a long turn may outlast it.
   * Resolves with what the server refused, or null.
   */
  startWork(sessionId: string, start: StartRequest): Promise<string | null>
  /** The texts of a session's first user message. */
  firstTexts(sessionId: string): Promise<readonly string[]>
  /** What waits for an answer now, in the form of the events that announced it. */
  waiting(): Promise<readonly unknown[]>
  /** Answers a question with the labels chosen for each of its questions; null dismisses it. */
  answerQuestion(id: string, answers: readonly (readonly string[])[] | null): Promise<void>
  answerPermission(id: string, reply: "once" | "always" | "reject"): Promise<void>
  /**
   * The events of the project, until the signal. Rejects if there is no connection, or later if it breaks off. This does not use the SDK:
   * when aborted, its stream leaves a rejection unhandled.
   */
  events(signal: AbortSignal): Promise<AsyncIterable<unknown>>
  /** What an event says in our words; null if it does not concern us. */
  told(event: unknown): HostEvent | null
  /** That something has happened in a session, whatever it is; null for an event of no session. */
  heard(event: unknown): HostEvent | null
}

export interface StartRequest {
  /** What follows `/start-work`; may be empty. */
  readonly argument: PlanArgument
  /** `provider/model`; undefined: the host's own choice. */
  readonly model?: string | undefined
  readonly agent?: string | undefined
  /** Gives up the connection; the turn itself continues. */
  readonly signal: AbortSignal
}

/** The server's API for one project, through the SDK's v1 client. What that lacks (open questions) goes over HTTP. */
export function hostClient(
  access: ServerAccess,
  { directory, signal: over }: { readonly directory: string; readonly signal: AbortSignal },
): HostClient {
  const { url } = access
  // The client sets opencode's own header; Kilo's has another name.
  const headers = { ...authorization(access), "x-kilo-directory": encodeURIComponent(directory) }
  const client = createOpencodeClient({ baseUrl: url, directory, headers })
  const limited = () => ({
    signal: AbortSignal.any([over, AbortSignal.timeout(CALL_LIMIT_MS)]),
  })
  const call = async <Data>(what: string, made: Promise<Answer<Data>>): Promise<Data> => {
    const answer = await made.catch((error: unknown): Answer<Data> => ({ error }))
    if (answer.data !== undefined) return answer.data
    if (answer.response?.status === UNAUTHORIZED) throw new RunError(passwordText(access))
    throw new RunError(`opencode at ${url} refused ${what}: ${reasonOf(answer.error)}`)
  }
  const get = async (path: string): Promise<readonly unknown[]> => {
    const target = `${url}${path}?directory=${encodeURIComponent(directory)}`
    const response = await fetch(target, { headers, ...limited() })
    if (response.status === NOT_FOUND) return []
    if (response.status === UNAUTHORIZED) throw new RunError(passwordText(access))
    if (!response.ok) throw new RunError(`opencode at ${url} refused ${path}: ${response.status}`)
    const found: unknown = await response.json()
    return Array.isArray(found) ? found : []
  }
  const post = async (path: string, body: object): Promise<void> => {
    const target = `${url}${path}?directory=${encodeURIComponent(directory)}`
    const json = { "content-type": "application/json" }
    const sent = { method: "POST", headers: { ...headers, ...json }, body: JSON.stringify(body) }
    const { ok, status } = await fetch(target, { ...sent, ...limited() })
    if (!ok) throw new RunError(`opencode at ${url} refused the answer: ${status}`)
  }

  return {
    paths: () => call("its paths", client.path.get(limited())),
    commandNames: async () =>
      (await call("the list of commands", client.command.list(limited()))).map(({ name }) => name),
    agentNames: async () =>
      (await call("the list of agents", client.app.agents(limited()))).map(({ name }) => name),
    async modelNames() {
      const { providers } = await call("the list of models", client.config.providers(limited()))
      return providers.flatMap(({ id, models }) =>
        Object.keys(models).map((name) => `${id}/${name}`),
      )
    },
    createSession: async (title) =>
      (await call("a new session", client.session.create({ body: { title }, ...limited() }))).id,
    async folderOf(sessionId) {
      const { data } = await client.session.get({ path: { id: sessionId }, ...limited() })
      return data?.directory ?? null
    },
    async startWork(sessionId, { argument, model, agent, signal }) {
      const body = {
        command: SLASH.start,
        arguments: argument,
        ...(model === undefined ? {} : { model }),
        ...(agent === undefined ? {} : { agent }),
      }
      const made = client.session.command({ path: { id: sessionId }, body, signal })
      // A connection that breaks off says nothing: the turn continues, and the event stream says how.
      const answer = await made.catch(() => null)
      return answer === null || answer.error === undefined || answer.response === undefined
        ? null
        : reasonOf(answer.error)
    },
    answerQuestion: (id, answers) =>
      answers === null
        ? post(`/question/${encodeURIComponent(id)}/reject`, {})
        : post(`/question/${encodeURIComponent(id)}/reply`, { answers }),
    answerPermission: (id, reply) => post(`/permission/${encodeURIComponent(id)}/reply`, { reply }),
    async firstTexts(sessionId) {
      const made = client.session.messages({ path: { id: sessionId }, ...limited() })
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
    told: (event) => translateEvent(event, Date.now()),
    heard: (event) => heardIn(event, Date.now()),
    async events(signal) {
      const target = `${url}/event?directory=${encodeURIComponent(directory)}`
      const { ok, body, status } = await fetch(target, { headers, signal })
      if (ok && body !== null) return eventStream(body)
      throw new RunError(`opencode at ${url} refused its events: HTTP ${status}`)
    },
  }
}

/** Throws a `RunError` that says what to do if nothing answers. */
export async function expectAnswer(
  access: ServerAccess,
  over: AbortSignal,
  todo: string,
): Promise<void> {
  const signal = AbortSignal.any([over, AbortSignal.timeout(ANSWER_LIMIT_MS)])
  const headers = authorization(access)
  try {
    await fetch(`${access.url}/global/health`, { headers, signal })
  } catch (error) {
    throw new RunError(
      `Expected opencode to answer at ${access.url}; found: ${reasonOf(error)}. ${todo}`,
    )
  }
}

interface Answer<Data> {
  readonly data?: Data | undefined
  readonly error?: unknown
  readonly response?: Response | undefined
}

function passwordText({ url, password }: ServerAccess): string {
  const found = password === "" ? "none is set" : "it refuses the one that is set"
  return `Expected the password of opencode at ${url}; ${found}. Set OPENCODE_SERVER_PASSWORD (and OPENCODE_SERVER_USERNAME) to those of the server.`
}

function reasonOf(error: unknown): string {
  if (error instanceof Error) {
    const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ""
    return `${error.message}${cause}`.slice(0, 400)
  }
  return (typeof error === "string" ? error : (JSON.stringify(error) ?? "no answer")).slice(0, 400)
}
