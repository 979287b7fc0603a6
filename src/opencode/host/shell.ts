// What the hooks stand on.

import type { Boulder } from "../../boulder/boulder.ts"
import type { HostWords } from "../../prompts/host-words.ts"
import type { Typed } from "../../prompts/typed-command.ts"
import type { ProcessLife } from "../../store/disk/process-life.ts"
import type { HandoffStore } from "../../store/handoffs/handoff-store.ts"
import type { FoundPlans } from "../../store/plans/find-plans.ts"
import type { ProjectFiles } from "../../store/records/project-files.ts"
import type { ShardFiles } from "../../store/records/shard-files.ts"
import type { OlderBoulder } from "../../store/revisions/older-boulder.ts"
import type { Options } from "./options.ts"
import type { SessionApi } from "./session-api.ts"
import type { Sessions } from "./sessions.ts"

/** What the hooks stand on: made once, in the composition root. */
export interface Shell extends ProjectFiles {
  /** The folder that the host runs in: relative paths of tools start here. */
  readonly directory: string
  readonly options: Options
  /** What was wrong with the options as given. */
  readonly problems: readonly string[]
  /** What other plugins' formats remember of this project, as ours. */
  readonly older: (sessionId: string, taken?: Boulder["taken_over"]) => Promise<OlderBoulder>
  readonly handoffs: HandoffStore
  readonly shards: ShardFiles
  readonly api: SessionApi
  /** A text with the commands that it advises as they are typed in a shell here. */
  readonly asCalled: (text: string) => string
  /** An advised command as this installation is called in a shell. */
  readonly typed: Typed
  /** What our texts call the host's tools. */
  readonly words: HostWords
  readonly process: ProcessLife
  readonly sessions: Sessions
  /** A text that changes with the content of the work tree; null where git does not tell. `without`: a file of it that does not count. */
  readonly tree: (without?: string) => Promise<string | null>
  /** The files in which two such texts differ, both without the same file; null where nobody knows. */
  readonly moved: (before: string, after: string) => readonly string[] | null
  /** The plans that a name can mean. */
  readonly planPaths: (boulder: Boulder | null) => Promise<FoundPlans>
  /** What is said at the first start with a version, where the panel has not said it; null at every other. */
  readonly greeting: () => Promise<string | null>
  /** A line in the log of the host. */
  readonly log: (message: string) => Promise<void>
}
