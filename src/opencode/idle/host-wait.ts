// The host waits for the provider by itself: kept on disk, and said.
import type { Work } from "../../boulder/boulder.ts"
import { isoOf, msUntil } from "../../boulder/iso-time.ts"
import { holdDispatch } from "../../boulder/record-dispatch.ts"
import { hostWaitEnd, limitSpan, recordHostWait } from "../../boulder/usage-limit.ts"
import type { TaskCall } from "../../decide/host-event.ts"
import { childWaitNotice, hostWaitNotice } from "../../prompts/notice-text.ts"
import { lineageOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"
import { storeSoon } from "../work/comes-once.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { placeOf } from "../work/place-of.ts"

/** Shorter waits are the host's own retries of a moment: the view alone shows them. */
const SAID_FROM_MS = 60_000
/** No date is further ahead; the host itself waits for 24 days at most. */
export const LONGEST_WAIT_MS = 400 * 86_400_000

/**
 * Keeps on disk until when the host waits for the provider, for a session that runs for a work; `until` in ms. A lead's
 * wait is the work's; a subagent's is its task's alone, and the others go on.
 */
export async function noteHostWait(shell: Shell, sessionId: string, until: number): Promise<void> {
  const now = shell.now()
  const left = msUntil(until, now)
  if (left < SAID_FROM_MS || left > LONGEST_WAIT_MS) return
  const { role, work } = await storeSoon(() => placeOf(shell, sessionId, "far"))
  // A former lead, and who runs below it, waits for itself.
  if (role !== "lead" && role !== "child") return
  if (work.status !== "active") return
  const call = role === "lead" ? null : await callOf(shell, sessionId, work)
  const keep = role === "lead" ? recordHostWait(now, until) : heldUp(call, now, until)
  const change = (newest: Work): Work => (newest.status === "active" ? keep(newest) : newest)
  const kept = await storeSoon(() => changeOnWork(shell, work, change))
  if (kept?.status !== "active") return
  const end = isoOf(until)
  const isWhole = hostWaitEnd(kept, now) !== null
  const task = call?.task?.key ?? null
  await shell.journal.append({
    at: isoOf(now),
    session: sessionId,
    work: work.work_id,
    decision: isWhole ? "rest" : "notice",
    reason: "provider-wait",
    facts: { limited_until: end, ...(role === "lead" ? {} : { task }) },
  })
  const notice = isWhole ? hostWaitNotice(work.plan_name, end) : childWaitNotice(task, end)
  await shell.api.toast(notice, "warning")
}

/** The call under way that a session runs in, or below; null where none is known. */
async function callOf(
  shell: Shell,
  sessionId: string,
  { lead_session_id: leadId, work_id: workId }: Work,
): Promise<TaskCall | null> {
  const chain = (await lineageOf(shell, sessionId)) ?? []
  const { calls } = shell.sessions.of(leadId)
  const isOf = ({ childId }: TaskCall) => childId !== null && chain.includes(childId)
  return calls.find((call) => call.workId === workId && !call.isBack && isOf(call)) ?? null
}

function heldUp(call: TaskCall | null, now: number, until: number): (work: Work) => Work {
  return (work) => {
    if (call === null || call.task === null || call.childId === null) return work
    const { callId, childId, task } = call
    const limit = limitSpan(now, until)
    const made = { sessionId: work.lead_session_id, callId, childId, limit }
    return holdDispatch({ ...made, taskLabel: task.label, taskTitle: task.title })(work)
  }
}
