import type { Work } from "../boulder/boulder.ts"
import { awaitsApproval } from "../decide/decide-continuation.ts"
import { windowOf } from "../decide/window.ts"
import { isSettled, type Plan, settledCount, type Task } from "../plan/plan.ts"
import { delegationText } from "../prompts/delegation-text.ts"
import { blockStated } from "./block-stated.ts"
import { offerSession } from "./offer-session.ts"
import type { Shell } from "./shell.ts"

/** A `task` call that came back, after it was recorded. */
interface Returned {
  /** The task that was captured when it started. */
  readonly task: Task
  readonly child: string
  /** It had its task to itself, and no other call in flight had claimed it. */
  readonly claimed: boolean
  readonly plan: Plan
  readonly work: Work
}

/** What the orchestrator reads under the result: what was recorded, and the session to reuse next. */
export async function resultText(
  shell: Shell,
  { task, child, claimed, plan: before, work }: Returned,
  output: string,
): Promise<string> {
  const session = work.task_sessions[task.key]
  const recorded = session?.session_id === child && session.title_hash === task.titleHash
  const blocked = recorded
    ? await blockStated(shell, { work, plan: before, task, child, output })
    : null
  const plan = blocked === null ? before : await planNow(shell, work, before)
  const current = plan.tasks.find((one) => one.key === task.key && one.titleHash === task.titleHash)
  const isToDo = current !== undefined && !isSettled(current) && blocked === null
  const hinted = isToDo ? current : windowOf(plan, work, 1)[0]
  const hint =
    hinted === undefined || shell.options.reuse === "off"
      ? null
      : { taskKey: hinted.key, reuse: await offerSession(shell, work, hinted, null) }
  return delegationText({
    taskKey: recorded ? task.key : null,
    blocked: blocked === null ? null : { ...blocked, waits: !shell.options.long_run.blocker_skip },
    notRecorded: claimed ? "the call resumed another session" : "another call has its task",
    settled: settledCount(plan.counts),
    total: plan.counts.total,
    hint,
    waveReturned: awaitsApproval(plan, work),
  })
}

async function planNow(shell: Shell, work: Work, before: Plan): Promise<Plan> {
  const reading = await shell.plans.read(work.active_plan)
  return reading.kind === "read" ? reading.plan : before
}
