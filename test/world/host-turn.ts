// Runs turns of a simulated host: from a user's message through the model's answers to the idle.
import { compact, needsCompaction, startCompaction } from "./host-compaction.ts"
import type { HostCore, ModelAnswer, Run } from "./host-core.ts"
import { isNewer, type Message, MODEL, NO_TOKENS, tokensOf } from "./host-database.ts"
import { ABORTED, errorOf, fail } from "./host-failure.ts"
import {
  beginText,
  endText,
  type GivenText,
  historyOf,
  orAbort,
  systemOf,
  textPart,
} from "./host-request.ts"
import { isAgent, runCall, type TurnRunner } from "./host-tools.ts"

/** A message for a session, as a user, a command or the plugin sends it. */
export interface Incoming {
  readonly parts: readonly GivenText[]
  /** The host's default agent if none is given; the session switches to it. */
  readonly agent?: string
  readonly model?: string
}

export const DEFAULT_AGENT = "build"

/** The turns of one process. */
export class HostTurns implements TurnRunner {
  readonly #core: HostCore

  constructor(core: HostCore) {
    this.#core = core
  }

  /** Stores a message as the host does, and begins a turn after it unless one is running. Throws what `chat.message` throws. */
  async receive(sessionId: string, incoming: Incoming): Promise<Run> {
    await this.#store(sessionId, incoming)
    return this.start(sessionId)
  }

