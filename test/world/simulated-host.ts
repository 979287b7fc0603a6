// A host process as the plugin sees it, in memory, with a script for its model and its user.
import type { Config, PluginInput, PluginModule } from "@opencode-ai/plugin"
import { clientOf } from "./host-client.ts"
import { startCompaction } from "./host-compaction.ts"
import { type Asked, HostCore, type HostOptions, type Reply } from "./host-core.ts"
import type { HostDatabase, Session } from "./host-database.ts"
import { DEFAULT_AGENT, HostTurns, type Incoming } from "./host-turn.ts"

/**
 * One opencode process, which behaves as docs/HOST.md says. It is driven from three sides:
 *
 * - **The model**: `options.model(request)` is awaited for every request of a turn and of a compaction. It gives text, tool calls, or the
 *   provider's error (`ModelAnswer`). An answer with calls is followed by another request.
 * - **The user**: `newSession`, `prompt`, `command`, `abort`, `reply` (permissions and questions in `asked`), `undo`, `summarize`, `remove`.
 *   `die` is a SIGKILL: nothing of the process ever continues.
 * - **Time and order**: every border is awaited by `options.pass`; nothing else waits, and no timer is set.
 *
 * `options.witness` gets each hook (before and after), event, prompt and toast in order; recordings of the real host are compared with
 * that. Several processes on one folder share a `HostDatabase`; each has its own events.
 */
export class SimulatedHost {
  readonly core: HostCore
  readonly #turns: HostTurns
  readonly #config: Config = {}

  constructor(options: HostOptions) {
    this.core = new HostCore(options)
    this.#turns = new HostTurns(this.core)
  }

  /** Loads the plugin, as the host does at the first request in a folder. */
  async load(plugin: PluginModule, options: Record<string, unknown> = {}): Promise<void> {
    const client = clientOf(this.core, this.#turns)
    const { directory } = this.core.options
    const input = { client, directory, worktree: directory } as never as PluginInput
    this.core.hooks = await this.core.live(plugin.server(input, options))
    await this.core.live(this.core.hooks.config?.(this.#config) ?? Promise.resolve())
  }

  /** The folder is disposed of. Its turns end first, which is reported like a stop of the user's. */
  endTurns(): void {
    for (const { abort } of this.core.runs.values()) abort.abort()
  }

  /** What comes 65 to 140 ms later: the plugin ends, and at the next request in the folder it is loaded anew. */
  async reload(plugin: PluginModule, options: Record<string, unknown>): Promise<void> {
    await this.core.live(this.core.hooks.dispose?.() ?? Promise.resolve())
    this.core.hooks = {}
    this.core.dropHeld()
    await this.load(plugin, options)
    this.core.emit("server.connected", {})
  }

  get db(): HostDatabase {
    return this.core.db
  }

  /** The requests that wait for the user. */
  get asked(): readonly Asked[] {
    return [...this.core.asked.values()]
  }

  isBusy(sessionId: string): boolean {
    return this.core.runs.has(sessionId)
  }

  newSession(title = "New session", agent = DEFAULT_AGENT): Session {
    const session = this.db.addSession({ title, agent })
    this.core.emit("session.created", { sessionID: session.id, info: session })
    return session
  }

  /** A message of the user's. Resolves when the turn that answers it is over. Throws what the host would answer with 500. */
  async prompt(sessionId: string, text: string, agent?: string): Promise<void> {
    const incoming: Incoming = { parts: [{ text }], ...(agent === undefined ? {} : { agent }) }
    try {
      const run = await this.#turns.receive(sessionId, incoming)
      await this.core.live(run.ended)
    } catch (error) {
      if (this.core.facts.tellsCaller) throw error
    }
  }

  /** A command of the user's, which begins a turn of the model like any other. */
  async command(sessionId: string, name: string, given: string, agent?: string): Promise<void> {
    const template = this.#config.command?.[name]?.template ?? `${name} $ARGUMENTS`
    const parts = [{ type: "text", text: template.replace("$ARGUMENTS", () => given) }]
    await this.core.hook(
      "command.execute.before",
      { command: name, sessionID: sessionId, arguments: given },
      { parts: parts as never },
    )
    const run = await this.#turns.receive(sessionId, {
      parts,
      agent: agent ?? this.db.sessions.get(sessionId)?.agent ?? DEFAULT_AGENT,
    })
    await this.core.live(run.ended)
    const messageID = this.db.lastUser(sessionId)?.info.id
    this.core.emit("command.executed", { name, sessionID: sessionId, arguments: given, messageID })
  }

  /** ESC. In an idle session it causes another idle. */
  abort(sessionId: string): void {
    const run = this.core.runs.get(sessionId)
    if (run === undefined) this.core.emitStatus(sessionId, "idle")
    else run.abort.abort()
  }

  /** The user's answer to a permission or a question. */
  reply(requestId: string, reply: Reply): void {
    const asked = this.core.asked.get(requestId)
    if (asked === undefined) return
    const { sessionId: sessionID, kind } = asked
    this.core.asked.delete(requestId)
    if (kind === "permission") {
      const given = reply.kind === "yes" ? "once" : "reject"
      this.core.emit("permission.replied", { sessionID, requestID: requestId, reply: given })
    } else if (reply.kind === "no")
      this.core.emit("question.rejected", { sessionID, requestID: requestId })
    else {
      const { answers = [] } = reply
      this.core.emit("question.replied", { sessionID, requestID: requestId, answers })
    }
    asked.answer(reply)
  }

  /** The user undoes a message and everything after it, in an idle session. */
  undo(sessionId: string, messageId: string): void {
    for (const { info } of this.db.removeFrom(sessionId, messageId))
      this.core.emit("message.removed", { sessionID: sessionId, messageID: info.id })
  }

  /** The user asks for a compaction. Resolves when it is over. */
  async summarize(sessionId: string): Promise<void> {
    startCompaction(this.core, sessionId, { auto: false, overflow: false })
    await this.core.live(this.#turns.start(sessionId).ended)
  }

  /** The user deletes a session, and its children with it. */
  remove(sessionId: string): void {
    for (const info of this.db.removeSession(sessionId))
      this.core.emit("session.deleted", { sessionID: info.id, info })
  }

  /** SIGKILL. */
  die(): void {
    this.core.die()
  }

  /** Ends in good order. */
  async stop(): Promise<void> {
    await this.core.live(this.core.hooks.dispose?.() ?? Promise.resolve())
    this.core.die()
  }
}
