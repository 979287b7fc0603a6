// Writes a delegation down before it starts.
// Over 250 lines: the ways in which it may end change the same few fields, by the same rules.
import type { KnownTask } from "../plan/match-tasks.ts"
import type { Task } from "../plan/model/plan.ts"
import type { Dispatch, TaskSession, Work } from "./boulder.ts"
import { charged } from "./cost.ts"
import { dispatchesOf, dispatchKey, dispatchOf } from "./find-dispatch.ts"
import { msOf } from "./iso-time.ts"
import { type Review, withVerdict } from "./row-verdicts.ts"
import { withRework, withSetback } from "./setbacks.ts"
import { countTaskAttempt, type LimitSpan } from "./usage-limit.ts"

const MAX_DISPATCHES = 256
const MAX_RESULTS = 2
const MAX_SAID = 200

/** What is known about a delegation before it starts. */
export interface Intent {
  readonly callId: string
  /** The task that the call named; null if it works on none. */
  readonly task: KnownTask | null
  readonly parentSessionId: string
  readonly agent: string
  /** The session that the caller itself asked to resume. */
  readonly resumes: string | null
  /** The calls of this parent that really run: any other died with its process, or with its session as the lead. */
  readonly liveCalls: readonly string[]
  readonly now: string
}

/**
 * Writes a delegation down before it starts. If another running call already has the task, this dispatch gets no key, like one that names
 * no task, and leaves no mapping.
 */
export function openDispatch(intent: Intent): (work: Work) => Work {
  const ownKey = dispatchKey(intent.callId)
  return (work) => {
    const running = dispatchesOf(work, intent.parentSessionId, intent.liveCalls)
    const live = Object.entries(running).filter(([key]) => key !== ownKey)
    if (live.length >= MAX_DISPATCHES) return work
    const { task } = intent
    const isTaken = live.some(
      ([, { task_key: key, title_hash: titleHash }]) =>
        key === task?.key && titleHash === task?.titleHash,
    )
    const own = isTaken ? null : task
    const dispatch: Dispatch = {
      task_key: own?.key ?? null,
      title_hash: own?.titleHash ?? null,
      parent_session_id: intent.parentSessionId,
      session_id: null,
      agent: intent.agent,
      resumes: intent.resumes,
      started_at: intent.now,
    }
    const counted = own === null ? work : countTaskAttempt(work, own, msOf(intent.now), 1)
    return { ...counted, dispatches: { ...Object.fromEntries(live), [ownKey]: dispatch } }
  }
}

/** A `task` call as made by one session: providers may give the same id to calls of other sessions. */
export interface CallMade {
  readonly sessionId: string
  readonly callId: string
}

/** Forgets a delegation that left nothing: it failed, was aborted or was denied. */
export function dropDispatch(call: CallMade): (work: Work) => Work {
  return (work) => {
    if (ownDispatch(work, call) === undefined) return work
    const { [dispatchKey(call.callId)]: _, ...dispatches } = work.dispatches
    return { ...work, dispatches }
  }
}

/**
 * Forgets a background delegation that ended well: its result is not ours to keep. If its subagent had waited for a limit, its task no
 * longer waits.
 */
export function leaveDispatch(call: CallMade, childId: string): (work: Work) => Work {
  return (work) => {
    const key = ownDispatch(work, call)?.task_key
    const dropped = dropDispatch(call)(work)
    const session = key == null ? undefined : work.task_sessions[key]
    if (key == null || session?.session_id !== childId || !session.interrupted) return dropped
    const { interrupted: _, ...kept } = session
    const sessions = { ...work.task_sessions, [key]: { ...kept, status: "returned" as const } }
    return { ...dropped, task_sessions: sessions }
  }
}

/**
 * Closes a delegation that failed. If the task's own session failed, it remembers that. If no session had begun, the provider was asked
 * nothing, so no attempt after its limit was made.
 */
export function failDispatch(call: CallMade, childId: string | null): (work: Work) => Work {
  return (work) => {
    const own = ownDispatch(work, call)
    const key = own?.task_key
    const dropped = dropDispatch(call)(childId === null ? unasked(work, own) : work)
    const session = key == null ? undefined : work.task_sessions[key]
    if (key == null || session === undefined || session.session_id !== childId) return dropped
    const failed = charged({ ...session, failures: session.failures + 1 }, own?.cost)
    return { ...dropped, task_sessions: { ...dropped.task_sessions, [key]: failed } }
  }
}

