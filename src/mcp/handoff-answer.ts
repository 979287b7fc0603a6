import type { Boulder } from "../boulder/boulder.ts"
import { workOfSession } from "../boulder/find-work.ts"
import { isHeldBy } from "../boulder/handoff.ts"
import type { PlaceInWork } from "../boulder/handoff-target.ts"
import { claimable, groupedByReason, largestGroup, offersOf } from "../decide/handoff-offers.ts"
import { refusedText } from "../prompts/handoff-refusal.ts"
import { handoffText, listText, offerLine, savedText } from "../prompts/handoff-text.ts"
import { argumentsText, type HandoffToolName, handoffArgs } from "../prompts/handoff-tools.ts"
import type { BoulderStore } from "../store/boulder-store.ts"
import type { HandoffCaller, HandoffDesk } from "../store/handoff-desk.ts"

/** What a tool says, and whether it refused. */
interface Answer {
  readonly text: string
  readonly refused: boolean
}

/** What the answers stand on: one agent, for as long as its server runs. */
export interface AnswerGround {
  readonly desk: HandoffDesk
  readonly store: BoulderStore
  readonly sessionId: string
  readonly agent: string | null
  /** ms since 1970 */
  readonly now: () => number
}

type Answerer = (ground: AnswerGround, given: unknown) => Promise<Answer>

const ANSWERS: Readonly<Record<HandoffToolName, Answerer>> = {
  save_task_progress: save,
  list_blocked_tasks: list,
  get_blocked_task: get,
}

/** Answers a call of a tool. Every call is a sign of life: it makes the leases of the agent last on. */
export async function answerCall(
  ground: AnswerGround,
  tool: HandoffToolName,
  given: unknown,
): Promise<Answer> {
  const { desk, sessionId, agent } = ground
  const held = (await desk.open(agent)).filter((handoff) => isHeldBy(handoff, sessionId))
  for (const { id } of held) await desk.renew(sessionId, id)
  return ANSWERS[tool](ground, given)
}

/** The line that tells an agent at its start what waits for it; null where nothing does. */
export async function lineAtStart({ desk, sessionId, agent, now }: AnswerGround) {
  const waiting = claimable(await desk.open(agent), { sessionId, now: now() })
  return offerLine(waiting, largestGroup(waiting.offers))
}

async function save(ground: AnswerGround, given: unknown): Promise<Answer> {
  const args = handoffArgs.save_task_progress.safeParse(given)
  if (!args.success) return no(argumentsText("save_task_progress", args.error))
  const { summary, status, blocked_reason: reason, task } = args.data
  const request = { summary, status, reason: reason || null, task: task || null }
  const outcome = await ground.desk.save(await callerIn(ground), request)
  if (outcome.kind === "refused") return no(refusedText(outcome))
  return yes(savedText(outcome))
}

async function list({ desk, sessionId, agent, now }: AnswerGround): Promise<Answer> {
  const at = now()
  const { offers, total } = offersOf(await desk.open(agent), { sessionId, now: at })
  const shown = offers.map((offer) => ({ ...offer, reuse: null }))
  return yes(listText({ groups: groupedByReason(shown), total, now: at }))
}

async function get(ground: AnswerGround, given: unknown): Promise<Answer> {
  const args = handoffArgs.get_blocked_task.safeParse(given)
  if (!args.success) return no(argumentsText("get_blocked_task", args.error))
  const { id, claim } = args.data
  const caller = await callerIn(ground)
  const outcome = await ground.desk.get(caller, id, claim ?? id.startsWith("hnd_"))
  if (outcome.kind === "refused") return no(refusedText(outcome))
  const { handoff, claimed } = outcome
  return yes(handoffText(handoff, { claimed, now: ground.now(), reuse: null }))
}

async function callerIn({ store, sessionId, agent }: AnswerGround): Promise<HandoffCaller> {
  const { boulder } = await store.read()
  return { sessionId, agent, place: placeOf(boulder, sessionId), family: [] }
}

/** A session that a work knows: its lead, or the recorded session of one task. */
function placeOf(boulder: Boulder | null, sessionId: string): PlaceInWork | null {
  const led = workOfSession(boulder, sessionId)
  if (led?.lead_session_id === sessionId && led.status !== "completed")
    return { workId: led.work_id, role: "lead", taskKey: null }
  for (const work of Object.values(boulder?.works ?? {})) {
    const own = Object.values(work.task_sessions).filter((one) => one.session_id === sessionId)
    const [only] = own
    if (only !== undefined && own.length === 1)
      return { workId: work.work_id, role: "child", taskKey: only.task_key }
  }
  return null
}

function yes(text: string): Answer {
  return { text, refused: false }
}

function no(text: string): Answer {
  return { text, refused: true }
}
