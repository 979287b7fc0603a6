// The only way in which a hook changes its work.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { putWork } from "../../boulder/change-work.ts"
import { endAnswered } from "../../boulder/end-answered.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { addSpent, addToTasks, type Spent } from "../../boulder/spent.ts"
import { isInPlace } from "../../store/disk/store-error.ts"
import type { Deciding } from "../host/shell.ts"
import { takeSpent } from "./take-spent.ts"

/** What was decided last, with the work and all works as they are afterwards. */
export interface DecidedOnWork<Made> {
  readonly made: Made
  readonly work: Work
  readonly boulder: Boulder
}

/** What was decided was not written: another session leads the work by now, or the work is gone. */
export const STALE = "stale"

const MAX_TRIES = 3

/** Makes a decision again, reading included, while it is stale; `STALE` if it was stale each time. */
export async function untilFresh<Answer>(
  make: (isAgain: boolean) => Promise<Answer | typeof STALE>,
): Promise<Answer | typeof STALE> {
  for (let tries = 1; ; tries++) {
    const made = await make(tries > 1)
    if (made !== STALE || tries === MAX_TRIES) return made
  }
}

/**
 * How a hook changes its work. `decide` is called inside the store's update, on the newest state, perhaps several times, and must be pure;
 * its last result is written. If it gives the same work, nothing is written. What the work's sessions have spent so far is booked too, each
 * answer once. Null if the work is gone or another session leads it by now: what was decided for its former lead is void.
 */
export async function decideOnWork<Made extends { readonly work: Work }>(
  shell: Deciding,
  { work_id: workId, lead_session_id: leadId }: Pick<Work, "work_id" | "lead_session_id">,
  decide: (newest: Work) => Made,
): Promise<DecidedOnWork<Made> | null> {
  const now = isoOf(shell.now())
  const taken = takeSpent(shell, leadId)
  const said: { made: Made | null } = { made: null }
  try {
    const { boulder } = await shell.store.update((before) => {
      said.made = null
      const newest = before.works[workId]
      if (newest === undefined) return before
      const spent = spentBy(newest, taken.spent)
      const booked = endAnswered(spent, shell.now())(addSpent(spent)(newest))
      // Whoever leads the work now decides about it. What was spent for it is booked all the same.
      if (newest.lead_session_id !== leadId)
        return booked === newest ? before : putWork(before, booked)
      const made = decide(booked)
      said.made = made
      if (made.work === newest) return before
      // A call that has returned is recorded under its task by now.
      const charged = addToTasks(spent)(made.work)
      // Nobody waits for a change in what was spent, so the work is not stamped.
      if (made.work === booked) return putWork(before, charged)
      return putWork(before, { ...charged, updated_at: now, driver: shell.process.id })
    })
    const work = boulder.works[workId]
    return said.made === null || work === undefined ? null : { made: said.made, work, boulder }
  } catch (error) {
    // What is in place is booked.
    if (!isInPlace(error)) taken.giveBack()
    throw error
  }
}

/** The same for a change that needs no reason. */
export async function changeOnWork(
  shell: Deciding,
  work: Pick<Work, "work_id" | "lead_session_id">,
  change: (newest: Work) => Work,
): Promise<Work | null> {
  const decided = await decideOnWork(shell, work, (newest) => ({ work: change(newest) }))
  return decided?.work ?? null
}

/** Nothing is added to what a finished work has cost. */
function spentBy({ status }: Work, spent: readonly Spent[]): readonly Spent[] {
  return status === "completed" ? [] : spent
}
