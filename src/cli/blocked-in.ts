import { type BlockedTask, blockedTasks, heldUp } from "../boulder/blocked-tasks.ts"
import type { Work } from "../boulder/boulder.ts"
import type { PlanFileReading } from "../store/plan-files.ts"
import type { Project } from "./project.ts"

/** The blocked tasks of a work, by this reading of its plan and the open handoffs; none where it cannot be read. */
export async function blockedIn(
  project: Project,
  work: Work,
  reading: PlanFileReading,
): Promise<readonly BlockedTask[]> {
  if (reading.kind !== "read" || heldUp(reading.plan).length === 0) return []
  const { handoffs } = await project.handoffs.open()
  return blockedTasks({ plan: reading.plan, work, handoffs })
}
