import type { Work } from "../boulder/boulder.ts"
import { awaitsApproval } from "../decide/decide-continuation.ts"
import { windowOf } from "../decide/window.ts"
import { isSettled, type Plan, settledCount, type Task } from "../plan/plan.ts"
import { type DelegationFacts, delegationText } from "../prompts/delegation-text.ts"
import { blockStated } from "./block-stated.ts"
import { offerSession } from "./offer-session.ts"
import type { Shell } from "./shell.ts"

/** A `task` call that came back, after it was recorded. */
interface Returned {
  /** The task that it has named; null for one that works on none. */
  readonly task: Task | null
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
  const recorded = recordedTask(work, task, child)
  const blocked =
    recorded === null
      ? null
      : await blockStated(shell, { work, plan: before, task: recorded, child, output })
  const plan = blocked === null ? before : await planNow(shell, work, before)
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
    notRecorded: whyNotRecorded(task, claimed),
    settled: settledCount(plan.counts),
    total: plan.counts.total,
    hint,
    waveReturned: awaitsApproval(plan, work),
  })
}

/** The task under which the child is recorded now, if that is the one that its call has named. */
function recordedTask(work: Work, task: Task | null, child: string): Task | null {
  const session = task === null ? undefined : work.task_sessions[task.key]
  const isIts = session?.session_id === child && session.title_hash === task?.titleHash
  return isIts ? task : null
}

function whyNotRecorded(task: Task | null, claimed: boolean): DelegationFacts["notRecorded"] {
  if (task === null) return "no task was named"
  return claimed ? "the call resumed another session" : "another call has its task"
}

async function planNow(shell: Shell, work: Work, before: Plan): Promise<Plan> {
  const reading = await shell.plans.read(work.active_plan)
  return reading.kind === "read" ? reading.plan : before
}
