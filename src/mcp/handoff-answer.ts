// Answers the calls of each handoff tool.
import type { Work } from "../boulder/boulder.ts"
import { isHeldBy } from "../boulder/handoff.ts"
import { claimable, largestGroup } from "../decide/handoff-offers.ts"
import { placeIn, placeInWork, recordedChain, recordedFor } from "../decide/place.ts"
import { type Answer, answerTool } from "../handoffs/answer-tool.ts"
import { offerLine } from "../prompts/handoff-text.ts"
import type { HandoffToolName } from "../prompts/tool-definitions.ts"
import type { HandoffCaller, HandoffDesk } from "../store/handoffs/handoff-desk.ts"
import type { BoulderStore } from "../store/revisions/boulder-store.ts"

/** What answers need: one agent, for as long as its server runs. */
export interface AnswerNeeds {
  readonly desk: HandoffDesk
  readonly store: BoulderStore
  readonly sessionId: string
  readonly agent: string | null
  /** ms since 1970 */
  readonly now: () => number
}

/** Answers a call of a tool. Every call is a sign of life, and extends the agent's leases. */
export async function answerCall(
  needs: AnswerNeeds,
  tool: HandoffToolName,
  given: unknown,
): Promise<Answer> {
  const { desk, sessionId, agent } = needs
  const { handoffs } = await desk.open(agent)
  const held = handoffs.filter((handoff) => isHeldBy(handoff, sessionId))
  for (const { id } of held) await desk.renew(sessionId, id)
  return answerTool({
    tool,
    given,
    sessionId,
    agent,
    now: needs.now(),
    desk,
    caller: () => callerIn(needs),
    // The next call extends its lease.
    holds: () => undefined,
    tells: async () => undefined,
    // Sessions belong to opencode: no other host can resume one.
    reuseFor: async () => null,
  })
}

/** The line that tells an agent at its start what waits for it; null if nothing does. */
export async function lineAtStart({ desk, sessionId, agent }: AnswerNeeds) {
  const { handoffs, now } = await desk.open(agent)
  const waiting = claimable(handoffs, { sessionId, now })
  return offerLine(waiting, largestGroup(waiting.offers), now)
}

async function callerIn({ store, sessionId, agent }: AnswerNeeds): Promise<HandoffCaller> {
  const { boulder } = await store.read()
  const place = placeIn(boulder, recordedChain(boulder, sessionId))
  const tasksOf = (work: Work) => recordedFor(work, sessionId)
  return { sessionId, agent, place: placeInWork(place, tasksOf), family: [] }
}
