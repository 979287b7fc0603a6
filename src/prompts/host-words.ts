// What a host calls the tools, arguments and agents that our texts name.

/** The only names of a host's that our texts say: opencode 1's and Kilo's. */
export const HOST_WORDS = {
  /** The tool that runs a subagent, and its argument that resumes one. */
  delegate: "`task`",
  resume: "task_id",
  /** The tool that asks the user. */
  ask: "`question`",
  /** The package that it installs beside a plugin. */
  package: "@opencode-ai/plugin",
  /** The agent that most subagents run as. */
  agent: "general",
} as const
