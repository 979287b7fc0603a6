import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import {
  createOpencodeClient,
  type Message,
  type OpencodeClient,
  type Part,
  type Session,
} from "@opencode-ai/sdk"
import { type EventFeed, type HostEvent, openEventFeed } from "./host-events.ts"
import { type FolderOptions, makeProject } from "./host-folders.ts"
import { type HostHttp, hostHttp } from "./host-http.ts"
import { takeServer } from "./host-server.ts"
import { type WaitOptions, waitUntil } from "./host-wait.ts"
import { type Script, type ScriptedModel, startScriptedModel } from "./scripted-model.ts"

export type HostOptions = FolderOptions & {
  /** What the model says. Default: "ok" to everything. */
  readonly script?: Script
  /** A model server that several hosts share; the caller stops it. */
  readonly model?: ScriptedModel
}

export type StoredMessage = { readonly info: Message; readonly parts: readonly Part[] }

/** Fields that the host sends but the v1 types of the SDK do not have yet. */
type HostSession = Session & {
  readonly agent?: string
  readonly model?: { readonly id: string; readonly providerID: string; readonly variant?: string }
}

type TurnOptions = {
  readonly agent?: string
  readonly model?: { readonly providerID: string; readonly modelID: string }
}

export type OpencodeHost = HostHttp & {
  readonly project: string
  /** Holds the project. `stop` removes it. */
  readonly root: string
  /** The environment of its process, with its home: what a second one on the same folders needs. */
  readonly env: Readonly<Record<string, string>>
  readonly model: ScriptedModel
  /** Both change with `restart`: read them from the host each time. */
  readonly url: string
  readonly client: OpencodeClient
  /** Every event of the project since the start, over restarts, oldest first. */
  readonly events: readonly HostEvent[]
  eventsOf(type: string, sessionId?: string): readonly HostEvent[]
  /** Calls back for each later event. Returns what ends it. */
  onEvent(listener: (event: HostEvent) => void): () => void

  createSession(parentId?: string): Promise<string>
  session(sessionId: string): Promise<HostSession>
  children(sessionId: string): Promise<readonly HostSession[]>
  messages(sessionId: string): Promise<readonly StoredMessage[]>
  /** The names of all commands that the host knows. */
  commandNames(): Promise<readonly string[]>
  /** Sends a user's message and waits for the end of its turn. Returns the assistant's last message. */
  prompt(sessionId: string, text: string, options?: TurnOptions): Promise<StoredMessage>
  promptAsync(sessionId: string, text: string, options?: TurnOptions): Promise<void>
  /** Runs a slash command and waits for the end of its turn. */
  command(sessionId: string, name: string, args?: string): Promise<StoredMessage>
  abort(sessionId: string): Promise<void>
  isIdle(sessionId: string): Promise<boolean>

  waitFor<T>(predicate: () => T | Promise<T>, options?: WaitOptions): Promise<NonNullable<T>>
  /** Waits until the session is idle and has stayed so, with no new message, for `quietMs`. */
  waitIdle(sessionId: string, options?: WaitOptions & { quietMs?: number }): Promise<void>

  readFile(path: string): string
  writeFile(path: string, text: string): void
  hasFile(path: string): boolean
  /** `.boulder/boulder.json` as it is on disk, or null. */
  boulder<T = BoulderOnDisk>(): T | null
  /** The lines of `.boulder/journal.jsonl`, oldest first. */
  journal(): readonly Readonly<Record<string, unknown>>[]
  /** What the host printed, over restarts. */
  log(): string
  /** The same folders and sessions in a new process. "kill" (the default) gives the host no time to end cleanly. */
  restart(how?: "kill" | "graceful"): Promise<void>
  /** Ends the project, its model and everything that runs there, and removes its folders. Safe to call twice. */
  stop(): Promise<void>
}

