// What a host calls the tools, arguments and agents that our texts name.

/** The only names of a host's that our texts say: handed in by its adapter, through the port. */
export interface HostWords {
  /** The tool that runs a subagent, and its argument that resumes one. */
  readonly delegate: string
  readonly resume: string
  /** The tool that asks the user. */
  readonly ask: string
  /** The agent that most subagents run as. */
  readonly agent: string
}
