// Writes down each task that is newly blocked.
import { blockedTasks } from "../../boulder/blocked-tasks.ts"
import type { Work } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"

/** An edit that blocks half a plan is not told task by task. */
const MAX_TOLD = 8
/** Nor is one in a plan with more blocked tasks than a session remembers. */
const MAX_KNOWN = 256

/**
 * Writes down each task that is newly blocked, whoever blocked it and how: reason, attempts, session, record.
 * `work` is as it was before this reading of its plan.
 */
export async function noteBlocks(
  shell: Pick<Shell, "journal" | "handoffs" | "sessions" | "now" | "log">,
  work: Work,
  { plan }: ReadPlan,
  sessionId: string,
): Promise<void> {
  const keys = plan.tasks.filter(({ state }) => state === "blocked").map(({ key }) => key)
  const before = new Set(
    shell.sessions.of(sessionId).blocked ?? (work.blocked_count === 0 ? [] : keys),
  )
  shell.sessions.note({ kind: "blocks-seen", sessionId, keys })
  if (keys.length > MAX_KNOWN || keys.every((key) => before.has(key))) return
  const ask = async () => (await shell.handoffs.open()).handoffs
  const handoffs = await unlessFailed(shell, ask, [])
  const isFresh = new Set(keys.filter((key) => !before.has(key)))
  const fresh = blockedTasks({ plan, work, handoffs }).filter(({ key }) => isFresh.has(key))
  for (const { key, reason, unblock, handoff } of fresh.slice(0, MAX_TOLD)) {
    const session = Object.hasOwn(work.task_sessions, key) ? work.task_sessions[key] : undefined
    await shell.journal.append({
      at: isoOf(shell.now()),
      session: sessionId,
      work: work.work_id,
      decision: "task-blocked",
      reason: handoff === null ? "by-mark" : "by-record",
      facts: {
        task: key,
        why: reason,
        unblock,
        attempts: session?.attempts ?? 0,
        task_session: session?.session_id ?? null,
        handoff: handoff?.id ?? null,
      },
    })
  }
}
