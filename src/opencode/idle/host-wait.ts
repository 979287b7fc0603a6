// Finds who waits for the provider. The host waits by itself; we keep that on disk and say it.
import type { Work } from "../../boulder/boulder.ts"
import { dispatchOf } from "../../boulder/find-dispatch.ts"
import { isoOf, msOf, msUntil } from "../../boulder/iso-time.ts"
import { holdDispatch } from "../../boulder/record-dispatch.ts"
import { hostWaitEnd, limitSpan, recordHostWait } from "../../boulder/usage-limit.ts"
import { waitSaid } from "../../decide/decide-shown.ts"
import type { TaskCall } from "../../decide/memory/host-event.ts"
import type { SessionMemory } from "../../decide/memory/session-memory.ts"
import { keyNow } from "../../plan/match-tasks.ts"
import type { Task } from "../../plan/model/plan.ts"
import { childWaitNotice, hostWaitNotice } from "../../prompts/notice-text.ts"
import { taskFacts } from "../../store/records/task-facts.ts"
import { descendantsOf, lineageOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { callsUnderWayOf } from "../tools/calls-under-way.ts"
import { storeSoon } from "../work/comes-once.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { placeOf } from "../work/place-of.ts"

/** Shorter waits are the host's own brief retries; only the view shows them. */
const SAID_FROM_MS = 60_000
/** No date lies further ahead. The host itself waits for 24 days at most. */
const LONGEST_WAIT_MS = 400 * 86_400_000

/** Until when the host waits for the provider of a session, in ms; null if it does not wait, or gives no such date. */
function waitOfSession({ running }: Pick<SessionMemory, "running">, now: number): number | null {
  const until = running?.waitsUntil ?? null
  return until === null || msUntil(until, now) > LONGEST_WAIT_MS ? null : until
}

/**
 * Until when nothing of a work runs, as far as this process knows, in ms: the host waits for its lead, or for the subagent of each running
 * call; the first of these to go on ends the wait. Null if something goes on, or nothing runs.
 */
export function hostWaitsUntil(shell: Told, work: Led, now: number): number | null {
  if (leadGoesOn(shell, work)) return null
  const ofLead = waitOfSession(shell.sessions.of(work.lead_session_id), now) ?? 0
  const until = Math.max(ofLead, firstEnd(callsOf(shell, work, now))?.until ?? 0)
  return msUntil(until, now) > 0 ? until : null
}

/** The same, if the wait is long enough to be said; else null. */
export function longWaitUntil(shell: Told, work: Led, now: number): number | null {
  const until = hostWaitsUntil(shell, work, now)
  return until !== null && isLong(msUntil(until, now)) ? until : null
}

/** Whether a lead runs without waiting for any of its calls: all running calls are in the background. */
export function leadGoesOn(shell: Told, { lead_session_id: leadId }: Led): boolean {
  const { running } = shell.sessions.of(leadId)
  const calls = callsUnderWayOf(shell, leadId)
  return calls.length > 0 && running?.waitsUntil === null && calls.every((one) => one.inBackground)
}

type Told = Pick<Shell, "sessions" | "words">
type Led = Pick<Work, "work_id" | "lead_session_id">

/** A running call, and until when nothing in it goes on, in ms; null if something does. */
interface CallWait {
  readonly call: TaskCall
  readonly until: number | null
}

/** The running calls of a work's lead, whatever they are for: all that is known about who waits for the provider. */
function callsOf(shell: Told, { work_id: id, lead_session_id: leadId }: Led, now: number) {
  const calls = callsUnderWayOf(shell, leadId).filter((one) => one.workId === id)
  return calls.map(
    (call): CallWait => ({
      call,
      until: call.childId === null ? null : waitOfCall(shell, call.childId, now),
    }),
  )
}

/** The call that goes on first, if all of them wait; null if one goes on, or none is running. */
function firstEnd(calls: readonly CallWait[]): { call: TaskCall; until: number } | null {
  const waits = calls.flatMap(({ call, until }) => (until === null ? [] : [{ call, until }]))
  if (waits.length < calls.length) return null
  return waits.toSorted((a, b) => a.until - b.until)[0] ?? null
}

/**
 * Until when nothing goes on in the call that runs `childId`, in ms: the host waits for each session that runs in it. A session that only
 * runs subagents waits for those. The first to go on ends the wait. Null if one goes on, or none runs.
 */
function waitOfCall(shell: Told, childId: string, now: number): number | null {
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

/** A tool or a turn that was running has ended. What is left of its work may now all be waiting. */
export async function noteWaitsBeside(shell: Shell): Promise<void> {
  const now = shell.now()
  const { sessions } = shell
  if (![...sessions.ids()].some((id) => waitOfSession(sessions.of(id), now) !== null)) return
  for (const leadId of sessions.ids()) {
    const works = new Set(sessions.of(leadId).calls.map(({ workId }) => workId))
    for (const id of works) await noteWaitOf(shell, { work_id: id, lead_session_id: leadId })
  }
}

async function noteWaitOf(shell: Shell, led: Led): Promise<void> {
  const now = shell.now()
  const { lead_session_id: leadId } = led
  const first = leadGoesOn(shell, led) ? null : firstEnd(callsOf(shell, led, now))
  if (first === null || !isLong(msUntil(first.until, now)) || isSaid(shell, leadId, first.until))
    return
  const kept = await storeSoon(() => changeOnWork(shell, led, withWaits(shell, led, now)))
  if (kept === null || hostWaitEnd(kept, now) === null || isSaid(shell, leadId, first.until)) return
  await say(shell, {
    sessionId: leadId,
    work: kept,
    isWhole: true,
    ...first,
    task: first.call.task,
  })
}

/** Whether a wait is long enough to be kept and said, and ends at a date that can be meant. */
function isLong(left: number): boolean {
  return left >= SAID_FROM_MS && left <= LONGEST_WAIT_MS
}

/**
 * Keeps on disk until when the host waits for the provider, for a session that runs for a work; `until` in ms. A lead's wait is the wait of
 * the work. A subagent's wait belongs to its call alone, while the other calls go on, and is not even kept while anything in its call goes
 * on.
 */
export async function noteHostWait(shell: Shell, sessionId: string, until: number): Promise<void> {
  const now = shell.now()
  if (!isLong(msUntil(until, now))) return
  const { role, work } = await storeSoon(() => placeOf(shell, sessionId, "far"))
  // A former lead, and every session below it, waits only for itself.
  if (role !== "lead" && role !== "child") return
  if (work.status !== "active") return
  const isLead = role === "lead"
  const task = isLead ? undefined : await taskOf(shell, sessionId, work)
  const keep = isLead ? recordHostWait(now, until) : withWaits(shell, work, now)
  const change = (newest: Work): Work => (newest.status === "active" ? keep(newest) : newest)
  const kept = await storeSoon(() => changeOnWork(shell, work, change))
  if (kept?.status !== "active") return
  const end = leadGoesOn(shell, work) ? null : hostWaitEnd(kept, now)
  const isWhole = end !== null
  await say(shell, { sessionId, work, until: isWhole ? msOf(end) : until, isWhole, task })
}

/** The task of the running call that a session runs in or below; null if none is known. */
async function taskOf(shell: Shell, sessionId: string, work: Work): Promise<Task | null> {
  const chain = (await lineageOf(shell, sessionId)) ?? []
  const isOf = ({ call: { childId } }: CallWait) => childId !== null && chain.includes(childId)
  return callsOf(shell, work, shell.now()).find(isOf)?.call.task ?? null
}

/** Keeps, for each call in which nothing goes on, until when it waits. */
function withWaits(shell: Told, led: Led, now: number): (work: Work) => Work {
  const waits = callsOf(shell, led, now).flatMap(({ call, until }) => {
    const { callId, childId, task } = call
    if (childId === null || until === null || !isLong(msUntil(until, now))) return []
    return [{ callId, childId, task, limit: limitSpan(now, until), sessionId: led.lead_session_id }]
  })
  return (work) =>
    waits
      .filter(({ callId, limit }) => dispatchOf(work, callId)?.waits?.until !== limit.until)
      .reduce((known, one) => holdDispatch(one)(known), work)
}

interface Said {
  readonly sessionId: string
  readonly work: Work
  readonly until: number
  /** Whether nothing of the work goes on. */
  readonly isWhole: boolean
  /** Undefined if the lead itself waits. */
  readonly task: Task | null | undefined
}

async function say(shell: Shell, { sessionId, work, until, isWhole, task }: Said): Promise<void> {
  const told = isoOf(until)
  const leadId = work.lead_session_id
  if (isWhole) shell.sessions.note({ kind: "said", sessionId: leadId, said: waitSaid(until) })
  await shell.journal.append({
    at: isoOf(shell.now()),
    session: sessionId,
    work: work.work_id,
    decision: isWhole ? "rest" : "notice",
    reason: "provider-wait",
    facts: { limited_until: told, ...(task === undefined ? {} : taskFacts(task)) },
  })
  const key = async () => keyNow(await shell.plans.read(work.active_plan), task ?? null)
  const notice = isWhole
    ? hostWaitNotice(work.plan_name, told)
    : childWaitNotice(await unlessFailed(shell, key, task?.key ?? null), told)
  await shell.api.toast(notice, "warning")
}

/** Whether it was said. A wait of the whole work is said once. */
function isSaid({ sessions }: Told, leadId: string, until: number): boolean {
  return sessions.of(leadId).said === waitSaid(until)
}
