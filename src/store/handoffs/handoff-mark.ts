// Makes the plan's mark agree with a save, and tells which records end with it.

import type { Boulder, Work } from "../../boulder/boulder.ts"
import { changeWork } from "../../boulder/change-work.ts"
import { isSessionOf } from "../../boulder/find-work.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import type { Handoff } from "../../boulder/handoff.ts"
import type { MarkOutcome } from "../../boulder/handoff-outcome.ts"
import { taskIn } from "../../boulder/handoff-target.ts"
import { isRework, letReworkBe, withoutHold } from "../../boulder/held-plan.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { mayMark, type Saver } from "../../boulder/may-mark.ts"
import { isSettled, type Plan, type Task } from "../../plan/model/plan.ts"
import type { PlanFiles, ReadPlan } from "../plans/plan-files.ts"
import { readPlanOf } from "../plans/read-plan-of.ts"
import type { BoulderStore } from "../revisions/boulder-store.ts"
import type { HandoffStore } from "./handoff-store.ts"

/** What marking needs. */
export interface MarkNeeds {
  readonly store: BoulderStore
  readonly plans: PlanFiles
  /** ms since 1970 */
  readonly now: () => number
  /** False: the model marks the plan itself. */
  readonly marksPlans: boolean
  /** Whether the user has approved the final wave as it is now. */
  readonly isWaveApproved: (plan: Plan, work: Work) => boolean
}

/** Makes the plan's mark, and what the work remembers of its blocks, agree with a save. */
export async function markHandoff(
  needs: MarkNeeds,
  saver: Saver,
  handoff: Handoff,
  boulder: Boulder | null,
): Promise<MarkOutcome> {
  const found = await taskOf(needs, handoff, boulder)
  if (found === null) return markOfNoTask(saver, handoff)
  const { work, task, reading } = found
  const { place } = saver
  const isFamily = place?.workId === work.work_id
  const isLead = isFamily && place?.role === "lead"
  const state = stateFor(handoff, { task, isFamily, isLead })
  if (state === null) return withoutMark(handoff, task)
  const left = { kind: "left", key: task.key, message: "" } as const
  if (!mayMark(saver, handoff, { plan: reading.plan, task })) return { ...left, why: "not-yours" }
  const isUsers = task.section === "final-wave" && !needs.isWaveApproved(reading.plan, work)
  if (isUsers && state === "done") return { ...left, why: "final-wave" }
  const note = state === "blocked" ? noteOf(handoff) : null
  const mark = { key: task.key, titleHash: task.titleHash, state, note }
  // The plan is the truth, so its mark comes first, and what `boulder.json` remembers follows.
  const done = needs.marksPlans ? await needs.plans.mark(work.active_plan, mark) : null
  // Other blocks are followed first: one of them may still have the key that this task has now.
  const follow = followTasks(reading)
  const settle = state === "done" ? letReworkBe(task) : (newest: Work) => newest
  const block = (newest: Work): Work => settle(blockedBy(task, handoff)(follow(newest)))
  await needs.store.update(changeWork(work.work_id, isoOf(needs.now()), block))
  if (done === null) return { ...left, why: "by-option" }
  return done.kind === "refused"
    ? { ...left, why: "refused", message: done.message }
    : { kind: "marked", key: task.key, state }
}

/** A session of a work that settles or blocks no task may have meant one; but not a subagent that was given none, which may mark none. */
function markOfNoTask({ place }: Saver, { status, task_key: key }: Handoff): MarkOutcome {
  const mayMarkOne = place !== null && (place.role === "lead" || place.task !== null)
  const mayMeanOne = mayMarkOne && status !== "in_progress" && key === null
  return { kind: mayMeanOne ? "no-task" : "none" }
}

/** The mark that a record asks for. Somebody who works on it from outside leaves it blocked, so that nobody else begins it. */
function stateFor(
  { status }: Handoff,
  {
    task,
    isFamily,
    isLead,
  }: { readonly task: Task; readonly isFamily: boolean; readonly isLead: boolean },
): "done" | "blocked" | "in_progress" | null {
  const { state } = withoutHold(task)
  // A held task is ticked already, and a person has cancelled what is; one whose rework was not done must be done again.
  if (status === "complete") return isSettled(task) || task.held !== undefined ? null : "done"
  // Only the lead may take back a tick that counts.
  if (status === "blocked")
    return task.state === "cancelled" || (isRework(task) && !isLead) ? null : "blocked"
  return state === "blocked" && isFamily ? "in_progress" : null
}

/** What is said where nothing is to be marked: a held task is ticked already, and only its check is missing. */
function withoutMark({ status }: Handoff, { key, held }: Task): MarkOutcome {
  return status === "complete" && held !== undefined
    ? { kind: "left", key, why: "held", message: held }
    : { kind: "none" }
}

function blockedBy(task: Task, handoff: Handoff): (work: Work) => Work {
  return (work) => {
    const { [task.key]: before, ...others } = work.blocked
    const after = handoff.status === "blocked" ? handoff.id : undefined
    if (before === after) return work
    return { ...work, blocked: after === undefined ? others : { ...others, [task.key]: after } }
  }
}

const NOTE_CHARS = 200

function noteOf({ id, blocked_reason: reason }: Handoff): string {
  return `${(reason ?? "").replace(/\s+/g, " ").slice(0, NOTE_CHARS)} (${id})`
}

/** The task of a record as its work has it now; null if it is gone. */
export async function taskOf(
  { plans }: Pick<MarkNeeds, "plans">,
  handoff: Handoff,
  boulder: Boulder | null,
): Promise<{ work: Work; task: Task; reading: ReadPlan } | null> {
  const known = workOf(boulder, handoff.work_id)
  if (known === null || handoff.task_key === null) return null
  const { work, reading } = await readPlanOf(plans, known)
  if (reading.kind !== "read") return null
  const task = taskIn(reading.plan, handoff)
  return task === null ? null : { work, task, reading }
}

/** A work by its id, as the record's own; null if there is none. */
export function workOf(boulder: Boulder | null, workId: string | null): Work | null {
  if (boulder === null || workId === null || !Object.hasOwn(boulder.works, workId)) return null
  return boulder.works[workId] ?? null
}

/**
 * Whether a record ends with its task, which is settled in the plan, or with its work, which is finished and whose plan has no such task.
 * If machines share the records, another machine's plan may have the task: then it ends only with the work of the session that holds it or
 * saved it last.
 */
export function endsWith(
  work: Work,
  {
    handoff,
    task,
    handoffs,
  }: {
    readonly handoff: Handoff
    readonly task: Task | null
    readonly handoffs: Pick<HandoffStore, "alone">
  },
): boolean {
  if (task !== null) return isSettled(task)
  const { claim, session_id } = handoff
  return handoffs.alone !== null || isSessionOf(work, claim?.session_id ?? session_id)
}
