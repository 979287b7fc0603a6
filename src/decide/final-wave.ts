// Reads the wave's state from the plan's rows and the recorded outcomes.
import type { Work } from "../boulder/boulder.ts"
import { hashText } from "../plan/model/hash-text.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"

/** How far the final wave is. */
export interface WaveStatus {
  /** Every required row was delegated and came back without a rejection. */
  readonly ready: boolean
  /** Names this wave with its verdicts: an approval holds for it and no other. */
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
  return {
    ready:
      rows.length > 0 && rows.every((task) => !task.rejected && verdictOf(task, work) === "pass"),
    fingerprint: hashText(rows.map((task) => rowText(task, work)).join("\n")),
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
  return work.awaiting_approval !== null || unsettledTasks(plan, work).length > 0
}

/** The user has approved this very wave: its open rows are to be ticked, not run again. */
export function isWaveApproved(plan: Plan, work: Work): boolean {
  const wave = waveStatus(plan, work)
  return wave.ready && work.approved_wave === wave.fingerprint
}

function verdictOf(task: Task, work: Work): "pass" | "reject" | null {
  const row = work.final_wave[task.key]
  return row !== undefined && row.title_hash === task.titleHash ? row.verdict : null
}

function rowText(task: Task, work: Work): string {
  const at = work.final_wave[task.key]?.at ?? "-"
  return `${task.key} ${task.titleHash} ${task.rejected} ${verdictOf(task, work)} ${at}`
}
