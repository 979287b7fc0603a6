// Reads the wave's state from the plan's rows and the recorded outcomes.
import type { Work } from "../boulder/boulder.ts"
import { approveWave, forgetWave } from "../boulder/reopen-work.ts"
import { hashText } from "../plan/model/hash-text.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"

/** How a lead asks for the approval of a final wave: the question's header, and what its user chooses to approve. */
export const WAVE_HEADER = "Final wave"
export const APPROVE = "Approve"

/** How far the final wave is. */
export interface WaveStatus {
  /** Every required row was delegated and came back with a verdict, none a rejection, and no other required task is left. */
  readonly ready: boolean
  /** No box of a required row is open. */
  readonly allTicked: boolean
  /** Names this wave with its verdicts and the tasks that it is of: an approval holds for these and no others. */
  readonly fingerprint: string
  /** Rows whose verdict is a rejection, in the plan's text or in a result, ticked or not. */
  readonly rejected: readonly Task[]
}

/** Reads the wave's state from the plan's rows and the recorded outcomes; a plan without a wave is never ready. */
export function waveStatus(plan: Plan, work: Work): WaveStatus {
  const rows = plan.tasks.filter(
    (task) => task.section === "final-wave" && !task.optional && task.state !== "cancelled",
  )
  const rejected = rows.filter((task) => task.rejected || verdictOf(task, work) === "reject")
  const isLeft = (task: Task) => task.section !== "final-wave" && !task.optional && !isSettled(task)
  // Whoever approves a wave approves what it has looked at: tasks that are added behind it are none of that.
  const titles =
    rows.length === 0
      ? []
      : plan.tasks
          .filter((task) => task.section !== "final-wave" && !task.optional)
          .map(({ titleHash }) => titleHash)
          .sort()
  const planned = [...rows.map(({ key, titleHash }) => `${key} ${titleHash}`), ...titles]
  const said = rows.map((task) => verdictText(task, work))
  const isBack = (task: Task) => !task.rejected && verdictOf(task, work) === "pass"
  return {
    ready: rows.length > 0 && rows.every(isBack) && !plan.tasks.some(isLeft),
    allTicked: rows.every(isSettled),
    fingerprint: `${hashText(planned.join("\n"))}${OF_PLAN_ENDS}${hashText(said.join("\n"))}`,
    rejected,
  }
}

/**
 * The tasks still to be done: what the plan leaves open, and the rows of the wave that were ticked
 * though their verdict was a rejection, unless the user has approved this very wave.
 */
export function unsettledTasks(plan: Plan, work: Work): readonly Task[] {
  const wave = waveStatus(plan, work)
  const rejected = new Set(work.approved_wave === wave.fingerprint ? [] : wave.rejected)
  return plan.tasks.filter((task) => !isSettled(task) || rejected.has(task))
}

/** Its boxes may all be ticked: the wave still waits for its approval, or one of its rows was rejected. */
export function isUnfinished(plan: Plan, work: Work): boolean {
  if (work.status === "completed") return false
  return awaitsApproval(plan, work) || unsettledTasks(plan, work).length > 0
}

/** The user has approved this very wave: its open rows are to be ticked, not run again. */
export function isWaveApproved(plan: Plan, work: Work): boolean {
  const wave = waveStatus(plan, work)
  return wave.ready && work.approved_wave === wave.fingerprint
}

/** The user has approved the wave of a plan that was another then: a review that was made again changes no plan. */
export function isApprovedBefore(plan: Plan, work: Work): boolean {
  const { approved_wave: approved } = work
  return approved !== null && ofPlan(approved) !== ofPlan(waveStatus(plan, work).fingerprint)
}

/** The wave is back and the user has neither approved it nor had its rows ticked in a turn of their own. */
export function awaitsApproval(plan: Plan, work: Work): boolean {
  const wave = waveStatus(plan, work)
  const { approved_wave: approved, spoken_wave: spoken } = work
  const isAnswered = spoken === wave.fingerprint && wave.allTicked
  return wave.ready && approved !== wave.fingerprint && !isAnswered
}

/**
 * The wave that the lead is to ask its user to approve, by its fingerprint; null where none waits, and where the user has
 * spoken while it did.
 */
export function waveToAsk(plan: Plan, work: Work): string | null {
  const { fingerprint } = waveStatus(plan, work)
  return awaitsApproval(plan, work) && work.spoken_wave !== fingerprint ? fingerprint : null
}

/** What an act of the user approves: the wave as it is now, waiting already or not. Where none is ready, nothing. */
export function approveNow(plan: Plan): (work: Work) => Work {
  return (work) =>
    awaitsApproval(plan, work) ? approveWave(waveStatus(plan, work).fingerprint)(work) : work
}

/**
 * A message of the user's own: it ends the wait for the turn that it begins and approves nothing. `plan` is null where
 * it cannot be read.
 */
export function userSpoke(plan: Plan | null): (work: Work) => Work {
  return (work) => {
    const wave = plan === null ? null : waveStatus(plan, work)
    const spoken = wave?.ready && !wave.allTicked ? wave.fingerprint : null
    return work.awaiting_approval === null && work.spoken_wave === spoken
      ? work
      : { ...work, awaiting_approval: null, spoken_wave: spoken }
  }
}

/** Something new is delegated in a turn of the user's own: what the reviewers of a wave that is back have seen is old. */
export function workedOn(plan: Plan, task: Task | null): (work: Work) => Work {
  return (work) =>
    task?.section !== "final-wave" && awaitsApproval(plan, work) ? forgetWave(work) : work
}

/** A row of the wave that is back without an objection, and waits: for the others, or for the user's approval of all. */
export function isReviewed(plan: Plan, work: Work, task: Task): boolean {
  const isPassed = !task.rejected && verdictOf(task, work) === "pass"
  return isPassed && !isWaveApproved(plan, work)
}

function verdictOf(task: Task, work: Work): "pass" | "reject" | null {
  const row = work.final_wave[task.key]
  return row !== undefined && row.title_hash === task.titleHash ? row.verdict : null
}

function verdictText(task: Task, work: Work): string {
  const at = work.final_wave[task.key]?.at ?? "-"
  return `${task.key} ${task.rejected} ${verdictOf(task, work)} ${at}`
}

/** In a wave's fingerprint what it is of comes first, then its verdicts. */
const OF_PLAN_ENDS = "-"

function ofPlan(fingerprint: string): string | undefined {
  return fingerprint.split(OF_PLAN_ENDS)[0]
}
