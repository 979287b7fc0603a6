// Writes the decision of an idle, with what it reserves.
import { decideIdle, type IdleDecision, type IdleWriting } from "../../decide/decide-idle.ts"
import { giveBack } from "../../decide/decide-shown.ts"
import { isInPlace } from "../../store/disk/store-error.ts"
import type { Shell } from "../host/shell.ts"
import { changeOnWork, type DecidedOnWork, decideOnWork } from "../work/decide-on-work.ts"
import { type Gathered, heardNow, humanFacts } from "./gather-situation.ts"

/**
 * Decides on the newest state of the work and writes the decision; null as for `decideOnWork`. If the decision is in place but the disk may
 * lose it, nothing is sent: what it reserved is given back, and the error is thrown.
 */
export async function writeDecision(
  shell: Shell,
  gathered: Gathered,
  prepared: Pick<IdleWriting, "counted" | "lacks">,
): Promise<DecidedOnWork<IdleDecision> | null> {
  const { work, sessionId } = gathered.situation
  const last: { made: IdleDecision | null } = { made: null }
  try {
    return await decideOnWork(shell, work, (newest) => {
      const heard = heardNow(shell, sessionId)
      const human = humanFacts(shell, sessionId)
      last.made = decideIdle(gathered, newest, { heard, human, ...prepared })
      return last.made
    })
  } catch (error) {
    const { made } = last
    if (made !== null && isInPlace(error)) {
      const reserved = { ...made, work: { ...made.work, driver: shell.process.id } }
      // What is given back is in place too, whatever the disk says.
      await changeOnWork(shell, work, (newest) => giveBack(reserved, newest)).catch(() => null)
    }
    throw error
  }
}
