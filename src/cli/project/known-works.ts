// Finds all works of a project: open, finished and archived ones.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import type { ArchivedWork } from "../../store/records/work-archive.ts"
import { type Project, readBoulder } from "./project.ts"

/** A work of the project: open, finished, or no longer in `boulder.json`. */
export interface KnownWork extends ArchivedWork {
  readonly status: Work["status"] | "archived"
  readonly pause_reason: Work["pause_reason"]
  readonly done_at_start?: Work["done_at_start"]
}

/** The works that were found in a project. */
export interface FoundWorks {
  readonly boulder: Boulder | null
  /** Open ones first, then finished ones. */
  readonly works: readonly KnownWork[]
  /** Names of folders of archived works that cannot be read. */
  readonly unreadable: readonly string[]
}

/** Finds all works of a project. */
export async function findWorks(project: Project): Promise<FoundWorks> {
  const boulder = await readBoulder(project)
  const { works, unreadable } = await project.archive.list()
  return { boulder, works: knownWorks(boulder, works), unreadable }
}

/**
 * Open works first, then finished ones, each sorted by their last change, newest first. A work that is in boulder.json hides its own archive.
 */
function knownWorks(
  boulder: Boulder | null,
  archived: readonly ArchivedWork[],
): readonly KnownWork[] {
  const atHand = Object.values(boulder?.works ?? {})
  const gone = archived
    .filter(({ work_id }) => !atHand.some((work) => work.work_id === work_id))
    .map((work) => ({ ...work, status: "archived" as const, pause_reason: null }))
  const all = [...atHand.map(summaryOf), ...gone]
  const rank = (work: KnownWork) => Number(isFinished(work))
  return all.sort((a, b) => rank(a) - rank(b) || b.updated_at.localeCompare(a.updated_at))
}

/** Whether a work has left `boulder.json`. */
export function isArchived({ status }: Pick<KnownWork, "status">): boolean {
  return status === "archived"
}

/** Whether a work is over, so that its records can be removed. */
export function isFinished({ status }: KnownWork): boolean {
  return status === "completed" || status === "archived"
}

function summaryOf(work: Work): KnownWork {
  const { work_id, plan_name, active_plan, status, pause_reason } = work
  const { started_at, updated_at, completed_count, total_count, cost } = work
  const { done_at_start } = work
  const counts = { completed_count, total_count, cost, done_at_start }
  return {
    work_id,
    plan_name,
    active_plan,
    status,
    pause_reason,
    started_at,
    updated_at,
    ...counts,
  }
}
