// The port: what we do at each point that a host offers, in our words.
import type { HostEvent } from "../../decide/memory/host-event.ts"
import type { ToolCall } from "../../decide/tool-call.ts"
import type { HandoffToolName } from "../../prompts/tool-definitions.ts"

/** What we do at each point that a host offers. None rejects but `before`, by a `ToolRefusal`, and `told`, where its event cannot be read; each ends in time. */
export interface Reactions {
  readonly commands: Readonly<Record<string, { readonly description: string }>>
  /** A tool of ours was called; gives the text for the model. */
  tool(name: HandoffToolName, given: unknown, by: CalledBy): Promise<string>
  /** Something has happened. */
  told(event: ToldEvent): Promise<void>
  /** A command was called; gives the text for the model, null where the command is none of ours. */
  command(name: string, sessionId: string, request: string): Promise<string | null>
  /** A message comes into a session; gives what is to stand behind it. */
  message(message: IncomingMessage): Promise<string | null>
  /** A request is sent to a model. */
  request(request: Requested): Promise<void>
  /** What a request shows the model, to be changed. */
  shown(view: RequestView): Promise<void>
  /** The text that stands behind the host's own rules in a session's requests; null for none. */
  systemText(sessionId: string): Promise<string | null>
  before(call: ToolCall): Promise<void>
  after(call: ToolCall, result: ToolResult): Promise<void>
  /** A compaction begins; gives our prompt for it, null for the host's own. */
  compacting(sessionId: string): Promise<string | null>
  /** Whether we go on behind a compaction, so that the host need not. */
  goesOn(sessionId: string): Promise<boolean>
  /** A text of a model is complete, and may be replaced. */
  textEnds(
    ids: { readonly sessionId: string; readonly messageId: string },
    answer: { text: string },
  ): Promise<void>
  /** What the host has handed over at a point could not be read, or something else was thrown there: it is told. */
  failed(where: string, error: unknown): Promise<void>
  dispose(): Promise<void>
}

/** A message that comes into a session, before the host stores it. */
export interface IncomingMessage {
  readonly sessionId: string
  readonly messageId: string
  readonly agent: string
  /** `host`: what it writes by itself, in the user's place. */
  readonly by: "user" | "us" | "host"
  readonly texts: readonly string[]
}

interface CalledBy {
  readonly sessionId: string
  readonly agent: string
}

/** An event, as the host names it, and what it says in our words; null for what is none of our business. */
interface ToldEvent {
  readonly name: string
  heard(now: number): (HostEvent & { readonly kind: "session-heard" }) | null
  told(now: number): HostEvent | null
}

export interface Requested {
  readonly sessionId: string
  /** `other`: a title, say, beside the session's turns and maybe of another model. */
  readonly purpose: "turn" | "compaction" | "other"
  /** Of its model, in tokens; null where that may be another one than the session's. */
  readonly limits: { readonly contextLimit: number; readonly compactsAt: number } | null
}

/** What a tool has given. */
export interface ToolResult {
  text: string
  /** It has given nothing yet: that comes later, as a message. */
  readonly isBackground: boolean
  /** The exit code of a command; null where it was ended before it had one, or the host tells none. */
  exit(): number | null
  /** The session that a delegation ran in; `told` is what the host has told of that before. */
  childOf(told: string | null): ChildOfCall | null
}

/** Where the id of a delegated session was found; ids from the host come before ids from text. */
export interface ChildOfCall {
  readonly sessionId: string
  readonly from: "host" | "text"
}

/** The messages of a request that is about to be sent: what is changed reaches the model, and is not stored. */
export interface RequestView {
  /** Undefined where the request has no message. */
  readonly sessionId: string | undefined
  readonly hasOldOutputs: () => boolean
  /** Old outputs of tools that can be had again become a line; with commands, those of commands too. */
  clearOldOutputs(options: { readonly withCommands: boolean }): void
  /** There is more than one summary, or one that was cut off or says nothing. */
  readonly hasOddSummaries: () => boolean
  keepNewestSummary(): void
  readonly hasEmptySummary: () => boolean
  fillEmptySummaries(text: string): void
  /** Takes all summaries out, with the messages that asked for them. */
  removeSummaries(): void
  /** In the context after the last answer; 0 where the host has not told. */
  readonly contextTokens: () => number
  /** What the user wrote, oldest first. */
  readonly userWords: () => readonly string[]
  readonly has: (messageId: string) => boolean
}
