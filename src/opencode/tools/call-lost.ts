// Finds what a failed `task` call leaves: a failure of its session, or a wait for the provider's limit.
import type { TaskSession, Work } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { failDispatch, interruptDispatch } from "../../boulder/record-dispatch.ts"
import { isSpent, type LimitSpan, lasts, limitSpan } from "../../boulder/usage-limit.ts"
import type { TaskCall } from "../../decide/memory/host-event.ts"
import type { FailedTurn } from "../../decide/situation.ts"
import type { Task } from "../../plan/model/plan.ts"
import { taskLimitNotice } from "../../prompts/notice-text.ts"
import { taskFacts } from "../../store/records/task-facts.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { keyInWork } from "../work/place-of.ts"

/** A call that has failed, in which session, and why; null if that is unknown. */
interface FailedCall {
  readonly call: TaskCall
  readonly sessionId: string
  readonly childId: string | null
  readonly failure: FailedTurn | null
}

/**
 * What a failed call changes in its work. If a limit of the provider ended it, its session is kept and resumed after the limit. The
 * orchestrator is told with its next result, since the other calls can go on; the person is told at once.
 */
export function callLost(
  shell: Pick<Shell, "sessions" | "journal" | "now" | "api" | "store" | "plans" | "log" | "typed">,
  { call, sessionId, childId, failure }: FailedCall,
) {
  const { callId, task, workId } = call
  const made = { sessionId, callId }
  if (failure?.kind !== "limited" || childId === null || task === null)
    return {
      change: failDispatch(made, childId),
      async told() {
        if (failure === null || task === null) return
        await shell.journal.append({
          at: isoOf(shell.now()),
          session: sessionId,
          work: workId,
          decision: "lose",
          reason: "subagent-failed",
          facts: { ...taskFacts(task), child: childId, provider_says: failure.words },
        })
      },
    }
  const limit = limitSpan(failure.at, failure.until)
  const { label: taskLabel, title: taskTitle } = task
  return {
    change: interruptDispatch({ ...made, childId, taskLabel, taskTitle, limit }),
    async told(work: Work | null) {
      const { attempts = 0 } = interruptionBy(limit, task, work) ?? {}
      const isOut = isSpent({ attempts })
      const until = isOut ? null : limit.until
      const lost = { kind: "limited", task, until } as const
      shell.sessions.note({ kind: "call-lost", sessionId, lost })
      await shell.journal.append({
        at: isoOf(shell.now()),
        session: sessionId,
        work: workId,
        decision: "notice",
        reason: isOut ? "subagent-limit-spent" : "subagent-limited",
        facts: { ...taskFacts(task), child: childId, limited_until: limit.until, attempts },
      })
      if (!isOut && !lasts(limit, shell.now())) return
      const key = await unlessFailed(shell, () => keyInWork(shell, workId, task), task.key)
      await shell.api.toast(taskLimitNotice(key ?? task.key, until, shell.typed), "warning")
    },
  }
}

/** What this limit has left of a task, whose key may have changed since. */
function interruptionBy(
  { since }: LimitSpan,
  { titleHash }: Task,
  work: Work | null,
): TaskSession["interrupted"] {
  const all = Object.values(work?.task_sessions ?? {}).filter((one) => one.title_hash === titleHash)
  return all.map(({ interrupted }) => interrupted).find((one) => one?.since === since)
}
