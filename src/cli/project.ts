// The project that the terminal stands in.
import type { Boulder } from "../boulder/boulder.ts"
import { cleanLine } from "../plan/foreign-text.ts"
import type { BoulderStore } from "../store/boulder-store.ts"
import { openFileBoulderStore } from "../store/file-boulder-store.ts"
import { openFileHandoffStore } from "../store/handoff-file-store.ts"
import type { HandoffStore } from "../store/handoff-store.ts"
import { type Journal, openJournal } from "../store/journal.ts"
import { openSayingStore } from "../store/noticing-store.ts"
import { openPlanFiles, type PlanFiles } from "../store/plan-files.ts"
import { findProjectRoot } from "../store/project-root.ts"
import { openRecordFiles } from "../store/record-files.ts"
import { openWorkArchive, type WorkArchive } from "../store/work-archive.ts"
import type { Terminal } from "./terminal.ts"

/** The project that a command works on. */
export interface Project {
  readonly root: string
  readonly store: BoulderStore
  readonly archive: WorkArchive
  readonly plans: PlanFiles
  readonly handoffs: HandoffStore
  readonly journal: Journal
}

/**
 * Opens the project that the terminal stands in; nothing is created. What the store has to tell goes to stderr and the
 * journal.
 */
export async function openProject({ cwd, now, err }: Terminal): Promise<Project> {
  const root = await findProjectRoot(cwd)
  const journal = openJournal({ root })
  const tell = (message: string) => err(`Note: ${cleanLine(message)}\n`)
  return {
    root,
    store: openSayingStore({ store: openFileBoulderStore({ root }), journal, now, tell }),
    archive: openWorkArchive(openRecordFiles({ root })),
    plans: openPlanFiles({ root, now }),
    handoffs: openFileHandoffStore({ root }),
    journal,
  }
}

/** The state as it stands. */
export async function readBoulder(project: Project): Promise<Boulder | null> {
  return (await project.store.read()).boulder
}

/** Said where no work was ever started. */
export const NOTHING_STARTED =
  "No work was started here yet. Write a plan to .boulder/plans/<name>.md, then type /start-work <name> in opencode, or run: opencode-boulder run <name>"
