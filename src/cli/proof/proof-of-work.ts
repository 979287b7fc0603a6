// What the ticks of a work's plan stand on, by what was written down of them.
import { type Proof, proofOf } from "../../decide/proof/proof.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { Project } from "../project/project.ts"

/** What is known of the checks of a work's plan; null where that cannot be read, or names none. */
export async function proofOfWork(
  { proofs }: Pick<Project, "proofs">,
  { work_id: workId }: { readonly work_id: string },
  reading: PlanFileReading,
): Promise<Proof | null> {
  if (reading.kind !== "read") return null
  const entries = await proofs.read(workId)
  const isAny = entries.length > 0 || reading.plan.tasks.some(({ checks }) => checks !== undefined)
  return isAny ? proofOf(reading.plan, entries) : null
}
