import { type BlockedTask, blockedTasks, heldUp } from "../boulder/blocked-tasks.ts"
import type { Work } from "../boulder/boulder.ts"
import type { PlanFileReading } from "../store/plan-files.ts"
import type { Shell } from "./shell.ts"

/** The blocked tasks of a work as a reading of its plan and the handoffs have them; none where it could not be read. */
export async function blockedNow(
  shell: Pick<Shell, "handoffs">,
  work: Work,
  reading: PlanFileReading,
): Promise<readonly BlockedTask[]> {
  if (reading.kind !== "read" || heldUp(reading.plan).length === 0) return []
  const { plan } = reading
  const { handoffs } = await shell.handoffs.open()
  return blockedTasks({ plan, work, handoffs })
}
