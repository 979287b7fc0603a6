// The host waits for the provider by itself: kept on disk, and said.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { isoOf, msUntil } from "../../boulder/iso-time.ts"
import { holdDispatch } from "../../boulder/record-dispatch.ts"
import { hostWaitEnd, limitSpan, recordHostWait } from "../../boulder/usage-limit.ts"
import type { TaskCall } from "../../decide/host-event.ts"
import type { Place } from "../../decide/place.ts"
import type { SessionMemory } from "../../decide/session-memory.ts"
import { childWaitNotice, hostWaitNotice } from "../../prompts/notice-text.ts"
import { ancestorsOf, descendantsOf, lineageOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"
import { storeSoon } from "../work/comes-once.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { placeAmong, placeOf } from "../work/place-of.ts"

/** Shorter waits are the host's own retries of a moment: the view alone shows them. */
const SAID_FROM_MS = 60_000
/** No date is further ahead; the host itself waits for 24 days at most. */
const LONGEST_WAIT_MS = 400 * 86_400_000

/** Until when the host waits for the provider of a session, in ms; null where it does not, or tells of no date. */
export function waitOfSession(
  { running }: Pick<SessionMemory, "running">,
  now: number,
): number | null {
  const until = running?.waitsUntil ?? null
  return until === null || msUntil(until, now) > LONGEST_WAIT_MS ? null : until
}

/**
 * Until when nothing goes on in the call that runs `childId`, in ms: the host waits for each session that runs in it. Who
 * runs nothing but subagents waits for those. The first to go on ends the wait; null where one does, or none runs.
 */
export function waitOfCall(
  shell: Pick<Shell, "sessions" | "words">,
  childId: string,
  now: number,
): number | null {
  const ends = [childId, ...descendantsOf(shell, childId)]
    .map((id) => shell.sessions.of(id))
    .filter((one) => runsItself(one, shell.words.delegate))
    .map((one) => waitOfSession(one, now))
  const known = ends.filter((end) => end !== null)
  return known.length === 0 || known.length < ends.length ? null : Math.min(...known)
}

function runsItself({ running, tools }: SessionMemory, delegate: string): boolean {
  return running !== null && (tools.length === 0 || tools.some(({ name }) => name !== delegate))
}

/** A session below a subagent has fallen idle: those beside it may all wait by now. `boulder` is what was just read. */
export async function noteWaitsBeside(
  shell: Shell,
  sessionId: string,
  boulder: Boulder | null,
): Promise<void> {
  const now = shell.now()
  const childId = ancestorsOf(shell, sessionId).at(-2)
  const end = childId === undefined ? null : waitOfCall(shell, childId, now)
  if (childId === undefined || end === null || isKept(boulder, childId, end)) return
  const family = [childId, ...descendantsOf(shell, childId)]
  const first = family.find((id) => waitOfSession(shell.sessions.of(id), now) === end)
  if (first !== undefined && isSaid(now, end))
    await keepWait(shell, first, end, await placeAmong(shell, boulder, first, "far"))
}

/** The host tells of an idle more than once. */
function isKept(boulder: Boulder | null, childId: string, end: number): boolean {
  return Object.values(boulder?.works ?? {})
    .flatMap(({ task_sessions }) => Object.values(task_sessions))
    .some((one) => one.session_id === childId && one.interrupted?.until === isoOf(end))
}

/**
 * Keeps on disk until when the host waits for the provider, for a session that runs for a work; `until` in ms. A lead's
 * wait is the work's; a subagent's is its task's alone, and the others go on; and not even that while anything of its call
 * goes on.
 */
export async function noteHostWait(shell: Shell, sessionId: string, until: number): Promise<void> {
  if (!isSaid(shell.now(), until)) return
  await keepWait(shell, sessionId, until, await storeSoon(() => placeOf(shell, sessionId, "far")))
}

/** A wait that is long enough to be said, and no mistake. */
function isSaid(now: number, until: number): boolean {
  const left = msUntil(until, now)
  return left >= SAID_FROM_MS && left <= LONGEST_WAIT_MS
}

async function keepWait(
  shell: Shell,
  sessionId: string,
  until: number,
  { role, work }: Place,
): Promise<void> {
  const now = shell.now()
  // A former lead, and who runs below it, waits for itself.
  if (role !== "lead" && role !== "child") return
  if (work.status !== "active") return
  const call = role === "lead" ? null : await callOf(shell, sessionId, work)
  const keep = role === "lead" ? recordHostWait(now, until) : heldUp(shell, call, now)
  const change = (newest: Work): Work => (newest.status === "active" ? keep(newest) : newest)
  const kept = await storeSoon(() => changeOnWork(shell, work, change))
  if (kept?.status !== "active") return
  const told = isoOf(until)
  const isWhole = hostWaitEnd(kept, now) !== null
  const task = call?.task?.key ?? null
  await shell.journal.append({
    at: isoOf(now),
    session: sessionId,
    work: work.work_id,
    decision: isWhole ? "rest" : "notice",
    reason: "provider-wait",
    facts: { limited_until: told, ...(role === "lead" ? {} : { task }) },
  })
  const notice = isWhole ? hostWaitNotice(work.plan_name, told) : childWaitNotice(task, told)
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

function heldUp(shell: Shell, call: TaskCall | null, now: number): (work: Work) => Work {
  if (call === null || call.task === null || call.childId === null) return (work) => work
  const { callId, childId, task } = call
  const until = waitOfCall(shell, childId, now)
  if (until === null || msUntil(until, now) < SAID_FROM_MS) return (work) => work
  const limit = limitSpan(now, until)
  const made = { callId, childId, limit, taskLabel: task.label, taskTitle: task.title }
  return (work) => holdDispatch({ ...made, sessionId: work.lead_session_id })(work)
}
