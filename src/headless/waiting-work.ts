// Tells whether the work that a run would start needs its user first.

import type { Boulder, Work } from "../boulder/boulder.ts"
import { openWorks } from "../boulder/find-work.ts"
import { choosePlan } from "../decide/choose-plan.ts"
import { awaitsApproval, waveStatus } from "../decide/final-wave.ts"
import type { Plan } from "../plan/model/plan.ts"
import type { PlanFiles } from "../store/plans/plan-files.ts"
import { readPlanOf } from "../store/plans/read-plan-of.ts"
import type { Need } from "./run-event.ts"

/**
 * What a person is needed for before a run may start the work. A person who types `/start-work` approves a wave that is back; a run decides
 * nothing for its user, so it must look first. Null if nobody is needed.
 */
export async function neededFirst(
  boulder: Boulder | null,
  request: string,
  plans: Pick<PlanFiles, "read">,
): Promise<Need | null> {
  const open = openWorks(boulder)
  const meant =
    request === "" ? onlyOf(open) : onlyOf(open.filter((work) => isNamed(work, request)))
  if (meant === undefined) return null
  const { work, reading } = await readPlanOf(plans, meant)
  return reading.kind === "read" ? needOf(reading.plan, work) : null
}

/** A wave that waits, or a rejected row that somebody ticked along with the others: only the user knows what that means. */
function needOf(plan: Plan, work: Work): Need | null {
  const { fingerprint, rejected } = waveStatus(plan, work)
  if (awaitsApproval(plan, work)) return { reason: "awaiting-approval", detail: fingerprint }
  const rows = rejected.map(({ key }) => key).join(", ")
  return plan.state === "complete" && rows !== "" ? { reason: "rejected-row", detail: rows } : null
}

function isNamed({ active_plan: path, plan_name: name }: Work, request: string): boolean {
  return choosePlan([{ path, name }], request).kind === "chosen"
}

function onlyOf(works: readonly Work[]): Work | undefined {
  return works.length === 1 ? works[0] : undefined
}
