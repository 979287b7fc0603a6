import type { Work } from "../boulder/boulder.ts"
import { changeWork, resumed } from "../boulder/change-work.ts"
import { recordTurn } from "../boulder/continuation-record.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { causeHolds, reopens } from "../decide/reopen.ts"
import type { Situation } from "../decide/situation.ts"
import { bookTokens } from "./book-tokens.ts"
import { type Gathered, gatherSituation } from "./gather-situation.ts"
import type { Shell } from "./shell.ts"

/** Errors that end a turn without being a failure of it: the user's stop, and a full context, which the host mends. */
const NO_FAILURE: ReadonlySet<string> = new Set(["MessageAbortedError", "ContextOverflowError"])

/** Writes down what has happened since the last look, before anything is decided: tokens, an edited plan, a failed turn. */
export async function settleTurn(shell: Shell, gathered: Gathered): Promise<Gathered> {
  const { situation } = gathered
  const { work } = situation
  if (work === null || work.lead_session_id !== situation.sessionId) return gathered
  // Its tokens alone: whatever else has changed meanwhile, the rest of the situation does not know of.
  const { tokens } = await bookTokens(shell, work)
  const booked = tokens === work.tokens ? work : { ...work, tokens }
  return settle(shell, withWork(shell, gathered, booked), booked)
}

async function settle(shell: Shell, gathered: Gathered, work: Work): Promise<Gathered> {
  const { situation } = gathered
  if (work.status === "paused") return reopenIfEdited(shell, gathered, work)
  const { lastTurn } = situation
  if (work.status !== "active" || lastTurn === null) return gathered
  const failed = lastTurn.error !== null && !NO_FAILURE.has(lastTurn.error)
  // Neither failed nor gone well: it runs, or has died with its host.
  if (!failed && !lastTurn.ended) return gathered
  const turn = { messageId: lastTurn.messageId, failed, endedAt: lastTurn.createdAt }
  const now = isoOf(shell.now())
  if (recordTurn(turn, now)(work) === work) return gathered
  const { boulder } = await shell.store.update(changeWork(work.work_id, now, recordTurn(turn, now)))
  return withWork(shell, gathered, boulder.works[work.work_id] ?? work)
}

async function reopenIfEdited(shell: Shell, gathered: Gathered, work: Work): Promise<Gathered> {
  const reason = work.pause_reason
  if (reason === null || !(await isEdited(shell, work))) return gathered
  const reading = await shell.plans.read(work.active_plan)
  if (!reopens(reason, "plan-edited", causeHolds(reason, reading, work))) return gathered
  const now = isoOf(shell.now())
  const open = (before: Work): Work =>
    before.status === "paused" && before.pause_reason === reason ? resumed(before, now) : before
  await shell.store.update(changeWork(work.work_id, now, open))
  return gatherSituation(shell, gathered.situation.sessionId)
}

/** The plan is not as it was when the work was last looked at. */
async function isEdited(shell: Shell, work: Work): Promise<boolean> {
  const reading = await shell.plans.read(work.active_plan)
  const hash = reading.kind === "read" ? reading.fingerprint.hash : null
  return hash !== (work.plan_fingerprint?.hash ?? null)
}

function withWork(shell: Shell, gathered: Gathered, work: Work): Gathered {
  const situation: Situation = { ...gathered.situation, work, now: shell.now() }
  return { ...gathered, situation }
}
