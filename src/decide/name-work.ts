// Finds what a person types to name a work.
import type { Boulder, Work } from "../boulder/boulder.ts"
import { openWorks } from "../boulder/find-work.ts"
import { choosePlan, requestOf } from "./choose-plan.ts"

type Named = Pick<Work, "active_plan" | "plan_name"> & Partial<Pick<Work, "work_id">>

/**
 * The shortest word that means this work among all works: its plan's name, or else the path. Both mean the plan's first work in the list, the
 * newest one; any other is called by its id.
 */
export function nameOfWork(work: Named, works: readonly Named[]): string {
  const newest = works.find(({ active_plan: path }) => path === work.active_plan)
  if (work.work_id !== undefined && newest !== undefined && newest.work_id !== work.work_id)
    return work.work_id
  const candidates = works.map(({ active_plan: path, plan_name: name }) => ({ path, name }))
  const choice = choosePlan(candidates, requestOf(work.plan_name))
  const isMeant = choice.kind === "chosen" && choice.candidate.path === work.active_plan
  return isMeant ? work.plan_name : work.active_plan
}

/** The same for commands that take the only open work by default: null if this is the only one. */
export function nameIfNeeded(work: Work, boulder: Boulder | null): string | null {
  const [only, ...others] = openWorks(boulder)
  return only?.work_id === work.work_id && others.length === 0
    ? null
    : nameOfWork(work, Object.values(boulder?.works ?? {}))
}

/** A work in a list to choose from: its name and the path of its plan. */
export function listedWork(work: Named, works: readonly Named[]): string {
  const name = nameOfWork(work, works)
  return name === work.active_plan ? name : `${name} (${work.active_plan})`
}
