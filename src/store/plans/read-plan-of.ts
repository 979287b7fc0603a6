// Reads the plan of a work the way the work has it, and the work the way that plan has it, for everyone who shows it or decides on it.
import type { Work } from "../../boulder/boulder.ts"
import { followTasks, withoutGone } from "../../boulder/follow-tasks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import type { PlanState } from "../../plan/model/plan.ts"
import type { PlanFileReading, PlanFiles } from "./plan-files.ts"

/** A work and its plan, matched to each other. */
export interface WorkOnPlan {
  readonly work: Work
  readonly reading: PlanFileReading
}

/**
 * The plan of a work, in which held tasks count as open and whatever waits for them waits; and the work with its tasks under the plan's
 * keys, whose calls for tasks that are gone count for none.
 */
export async function readPlanOf(plans: Pick<PlanFiles, "read">, known: Work): Promise<WorkOnPlan> {
  const read = await plans.read(known.active_plan)
  const work = withoutGone(read)(followTasks(read)(known))
  return { work, reading: heldReading(read, work) }
}

/**
 * Reads a plan whose tasks are about to be done. One that cannot be marked is unavailable too: each task would be done again and again. With
 * nothing left to mark, it is as it was read.
 */
export async function readToMark(
  plans: Pick<PlanFiles, "read" | "whyNotMarkable">,
  path: string,
): Promise<PlanFileReading> {
  const reading = await plans.read(path)
  const isLeft = reading.kind === "read" && LEFT.has(reading.plan.state)
  const message = isLeft ? await plans.whyNotMarkable(path) : null
  return message === null ? reading : { kind: "unavailable", message }
}

const LEFT: ReadonlySet<PlanState> = new Set(["open", "only-blocked"])
