// The one way in which a hook changes its work.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { addSpent, putWork } from "../../boulder/change-work.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import type { Shell } from "../host/shell.ts"
import { takeTokens } from "./take-tokens.ts"

/** What was decided last, and the work and all works as they are since. */
export interface DecidedOnWork<Made> {
  readonly made: Made
  readonly work: Work
  readonly boulder: Boulder
}

/**
 * How a hook changes its work: `decide` is asked inside the store's update, on the newest state, perhaps several times,
 * and must be pure; what it says last is written. The very same work writes nothing. The tokens that the work's sessions
 * have spent so far are booked with it, each answer once. Null where the work is gone, or another session leads it by
 * now: what was decided for its former lead is void.
 */
export async function decideOnWork<Made extends { readonly work: Work }>(
  shell: Pick<Shell, "store" | "sessions" | "now" | "process">,
  { work_id: workId, lead_session_id: leadId }: Pick<Work, "work_id" | "lead_session_id">,
  decide: (newest: Work) => Made,
): Promise<DecidedOnWork<Made> | null> {
  const now = isoOf(shell.now())
  const taken = takeTokens(shell, leadId)
  const said: { made: Made | null } = { made: null }
  try {
    const { boulder } = await shell.store.update((before) => {
      said.made = null
      const newest = before.works[workId]
      if (newest === undefined) return before
      const booked = withSpent(newest, taken.sum)
      // Whoever leads it now decides on it; what was spent for it is spent.
      if (newest.lead_session_id !== leadId)
        return booked === newest ? before : putWork(before, booked)
      const made = decide(booked)
      said.made = made
      if (made.work === newest) return before
      // Tokens alone are no change that anybody waits for: the work is not stamped.
      if (made.work === booked) return putWork(before, booked)
      return putWork(before, { ...made.work, updated_at: now, driver: shell.process.id })
    })
    const work = boulder.works[workId]
    return said.made === null || work === undefined ? null : { made: said.made, work, boulder }
  } catch (error) {
    taken.giveBack()
    throw error
  }
}

/** The same for a change that needs no reason. */
export async function changeOnWork(
  shell: Pick<Shell, "store" | "sessions" | "now" | "process">,
  work: Pick<Work, "work_id" | "lead_session_id">,
  change: (newest: Work) => Work,
): Promise<Work | null> {
  const decided = await decideOnWork(shell, work, (newest) => ({ work: change(newest) }))
  return decided?.work ?? null
}

/** A finished work has its sum. */
function withSpent(work: Work, spent: number): Work {
  return work.status === "completed" ? work : addSpent(spent)(work)
}
