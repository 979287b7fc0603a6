import type { Work } from "../boulder/boulder.ts"
import { MAX_REASON_CHARS, MAX_SUMMARY_CHARS } from "../boulder/handoff.ts"
import { blockedReason, resultIn } from "../decide/blocked-line.ts"
import { isSettled, type Plan, type Task } from "../plan/plan.ts"
import { openDesk } from "./open-desk.ts"
import type { Shell } from "./shell.ts"

/** A subagent's result that was recorded for its task. */
interface Result {
  readonly work: Work
  readonly plan: Plan
  readonly task: Task
  readonly child: string
  readonly output: string
}

/** A block that a subagent's result has stated. */
export interface StatedBlock {
  readonly reason: string
  /** The plan says so too: it does not where its marks are the agent's to set, or could not be written. */
  readonly isMarked: boolean
}

/**
 * Blocks a task whose subagent says in its result that it could not go on: the handoff is saved in the subagent's
 * name, and the plan gets its note. Null where the result says nothing of the kind, or the task
 * is settled by now. A task that is blocked already, by the subagent's own save, keeps its record.
 */
export async function blockStated(shell: Shell, result: Result): Promise<StatedBlock | null> {
  const { work, plan, task, child, output } = result
  const reason = blockedReason(output)?.slice(0, MAX_REASON_CHARS) ?? null
  const now = plan.tasks.find(
    ({ key, titleHash }) => key === task.key && titleHash === task.titleHash,
  )
  if (reason === null || now === undefined || isSettled(now)) return null
  if (now.state === "blocked") return { reason, isMarked: true }
  const agent = work.task_sessions[task.key]?.agent ?? null
  const place = { workId: work.work_id, role: "child", taskKey: task.key } as const
  const summary = resultIn(output).trim().slice(-MAX_SUMMARY_CHARS)
  const saved = await openDesk(shell).save(
    { sessionId: child, agent, place, family: [work.lead_session_id] },
    { summary, status: "blocked", reason, task: task.key },
  )
  return saved.kind === "saved" ? { reason, isMarked: saved.mark.kind === "marked" } : null
}
