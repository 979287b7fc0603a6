// What all parts of one simulated host process share: its plugin, its events, and whether it still lives.
import type { Hooks } from "@opencode-ai/plugin"
import type { HostDatabase, HostError, Message } from "./host-database.ts"
import { type HostVersion, VERSIONS, type VersionFacts } from "./host-versions.ts"

/** What a model is asked. Messages and system texts are as the plugin has left them. */
export interface ModelRequest {
  readonly sessionId: string
  readonly agent: string
  /** `compaction` wants a summary; tool calls in its answer are ignored. */
  readonly purpose: "turn" | "compaction"
  readonly messages: readonly Message[]
  readonly system: readonly string[]
}

/** A tool call. The host makes the id if none is given; some providers repeat theirs. */
export interface ToolCall {
  readonly tool: string
  readonly args: Record<string, unknown>
  readonly callId?: string
  /** The host asks the user for permission before the call runs. */
  readonly needsPermission?: boolean
  /** A rule of the user's denies it. */
  readonly isDenied?: boolean
}

/** What a model answers. Without calls, the turn ends with the answer. */
export interface ModelAnswer {
  readonly text?: string
  readonly calls?: readonly ToolCall[]
  /** The provider's error, after all the host's own retries. */
  readonly error?: HostError
  /** The host retries by itself after the error: what it gets then, or `never` if it waits for good. */
  readonly retried?: ModelAnswer | "never"
  /** The answer never ends. */
  readonly hangs?: boolean
  /** Tokens in the context after this answer; default 1,000. */
  readonly tokens?: number
}

/** What the plugin's client asks of the host, which may answer wrongly. */
export type ClientCall =
  | "get"
  | "messages"
  | "message"
  | "status"
  | "providers"
  | "config"
  | "toast"

/** `lost`: accepted, but never begun. `failed`: the same, and an error is reported. `refused`: an error. `mute`: never any answer. */
export type PromptFate = "taken" | "lost" | "failed" | "refused" | "mute"

/** What a simulated host is made of. */
export interface HostOptions {
  readonly db: HostDatabase
  /** The project's root, as this process sees it. */
  readonly directory: string
  readonly model: (request: ModelRequest) => Promise<ModelAnswer>
  /** Runs a tool that is neither the host's `task` and `question` nor the plugin's. Gives its output. */
  readonly runTool?: (call: ToolCall & { readonly sessionId: string }) => Promise<string>
  /** Awaited at every border between host and plugin, so that a scheduler can hold it as long as it likes. */
  readonly pass?: (what: string) => Promise<void>
  readonly fateOf?: (call: ClientCall) => "answered" | "refused" | "mute"
  readonly fateOfPrompt?: (sessionId: string) => PromptFate
  /** The context of the model in tokens, 200,000 by default; its output is 8,000. */
  readonly contextLimit?: number
  /** Whether the provider knows the model of the sessions; default true. */
  readonly hasModel?: () => boolean
  /** Whether children are not offered `task`, which is so unless the user's rules say otherwise. */
  readonly forbidsNesting?: boolean
  /** The version whose facts hold; default 1.18.33. */
  readonly version?: HostVersion
  /** Asked before an event is told. True keeps that event, and all after it, until `tellHeld`. */
  readonly isHeld?: (type: string) => boolean
  /** Gets everything that crosses the border, in order. */
  readonly witness?: (seen: Crossing) => void
}

/** One crossing of the border between host and plugin. */
export type Crossing =
  | {
      readonly kind: "hook"
      readonly name: string
      readonly input: unknown
      readonly output: unknown
    }
  | {
      readonly kind: "hook-done"
      readonly name: string
      readonly input: unknown
      readonly output: unknown
    }
  | {
      readonly kind: "hook-threw"
      readonly name: string
      readonly input: unknown
      readonly message: string
    }
  | { readonly kind: "event"; readonly type: string; readonly properties: Record<string, unknown> }
  | {
      readonly kind: "prompt"
      readonly sessionId: string
      readonly text: string
      readonly body: unknown
    }
  /** A call of `task` runs in this session from here on; an event tells the plugin. */
  | {
      readonly kind: "child"
      readonly sessionId: string
      readonly callId: string
      readonly childId: string
    }
  | { readonly kind: "toast"; readonly message: string }
  | { readonly kind: "log"; readonly message: string }
  | { readonly kind: "summarize"; readonly sessionId: string }
  /** The plugin has asked which sessions are running: these. */
  | { readonly kind: "status"; readonly busy: readonly string[] }

