// Writes down each result of a task that verification has turned down.
import type { Work } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { type Setback, stepOf } from "../../boulder/setbacks.ts"
import { turnedDownBetween } from "../../decide/check-setbacks.ts"
import { taskFacts } from "../../store/records/task-facts.ts"
import type { Shell } from "../host/shell.ts"

const REASON_OF = {
  check: "check-failed",
  untick: "tick-taken-back",
  reject: "review-rejected",
} as const satisfies Record<Setback["kind"], string>

/** Writes down the results that were turned down between two states of a work, and who continues with each task. */
export async function noteSetbacks(
  { journal, now }: Pick<Shell, "journal" | "now">,
  { before, after }: { readonly before: Work; readonly after: Work },
): Promise<void> {
  if (before.task_sessions === after.task_sessions) return
  for (const [key, session] of turnedDownBetween(before, after)) {
    const { setbacks = [], attempts, session_id } = session
    const last = setbacks.at(-1)
    if (last === undefined) continue
    await journal.append({
      at: isoOf(now()),
      session: after.lead_session_id,
      work: after.work_id,
      decision: "turn-down",
      reason: REASON_OF[last.kind],
      facts: {
        ...taskFacts({ key, titleHash: session.title_hash }),
        times: setbacks.length,
        step: stepOf(session),
        check: last.check ?? null,
        exit: last.exit ?? null,
        attempts,
        task_session: session_id,
      },
    })
  }
}
