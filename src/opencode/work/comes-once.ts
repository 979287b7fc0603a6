// Keeps what comes only once (a result, a word of the user) from being lost to a disk that fails at that moment: it is tried again.
import type { Work } from "../../boulder/boulder.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { Shell } from "../host/shell.ts"

/** How long to wait before each further try, in ms: an editor puts a plan back, another process lets go of the disk. */
const AGAIN_MS = [100, 400, 1_000]

/** The plan, once it can be read; if it cannot, the last reading. */
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

/** What a read or a write of the store gives, once it succeeds. Throws what its last try threw. */
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
