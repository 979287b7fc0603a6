import type { Work } from "../boulder/boulder.ts"
import { changeWork } from "../boulder/change-work.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { reserveCompaction } from "../boulder/round-record.ts"
import type { Situation } from "../decide/situation.ts"
import type { CarriedOut } from "./carry-out.ts"
import { HostCallError } from "./session-api.ts"
import type { Shell } from "./shell.ts"

/** How soon to look again where no idle tells the end of a compaction; a busy session has its idle before it. */
const COMPACTION_MS = 10_000

/**
 * Has the host compact the lead session at the end of a round; the idle that follows goes on. Reserved on disk
 * before, once a round: one that fails is not asked for again, and the work goes on without.
 */
export async function compactRound(
  shell: Shell,
  { sessionId, identity, progress }: Situation,
  work: Work,
  noProgressStreak: number,
): Promise<CarriedOut> {
  if ((await shell.api.busySessions()).has(sessionId))
    return { decision: "rest", reason: "session-busy", lookAgainAt: null }
  const reserve = reserveCompaction(noProgressStreak, progress)
  const { boulder } = await shell.store.update(
    changeWork(work.work_id, isoOf(shell.now()), reserve),
  )
  const reserved = boulder.works[work.work_id]
  if (reserved?.status !== "active" || !reserved.round.compacted)
    return { decision: "rest", reason: "superseded", lookAgainAt: null }
  const failed = { decision: "retry", reason: "compaction-failed", lookAgainAt: shell.now() }
  if (identity.model === null) return failed
  try {
    const lookAgainAt = shell.now() + COMPACTION_MS
    await shell.api.compact(sessionId, identity.model)
    return { decision: "compact", reason: "round-ended", lookAgainAt }
  } catch (error) {
    if (error instanceof HostCallError) return failed
    throw error
  }
}