/** A running turn. */
export interface Run {
  readonly sessionId: string
  readonly abort: AbortController
  /** Settles when the turn is over. */
  readonly ended: Promise<void>
}

/** A request that waits for the user. */
export interface Asked {
  readonly id: string
  readonly kind: "permission" | "question"
  readonly sessionId: string
  readonly callId: string
  readonly questions: readonly unknown[]
  readonly answer: (reply: Reply) => void
}

export type Reply =
  | { readonly kind: "yes"; readonly answers?: readonly (readonly string[])[] }
  | { readonly kind: "no"; readonly feedback?: string }

const NEVER = new Promise<never>(() => undefined)

/** The state of one process. */
export class HostCore {
  readonly options: HostOptions
  readonly db: HostDatabase
  hooks: Hooks = {}
  readonly runs = new Map<string, Run>()
  readonly asked = new Map<string, Asked>()
  #isDead = false
  readonly #held: { type: string; properties: Record<string, unknown> }[] = []

  constructor(options: HostOptions) {
    this.options = options
    this.db = options.db
  }

  get facts(): VersionFacts {
    return VERSIONS[this.options.version ?? "1.18.33"]
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** From here on nothing of this process ever continues. */
  die(): void {
    this.#isDead = true
  }

  /** What a promise gives, as long as the process lives. */
  async live<Value>(promise: Promise<Value>): Promise<Value> {
    try {
      const value = await promise
      return this.#isDead ? NEVER : value
    } catch (error) {
      if (this.#isDead) return NEVER
      throw error
    }
  }

  pass(what: string): Promise<void> {
    return this.live(this.options.pass?.(what) ?? Promise.resolve())
  }

  /** Calls a hook of the plugin and waits for it. */
  async hook<Name extends HookName>(
    name: Name,
    ...args: Parameters<NonNullable<Hooks[Name]>>
  ): Promise<void> {
    const run = this.hooks[name] as undefined | ((...given: unknown[]) => Promise<void>)
    const [input, output] = args
    await this.pass(`hook ${name}`)
    this.options.witness?.({ kind: "hook", name, input, output })
    try {
      await this.live(Promise.resolve(run?.(...args)))
      this.options.witness?.({ kind: "hook-done", name, input, output })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      this.options.witness?.({ kind: "hook-threw", name, input, message })
      throw error
    }
    await this.pass(`hook ${name} is done`)
  }

  /** Tells the plugin an event, without waiting. */
  emit(type: string, given: Record<string, unknown>): void {
    const properties = structuredClone(given)
    if (this.#held.length > 0 || this.options.isHeld?.(type)) this.#held.push({ type, properties })
    else this.#tell(type, properties)
  }

  /** Tells the held events now, in their order. */
  tellHeld(): void {
    for (const { type, properties } of this.#held.splice(0)) this.#tell(type, properties)
  }

  /** Drops the held events: what was meant for a plugin that is gone is told to no other. */
  dropHeld(): void {
    this.#held.length = 0
  }

  #tell(type: string, properties: Record<string, unknown>): void {
    if (this.#isDead) return
    this.options.witness?.({ kind: "event", type, properties })
    const event = { id: this.db.newId("evt"), type, properties }
    this.hooks.event?.({ event: event as never }).catch((error: unknown) => {
      this.options.witness?.({
        kind: "hook-threw",
        name: "event",
        input: event,
        message: String(error),
      })
    })
  }

  emitMessage({ info }: Message): void {
    this.emit("message.updated", { sessionID: info.sessionID, info })
  }

  emitPart(part: Message["parts"][number]): void {
    const { sessionID } = part
    this.emit("message.part.updated", { sessionID, part, time: this.db.now() })
  }

  emitStatus(sessionID: string, type: "busy" | "idle"): void {
    this.emit("session.status", { sessionID, status: { type } })
    if (type === "idle") this.emit("session.idle", { sessionID })
  }
}

/** The hooks that are awaited. */
export type HookName =
  | "chat.message"
  | "chat.params"
  | "command.execute.before"
  | "tool.execute.before"
  | "tool.execute.after"
  | "experimental.chat.messages.transform"
  | "experimental.chat.system.transform"
  | "experimental.session.compacting"
  | "experimental.compaction.autocontinue"
  | "experimental.text.complete"
