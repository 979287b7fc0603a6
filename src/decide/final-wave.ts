// Reads the state of the final wave from the plan's rows and the recorded outcomes.
import type { Work } from "../boulder/boulder.ts"
import { begunKeys } from "../boulder/find-dispatch.ts"
import { isRework } from "../boulder/held-plan.ts"
import { approveWave } from "../boulder/reopen-work.ts"
import {
  isOutdated,
  isPassed,
  isRejected,
  isRejectedInPlan,
  letsOthersGoOn,
  verdictOf,
} from "../boulder/row-verdicts.ts"
import { hashText } from "../plan/model/hash-text.ts"
import { unsettledOf } from "../plan/model/once-a-reading.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"
import { isWaveDue, planOf, rowsOf } from "./wave-rows.ts"

/** How a lead asks for approval of the final wave: the header of its question. */
export const WAVE_HEADER = "Final wave"

/** Whether a choice of that question approves; opencode tells models to put "(Recommended)" behind the one that they recommend. */
export function isApprove(choice: unknown): boolean {
  return typeof choice === "string" && /^approve(?: \(recommended\))?$/i.test(choice.trim())
}

/** Reads the state of the final wave from the plan's rows and the recorded outcomes; a plan without a wave is never ready. */
export function waveStatus(plan: Plan, work: Work) {
  const rows = rowsOf(plan)
  const said = rows.map((task) => verdictText(task, work))
  const isReviewed = rows.some((task) => isPassed(work, task))
  return {
    /**
     * Every required row is back without an objection, or ticked without a review, at least one is reviewed, none is older than the last
     * work, and no other required task is left. Whoever asks for approval, or takes it, goes by this.
     */
    ready: isReviewed && rows.every(letsOthersGoOn(work)) && isWaveDue(plan),
    /** No required row has an open box. */
    allTicked: rows.every(isSettled),
    /** Identifies this wave, its verdicts and the tasks it covers: the plan comes first. An approval holds for exactly these. */
    fingerprint: `${planOf(plan)}-${hashText(said.join("\n"))}`,
    /** Rows rejected in the plan's text or in a result, ticked or not. */
    rejected: rows.filter((task) => isRejected(work, task)),
    /** Rows that came back before the last work was done: they must run again, ticked or not. */
    outdated: rows.filter((task) => isOutdated(work, task)),
  }
}

/**
 * The tasks still to do: what the plan leaves open, and rows of the wave that were ticked although they were rejected or are outdated,
 * unless the user has approved this very wave.
 */
export function unsettledTasks(plan: Plan, work: Work): readonly Task[] {
  const again = tickedAgainst(plan, work)
  return again.length === 0
    ? unsettledOf(plan.tasks)
    : plan.tasks.filter((task) => !isSettled(task) || again.includes(task))
}

/** Tells whether a task of this plan is one of them. */
export function unsettledIn(plan: Plan, work: Work): (task: Task) => boolean {
  const again = tickedAgainst(plan, work)
  return (task) => !isSettled(task) || again.includes(task)
}

function tickedAgainst(plan: Plan, work: Work): readonly Task[] {
  const { fingerprint, rejected, outdated } = waveStatus(plan, work)
  const again = work.approved_wave === fingerprint ? [] : [...rejected, ...outdated]
  return again.filter(isSettled)
}

/**
 * Whether something is left even if all boxes are ticked: the wave waits for approval, one of its rows must run again, or the work has not
 * ended yet, since it was stopped before that.
 */
export function isUnfinished(plan: Plan, work: Work): boolean {
  if (work.status === "completed") return false
  return (
    plan.state === "complete" || awaitsApproval(plan, work) || unsettledTasks(plan, work).length > 0
  )
}

/** The user has approved this very wave, so its open rows are to be ticked, not run again. */
export function isWaveApproved(plan: Plan, work: Work): boolean {
  const wave = waveStatus(plan, work)
  return wave.ready && work.approved_wave === wave.fingerprint
}

/** The user approved this wave once, but work has been done since, or the wave has changed. */
export function isApprovalLapsed(plan: Plan, work: Work): boolean {
  const { approval_lapsed: lapsed = false, approved_wave: approved } = work
  return lapsed || (approved !== null && approved !== waveStatus(plan, work).fingerprint)
}

/** Keys of the rows of a ready wave that were ticked without a review. Whoever approves it must know. */
export function unreviewedRows(plan: Plan, work: Work): readonly string[] {
  return rowsOf(plan).flatMap((task) => (isPassed(work, task) ? [] : task.key))
}

/** The plan has changed since its reviews came back. The user must know, whether or not they had approved by then. */
export function isOfAnotherPlan(plan: Plan, work: Work): boolean {
  const now = planOf(plan)
  return rowsOf(plan).some(({ key }) => (work.final_wave[key]?.of ?? now) !== now)
}

/** The wave is back, and the user has neither approved it nor had its rows ticked in a turn of their own. */
export function awaitsApproval(plan: Plan, work: Work): boolean {
  return waveStatus(plan, work).ready && !isAccepted(plan, work)
}

/**
 * What to tell the lead about the wave, once: to ask for the user's approval, unless the user has spoken since it began to wait, or to run
 * some rows again. Null if there is nothing to tell.
 */
export function waveNews(plan: Plan, work: Work): string | null {
  const { fingerprint } = waveStatus(plan, work)
  if (rowsToRunAgain(plan, work).length > 0) return fingerprint
  return awaitsApproval(plan, work) && work.spoken_wave !== fingerprint ? fingerprint : null
}