  /** Begins a turn, or gives the running one, which also answers a message that comes in meanwhile. */
  start(sessionId: string): Run {
    const running = this.#core.runs.get(sessionId)
    if (running !== undefined) return running
    const abort = new AbortController()
    // Known as running before anything is reported.
    const begun = Promise.withResolvers<void>()
    const run: Run = { sessionId, abort, ended: begun.promise.then(() => this.#turn(run)) }
    this.#core.runs.set(sessionId, run)
    // Nobody waits for a turn that the host begins by itself.
    run.ended.catch(() => undefined)
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

  async #store(sessionId: string, { parts: given, agent, model }: Incoming): Promise<Message> {
    const { db } = this.#core
    const session = db.sessions.get(sessionId)
    if (session === undefined) throw new Error(`Session not found: ${sessionId}`)
    const id = db.newId("msg")
    const named = agent ?? DEFAULT_AGENT
    if (!isAgent(named)) {
      const error = { name: "UnknownError", data: { message: `Agent not found: ${named}` } }
      this.#core.emit("session.error", { sessionID: sessionId, error })
      throw new Error(error.data.message)
    }
    const message: Message = {
      info: {
        id,
        sessionID: sessionId,
        role: "user",
        agent: named,
        model: { ...MODEL, ...(model === undefined ? {} : { modelID: model }) },
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
    let end: "again" | "ended" | "failed" = "again"
    try {
      while (end === "again") {
        core.emitStatus(sessionId, "busy")
        end = await this.#step(run)
      }
    } finally {
      if (core.runs.get(sessionId) === run) core.runs.delete(sessionId)
      core.emitStatus(sessionId, "idle")
    }
    // A message that came in after the last look begins a turn of its own.
    if (end === "ended" && isUnanswered(core, sessionId) && core.runs.get(sessionId) === undefined)
      this.start(sessionId)
  }

  /** One request to the model, and what comes of it. */
  async #step(run: Run): Promise<"again" | "ended" | "failed"> {
    const core = this.#core
    const { sessionId } = run
    const user = core.db.lastUser(sessionId)
    if (user === undefined || isAnswered(core, user)) return "ended"
    if (user.parts.some(({ type }) => type === "compaction")) return compact(core, run, user)
    this.#checkModel(user)
    const message = this.#stub(user)
    // What is thrown here is only reported to whoever sent the message.
    const messages = await historyOf(core, sessionId, (one) => one === message)
    try {
      return await this.#take(run, message, await this.#answered(run, message, messages))
    } catch (error) {
      if (error instanceof StoppedWaiting) return this.#close(message, "ended")
      return fail(core, run, message, { error: errorOf(error, run.abort.signal) })
    }
  }

  #checkModel({ info: { sessionID, model } }: Message): void {
    const isKnown = this.#core.options.hasModel?.() ?? true
    if (isKnown && model?.modelID === MODEL.modelID) return
    const error = { name: "UnknownError", data: { message: `Model not found: ${model?.modelID}` } }
    this.#core.emit("session.error", { sessionID, error })
    throw new Error(error.data.message)
  }

  /** The model's answer, after all the host's own retries. */
  async #answered(
    { sessionId, abort: { signal } }: Run,
    { info: { agent } }: Message,
    messages: readonly Message[],
  ): Promise<ModelAnswer> {
    const core = this.#core
    const system = await systemOf(core, sessionId, agent)
    const asked = { sessionId, agent, purpose: "turn", messages, system } as const
    let answer = await orAbort(core, core.options.model(asked), signal)
    for (let attempt = 1; answer.retried !== undefined; attempt++) {
      const message = String(answer.error?.data["message"])
      const status = { type: "retry", attempt, message, next: core.db.now() }
      core.emit("session.status", { sessionID: sessionId, status })
      const wait =
        answer.retried === "never" ? new Promise<never>(() => undefined) : core.pass("retry")
      await orAbort(core, wait, signal).catch(() => {
        throw new StoppedWaiting()
      })
      if (core.facts.isBusyFirst) core.emitStatus(sessionId, "busy")
      await systemOf(core, sessionId, agent)
      if (!core.facts.isBusyFirst) core.emitStatus(sessionId, "busy")
      answer = answer.retried === "never" ? {} : answer.retried
    }
    return answer
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
    { text, calls = [], error, tokens = 1_000, hangs }: ModelAnswer,
  ): Promise<"again" | "ended" | "failed"> {
    const core = this.#core
    const { info } = message
    const { signal } = run.abort
    if (error?.name === "ContextOverflowError") {
      core.emit("session.error", { sessionID: run.sessionId, error })
      this.#close(message, "again")
      startCompaction(core, run.sessionId, { auto: true, overflow: true })
      return "again"
    }
    if (error !== undefined) return fail(core, run, message, { error })
    const part = text === undefined ? undefined : beginText(core, message, text)
    if (hangs) await orAbort(core, new Promise<never>(() => undefined), signal)
    const running = Promise.all(calls.map((call) => runCall(core, this, message, call, signal)))
    // A text ends with the stream, after the calls of the same answer.
    if (part !== undefined) await endText(core, part)
    const ends = await orAbort(core, running, signal).catch(() => null)
    if (ends === null || signal.aborted)
      return fail(core, run, message, { error: ABORTED, running })
    info.tokens = tokensOf(tokens)
    info.finish = calls.length > 0 ? "tool-calls" : "stop"
    core.emitMessage(message)
    this.#close(message, "ended")
    if (ends.includes("refused-by-user")) return "ended"
    if (needsCompaction(core, message)) {
      startCompaction(core, run.sessionId, { auto: true, overflow: false })
      return "again"
    }
    return calls.length > 0 || isUnanswered(core, run.sessionId) ? "again" : "ended"
  }

  #close<End>(message: Message, end: End): End {
    message.info.time.completed = this.#core.db.now()
    this.#core.emitMessage(message)
    return end
  }
}

/** The user has stopped a turn while the host waited to try again. This is not reported as an error. */
class StoppedWaiting extends Error {}

/** Whether a user's message comes after the last answer. */
function isUnanswered(core: HostCore, sessionId: string): boolean {
  const user = core.db.lastUser(sessionId)
  const assistant = core.db.lastAssistant(sessionId)
  // An answer to the message counts, even if the clock was set back before it came.
  if (user === undefined || isAnswered(core, user)) return false
  return assistant === undefined || isNewer(user, assistant)
}

/** Whether the newest answer is complete and answers this message. Then the host asks no model, whatever was written since. */
function isAnswered({ db }: HostCore, { info: { id, sessionID } }: Message): boolean {
  const { finish, parentID } = db.lastAssistant(sessionID)?.info ?? {}
  return finish !== undefined && finish !== "tool-calls" && parentID === id
}
