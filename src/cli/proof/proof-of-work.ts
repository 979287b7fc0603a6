// Works out what the ticks of a work's plan are based on, from the records.
import { type Proof, proofOf } from "../../decide/proof/proof.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { Project } from "../project/project.ts"

/** What is known about the checks of a work's plan; null if it cannot be read, or names none. */
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
