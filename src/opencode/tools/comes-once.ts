// What a `task` call has brought comes once: what fails just now is tried again.
import type { Work } from "../../boulder/boulder.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { Shell } from "../host/shell.ts"

/** How long is waited before each further try, in ms: an editor puts a plan back, another process lets go of the disk. */
const AGAIN_MS = [100, 400, 1_000]

/** The plan, once it can be read; as it is at last, where it cannot. */
export async function readSoon(
  { plans }: Pick<Shell, "plans">,
  { active_plan: path }: Pick<Work, "active_plan">,
): Promise<PlanFileReading> {
  for (const waitMs of AGAIN_MS) {
    const reading = await plans.read(path)
    if (reading.kind === "read") return reading
    await wait(waitMs)
  }
  return plans.read(path)
}

/** What a write gives, once the store takes it; throws what its last try has thrown. */
export async function writeSoon<Answer>(write: () => Promise<Answer>): Promise<Answer> {
  for (const waitMs of AGAIN_MS) {
    try {
      return await write()
    } catch {
      await wait(waitMs)
    }
  }
  return write()
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
