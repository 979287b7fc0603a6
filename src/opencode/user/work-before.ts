// Finds the work that a start continues: that of the plan, or one whose plan was moved and is found again under another path.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { openWorks } from "../../boulder/find-work.ts"
import { hasTasksOf } from "../../boulder/follow-tasks.ts"
import { workIdOf } from "../../boulder/new-work.ts"
import type { PlanCandidate } from "../../decide/choose-plan.ts"
import { nameOfWork } from "../../decide/name-work.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import { isGone } from "../../store/plans/plan-path.ts"
import { workOfPlan } from "../../store/plans/work-of-plan.ts"
import type { Shell } from "../host/shell.ts"
import { goneNote, movedNote } from "./start-notes.ts"

/**
 * The work that a start of this plan continues. If an open work's plan file is gone and this plan has its tasks, the file was renamed or
 * moved, and that work is continued. If no work matches, or several do, the user is warned about those without a plan.
 */
export async function workBefore(
  shell: Pick<Shell, "root" | "plans" | "typed" | "shards" | "archive">,
  boulder: Boulder | null,
  { plan }: Pick<ReadPlan, "plan">,
  { path, name }: PlanCandidate,
) {
  const works = boulder?.works ?? {}
  const known = await workOfPlan(Object.values(works), path, shell.plans)
  if (known !== null) return { work: known, workId: known.work_id, warnings: [] }
  const gone = await withoutPlan(shell, boulder)
  const isIts = await Promise.all(
    gone.map(async (work) => hasTasksOf(work, await shownOf(shell, work), plan)),
  )
  const [moved, ...others] = gone.filter((_, index) => isIts[index])
  if (moved !== undefined && others.length === 0) {
    const work = { ...moved, active_plan: path, plan_name: name }
    return { work, workId: moved.work_id, warnings: [movedNote(moved.active_plan)] }
  }
  const named = [...Object.values(works), { active_plan: path, plan_name: name }]
  const called = (work: Work) => nameOfWork(work, named)
  return {
    /** With the plan's present path and name; null if a new work is begun. */
    work: null,
    /** The work's id, or that of the work that is begun. */
    workId: await freeId(shell, works, path, name),
    /** What to warn the user about: works whose plan file is missing. */
    warnings: goneNote(gone, called, shell.typed),
  }
}

/** The tasks of a work's shard, as last shown; none if they cannot be read. */
async function shownOf({ shards }: Pick<Shell, "shards">, work: Work) {
  return shards.tasksOf(work.work_id, work.active_shard).catch(() => [])
}

/** The open works whose plan file is missing. */
async function withoutPlan(
  { root }: Pick<Shell, "root">,
  boulder: Boulder | null,
): Promise<readonly Work[]> {
  const open = openWorks(boulder)
  const gone = await Promise.all(open.map((work) => isGone(root, work.active_plan)))
  return open.filter((_, index) => gone[index])
}

/** The id that a plan gives; another one if it belongs to an archived work, or to one whose plan has moved since. */
async function freeId(
  { archive }: Pick<Shell, "archive">,
  works: Boulder["works"],
  path: string,
  name: string,
): Promise<string> {
  const id = workIdOf(path, name)
  const isFree = works[id] === undefined && !(await archive.has(id))
  return isFree ? id : freeId({ archive }, works, `${path}#`, name)
}
