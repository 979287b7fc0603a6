// Connects handoffs to the host's hooks: the tools, the line at a start, and leases kept alive.

import type { Work } from "../../boulder/boulder.ts"
import type { Handoff } from "../../boulder/handoff.ts"
import { settleHandoff } from "../../boulder/handoff-changes.ts"
import { taskIn } from "../../boulder/handoff-target.ts"
import { claimable, largestGroup } from "../../decide/handoff-offers.ts"
import { answerTool } from "../../handoffs/answer-tool.ts"
import { byKey } from "../../plan/model/once-a-reading.ts"
import type { Plan } from "../../plan/model/plan.ts"
import { offerLine, offerNote } from "../../prompts/handoff-text.ts"
import type { HandoffToolName } from "../../prompts/tool-definitions.ts"
import type { HandoffDesk } from "../../store/handoffs/handoff-desk.ts"
import { endsWith, taskOf } from "../../store/handoffs/handoff-mark.ts"
import { type Readings, readOnce } from "../../store/handoffs/read-once.ts"
import { readPlanOf } from "../../store/plans/read-plan-of.ts"
import { lineageOf } from "../host/lineage.ts"
import type { Reactions } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { checkReuse } from "../work/check-reuse.ts"
import { placeOf } from "../work/place-of.ts"
import { tellWindow } from "../work/show-window.ts"
import { callerOf } from "./handoff-caller.ts"
import { type Leases, openLeases } from "./handoff-leases.ts"
import { openDesk } from "./open-desk.ts"

const MINUTE_MS = 60_000

/** What the hook table needs from the handoffs. */
export function openHandoffs(shell: Shell, asking: Shell["handoffs"], run: ToolNeeds["run"]) {
  const leaseMs = shell.options.handoff.lease_minutes * MINUTE_MS
  const desk = openDesk(shell)
  const toolDesk = openDesk({ ...shell, handoffs: asking })
  // Asks at the start what other machines know, and sends what waits here. Nobody waits for it.
  if (asking.atOnce !== undefined) void toolDesk.open(null).catch(() => undefined)
  const leases = openLeases(desk, { ...shell, leaseMs })

  return {
    tool: handoffToolsOf({ shell, desk: toolDesk, leases, run }),
    /** A session does something. Gives what renews its leases; null if nothing is due. */
    renewal: leases.renewal,
    /** The line for a session's first message, if tasks wait; null for every other message. `readings` are those of the message's hook. */
    async offerFor(
      { sessionId, agent, isCommand }: { sessionId: string; agent: string; isCommand: boolean },
      readings: Readings,
    ) {
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

/** What the tools need. `run` is the hook table's guard: it gives the words for a failure of ours. */
interface ToolNeeds {
  readonly shell: Shell
  readonly desk: HandoffDesk
  readonly leases: Leases
  readonly run: (
    tool: HandoffToolName,
    sessionId: string,
    work: () => Promise<string>,
  ) => Promise<string>
}

/** Answers a call of a tool of ours, on one reading of state and plan. No host checks arguments: we do, and say what to send instead. */
function handoffToolsOf({ shell: given, desk, leases, run }: ToolNeeds): Reactions["tool"] {
  return (tool, args, { sessionId, agent }) =>
    run(tool, sessionId, async () => {
      const readings = readOnce(given)
      const shell = { ...given, ...readings }
      const { text } = await answerTool({
        tool,
        given: args,
        sessionId,
        agent,
        now: shell.now(),
        desk: desk.on(readings),
        caller: () => callerOf(shell, sessionId, agent),
        holds: (handoffId) => leases.hold(sessionId, handoffId),
        tells: (key) => tellRow(shell, sessionId, key),
        reuseFor: (handoff) => reuseFor(shell, handoff),
      })
      return text
    })
}

/** Remembers that a session reads with its next message what the row of a key says by now. */
async function tellRow(shell: Shell, sessionId: string, key: string): Promise<void> {
  const { work: known } = await placeOf(shell, sessionId, "far")
  if (known === null) return
  const { work, reading } = await readPlanOf(shell.plans, known)
  if (reading.kind !== "read") return
  const task = byKey(reading.plan.tasks).get(key)
  tellWindow(shell, sessionId, { work, plan: reading.plan }, task === undefined ? [] : [task])
}

/** Whether a session is no subagent's and nothing has been said in it yet. */
async function isFirstMessage(shell: Shell, sessionId: string): Promise<boolean> {
  const chain = await lineageOf(shell, sessionId)
  if (chain === null || chain.length > 1) return false
  // Every message of a user names its agent.
  return (await shell.api.lastTurn(sessionId)).identity.agent === null
}

/** The session of the task that may be resumed, checked with the host; null if there is none. */
async function reuseFor(shell: Shell, handoff: Handoff): Promise<string | null> {
  if (shell.options.reuse === "off" || handoff.work_id === null) return null
  const found = await taskOf(shell, handoff, (await shell.store.read()).boulder)
  if (found === null) return null
  const reuse = await checkReuse(shell, found.work, found.task, null)
  return reuse?.kind === "reuse" ? reuse.sessionId : null
}
