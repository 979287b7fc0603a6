// The parts that all hooks work with.

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

/** The parts that all hooks work with. Made once, in the composition root. */
export interface Shell extends ProjectFiles {
  /** The folder that the host runs in. Relative paths of tools start here. */
  readonly directory: string
  readonly options: Options
  /** What was wrong with the given options. */
  readonly problems: readonly string[]
  /** What the formats of other plugins remember about this project, in our form. */
  readonly older: (sessionId: string, taken?: Boulder["taken_over"]) => Promise<OlderBoulder>
  readonly handoffs: HandoffStore
  readonly shards: ShardFiles
  readonly api: SessionApi
  /** A text in which every advised command is written as it is typed in a shell here. */
  readonly asCalled: (text: string) => string
  /** An advised command, as this installation is called in a shell. */
  readonly typed: Typed
  /** What our texts call the host's tools. */
  readonly words: HostWords
  /** Whether the host ends with one prompt or one plan: works that it has not begun are left alone. */
  readonly isBrief: boolean
  readonly process: ProcessLife
  readonly sessions: Sessions
  /** A text that changes with the content of the work tree; null if git does not say. `without`: a file of the tree that does not count. */
  readonly tree: (without?: string) => Promise<string | null>
  /** The files in which two such texts differ, both taken without the same file; null if that is not known. */
  readonly moved: (before: string, after: string) => readonly string[] | null
  /** The plans that a name can mean. */
  readonly planPaths: (boulder: Boulder | null) => Promise<FoundPlans>
  /** What is said at the first start with a version, if the panel has not said it; null at every other start. */
  readonly greeting: () => Promise<string | null>
  /** Writes a line to the host's log. */
  readonly log: (message: string) => Promise<void>
}

/** All that a look into memory takes. */
export type Remembering = Pick<Shell, "sessions">

/** All that a change of a work takes. */
export type Deciding = Pick<Shell, "store" | "sessions" | "now" | "process">
