// Lists the blocked tasks of a work as its plan and the handoffs have them now.
import { type BlockedTask, blockedTasks, heldUp } from "../../boulder/blocked-tasks.ts"
import type { Work } from "../../boulder/boulder.ts"
import type { PlanFileReading } from "../plans/plan-files.ts"
import type { HandoffStore } from "./handoff-store.ts"

/** The blocked tasks of a work, from a reading of its plan and the open handoffs; none if the plan could not be read. */
export async function blockedNow(
  { handoffs }: { readonly handoffs: Pick<HandoffStore, "open"> },
  work: Work,
  reading: PlanFileReading,
): Promise<readonly BlockedTask[]> {
  if (reading.kind !== "read" || heldUp(reading.plan).length === 0) return []
  const open = await handoffs.open()
  return blockedTasks({ plan: reading.plan, work, handoffs: open.handoffs })
}