function unasked(work: Work, dispatch: Dispatch | undefined): Work {
  const { task_key: key = null, title_hash: titleHash = null, started_at: at } = dispatch ?? {}
  return key === null || titleHash === null || at === undefined
    ? work
    : countTaskAttempt(work, { key, titleHash }, msOf(at), -1)
}

/** A subagent whose turn was ended by a limit of its provider. */
export interface Interrupted extends CallMade {
  readonly childId: string
  readonly taskLabel: string | null
  readonly taskTitle: string
  readonly limit: LimitSpan
}

/**
 * Closes a delegation that a provider's limit has ended. That is no failure of the session, which is kept for its task to be resumed. It is
 * the session that ran now, by the rule of `closeDispatch`.
 */
export function interruptDispatch(outcome: Interrupted): (work: Work) => Work {
  return (work) => dropDispatch(outcome)(withLimit(work, outcome, ownDispatch(work, outcome)?.cost))
}

/** A call that is still running, but in which nothing happens until a limit is over: the host itself waits for that. */
export interface Held extends CallMade {
  readonly childId: string
  readonly task: Pick<Task, "label" | "title"> | null
  readonly limit: LimitSpan
}

/**
 * Records until when a delegation waits, whatever it is for. If the host dies, its task waits that long, and its session may be resumed
 * afterwards.
 */
export function holdDispatch({ task, ...call }: Held): (work: Work) => Work {
  return (work) => {
    const own = ownDispatch(work, call)
    if (own === undefined) return work
    const { since, until } = call.limit
    const held = { ...own, waits: { since, until } }
    const dispatches = { ...work.dispatches, [dispatchKey(call.callId)]: held }
    const waiting = { ...work, dispatches }
    if (task === null) return waiting
    return withLimit(waiting, { ...call, taskLabel: task.label, taskTitle: task.title }, undefined)
  }
}

function withLimit(work: Work, outcome: Interrupted, cost: Dispatch["cost"]): Work {
  const dispatch = ownDispatch(work, outcome)
  const { task_key: key = null, title_hash: hash = null } = dispatch ?? {}
  if (dispatch === undefined || key === null || hash === null) return work
  const recorded = work.task_sessions[key]
  const before = recorded?.title_hash === hash ? recorded : undefined
  const attempts = before?.interrupted?.attempts
  const limit = { ...outcome.limit, ...(attempts === undefined ? {} : { attempts }) }
  const ofTask = { ...dispatch, task_key: key, title_hash: hash }
  const isForeign = isForeignResume(work, ofTask, outcome.childId)
  const session = {
    task_key: key,
    task_label: outcome.taskLabel,
    task_title: outcome.taskTitle,
    title_hash: hash,
    session_id: outcome.childId,
    agent: dispatch.agent,
    attempts: 0,
    failures: 0,
    results: 0,
    result_hash: null,
    started_at: dispatch.started_at,
    // The time of its last result stays: checks are compared with that, and this attempt has returned none.
    updated_at: limit.since,
    ...before,
    ...(isForeign ? {} : runBy(before, outcome.childId, dispatch.agent)),
    status: "interrupted" as const,
    interrupted: limit,
  }
  const kept = charged<TaskSession>(session, cost)
  return { ...work, task_sessions: { ...work.task_sessions, [key]: kept } }
}

/** The session that a task has now, and how often that has failed. If another agent has only looked, as to verify the result, it stays. */
function runBy(before: TaskSession | undefined, childId: string, agent: string, isLook = false) {
  if (isLook && before !== undefined && before.agent !== agent)
    return { session_id: before.session_id, agent: before.agent, failures: before.failures }
  const failures = before?.session_id === childId ? before.failures : 0
  return { session_id: childId, agent, failures }
}

/** What a delegation returned. */
export interface Outcome extends CallMade, Review {
  readonly taskLabel: string | null
  readonly taskTitle: string
  /** The row of the final wave that it was to review; null for any other task. */
  readonly row?: KnownTask | null
  readonly resultHash: string
  /** One line of the result. */
  readonly said?: string
  /** It says that it could not go on. */
  readonly isBlocked?: boolean
  readonly isRework?: boolean
  /** Whether its session was seen to write a file; missing if nobody knows. */
  readonly hasWritten?: boolean
}

