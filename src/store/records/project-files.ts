// Opens all files of a project that no option affects.
import { openPlanFiles, type PlanFiles } from "../plans/plan-files.ts"
import type { BoulderStore } from "../revisions/boulder-store.ts"
import { openFileBoulderStore } from "../revisions/file-boulder-store.ts"
import { openReadyFolder } from "../revisions/ready-folder.ts"
import { type Journal, openJournal } from "./journal.ts"
import { type LiveFiles, openLiveFiles } from "./live-files.ts"
import { openProofFiles, type ProofFiles } from "./proof-files.ts"
import { openRecordFiles, type RecordFiles } from "./record-files.ts"
import { openTaskStateFiles, type TaskStateFiles } from "./task-state-files.ts"
import { openWorkArchive, type WorkArchive } from "./work-archive.ts"

/** The files of a project. */
export interface ProjectFiles {
  readonly root: string
  readonly store: BoulderStore
  readonly plans: PlanFiles
  readonly journal: Journal
  readonly records: RecordFiles
  /** Where finished works and settled tasks go. */
  readonly archive: WorkArchive
  /** The records about the works' checks. */
  readonly proofs: ProofFiles
  readonly taskStates: TaskStateFiles
  /** What each running opencode shows of its works. */
  readonly live: LiveFiles
  /** ms since 1970 */
  readonly now: () => number
}

/** Opens the files of a project; touches nothing until the first call. */
export function openProjectFiles({ root, now }: Pick<ProjectFiles, "root" | "now">): ProjectFiles {
  const ready = openReadyFolder({ root })
  const records = openRecordFiles({ root, ready })
  return {
    root,
    store: openFileBoulderStore({ root, ready }),
    plans: openPlanFiles({ root, now }),
    journal: openJournal({ root, ready }),
    records,
    archive: openWorkArchive(records),
    proofs: openProofFiles(records),
    taskStates: openTaskStateFiles(records),
    live: openLiveFiles({ root, ready }),
    now,
  }
}
