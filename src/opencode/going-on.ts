import type { Work } from "../boulder/boulder.ts"
import { changeWork } from "../boulder/change-work.ts"
import { recordCompaction } from "../boulder/compaction-record.ts"
import { workOfSession } from "../boulder/find-work.ts"
import { isoOf } from "../boulder/iso-time.ts"
import type { Shell } from "./shell.ts"

/**
 * Whether we go on after a compaction of this session, so that the host must not: only while an active work is led by
 * it, and by the agent that the host would go on as. Any other turn is the user's own, and the host's to continue.
 */
export async function weGoOn(
  shell: Shell,
  { sessionId, agent }: { readonly sessionId: string; readonly agent: string },
): Promise<boolean> {
  const work = await ledBy(shell, sessionId)
  return work?.status === "active" && (work.agent === null || work.agent === agent)
}

/** Counts a compaction that has ended, for the work that the session leads. */
export async function countCompaction(shell: Shell, sessionId: string): Promise<void> {
  const work = await ledBy(shell, sessionId)
  if (work === null || work.status === "completed") return
  const reading = await shell.plans.read(work.active_plan)
  const settled =
    reading.kind === "read"
      ? reading.plan.counts.done + reading.plan.counts.cancelled
      : work.completed_count
  const counted = recordCompaction(settled)
  await shell.store.update(changeWork(work.work_id, isoOf(shell.now()), counted))
}

async function ledBy(shell: Shell, sessionId: string): Promise<Work | null> {
  const work = workOfSession((await shell.store.read()).boulder, sessionId)
  return work?.lead_session_id === sessionId ? work : null
}
