// Decides who continues after a compaction, and what a compaction counts for.

import { recordCompaction } from "../../boulder/compaction-record.ts"
import { countsNow } from "../../boulder/record-reading.ts"
import { decidedAtIdle } from "../../decide/decide-idle.ts"
import type { Decision } from "../../decide/decision.ts"
import { workLed } from "../../decide/place.ts"
import type { Shell } from "../host/shell.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { placeOf, workAndPlan } from "../work/place-of.ts"
import { gatherSituation, humanFacts } from "./gather-situation.ts"

/** Pauses that stop a work from running on and on. The host must not run on in its place. */
const RUNAWAY: ReadonlySet<string> = new Set(["compaction-loop", "no-progress", "budget-spent"])

/**
 * Whether we continue after a compaction of this session, so that the host must not. This is what the idle after it will decide, decided
 * now. If that ends the turn without a word from us (the work is done, or waits for a person), the host continues, to finish what the turn
 * had to say. The host also continues if the turn is the user's own and we would pause.
 */
export async function weContinue(shell: Shell, sessionId: string): Promise<boolean> {
  // The host reports this compaction later, so it is not counted yet. If the count then makes us pause, the host is held as well.
  const gathered = await gatherSituation(shell, sessionId)
  if (gathered.kind === "not-led") return false
  // The session runs while the host asks; at the idle after this, it does not.
  const heard = ""
  const idle = { ...gathered, heard, situation: { ...gathered.situation, isBusy: false } }
  const human = humanFacts(shell, sessionId)
  const memory = { heard, human, lacks: [] }
  const { decision } = decidedAtIdle(idle, gathered.situation.work, memory)
  if (decision.kind !== "pause") return CONTINUING.has(decision.kind)
  // What the provider has refused it will refuse again, whoever asks.
  if (decision.reason === "provider-refused") return true
  return RUNAWAY.has(decision.reason) && !shell.sessions.of(sessionId).isUsersTurn
}

const CONTINUING: ReadonlySet<Decision["kind"]> = new Set(["continue", "retry", "compact"])

/** Counts a compaction that has ended, for the work that the session leads. */
export async function countCompaction(shell: Shell, sessionId: string): Promise<void> {
  const found = await workAndPlan(shell, await placeOf(shell, sessionId), workLed)
  if (found === null) return
  const { work, reading } = found
  const { settled } = countsNow(work, reading.kind === "read" ? reading.plan : null)
  const { isUsersTurn } = shell.sessions.of(sessionId)
  const counted = recordCompaction(settled, { isUsersTurn })
  await changeOnWork(shell, work, counted)
}
