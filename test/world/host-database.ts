// What the simulated hosts of one folder share, as opencode's own database does: sessions, messages and their parts.

/** A part of a message, in the host's own form. */
export interface Part {
  id: string
  readonly sessionID: string
  readonly messageID: string
  readonly type: string
  text?: string
  /** Of a text, which is complete once this has an end. */
  time?: { readonly start: number; end?: number }
  readonly synthetic?: boolean
  readonly metadata?: Record<string, unknown>
  readonly callID?: string
  tool?: string
  state?: ToolState
  readonly auto?: boolean
  readonly overflow?: boolean
}

/** The state of a tool call. */
export interface ToolState {
  readonly status: "pending" | "running" | "completed" | "error"
  readonly input: Record<string, unknown>
  readonly output?: string
  readonly error?: string
  readonly title?: string
  readonly metadata?: Record<string, unknown>
  readonly time?: { readonly start: number; readonly end?: number }
}

export interface Tokens {
  readonly total: number
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cache: { readonly read: number; readonly write: number }
}

export interface HostError {
  readonly name: string
  readonly data: Record<string, unknown>
}

/** What the host says about a message; the fields of both roles. */
interface MessageInfo {
  readonly id: string
  readonly sessionID: string
  readonly role: "user" | "assistant"
  agent: string
  readonly time: { readonly created: number; completed?: number }
  readonly parentID?: string
  readonly mode?: string
  readonly model?: { readonly providerID: string; readonly modelID: string }
  readonly providerID?: string
  readonly modelID?: string
  readonly summary?: boolean
  tokens?: Tokens
  finish?: string
  error?: HostError
}

export interface Message {
  readonly info: MessageInfo
  readonly parts: Part[]
}

export interface Session {
  readonly id: string
  readonly parentID?: string
  readonly title: string
  agent: string
  readonly model: { readonly id: string; readonly providerID: string }
  readonly time: { readonly created: number; updated: number }
}

export const MODEL = { providerID: "lab", modelID: "m" } as const
export const NO_TOKENS: Tokens = tokensOf(0)

/** The tokens of an answer that leaves a context of `total`. */
export function tokensOf(total: number): Tokens {
  return { total, input: total, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
}

/** Sessions and their messages. Every host process of a folder has the same. */
export class HostDatabase {
  readonly sessions = new Map<string, Session>()
  readonly #messages = new Map<string, Message[]>()
  #ids = 0
  readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** Ids grow with time, as the host's do. */
  newId(kind: "ses" | "msg" | "prt" | "per" | "que" | "evt"): string {
    this.#ids += 1
    return `${kind}_${this.#ids.toString(16).padStart(12, "0")}AAAAAAAAAAAAAA`
  }

  addSession(given: { title: string; agent: string; parentID?: string }): Session {
    const { parentID, ...rest } = given
    const session: Session = {
      id: this.newId("ses"),
      ...rest,
      ...(parentID === undefined ? {} : { parentID }),
      model: { id: MODEL.modelID, providerID: MODEL.providerID },
      time: { created: this.now(), updated: this.now() },
    }
    this.sessions.set(session.id, session)
    this.#messages.set(session.id, [])
    return session
  }

  /** Removes a session with its children. Gives those that were removed. */
  removeSession(id: string): Session[] {
    const session = this.sessions.get(id)
    if (session === undefined) return []
    const children = [...this.sessions.values()].filter(({ parentID }) => parentID === id)
    const removed = children.flatMap((child) => this.removeSession(child.id))
    this.sessions.delete(id)
    this.#messages.delete(id)
    return [...removed, session]
  }

  /** The messages of a session, oldest first. */
  messages(sessionId: string): Message[] {
    return this.#messages.get(sessionId) ?? []
  }

  /** Sorted by time, then by id: a message from before the clock was set back stays the newest. */
  addMessage(message: Message): void {
    const messages = this.#messages.get(message.info.sessionID) ?? []
    const at = messages.findLastIndex((one) => !isNewer(one, message))
    messages.splice(at + 1, 0, message)
  }

  /** Removes a message and all after it. Gives them. */
  removeFrom(sessionId: string, messageId: string): Message[] {
    const messages = this.messages(sessionId)
    const at = messages.findIndex(({ info }) => info.id === messageId)
    return at < 0 ? [] : messages.splice(at)
  }

  lastUser(sessionId: string): Message | undefined {
    return this.messages(sessionId).findLast(({ info }) => info.role === "user")
  }

  lastAssistant(sessionId: string): Message | undefined {
    return this.messages(sessionId).findLast(({ info }) => info.role === "assistant")
  }
}

/** Whether a message is the later one, in the host's order. */
export function isNewer({ info: one }: Message, { info: other }: Message): boolean {
  const [at, then] = [one.time.created, other.time.created]
  return at === then ? one.id > other.id : at > then
}
