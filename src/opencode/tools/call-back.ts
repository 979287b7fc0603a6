// Finds what a `task` call has run and how that ended, and writes it down.
// Over 250 lines: the ways in which a call ends share what is known of it.
import type { Work } from "../../boulder/boulder.ts"
import { dispatchOf, taskOfDispatch } from "../../boulder/find-dispatch.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import { heldReading, isRework } from "../../boulder/held-plan.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import {
  type CallMade,
  closeDispatch,
  closeGone,
  dropDispatch,
  type Outcome,
} from "../../boulder/record-dispatch.ts"
import { blockedReason, firstLineOf, resultIn } from "../../decide/blocked-line.ts"
import { stepsBetween } from "../../decide/check-setbacks.ts"
import { fixed } from "../../decide/final-wave.ts"
import type { TaskCall } from "../../decide/memory/host-event.ts"
import { type Place, ranFor, workAtHand, workLed } from "../../decide/place.ts"
import type { FailedTurn } from "../../decide/situation.ts"
import { planOf } from "../../decide/wave-rows.ts"
import { findAgain, type KnownTask } from "../../plan/match-tasks.ts"
import { hashText } from "../../plan/model/hash-text.ts"
import { isSettled, type Task } from "../../plan/model/plan.ts"
import { verdictIn } from "../../plan/model/verdict.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import { blockStated } from "../handoffs/block-stated.ts"
import { lineageOf } from "../host/lineage.ts"
import type { ChildOfCall, ToolResult } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { readSoon, storeSoon } from "../work/comes-once.ts"
import { changeOnWork, decideOnWork, STALE, untilFresh } from "../work/decide-on-work.ts"
import { journalReading } from "../work/journal-reading.ts"
import { UNJUDGED } from "../work/judge-ticks.ts"
import { keepSeen, noteBack } from "../work/note-proof.ts"
import { type PlaceNow, placeOf } from "../work/place-of.ts"
import { changeReading } from "../work/record-plan.ts"
import { renumberedNow } from "../work/show-window.ts"
import { callLost } from "./call-lost.ts"
import { type Looked, type LookFacts, lookBehind } from "./look-behind.ts"
import type { Returned } from "./tool-facts.ts"

/** A call that came back. */
interface CameBack {
  readonly call: TaskCall
  readonly sessionId: string
  readonly child: ChildOfCall | null
  /** Whether it was aborted, or its last turn failed. */
  readonly failed: boolean
  /** Why the turn failed, if the provider says so. */
  readonly failure: FailedTurn | null
  readonly output: string
}

/** Finds out what a call has run, and how that ended. */
export async function cameBack(
  shell: Shell,
  { call, sessionId, result }: { call: TaskCall; sessionId: string; result: ToolResult },
): Promise<CameBack> {
  // A background call whose subagent no longer runs names none here.
  const child = result.isBackground ? null : result.childOf(call.childId)
  // What the result says about the child, noted as for an event of the host: it runs below whoever called it.
  if (child?.from === "host") {
    const { callId } = call
    const told = { kind: "task-part", status: "running", childId: child.sessionId } as const
    shell.sessions.note({ ...told, sessionId, callId })
  }
  const { failed, failure } = await howEnded(shell, child?.sessionId ?? null)
  return { call, sessionId, child, failed, failure, output: result.text }
}

/** What a call has left: the look after it, and what it has brought; `returned` is null if that is nothing to speak of. */
interface Recorded {
  readonly looked: Looked
  readonly returned: Returned | null
}

/** A call that came back, with the present place of its session. */
interface BackInPlace extends CameBack {
  readonly place: PlaceNow
  readonly before: Work
}

/** What was recorded; null if no look was made. */
type Recording = Recorded | null | typeof STALE

/**
 * Writes down what a call has brought back, as one change with the look after it. Null if no look was made. A result comes only once: if
 * another session takes over the work in the meantime, it is recorded as the result of a former lead.
 */
export async function recordReturn(shell: Shell, back: CameBack): Promise<Recorded | null> {
  const recorded = await untilFresh(() => recordNow(shell, back))
  return recorded === STALE ? null : recorded
}