/** Keys of the rows of a due wave that are outdated; none while they or any other work is running. */
export function rowsToRunAgain(plan: Plan, work: Work): readonly string[] {
  const running = begunKeys(work)
  if (!isWaveDue(plan) || running.some((key) => !isRowKey(key))) return []
  return waveStatus(plan, work)
    .outdated.map(({ key }) => key)
    .filter((key) => !running.includes(key))
}

/**
 * Applies an approval by the user: it is for the wave as it is now, whether or not it is already waiting. Does nothing if none is ready.
 */
export function approveNow(plan: Plan): (work: Work) => Work {
  return (work) =>
    awaitsApproval(plan, work) ? approveWave(waveStatus(plan, work).fingerprint)(work) : work
}

/** The same for a start. The start of a paused work answers the pause; it approves the wave only if the user had been asked before. */
export function approveByStart(plan: Plan): (work: Work) => Work {
  return (work) => {
    const isAsked = work.awaiting_approval?.fingerprint === waveStatus(plan, work).fingerprint
    return isAsked || work.status !== "paused" ? approveNow(plan)(work) : work
  }
}

/** A message by the user ends the wait for the turn that it begins, and approves nothing. `plan` is null if it cannot be read. */
export function userSpoke(plan: Plan | null): (work: Work) => Work {
  return (work) => {
    const wave = plan === null ? null : waveStatus(plan, work)
    const spoken = wave?.ready && !wave.allTicked ? wave.fingerprint : null
    return work.awaiting_approval === null && work.spoken_wave === spoken
      ? work
      : { ...work, awaiting_approval: null, spoken_wave: spoken }
  }
}

/**
 * Called when a delegation begins (`call` is the key of its dispatch), whoever started it. If it works on a task, passed reviews become
 * outdated, and so will the result of any review that runs beside it. A call that names no task counts while the wave waits for its user.
 * After an approval only new work counts, not the chores at its end. A rejection stands until a fix is back.
 */
export function workedOn(plan: Plan, task: Task | null, call: string): (work: Work) => Work {
  return (work) => {
    if (task?.section === "final-wave") return besideOthers(work, call)
    const isAnew = task !== null && !task.optional && !isSettled(task) && !isRework(task)
    const counts = isAccepted(plan, work) ? isAnew : task !== null || awaitsApproval(plan, work)
    return counts ? outdateWave(work) : work
  }
}

/** A task's result is back and is not a block, so whatever was rejected before it must be reviewed again. */
export function fixed(task: Task | null): (work: Work) => Work {
  return (work) => {
    const isFix = task !== null && task.section !== "final-wave"
    const rows = Object.entries(work.final_wave)
    if (!isFix || rows.every(([, row]) => row.outdated || row.verdict !== "reject")) return work
    const looked = rows.map(([key, row]) =>
      row.verdict === "reject" ? [key, { ...row, outdated: true }] : [key, row],
    )
    return { ...work, final_wave: Object.fromEntries(looked) }
  }
}

/** Rejected rows that are not fixed yet: their fix comes first. A rejection that a later review no longer supports needs none. */
export function rowsToFix(plan: Plan, work: Work): readonly Task[] {
  const { rejected, outdated } = waveStatus(plan, work)
  return rejected.filter((task) => !outdated.includes(task) && !isRejectedInPlan(work, task))
}

/** Tells which rows of the wave are back without an objection and wait, for the other rows or for the user's approval. */
export function reviewedIn(plan: Plan, work: Work): (task: Task) => boolean {
  const isApproved = isWaveApproved(plan, work)
  return (task) => !isApproved && isPassed(work, task)
}

/** The user has approved this very wave, or had its rows ticked in a turn of their own while it waited. */
function isAccepted(plan: Plan, work: Work): boolean {
  const { fingerprint, allTicked } = waveStatus(plan, work)
  const { approved_wave: approved, spoken_wave: spoken } = work
  return approved === fingerprint || (spoken === fingerprint && allTicked)
}

/** Marks every passed or running review as outdated, and withdraws the approval. */
function outdateWave(work: Work): Work {
  const rows = Object.entries(work.final_wave)
  const calls = Object.entries(work.dispatches)
  const isOld = ([, { outdated }]: readonly [string, { outdated?: boolean | undefined }]) =>
    outdated === true
  const passed = rows.filter(([, { verdict }]) => verdict === "pass")
  const running = calls.filter(([, { task_key: key }]) => isRowKey(key))
  if (passed.every(isOld) && running.every(isOld) && work.approved_wave === null) return work
  return {
    ...work,
    final_wave: {
      ...work.final_wave,
      ...Object.fromEntries(passed.map(([key, row]) => [key, { ...row, outdated: true }])),
    },
    dispatches: {
      ...work.dispatches,
      ...Object.fromEntries(running.map(([call, one]) => [call, { ...one, outdated: true }])),
    },
    awaiting_approval: null,
    approved_wave: null,
    ...(work.approved_wave === null ? {} : { approval_lapsed: true }),
    spoken_wave: null,
  }
}

/** A review that begins while a task is worked on sees unfinished work. */
function besideOthers(work: Work, call: string): Work {
  const own = Object.hasOwn(work.dispatches, call) ? work.dispatches[call] : undefined
  const isBeside = Object.values(work.dispatches).some(
    ({ task_key: key }) => key !== null && !isRowKey(key),
  )
  return own === undefined || !isBeside
    ? work
    : { ...work, dispatches: { ...work.dispatches, [call]: { ...own, outdated: true } } }
}

function isRowKey(key: string | null): boolean {
  return key?.startsWith("final-wave:") === true
}

function verdictText(task: Task, work: Work): string {
  const at = work.final_wave[task.key]?.at ?? "-"
  const old = isOutdated(work, task) ? " outdated" : ""
  return `${task.key} ${task.rejected} ${verdictOf(work, task)} ${at}${old}`
}