/** Only what every version of the file has; `boulder<T>()` takes the caller's own view of the rest. */
type BoulderOnDisk = {
  readonly schema_version: number
  readonly revision: number
  readonly works: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const QUIET_MS = 250

/**
 * Opens a project in a real opencode, with a scripted model as its only provider. Resolves when the host has loaded the project and its
 * plugins. A stopped host leaves its server, which then takes the next project.
 */
export async function startHost(options: HostOptions = {}): Promise<OpencodeHost> {
  const server = await takeServer(options)
  const model = options.model ?? (await startScriptedModel(options.script ?? (() => undefined)))
  const root = mkdtempSync(join(server.root, "host-"))
  const project = makeProject(join(root, "project"), model.url, options)
  const events: HostEvent[] = []
  const listeners = new Set<(event: HostEvent) => void>()
  let log = ""
  let opened: { feed: EventFeed; client: OpencodeClient } | undefined

  async function start(): Promise<void> {
    server.printTo((text) => {
      log += text
    })
    if (!server.isRunning()) await server.start()
    const headers = { "x-kilo-directory": encodeURIComponent(project) }
    const client = createOpencodeClient({ baseUrl: server.url(), directory: project, headers })
    const feed = await openEventFeed(server.url(), project, (event) => {
      events.push(event)
      for (const listener of listeners) listener(event)
    })
    opened = { feed, client }
    await http.get("/command")
  }

  /** False if the server did not do it, or was no longer running. */
  async function close(): Promise<boolean> {
    opened?.feed.close()
    opened = undefined
    return http.post<boolean>("/global/dispose").catch(() => false)
  }

  async function stop(): Promise<void> {
    if (isStopped) return
    isStopped = true
    const isClosed = await close()
    await rm(root, { recursive: true, force: true })
    await (isClosed ? server.leave() : server.remove())
    if (options.model === undefined) await model.stop()
  }
  let isStopped = false

  const http = hostHttp(server.url, project)
  const path = (name: string) => join(project, name)
  const readFile = (name: string) => readFileSync(path(name), "utf8")
  const hasFile = (name: string) => existsSync(path(name))
  const journal = () =>
    hasFile(".boulder/journal.jsonl")
      ? readFile(".boulder/journal.jsonl")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : []
  const session = (id: string) => http.get<HostSession>(`/session/${id}`)
  const messages = (id: string) => http.get<readonly StoredMessage[]>(`/session/${id}/message`)
  const isIdle = async (id: string) => {
    const busy = await http.get<Record<string, { type: string }>>("/session/status")
    return (busy[id]?.type ?? "idle") === "idle"
  }
  const waitFor: OpencodeHost["waitFor"] = (predicate, wait) =>
    waitUntil(predicate, () => describeState({ log, events, journal, project }), wait)

  const host: OpencodeHost = {
    ...http,
    project,
    root,
    env: server.env,
    model,
    events,
    get url() {
      return server.url()
    },
    get client() {
      if (opened === undefined) throw new Error("The host is not running")
      return opened.client
    },
    eventsOf: (type, sessionId) =>
      events.filter(
        (event) =>
          event.type === type &&
          (sessionId === undefined || event.properties.sessionID === sessionId),
      ),
    onEvent: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    createSession: async (parentID) =>
      (await http.post<Session>("/session", parentID === undefined ? {} : { parentID })).id,
    session,
    children: (id) => http.get(`/session/${id}/children`),
    messages,
    commandNames: async () =>
      (await http.get<readonly { name: string }[]>("/command")).map(({ name }) => name),
    prompt: (id, text, turn) => http.post(`/session/${id}/message`, promptBody(text, turn)),
    promptAsync: (id, text, turn) =>
      http.post(`/session/${id}/prompt_async`, promptBody(text, turn)),
    command: (id, command, args = "") =>
      http.post(`/session/${id}/command`, { command, arguments: args }),
    abort: (id) => http.post(`/session/${id}/abort`),
    isIdle,
    waitFor,
    waitIdle: async (id, { quietMs = QUIET_MS, ...wait } = {}) => {
      let quietSince = performance.now()
      let count = -1
      await waitFor(
        async () => {
          const seen = host.eventsOf("message.updated", id).length
          if (seen !== count || !(await isIdle(id))) {
            count = seen
            quietSince = performance.now()
          }
          return performance.now() - quietSince >= quietMs
        },
        { what: `session ${id} is idle`, ...wait },
      )
    },
    readFile,
    hasFile,
    writeFile: (name, text) => {
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), text)
    },
    boulder: <T>() =>
      hasFile(".boulder/boulder.json")
        ? (JSON.parse(readFile(".boulder/boulder.json")) as T)
        : null,
    journal,
    log: () => log,
    restart: async (how = "kill") => {
      opened?.feed.close()
      opened = undefined
      await server.halt(how)
      await start()
    },
    stop,
  }
  try {
    await start()
  } catch (error) {
    await stop()
    throw new Error(`The host did not start.\n${tail(log, 60)}`, { cause: error })
  }
  return host
}

function promptBody(text: string, turn: TurnOptions = {}) {
  return { ...turn, parts: [{ type: "text", text }] }
}

function describeState(state: {
  log: string
  events: readonly HostEvent[]
  journal: () => readonly unknown[]
  project: string
}): string {
  const journal = state
    .journal()
    .slice(-15)
    .map((line) => JSON.stringify(line))
  const events = state.events
    .filter(({ type }) => type !== "message.part.delta")
    .slice(-25)
    .map(({ type, properties }) => `${type} ${String(JSON.stringify(properties)).slice(0, 300)}`)
  return [
    `project: ${state.project}`,
    `journal:\n${journal.join("\n")}`,
    `events:\n${events.join("\n")}`,
    `log:\n${tail(state.log, 30)}`,
  ].join("\n\n")
}

function tail(text: string, lines: number): string {
  return text.split("\n").slice(-lines).join("\n")
}
