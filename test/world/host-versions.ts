// Where the supported versions of opencode differ, as their recordings show.

export type HostVersion = "1.14.41" | "1.15.13" | "1.18.33"

/** What holds in one version but not in another. */
export interface VersionFacts {
  /** A result of `task` is in a `<task>` element; earlier it begins with a line `task_id: …`. */
  readonly framesResults: boolean
  /** A child whose last answer is an error makes its call fail; earlier the call gives back what text there is. */
  readonly failsWithChild: boolean
  /** An abort of the lead cuts off its `task` calls; earlier they give back what the child has said. */
  readonly cutsTasksOff: boolean
  /** A `task_id` that is no id is refused; earlier it begins a new child. */
  readonly checksTaskIds: boolean
  /** A new session names its agent. */
  readonly namesAgents: boolean
  /** Whoever sends a prompt gets an error if a hook throws before the model is asked. */
  readonly tellsCaller: boolean
  /** After a wait the session is busy before the hooks of the next request; earlier, after them. */
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
