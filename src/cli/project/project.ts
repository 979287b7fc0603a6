// The project that the terminal stands in.
import type { Boulder } from "../../boulder/boulder.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { starting } from "../../prompts/typed-command.ts"
import { findProjectRoot } from "../../store/disk/project-root.ts"
import { type KeptSaves, keptSaves } from "../../store/fleet/kept-saves.ts"
import type { HandoffStore } from "../../store/handoffs/handoff-store.ts"
import { openPlanFiles, type PlanFiles } from "../../store/plans/plan-files.ts"
import { placeOfPlans } from "../../store/plans/plan-path.ts"
import { type Journal, openJournal } from "../../store/records/journal.ts"
import { type LiveFiles, openLiveFiles } from "../../store/records/live-files.ts"
import { openSayingStore } from "../../store/records/noticing-store.ts"
import { openProofFiles, type ProofFiles } from "../../store/records/proof-files.ts"
import { openRecordFiles, type RecordFiles } from "../../store/records/record-files.ts"
import { openTaskStateFiles, type TaskStateFiles } from "../../store/records/task-state-files.ts"
import { openWorkArchive, type WorkArchive } from "../../store/records/work-archive.ts"
import type { BoulderStore } from "../../store/revisions/boulder-store.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { wrapLine } from "../views/columns.ts"
import { openGivenHandoffs } from "./given-handoffs.ts"

/** The project that a command works on. */
export interface Project {
  readonly root: string
  /** Where a plan is found by its name, as who stands in the terminal's folder writes it. */
  readonly planPlace: string
  readonly store: BoulderStore
  readonly records: RecordFiles
  readonly archive: WorkArchive
  readonly taskStates: TaskStateFiles
  readonly proofs: ProofFiles
  readonly plans: PlanFiles
  readonly handoffs: HandoffStore
  /** Handoffs that were saved here and are not in the database that the project shares; null without any. */
  keptSaves(): Promise<KeptSaves | null>
  readonly journal: Journal
  /** What running opencodes show of the works. */
  readonly live: LiveFiles
}

/**
 * Opens the project that the terminal stands in; nothing is created. What the store has to tell goes to stderr and the
 * journal.
 */
export async function openProject({ cwd, now, err }: Terminal): Promise<Project> {
  const root = await findProjectRoot(cwd)
  const journal = openJournal({ root })
  const records = openRecordFiles({ root })
  const tell = (message: string) => err(`Note: ${cleanLine(message)}\n`)
  return {
    root,
    planPlace: placeOfPlans({ root, directory: cwd }),
    store: openSayingStore({ store: openFileBoulderStore({ root }), journal, now, tell }),
    records,
    archive: openWorkArchive(records),
    taskStates: openTaskStateFiles(records),
    proofs: openProofFiles(records),
    plans: openPlanFiles({ root, now }),
    handoffs: await openGivenHandoffs({ root, cwd, now }),
    keptSaves: () => keptSaves(records),
    journal,
    live: openLiveFiles({ root }),
  }
}

/** The state as it stands. */
export async function readBoulder(project: Project): Promise<Boulder | null> {
  return (await project.store.read()).boulder
}

/** Said where no work was ever started, as wide as the terminal. */
export function nothingStarted(
  project: Project,
  { typed, columns }: Pick<Terminal, "typed" | "columns">,
): string {
  return wrapLine(nothingStartedText(project, { typed }), columns()).join("\n")
}

/** The same as one line, for an error: whoever shows that breaks it. */
export function nothingStartedText(
  { planPlace }: Project,
  { typed }: Pick<Terminal, "typed">,
): string {
  return `No work was started here yet. If you have no plan yet, write one to ${planPlace} first. To start one: ${starting(typed, { as: "<plan>" })}`
}
