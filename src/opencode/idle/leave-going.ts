// Tells the end of an opencode instance from its user's stop: the host tells both as one and the same.
import type { Work } from "../../boulder/boulder.ts"
import { pause } from "../../boulder/change-work.ts"
import { isBefore, isoOf, isWithin, msUntil } from "../../boulder/iso-time.ts"
import { goOnPastStop } from "../../boulder/reopen-work.ts"
import type { SessionMemory } from "../../decide/session-memory.ts"
import type { Shell } from "../host/shell.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { pauseGoing } from "./pause-going.ts"

/** Where the host disposes of a folder, it tells of its turns' stops first, and of the disposal 65 to 140 ms after (1.18.33). */
const DISPOSED_MS = 500

/** For how long a stop is not acted on yet, in ms: an instance that ends may have told it. */
export function stopHeldMs({ abortedAt }: Pick<SessionMemory, "abortedAt">, now: number): number {
  if (abortedAt === null || !isWithin(abortedAt, DISPOSED_MS, now)) return 0
  return Math.min(DISPOSED_MS, msUntil(abortedAt + DISPOSED_MS, now))
}

/** A stop that is older than this when the instance ends was the user's: who presses ESC and leaves opencode takes longer. */
const ENDS_MS = 300

type Ending = Pick<Shell, "store" | "sessions" | "now" | "process" | "journal">

/**
 * Leaves the works going whose turns end with this instance: no person has stopped them. What the host writes down of
 * such a turn reads like a stop, and is older than this. A stop of the user's that no look has written yet is written.
 */
export async function leaveGoing(shell: Ending): Promise<void> {
  // Before anything is read: on a slow disk a stop of just now would be one of long ago.
  const now = shell.now()
  const told = new Map([...shell.sessions.ids()].map((id) => [id, shell.sessions.of(id)]))
  const { boulder } = await shell.store.read()
  for (const work of Object.values(boulder?.works ?? {})) {
    const { abortedAt = null, running = null } = told.get(work.lead_session_id) ?? {}
    if (abortedAt !== null && !isWithin(abortedAt, ENDS_MS, now))
      await stopped(shell, work, abortedAt)
    else if (running !== null || abortedAt !== null)
      await changeOnWork(shell, work, goOnPastStop(isoOf(now)))
  }
}

/** Pauses a work by a stop of its user's, unless a person has set it going behind that. */
async function stopped(shell: Ending, work: Work, abortedAt: number): Promise<void> {
  const now = shell.now()
  await pauseGoing(shell, work, (newest) =>
    isBefore(Math.min(abortedAt, now), newest.resumed_at, now) ? newest : pause("aborted")(newest),
  )
}
