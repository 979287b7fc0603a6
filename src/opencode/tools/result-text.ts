// What stands under the result of a delegation.
import type { Work } from "../../boulder/boulder.ts"
import { awaitsApproval } from "../../decide/decide-continuation.ts"
import { windowOf } from "../../decide/window.ts"
import { isSettled, settledCount, type Task } from "../../plan/model/plan.ts"
import { type DelegationFacts, delegationText } from "../../prompts/delegation-text.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import type { StatedBlock } from "../handoffs/block-stated.ts"
import type { Shell } from "../host/shell.ts"
import { offerSession } from "../work/offer-session.ts"

/** A `task` call that came back, after it was recorded. */
export interface Returned {
  /** The task that it has named; null for one that works on none. */
  readonly task: Task | null
  /** The same, where its session is kept under it. */
  readonly recorded: Task | null
  /** It had its task to itself, and no other call in flight had it. */
  readonly isAlone: boolean
  readonly blocked: StatedBlock | null
  readonly reading: ReadPlan
  readonly work: Work
}

/** What the orchestrator reads under the result: what was recorded, and the session to reuse next. */
export async function resultText(
  shell: Shell,
  { task, recorded, isAlone, blocked, reading: { plan }, work }: Returned,
): Promise<string> {
  const current = plan.tasks.find(
    (one) => one.key === task?.key && one.titleHash === task.titleHash,
  )
  const isToDo = current !== undefined && !isSettled(current) && blocked === null
  const hinted = isToDo ? current : windowOf(plan, work, 1)[0]
  const hint =
    hinted === undefined || shell.options.reuse === "off"
      ? null
      : { taskKey: hinted.key, reuse: await offerSession(shell, work, hinted, null) }
  return delegationText({
    taskKey: recorded?.key ?? null,
    blocked: blocked === null ? null : { ...blocked, waits: !shell.options.long_run.blocker_skip },
    notRecorded: whyNotRecorded(task, isAlone),
    settled: settledCount(plan.counts),
    total: plan.counts.total,
    hint,
    waveReturned: awaitsApproval(plan, work),
  })
}

function whyNotRecorded(task: Task | null, isAlone: boolean): DelegationFacts["notRecorded"] {
  if (task === null) return "no task was named"
  return isAlone ? "the call resumed another session" : "another call has its task"
}