async function recordNow(shell: Shell, back: CameBack): Promise<Recording> {
  const { call, sessionId, child: found, failed } = back
  const place = await storeSoon(() => placeOf(shell, sessionId))
  const before = place.boulder?.works[call.workId]
  if (before === undefined) return null
  const child = await trusted(shell, before, found)
  const here = { ...back, place, before }
  return child === null || failed
    ? recordLost(shell, here, child)
    : recordBrought(shell, here, child)
}

/** A call that brought nothing. Ends its dispatch together with the look that follows any tool of a lead session. */
async function recordLost(
  shell: Shell,
  { call, sessionId, failure, place, before: work }: BackInPlace,
  childId: string | null,
): Promise<Recording> {
  const { change: left, told } =
    childId === null
      ? { change: dropDispatch({ sessionId, callId: call.callId }), told: null }
      : callLost(shell, { call, sessionId, childId, failure })
  const isLooked = shell.options.long_run.enabled && isIts(workAtHand(place), work)
  const reading = isLooked ? await shell.plans.read(work.active_plan) : null
  if (reading?.kind !== "read") {
    const written = await storeSoon(() => changeOnWork(shell, work, left))
    if (written === null) return STALE
    await told?.(written)
    return null
  }
  const looked = await storeSoon(() => lookBehind(shell, { sessionId, work, reading }, left))
  if (looked === null) return STALE
  await told?.(looked.work)
  return { looked, returned: null }
}

async function recordBrought(
  shell: Shell,
  { call, sessionId, output, place, before: known }: BackInPlace,
  child: string,
): Promise<Recording> {
  const { callId } = call
  const first = await readSoon(shell, known)
  // The plan may have been edited while the child worked, so its task is followed before its call is closed.
  const follow = followTasks(first)
  const before = follow(known)
  const again = first.kind === "read" ? findAgain(first.plan, followed(before, call)) : call.task
  const task = again ?? call.task
  const closeIts = again === null ? closeGone : closeDispatch
  const made = outcomeOf({ sessionId, callId }, task, child, output, isoOf(shell.now()))
  const isAgain = call.task !== null && isRework(call.task)
  const hasWritten = shell.sessions.of(child).writes.length > 0
  const told = { ...made, isRework: isAgain, hasWritten }
  const outcome = first.kind === "read" ? { ...told, planOf: planOf(first.plan) } : told
  const settleReviews = fixed(outcome.isBlocked === true ? null : task)
  const close = (work: Work): Work => settleReviews(closeIts(outcome)(follow(work)))
  const { boulder } = place
  if (boulder === null || !isIts(workLed(place), before) || first.kind !== "read") {
    return (await storeSoon(() => changeOnWork(shell, before, close))) === null ? STALE : null
  }
  const closed = close(before)
  const recorded = recordedTask([before, closed], task, child)
  const result = { boulder, work: closed, task: recorded, reading: first, child, output }
  await noteBack(shell, sessionId, child, { task: recorded, plan: first.plan })
  await keepSeen(shell, { work: closed, plan: first.plan })
  const blocked = await blockStated(shell, result)
  const reading = blocked?.hasMarked ? await readAgain(shell, before, first) : first
  const change = (work: Work): Work => (blocked?.change ?? same)(close(work))
  const looked = await storeSoon(() =>
    lookOrKeep(shell, place, { sessionId, work: before, reading }, change),
  )
  if (looked === null) return STALE
  const isAlone = dispatchOf(before, callId)?.task_key !== null
  const { verdict } = outcome
  const rework = reworkOf(call, task, output)
  const wasBlocked = call.task?.state === "blocked"
  return {
    looked,
    returned: { task, recorded, isAlone, blocked, wasBlocked, verdict, rework },
  }
}

/** The task of a call, as recorded in its work: several tasks may have the same title. */
function followed(work: Work, { callId, task }: TaskCall): KnownTask | null {
  const own = dispatchOf(work, callId)
  const known = own === undefined ? null : taskOfDispatch(own)
  return known?.titleHash === task?.titleHash ? known : task
}

/** Describes a call for a task that was settled when the call began; null for any other. */
function reworkOf(call: TaskCall, task: Task | null, output: string): Returned["rework"] {
  const isSettledOnce = call.task !== null && (isSettled(call.task) || isRework(call.task))
  return !isSettledOnce || task?.section === "final-wave"
    ? null
    : { blocked: blockedReason(output) }
}

