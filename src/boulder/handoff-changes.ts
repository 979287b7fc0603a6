// Saves, claims, renews and releases a handoff, as changes of one record.
import { type Handoff, type HandoffStatus, holderOf, isHeldBy, type PastStatus } from "./handoff.ts"
import type { PlaceInWork } from "./handoff-target.ts"
import { byTime, isoOf, isWithin } from "./iso-time.ts"
import { mayWrite } from "./may-mark.ts"

const MAX_HISTORY = 24
const MAX_RENEW_EVERY_MS = 60_000

/** A lease is rewritten at most this often, in ms: once a minute, and four times within a short lease. */
export function renewEveryMs(leaseMs: number): number {
  return Math.min(MAX_RENEW_EVERY_MS, leaseMs / 4)
}

/** Why a handoff stays as it is. */
export type HandoffRefusal = "held-by-other" | "not-held" | "settled" | "still-fresh" | "unclaimed"

/**
 * A pure change of one handoff. It may be asked more than once, each time with the newest record and the store's own time (ms since 1970),
 * so that one clock measures the leases of several machines.
 */
export type HandoffChange = (handoff: Handoff, now: number) => Handoff | HandoffRefusal

/** Who acts, and how long the task stays theirs without a sign of life (ms). */
export interface HandoffActor {
  readonly sessionId: string
  readonly agent: string | null
  /** Its place in a work; null if it belongs to none. */
  readonly place: PlaceInWork | null
  /** Sessions whose records it may write like its own, except that it may not take over their claims. */
  readonly family: readonly string[]
  readonly leaseMs: number
}

/** What a session says about its progress. */
export interface SavedProgress {
  readonly status: HandoffStatus
  readonly summary: string
  readonly reason: string | null
  readonly unblock: string | null
}

/** What a new record is about. */
export interface HandoffSubject {
  readonly id: string
  readonly project: string
  readonly workId: string | null
  readonly planName: string | null
  readonly taskKey: string | null
  readonly titleHash: string | null
  readonly taskText: string | null
  /** The session that opens it has no part in the work. */
  readonly fromOutside: boolean
}

/** The first record of a task, made at `nowMs` (since 1970); one that is already complete is settled right away. */
export function newHandoff(
  subject: HandoffSubject,
  actor: HandoffActor,
  progress: SavedProgress,
  nowMs: number,
): Handoff {
  const now = isoOf(nowMs)
  return {
    schema_version: 1,
    id: subject.id,
    scope: { project: subject.project, agent: actor.agent },
    work_id: subject.workId,
    plan_name: subject.planName,
    task_key: subject.taskKey,
    title_hash: subject.titleHash,
    task_text: subject.taskText,
    ...(subject.fromOutside && { from_outside: true }),
    created_at: now,
    attempts: 1,
    history: [],
    ...saidNow(actor, progress, nowMs, null),
  }
}

/**
 * Gives the task to a session for the time of a lease. A running lease of another session is respected; one that ran out is recorded as
 * silence.
 */
export function claimHandoff(actor: HandoffActor): HandoffChange {
  return (handoff, now) => {
    if (handoff.settled_at !== null) return "settled"
    const holder = holderOf(handoff, now)
    if (holder !== null && holder !== actor.sessionId) return "held-by-other"
    const free = handoff.claim?.session_id === actor.sessionId ? handoff : expired(handoff)
    return { ...free, claim: leaseOf(actor, now, handoff) }
  }
}

/** Extends a lease while its session works; refuses to write too often. */
export function renewHandoff(actor: HandoffActor): HandoffChange {
  return (handoff, now) => {
    const { claim } = handoff
    if (handoff.settled_at !== null) return "settled"
    if (claim?.session_id !== actor.sessionId) return "not-held"
    const isFresh = isWithin(claim.claimed_at, renewEveryMs(actor.leaseMs), now)
    return isFresh ? "still-fresh" : { ...handoff, claim: leaseOf(actor, now, handoff) }
  }
}

/**
 * Writes progress into a record that nobody else holds: `in_progress` takes it over, `blocked` passes it on, `complete` settles it for
 * good. The previous state goes to the history. A session that has no part in the record's work must take it over before saying anything
 * else about it.
 */
export function saveHandoff(actor: HandoffActor, progress: SavedProgress): HandoffChange {
  return (handoff, now) => {
    const refusal = refusalOf(handoff, actor, progress, now)
    if (refusal !== null) return refusal
    const isFree = handoff.claim !== null && !isOf(actor, handoff.claim.session_id)
    const free = isFree ? expired(handoff) : handoff
    const isOther = free.session_id !== actor.sessionId
    return {
      ...free,
      attempts: free.attempts + (isOther ? 1 : 0),
      history: remembered(free),
      ...saidNow(actor, progress, now, handoff),
    }
  }
}

