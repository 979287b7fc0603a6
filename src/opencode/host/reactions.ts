// The port: what we do at each point that a host offers, in our words.
import type { HostEvent } from "../../decide/memory/host-event.ts"
import type { ToolCall } from "../../decide/tool-call.ts"
import type { HandoffToolName } from "../../prompts/tool-definitions.ts"

/**
 * What we do at each point that a host offers. None rejects, except `before` with a `ToolRefusal`, and `told` if its event cannot be read.
 * Each ends in time.
 */
export interface Reactions {
  readonly commands: Readonly<Record<string, { readonly description: string }>>
  /** One of our tools was called. Gives the text for the model. */
  tool(name: HandoffToolName, given: unknown, by: CalledBy): Promise<string>
  /** Something has happened. */
  told(event: ToldEvent): Promise<void>
  /** A command was called. Gives the text for the model; null if the command is not ours. */
  command(name: string, sessionId: string, request: string): Promise<string | null>
  /** A message comes into a session. Gives what must follow it. */
  message(message: IncomingMessage): Promise<string | null>
  /** A request is being sent to a model. */
  request(request: Requested): Promise<void>
  /** What a request shows the model; it may be changed. */
  shown(view: RequestView): Promise<void>
  /** The text that follows the host's own rules in a session's requests; null for none. */
  systemText(sessionId: string): Promise<string | null>
  before(call: ToolCall): Promise<void>
  after(call: ToolCall, result: ToolResult): Promise<void>
  /** A compaction begins. Gives our prompt for it; null for the host's own. */
  compacting(sessionId: string): Promise<string | null>
  /** Whether we continue after a compaction, so that the host need not. */
  goesOn(sessionId: string): Promise<boolean>
  /** A model's text is complete and may be replaced. */
  textEnds(
    ids: { readonly sessionId: string; readonly messageId: string },
    answer: { text: string },
  ): Promise<void>
  /** Something the host handed over could not be read, or something else was thrown at that point. Reports it. */
  failed(where: string, error: unknown): Promise<void>
  dispose(): Promise<void>
}

/** A message that comes into a session, before the host stores it. */
export interface IncomingMessage {
  readonly sessionId: string
  readonly messageId: string
  readonly agent: string
  /** `host`: a message that the host writes by itself, in the user's place. */
  readonly by: "user" | "us" | "host"
  readonly texts: readonly string[]
}

interface CalledBy {
  readonly sessionId: string
  readonly agent: string
}

/** An event: its name in the host, and what it says in our words (null if it does not concern us). */
interface ToldEvent {
  readonly name: string
  heard(now: number): (HostEvent & { readonly kind: "session-heard" }) | null
  told(now: number): HostEvent | null
}

export interface Requested {
  readonly sessionId: string
  /** `other`: a title, for example: a request beside the session's turns, perhaps to another model. */
  readonly purpose: "turn" | "compaction" | "other"
  /** The limits of its model, in tokens; null if that may be another model than the session's. */
  readonly limits: { readonly contextLimit: number; readonly compactsAt: number } | null
}

/** What a tool has returned. */
export interface ToolResult {
  text: string
  /** The tool has returned nothing yet. Its result comes later, as a message. */
  readonly isBackground: boolean
  /** The exit code of a command; null if the command was ended before it had one, or the host reports none. */
  exit(): number | null
  /** The session that a delegation ran in. `told` is what the host reported about that before. */
  childOf(told: string | null): ChildOfCall | null
}

/** Where the id of a delegated session was found. Ids from the host come before ids from text. */
export interface ChildOfCall {
  readonly sessionId: string
  readonly from: "host" | "text"
}

/** The messages of a request that is about to be sent. Changes reach the model but are not stored. */
export interface RequestView {
  /** Undefined if the request has no message. */
  readonly sessionId: string | undefined
  readonly hasOldOutputs: () => boolean
  /** Replaces old outputs of tools by a line if they can be had again. */
  clearOldOutputs(): void
  /** Whether there is more than one summary, or one that was cut off or says nothing. */
  readonly hasOddSummaries: () => boolean
  keepNewestSummary(): void
  readonly hasEmptySummary: () => boolean
  fillEmptySummaries(text: string): void
  /** Removes all summaries, with the messages that asked for them. */
  removeSummaries(): void
  /** The tokens in the context after the last answer; 0 if the host has not reported them. */
  readonly contextTokens: () => number
  /** What the user wrote, oldest first. */
  readonly userWords: () => readonly string[]
  readonly has: (messageId: string) => boolean
}