/** Whether the work of a session's place is the one that a call was made for. */
function isIts(placed: Work | null, { work_id: workId }: Work): boolean {
  return placed?.work_id === workId
}

const same = (work: Work): Work => work

/** The task that the result is now recorded under, if that is the one its call named; else null. */
function recordedTask(
  [before, after]: readonly [Work, Work],
  task: Task | null,
  child: string,
): Task | null {
  if (task === null) return null
  const [was, now] = [before, after].map(({ task_sessions: sessions }) => sessions[task.key])
  // A session that only looked leaves that of the task in place, with the result.
  const isIts = now?.session_id === child || (now !== undefined && now !== was)
  return isIts && now?.title_hash === task.titleHash ? task : null
}

/** The look after the tool, if rounds are counted. Otherwise only what the plan says is stored with the change. */
async function lookOrKeep(
  shell: Shell,
  place: Place,
  gathered: LookFacts,
  change: (work: Work) => Work,
): Promise<Looked | null> {
  const { work, reading, sessionId } = gathered
  if (shell.options.long_run.enabled && isIts(workAtHand(place), work))
    return lookBehind(shell, gathered, change)
  const counted = changeReading(shell, reading, sessionId)
  const decided = await decideOnWork(shell, work, (newest) => ({ work: counted(change(newest)) }))
  if (decided !== null) await journalReading(shell, { before: work, after: decided.work }, reading)
  return decided === null
    ? null
    : {
        ...decided,
        ended: null,
        hasWaveNews: false,
        settledAlone: null,
        news: UNJUDGED.news,
        renumbered: renumberedNow(shell, sessionId, work, reading.plan),
        stepped: stepsBetween(work, decided.work),
        reading: heldReading(reading, decided.work),
      }
}

async function readAgain(shell: Shell, work: Work, before: ReadPlan): Promise<ReadPlan> {
  const reading = await shell.plans.read(work.active_plan)
  return reading.kind === "read" ? reading : before
}

/**
 * How a child's last turn ended. Before 1.17 the host reports a failed or aborted child as completed; only its last message shows that. If
 * the host does not answer, the call counts as it was reported.
 */
export async function howEnded(
  shell: Shell,
  childId: string | null,
): Promise<Pick<CameBack, "failed" | "failure"> & { readonly hasError: boolean }> {
  const ask = async () => (childId === null ? null : await shell.api.lastTurn(childId))
  const turn = await unlessFailed(shell, ask, null)
  const last = turn?.lastTurn ?? null
  const hasError = last !== null && last.error !== null
  const failed = hasError || last?.ended === false
  return { failed, hasError, failure: failed ? (turn?.failure ?? null) : null }
}

function outcomeOf(
  made: CallMade,
  task: Task | null,
  childId: string,
  output: string,
  now: string,
): Outcome {
  return {
    ...made,
    childId,
    taskLabel: task?.label ?? null,
    taskTitle: task?.title ?? "",
    row: task?.section === "final-wave" ? task : null,
    // The host puts the session's id around each result. The same words from another session are not a new result.
    resultHash: hashText(output.replace(/ses_[0-9A-Za-z]{1,64}/g, "")),
    said: firstLineOf(output),
    isBlocked: task !== null && blockedReason(output) !== null,
    verdict: verdictOf(task, output),
    now,
  }
}

/** A reviewer that could not go on has passed nothing, whatever else it says. */
function verdictOf(task: Task | null, output: string): Outcome["verdict"] {
  if (task?.section !== "final-wave") return null
  const verdict = verdictIn(resultIn(output))
  return verdict === "pass" && blockedReason(output) !== null ? null : verdict
}

/** An id that only the text names must belong to this work's family. */
async function trusted(
  shell: Shell,
  work: Work,
  child: ChildOfCall | null,
): Promise<string | null> {
  if (child === null || child.from === "host") return child?.sessionId ?? null
  const chain = await unlessFailed(shell, () => lineageOf(shell, child.sessionId), null)
  return chain !== null && ranFor(work, chain) ? child.sessionId : null
}
