// Where the supported versions of opencode differ, as their recordings show it.

export type HostVersion = "1.14.41" | "1.15.13" | "1.18.33"

/** What is so in one version and not in another. */
export interface VersionFacts {
  /** A result of `task` stands in a `<task>` element; before, it begins with a line `task_id: …`. */
  readonly framesResults: boolean
  /** A child whose last answer is an error makes its call fail; before, the call gives back what text there is. */
  readonly failsWithChild: boolean
  /** An abort of the lead cuts its `task` calls off; before, they give back what the child has said. */
  readonly cutsTasksOff: boolean
  /** A `task_id` that is no id is refused; before, it begins a new child. */
  readonly checksTaskIds: boolean
  /** A new session tells of its agent. */
  readonly namesAgents: boolean
  /** Who sends a prompt gets an error where a hook throws before the model is asked. */
  readonly tellsCaller: boolean
  /** Behind a wait the session is busy before the hooks of the next request; before, behind them. */
  readonly isBusyFirst: boolean
  /** The host's tools, in the order in which it lists them. */
  readonly tools: readonly string[]
}

const LISTED = ["invalid", "question", "bash", "read", "glob", "grep", "edit", "write", "task"]
const OLDER_TOOLS = [...LISTED, "webfetch", "todowrite", "skill"]

const NEWEST: VersionFacts = {
  framesResults: true,
  failsWithChild: true,
  cutsTasksOff: true,
  checksTaskIds: true,
  namesAgents: true,
  tellsCaller: true,
  isBusyFirst: true,
  tools: OLDER_TOOLS.toSorted(),
}

const OLDEST: VersionFacts = {
  framesResults: false,
  failsWithChild: false,
  cutsTasksOff: false,
  checksTaskIds: false,
  namesAgents: false,
  tellsCaller: false,
  isBusyFirst: false,
  tools: OLDER_TOOLS,
}

export const VERSIONS: Readonly<Record<HostVersion, VersionFacts>> = {
  "1.14.41": OLDEST,
  "1.15.13": {
    ...NEWEST,
    failsWithChild: false,
    cutsTasksOff: false,
    namesAgents: false,
  },
  "1.18.33": NEWEST,
}
