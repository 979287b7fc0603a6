// Pauses a work outside a look, and writes that down.
import type { Work } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { isGoing } from "../../boulder/usage-limit.ts"
import type { Shell } from "../host/shell.ts"
import { type DecidedOnWork, decideOnWork } from "../work/decide-on-work.ts"

/**
 * Pauses a work that is active or would resume by itself, in the way of `change`, with a line in the journal. Null if the work is no longer
 * such a work, if `change` leaves it as it is, or if another session leads it by now.
 */
export async function pauseGoing(
  shell: Pick<Shell, "store" | "sessions" | "now" | "process" | "journal">,
  work: Work,
  change: (going: Work) => Work,
  facts: { readonly why?: string } = {},
): Promise<DecidedOnWork<{ readonly isNew: boolean; readonly work: Work }> | null> {
  const decided = await decideOnWork(shell, work, (newest) => {
    const paused = isGoing(newest) ? change(newest) : newest
    return { isNew: paused !== newest, work: paused }
  })
  const reason = decided?.made.work.pause_reason ?? null
  if (decided?.made.isNew !== true || reason === null) return null
  await shell.journal.append({
    at: isoOf(shell.now()),
    session: work.lead_session_id,
    work: work.work_id,
    decision: "pause",
    reason,
    facts,
  })
  return decided
}