function refusalOf(
  handoff: Handoff,
  actor: HandoffActor,
  { status }: SavedProgress,
  now: number,
): HandoffRefusal | null {
  if (handoff.settled_at !== null) return "settled"
  const holder = holderOf(handoff, now)
  if (holder !== null && !isOf(actor, holder)) return "held-by-other"
  const saver = { place: actor.place, held: isHeldBy(handoff, actor.sessionId) }
  return status === "in_progress" || mayWrite(saver, handoff) ? null : "unclaimed"
}

function isOf({ sessionId, family }: HandoffActor, other: string): boolean {
  return other === sessionId || family.includes(other)
}

/** Takes a task away from its session, for a person who knows that nobody works on it. */
export function releaseHandoff(): HandoffChange {
  return (handoff, now) => {
    if (handoff.settled_at !== null) return "settled"
    const { claim } = handoff
    if (claim === null) return "not-held"
    const entry = pastOf(claim.session_id, "released", isoOf(now))
    return { ...handoff, claim: null, history: added(handoff.history, entry) }
  }
}

/**
 * Closes a record whose task was settled in the plan without it. A task that somebody holds stays theirs, unless the whole work is finished
 * (`evenHeld`).
 */
export function settleHandoff(evenHeld = false): HandoffChange {
  return (handoff, now) => {
    if (handoff.settled_at !== null) return "settled"
    if (!evenHeld && holderOf(handoff, now) !== null) return "held-by-other"
    const at = isoOf(now)
    return { ...expired(handoff), claim: null, settled_at: at, updated_at: at }
  }
}

function saidNow(
  actor: HandoffActor,
  progress: SavedProgress,
  nowMs: number,
  before: Handoff | null,
) {
  const now = isoOf(nowMs)
  const isBlocked = progress.status === "blocked"
  return {
    session_id: actor.sessionId,
    agent: actor.agent,
    status: progress.status,
    summary: progress.summary,
    blocked_reason: isBlocked ? progress.reason : null,
    unblock: isBlocked ? progress.unblock : null,
    blocked_at: isBlocked ? now : null,
    updated_at: now,
    settled_at: progress.status === "complete" ? now : null,
    claim: progress.status === "in_progress" ? leaseOf(actor, nowMs, before) : null,
  }
}

/** A lease from now on; a session that already held it keeps the time since when. */
function leaseOf({ sessionId, leaseMs }: HandoffActor, now: number, before: Handoff | null) {
  const own = before?.claim?.session_id === sessionId ? before.claim : null
  return {
    session_id: sessionId,
    claimed_at: isoOf(now),
    lease_until: isoOf(now + leaseMs),
    ...(own !== null && { since: own.since ?? own.claimed_at }),
  }
}

/** A lease that ran out: whoever took the task without ever reporting counts as an attempt. */
function expired(handoff: Handoff): Handoff {
  const { claim, history } = handoff
  if (claim === null) return handoff
  const entry = pastOf(claim.session_id, "silent", claim.lease_until)
  const said = claim.session_id === handoff.session_id
  return {
    ...handoff,
    claim: null,
    attempts: handoff.attempts + (said ? 0 : 1),
    history: added(history, entry),
  }
}

/** The history with the record's current state; a session's newest milestone replaces its earlier ones. */
function remembered(handoff: Handoff): PastStatus[] {
  const { session_id, status, summary, blocked_reason: reason, updated_at: at } = handoff
  const last = handoff.history.at(-1)
  const isMilestone =
    last?.session_id === session_id && last.status === "in_progress" && status === "in_progress"
  const before = isMilestone ? handoff.history.slice(0, -1) : handoff.history
  return added(before, { session_id, status, summary, reason, at })
}

function pastOf(sessionId: string, status: PastStatus["status"], at: string): PastStatus {
  return { session_id: sessionId, status, summary: "", reason: null, at }
}

/** Oldest first. Beyond the limit the second entry is dropped, so that the beginning stays known. */
function added(history: readonly PastStatus[], entry: PastStatus): PastStatus[] {
  const all = [...history, entry].sort((a, b) => byTime(a.at, b.at))
  return all.length <= MAX_HISTORY ? all : [...all.slice(0, 1), ...all.slice(2)]
}
