// The work that a run would start, where it waits for its user's approval.
import type { Boulder, Work } from "../boulder/boulder.ts"
import { openWorks } from "../boulder/find-work.ts"
import { choosePlan } from "../decide/choose-plan.ts"

/**
 * The work that a run would start, where it waits for its user's approval. `/start-work` typed by a person is an
 * answer to a waiting wave; a run answers nothing for its user, so it must look first. Null where none waits.
 */
export function waitingWork(boulder: Boulder | null, request: string): Work | null {
  const open = openWorks(boulder)
  const meant =
    request === "" ? onlyOf(open) : onlyOf(open.filter((work) => isNamed(work, request)))
  return meant?.awaiting_approval == null ? null : meant
}

function isNamed({ active_plan: path, plan_name: name }: Work, request: string): boolean {
  return choosePlan([{ path, name }], request).kind === "chosen"
}

function onlyOf(works: readonly Work[]): Work | undefined {
  return works.length === 1 ? works[0] : undefined
}
