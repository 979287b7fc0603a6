// A tool call in our own terms.

/** A tool call in a session. Its arguments are read only where needed, and no form is taken for granted. */
export interface ToolCall {
  readonly sessionId: string
  readonly callId: string
  /** The host's name for the tool, for display. */
  readonly name: string
  readonly kind: "delegate" | "write" | "ask" | "other"
  /** The files that it names, as the model wrote them. */
  paths(): readonly string[]
  /** The texts among its arguments, joined: equal for equal calls. */
  words(): string
  /** The shell command that it runs; null for other tools. */
  command(): string | null
  /** The folder that the shell command runs in; "" for the host's own. */
  folder(): string
  delegation(): Delegation
}

/** The arguments of a call of kind `delegate`; "" for missing ones. */
export interface Delegation {
  readonly description: string
  readonly prompt: string
  readonly agent: string
  /** The session to resume, as the model wrote it. */
  readonly resumes: string | undefined
  /** Before it runs: makes it resume this session. */
  resume(sessionId: string): void
  /** Before it runs: gives the subagent this prompt. */
  say(prompt: string): void
}
