// What each tool answers.
import type { Boulder } from "../boulder/boulder.ts"
import { openWorks } from "../boulder/find-work.ts"
import { isHeldBy } from "../boulder/handoff.ts"
import type { PlaceInWork } from "../boulder/handoff-target.ts"
import { claimable, largestGroup } from "../decide/handoff-offers.ts"
import { placeIn, workLed } from "../decide/place.ts"
import { type Answer, answerTool } from "../handoffs/answer-tool.ts"
import { offerLine } from "../prompts/handoff-text.ts"
import type { HandoffToolName } from "../prompts/tool-definitions.ts"
import type { HandoffCaller, HandoffDesk } from "../store/handoffs/handoff-desk.ts"
import type { BoulderStore } from "../store/revisions/boulder-store.ts"

/** What the answers stand on: one agent, for as long as its server runs. */
export interface AnswerNeeds {
  readonly desk: HandoffDesk
  readonly store: BoulderStore
  readonly sessionId: string
  readonly agent: string | null
  /** ms since 1970 */
  readonly now: () => number
}

/** Answers a call of a tool. Every call is a sign of life: it makes the leases of the agent last on. */
export async function answerCall(
  needs: AnswerNeeds,
  tool: HandoffToolName,
  given: unknown,
): Promise<Answer> {
  const { desk, sessionId, agent } = needs
  const held = (await desk.open(agent)).filter((handoff) => isHeldBy(handoff, sessionId))
  for (const { id } of held) await desk.renew(sessionId, id)
  return answerTool({
    tool,
    given,
    sessionId,
    agent,
    now: needs.now(),
    desk,
    caller: () => callerIn(needs),
    // The next call makes it last on.
    holds: () => undefined,
    // Sessions are opencode's: no other host can resume one.
    reuseFor: async () => null,
  })
}

/** The line that tells an agent at its start what waits for it; null where nothing does. */
export async function lineAtStart({ desk, sessionId, agent, now }: AnswerNeeds) {
  const at = now()
  const waiting = claimable(await desk.open(agent), { sessionId, now: at })
  return offerLine(waiting, largestGroup(waiting.offers), at)
}

async function callerIn({ store, sessionId, agent }: AnswerNeeds): Promise<HandoffCaller> {
  const { boulder } = await store.read()
  return { sessionId, agent, place: placeOfCaller(boulder, sessionId), family: [] }
}

/** A session that a work knows which can still go on: its lead, or the recorded session of one task. */
function placeOfCaller(boulder: Boulder | null, sessionId: string): PlaceInWork | null {
  const led = workLed(placeIn(boulder, [sessionId]))
  if (led !== null) return { workId: led.work_id, role: "lead", taskKey: null }
  for (const work of openWorks(boulder)) {
    const own = Object.values(work.task_sessions).filter((one) => one.session_id === sessionId)
    const [only] = own
    if (only !== undefined && own.length === 1)
      return { workId: work.work_id, role: "child", taskKey: only.task_key }
  }
  return null
}
