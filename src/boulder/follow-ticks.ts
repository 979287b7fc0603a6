// Notes which tasks with a recorded session are ticked, and whose tick was taken back.
import { byKey } from "../plan/model/once-a-reading.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"
import type { TaskSession, Work } from "./boulder.ts"
import { withoutHold } from "./held-plan.ts"
import { withSetback } from "./setbacks.ts"

/**
 * Notes for each recorded session whether its task is ticked. A tick that was taken back, so that there is work again, counts as a failed
 * verification. Following the same plan twice changes nothing.
 */
export function followTicks({ tasks }: Pick<Plan, "tasks">): (work: Work) => Work {
  return (work) => {
    const kept = Object.entries(work.task_sessions)
    if (kept.length === 0) return work
    const known = byKey(tasks)
    const followed = kept.map(
      ([key, session]) => [key, sessionFollowed(session, known.get(key))] as const,
    )
    return followed.every(([key, session]) => session === work.task_sessions[key])
      ? work
      : { ...work, task_sessions: Object.fromEntries(followed) }
  }
}

function sessionFollowed(session: TaskSession, task: Task | undefined): TaskSession {
  if (task === undefined || task.titleHash !== session.title_hash) return session
  const written = withoutHold(task)
  const isTicked = written.state === "done"
  if (isTicked === (session.ticked ?? false)) return session
  const { ticked: _, rework: __, ...left } = session
  if (isTicked) return { ...left, ticked: true }
  const isOpenAgain = !isSettled(written) && written.state !== "blocked"
  return isOpenAgain ? withSetback(left, { kind: "untick" }) : left
}