/**
 * Keeps the session of a delegation under the task that was captured when it started, even if the plan has moved on. Explicitly resuming a
 * session that is not the task's leaves the mapping as it was; it counts as a resume only if the host really ran the named session. Of a
 * delegation that was forgotten because another session leads now, only a rejection counts.
 */
export function closeDispatch(outcome: Outcome): (work: Work) => Work {
  return (work) => {
    const dispatch = ownDispatch(work, outcome)
    if (dispatch === undefined) return turnedDown(work, outcome)
    const dropped = dropDispatch(outcome)(work)
    if (dispatch.task_key === null || dispatch.title_hash === null) return dropped
    const ofTask = { ...dispatch, task_key: dispatch.task_key, title_hash: dispatch.title_hash }
    const row = { key: ofTask.task_key, titleHash: ofTask.title_hash }
    const waved = withVerdict(dropped, row, outcome, dispatch.outdated)
    if (isForeignResume(work, ofTask, outcome.childId)) return waved
    const session = taskSession(work.task_sessions[ofTask.task_key], ofTask, outcome)
    return { ...waved, task_sessions: { ...waved.task_sessions, [ofTask.task_key]: session } }
  }
}

/**
 * The same for a delegation whose task is no longer in the plan, or that named none. Its key may be another task's by now: what is kept for
 * that task stays, and a verdict does not count for a row that has the key now.
 */
export function closeGone(outcome: Outcome): (work: Work) => Work {
  return (work) => {
    const { task_key: key = null, title_hash: hash } = ownDispatch(work, outcome) ?? {}
    const there = key === null ? undefined : work.task_sessions[key]
    const isFree = there === undefined || there.title_hash === hash
    return isFree && !outcome.row ? closeDispatch(outcome)(work) : dropDispatch(outcome)(work)
  }
}

function ownDispatch(work: Work, { sessionId, callId }: CallMade): Dispatch | undefined {
  const dispatch = dispatchOf(work, callId)
  return dispatch?.parent_session_id === sessionId ? dispatch : undefined
}

type TaskDispatch = Dispatch & { readonly task_key: string; readonly title_hash: string }

/**
 * Whether the caller has resumed a session that is not the task's. If a limit ended the task's own session, that one may have replaced the
 * resumed one: then any session counts as the task's that no other task has.
 */
function isForeignResume(work: Work, ofTask: TaskDispatch, childId: string): boolean {
  if (ofTask.resumes !== childId) return false
  const { [ofTask.task_key]: own, ...others } = work.task_sessions
  if (own?.title_hash !== ofTask.title_hash) return true
  if (own.session_id === childId) return false
  const isAnothers = Object.values(others).some((other) => other.session_id === childId)
  return own.status !== "interrupted" || isAnothers
}

function taskSession(
  recorded: TaskSession | undefined,
  ofTask: TaskDispatch,
  outcome: Outcome,
): TaskSession {
  const before = recorded?.title_hash === ofTask.title_hash ? recorded : undefined
  const isNew = before?.result_hash !== outcome.resultHash
  const isLook = outcome.hasWritten === false && !outcome.row
  const { interrupted: _, said: __, ended_blocked: ___, ...kept } = before ?? {}
  const session = {
    ...kept,
    task_key: ofTask.task_key,
    task_label: outcome.taskLabel,
    task_title: outcome.taskTitle,
    title_hash: ofTask.title_hash,
    ...runBy(before, outcome.childId, ofTask.agent, isLook),
    attempts: (before?.attempts ?? 0) + 1,
    results: Math.min(MAX_RESULTS, (before?.results ?? 0) + (isNew ? 1 : 0)),
    result_hash: outcome.resultHash,
    ...(outcome.isBlocked === true ? { ended_blocked: true } : {}),
    ...(outcome.said ? { said: outcome.said.slice(0, MAX_SAID) } : {}),
    status: "returned" as const,
    started_at: before?.started_at ?? ofTask.started_at,
    updated_at: outcome.now,
  }
  const turned = outcome.verdict === "reject" ? withSetback(session, { kind: "reject" }) : session
  return charged<TaskSession>(outcome.isRework ? withRework(turned, isNew) : turned, ofTask.cost)
}

function turnedDown(work: Work, outcome: Outcome): Work {
  const { row = null, verdict } = outcome
  const isOver = row === null || work.status === "completed"
  return isOver || verdict !== "reject" ? work : withVerdict(work, row, outcome)
}
