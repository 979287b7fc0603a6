// What comes only once (a result, a word of the user's) is not lost to a disk that fails just now: it is tried again.
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

/** What a read or a write of the store gives, once it succeeds; throws what its last try has thrown. */
export async function storeSoon<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const waitMs of AGAIN_MS) {
    try {
      return await ask()
    } catch {
      await wait(waitMs)
    }
  }
  return ask()
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
