// Turns of a simulated host: from a user's message over the model's answers to the idle.
import { compact, needsCompaction, startCompaction } from "./host-compaction.ts"
import type { HostCore, ModelAnswer, Run } from "./host-core.ts"
import { type HostError, type Message, MODEL, NO_TOKENS, tokensOf } from "./host-database.ts"
import { addText, type GivenText, orAbort, requestOf, textPart } from "./host-request.ts"
import { runCall, type TurnRunner } from "./host-tools.ts"

/** A message for a session, as a user, a command or the plugin sends it. */
export interface Incoming {
  readonly parts: readonly GivenText[]
  /** The host's default agent where nothing is said: the session switches to it. */
  readonly agent?: string
}

export const DEFAULT_AGENT = "build"
const ABORTED: HostError = { name: "MessageAbortedError", data: { message: "Aborted" } }

/** The turns of one process. */
export class HostTurns implements TurnRunner {
  readonly #core: HostCore

  constructor(core: HostCore) {
    this.#core = core
  }

  /** Stores a message as the host does it, and begins a turn behind it unless one runs. Throws what `chat.message` throws. */
  async receive(sessionId: string, incoming: Incoming): Promise<Run> {
    await this.#store(sessionId, incoming)
    return this.start(sessionId)
  }

  /** Begins a turn, or gives the one that runs: a message that comes in meanwhile is answered by that. */
  start(sessionId: string): Run {
    const running = this.#core.runs.get(sessionId)
    if (running !== undefined) return running
    const abort = new AbortController()
    // Known as running before anything is told.
    const begun = Promise.withResolvers<void>()
    const run: Run = { sessionId, abort, ended: begun.promise.then(() => this.#turn(run)) }
    this.#core.runs.set(sessionId, run)
    begun.resolve()
    return run
  }

  async runChild(
    sessionId: string,
    prompt: string,
    agent: string,
    signal: AbortSignal,
  ): Promise<void> {
    const run = await this.receive(sessionId, { parts: [{ text: prompt }], agent })
    const abort = () => run.abort.abort()
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort)
    await this.#core.live(run.ended)
  }

  async #store(sessionId: string, { parts: given, agent }: Incoming): Promise<Message> {
    const { db } = this.#core
    const session = db.sessions.get(sessionId)
    if (session === undefined) throw new Error(`Session not found: ${sessionId}`)
    const id = db.newId("msg")
    const named = agent ?? DEFAULT_AGENT
    const message: Message = {
      info: {
        id,
        sessionID: sessionId,
        role: "user",
        agent: named,
        model: MODEL,
        time: { created: db.now() },
      },
      parts: given.map((one) => textPart(db.newId("prt"), id, sessionId, one)),
    }
    const { info, parts } = message
    await this.#core.hook(
      "chat.message",
      { sessionID: sessionId, ...(agent === undefined ? {} : { agent }), messageID: id },
      { message: info as never, parts: parts as never },
    )
    session.agent = info.agent
    db.addMessage(message)
    this.#core.emitMessage(message)
    for (const part of parts) this.#core.emitPart(part)
    session.time.updated = db.now()
    this.#core.emit("session.updated", { sessionID: sessionId, info: session })
    return message
  }

  async #turn(run: Run): Promise<void> {
    const core = this.#core
    const { sessionId } = run
    let failed = false
    for (;;) {
      core.emitStatus(sessionId, "busy")
      const end = await this.#step(run)
      if (end === "again") continue
      failed = end === "failed"
      break
    }
    core.runs.delete(sessionId)
    core.emitStatus(sessionId, "idle")
    if (failed) core.emitStatus(sessionId, "idle")
    // A message that came in behind the last look begins a turn of its own.
    if (!failed && isUnanswered(core, sessionId) && core.runs.get(sessionId) === undefined)
      this.start(sessionId)
  }

  /** One request to the model and what comes of it. */
  async #step(run: Run): Promise<"again" | "ended" | "failed"> {
    const core = this.#core
    const { sessionId } = run
    const user = core.db.lastUser(sessionId)
    if (user === undefined) return "ended"
    const last = core.db.messages(sessionId).at(-1)
    if (user.parts.some(({ type }) => type === "compaction")) return compact(core, run, user)
    if (last !== undefined && needsCompaction(core, last)) {
      startCompaction(core, sessionId, { auto: true, overflow: false })
      return "again"
    }
    const message = this.#stub(user)
    try {
      const { info } = message
      const { messages, system } = await requestOf(core, sessionId, info.agent)
      const asked = { sessionId, agent: info.agent, purpose: "turn", messages, system } as const
      const answer = await orAbort(core, core.options.model(asked), run.abort.signal)
      return await this.#take(run, message, answer)
    } catch (error) {
      return this.#fail(message, errorOf(error, run.abort.signal))
    }
  }

  #stub({ info: { id: parentID, sessionID, agent } }: Message): Message {
    const { db } = this.#core
    const message: Message = {
      info: {
        id: db.newId("msg"),
        sessionID,
        role: "assistant",
        parentID,
        agent,
        mode: agent,
        ...MODEL,
        time: { created: db.now() },
        tokens: NO_TOKENS,
      },
      parts: [],
    }
    db.addMessage(message)
    this.#core.emitMessage(message)
    return message
  }

  async #take(
    run: Run,
    message: Message,
    { text, calls = [], error, tokens = 1_000 }: ModelAnswer,
  ): Promise<"again" | "ended" | "failed"> {
    const core = this.#core
    const { info } = message
    if (error?.name === "ContextOverflowError") {
      this.#close(message, { error })
      startCompaction(core, run.sessionId, { auto: true, overflow: true })
      return "again"
    }
    if (error !== undefined) return this.#fail(message, error)
    if (text !== undefined) await addText(core, message, text)
    const ends = await Promise.all(
      calls.map((call) => runCall(core, this, message, call, run.abort.signal)),
    )
    if (run.abort.signal.aborted) return this.#fail(message, ABORTED)
    info.tokens = tokensOf(tokens)
    info.finish = calls.length > 0 ? "tool-calls" : "stop"
    core.emitMessage(message)
    this.#close(message, {})
    if (ends.includes("refused-by-user")) return "ended"
    return calls.length > 0 || isUnanswered(core, run.sessionId) ? "again" : "ended"
  }

  #fail(message: Message, error: HostError): "failed" {
    for (const part of message.parts)
      if (part.state?.status === "running") {
        part.state = { ...part.state, status: "error", error: "Tool execution aborted" }
        this.#core.emitPart(part)
      }
    const { sessionID } = message.info
    this.#core.emit("session.error", { sessionID, error })
    this.#close(message, { error })
    return "failed"
  }

  #close({ info, parts }: Message, { error }: { error?: HostError }): void {
    if (error !== undefined) info.error = error
    info.time.completed = this.#core.db.now()
    this.#core.emitMessage({ info, parts })
  }
}

/** A user's message stands behind the last answer. */
function isUnanswered(core: HostCore, sessionId: string): boolean {
  const user = core.db.lastUser(sessionId)
  const assistant = core.db.lastAssistant(sessionId)
  return user !== undefined && (assistant === undefined || user.info.id > assistant.info.id)
}

function errorOf(error: unknown, signal: AbortSignal): HostError {
  if (signal.aborted) return ABORTED
  return { name: "UnknownError", data: { message: String(error) } }
}
