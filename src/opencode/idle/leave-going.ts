// Tells the end of an opencode instance from its user's stop: the host tells both as one and the same.
import { isoOf, isWithin, msUntil } from "../../boulder/iso-time.ts"
import { goOnPastStop } from "../../boulder/reopen-work.ts"
import type { SessionMemory } from "../../decide/session-memory.ts"
import type { Shell } from "../host/shell.ts"
import { changeOnWork } from "../work/decide-on-work.ts"

/** Where the host disposes of a folder, it tells of its turns' stops first, and of the disposal 65 to 140 ms after (1.18.33). */
const DISPOSED_MS = 500

/** For how long a stop is not acted on yet, in ms: an instance that ends may have told it. */
export function stopHeldMs({ abortedAt }: Pick<SessionMemory, "abortedAt">, now: number): number {
  if (abortedAt === null || !isWithin(abortedAt, DISPOSED_MS, now)) return 0
  return Math.min(DISPOSED_MS, msUntil(abortedAt + DISPOSED_MS, now))
}

/**
 * Leaves the works going whose turns end with this instance: no person has stopped them. What the host writes down of
 * such a turn reads like a stop, and is older than this.
 */
export async function leaveGoing(
  shell: Pick<Shell, "store" | "sessions" | "now" | "process">,
): Promise<void> {
  const { boulder } = await shell.store.read()
  const now = shell.now()
  for (const work of Object.values(boulder?.works ?? {})) {
    const memory = shell.sessions.of(work.lead_session_id)
    if (memory.running === null && stopHeldMs(memory, now) === 0) continue
    await changeOnWork(shell, work, goOnPastStop(isoOf(now)))
  }
}
