// Who continues after a compaction, and what it counts for.
import { recordCompaction } from "../../boulder/compaction-record.ts"
import { decidedAtIdle } from "../../decide/decide-idle.ts"
import type { Decision } from "../../decide/decision.ts"
import { workLed } from "../../decide/place.ts"
import { settledCount } from "../../plan/model/plan.ts"
import type { Shell } from "../host/shell.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { placeOf, workAndPlan } from "../work/place-of.ts"
import { gatherSituation, humanFacts } from "./gather-situation.ts"

/** Pauses that stop a work from running on and on: the host must not run on in its place. */
const RUNAWAY: ReadonlySet<string> = new Set(["compaction-loop", "no-progress", "budget-spent"])

/**
 * Whether we continue after a compaction of this session, so that the host must not: what the idle behind it will decide,
 * decided now. Where that ends the turn without a word of ours (the work is done, or waits for a person), the host
 * continues, for what the turn had still to say; so it does wherever the turn is the user's own and we would pause.
 */
export async function weContinue(shell: Shell, sessionId: string): Promise<boolean> {
  // The host tells of this compaction later, so that it is not counted yet: a pause for that holds the host as we do.
  const gathered = await gatherSituation(shell, sessionId)
  if (gathered.kind === "not-led") return false
  // The session runs while the host asks; at the idle behind it, it does not.
  const heard = ""
  const idle = { ...gathered, heard, situation: { ...gathered.situation, isBusy: false } }
  const human = humanFacts(shell, sessionId)
  const memory = { heard, human, lacks: [] }
  const { decision } = decidedAtIdle(idle, gathered.situation.work, memory)
  if (decision.kind !== "pause") return CONTINUING.has(decision.kind)
  // What the provider has refused it refuses again, whoever asks.
  if (decision.reason === "provider-refused") return true
  return RUNAWAY.has(decision.reason) && !shell.sessions.of(sessionId).isUsersTurn
}

const CONTINUING: ReadonlySet<Decision["kind"]> = new Set(["continue", "retry", "compact"])

/** Counts a compaction that has ended, for the work that the session leads. */
export async function countCompaction(shell: Shell, sessionId: string): Promise<void> {
  const found = await workAndPlan(shell, await placeOf(shell, sessionId), workLed)
  if (found === null) return
  const { work, reading } = found
  const settled = reading.kind === "read" ? settledCount(reading.plan.counts) : work.completed_count
  const { isUsersTurn } = shell.sessions.of(sessionId)
  const counted = recordCompaction(settled, { isUsersTurn })
  await changeOnWork(shell, work, counted)
}
