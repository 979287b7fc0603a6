// A call of a tool, in our words.

/** A call of a tool in a session. What it says is read where it is asked for, and never trusted to have a form. */
export interface ToolCall {
  readonly sessionId: string
  readonly callId: string
  /** What the host calls the tool, to be shown. */
  readonly name: string
  readonly kind: "delegate" | "write" | "ask" | "other"
  /** The files that it names, as the model wrote them. */
  paths(): readonly string[]
  /** What it has a shell run; null for a tool that is none. */
  command(): string | null
  /** The folder that it has the shell run it in; "" for the host's own. */
  folder(): string
  delegation(): Delegation
}

/** What a call of kind `delegate` says; "" where it says nothing. */
export interface Delegation {
  readonly description: string
  readonly prompt: string
  readonly agent: string
  /** The session that it wants to resume, as the model wrote it. */
  readonly resumes: string | undefined
  /** Before it runs: has it resume this session. */
  resume(sessionId: string): void
  /** Before it runs: has the subagent read this. */
  say(prompt: string): void
}
