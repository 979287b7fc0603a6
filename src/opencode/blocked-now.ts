import { type BlockedTask, blockedTasks, heldUp } from "../boulder/blocked-tasks.ts"
import type { Work } from "../boulder/boulder.ts"
import type { Shell } from "./shell.ts"

/** The blocked tasks of a work as its plan and the handoffs have them now; none where the plan cannot be read. */
export async function blockedNow(
  shell: Pick<Shell, "plans" | "handoffs">,
  work: Work,
): Promise<readonly BlockedTask[]> {
  const reading = await shell.plans.read(work.active_plan)
  if (reading.kind !== "read" || heldUp(reading.plan).length === 0) return []
  const { plan } = reading
  const { handoffs } = await shell.handoffs.open()
  return blockedTasks({ plan, work, handoffs })
}
