// Connects handoffs to the host's hooks: the line at a start, and leases kept alive.
import type { Work } from "../../boulder/boulder.ts"
import { settleHandoff } from "../../boulder/handoff-changes.ts"
import { taskIn } from "../../boulder/handoff-target.ts"
import { claimable, largestGroup } from "../../decide/handoff-offers.ts"
import type { Plan } from "../../plan/model/plan.ts"
import { offerLine, offerNote } from "../../prompts/handoff-text.ts"
import { endsWith } from "../../store/handoffs/handoff-mark.ts"
import type { Readings } from "../../store/handoffs/read-once.ts"
import { lineageOf } from "../host/lineage.ts"
import type { Reactions } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { openLeases } from "./handoff-leases.ts"
import { handoffToolsOf, type ToolNeeds } from "./handoff-tools.ts"
import { openDesk } from "./open-desk.ts"

/** What the hook table needs from the handoffs. */
export interface HandoffHooks {
  readonly tool: Reactions["tool"]
  /** A session does something. Gives what renews its leases; null if nothing is due. */
  renewal(sessionId: string): (() => Promise<void>) | null
  /** The line for a session's first message, if tasks wait; null for every other message. `readings` are those of the message's hook. */
  offerFor(
    message: { sessionId: string; agent: string; isCommand: boolean },
    readings: Readings,
  ): Promise<string | null>
}

const MINUTE_MS = 60_000

export function openHandoffs(
  shell: Shell,
  asking: Shell["handoffs"],
  run: ToolNeeds["run"],
): HandoffHooks {
  const leaseMs = shell.options.handoff.lease_minutes * MINUTE_MS
  const desk = openDesk(shell)
  const toolDesk = openDesk({ ...shell, handoffs: asking })
  // Asks at the start what other machines know, and sends what waits here. Nobody waits for it.
  if (asking.atOnce !== undefined) void toolDesk.open(null).catch(() => undefined)
  const leases = openLeases(desk, { ...shell, leaseMs })

  return {
    tool: handoffToolsOf({ shell, desk: toolDesk, leases, run }),
    renewal: leases.renewal,
    async offerFor({ sessionId, agent, isCommand }, readings) {
      if (isCommand || (await shell.handoffs.open()).handoffs.length === 0) return null
      if (!(await isFirstMessage(shell, sessionId))) return null
      const { handoffs, now } = await desk.on(readings).open(agent)
      const waiting = claimable(handoffs, { sessionId, now })
      return offerLine(waiting, largestGroup(waiting.offers), now)
    },
  }
}

/** The line for `/start-work` that says what waits for a session; null if nothing does. */
export function waitingFor(shell: Shell, sessionId: string): Promise<string | null> {
  return unlessFailed(shell, () => noteFor(shell, sessionId), null)
}

async function noteFor(shell: Shell, sessionId: string): Promise<string | null> {
  const { handoffs } = await shell.handoffs.open()
  if (handoffs.length === 0) return null
  const isByAgent = shell.options.handoff.scope === "agent"
  const agent = isByAgent ? ((await shell.api.session(sessionId))?.agent ?? null) : null
  const { now, handoffs: visible } = await openDesk(shell).open(agent)
  return offerNote(claimable(visible, { sessionId, now }))
}

/** Closes the records of a finished work: all that end with it or with a task of its plan, even held ones. */
export async function closeHandoffs({ handoffs }: Shell, work: Work, plan: Plan): Promise<void> {
  for (const handoff of (await handoffs.open()).handoffs) {
    const isOfIt = handoff.work_id === work.work_id
    if (isOfIt && endsWith(work, { handoff, task: taskIn(plan, handoff), handoffs }))
      await handoffs.update(handoff.id, settleHandoff(true))
  }
}

/** Whether a session is no subagent's and nothing has been said in it yet. */
async function isFirstMessage(shell: Shell, sessionId: string): Promise<boolean> {
  const chain = await lineageOf(shell, sessionId)
  if (chain === null || chain.length > 1) return false
  // Every message of a user names its agent.
  return (await shell.api.lastTurn(sessionId)).identity.agent === null
}
