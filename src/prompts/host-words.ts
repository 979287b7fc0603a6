// The host's names for the tools, arguments and agents that our texts mention.

/** The only names of a host that our texts use; its adapter passes them in. */
export interface HostWords {
  /** The tool that runs a subagent, and its argument that resumes one. */
  readonly delegate: string
  readonly resume: string
  /** The tool that asks the user. */
  readonly ask: string
  /** The agent that most subagents run as. */
  readonly agent: string
}
