// The host waits for the provider by itself: kept on disk, and said.
import { isoOf, msUntil } from "../../boulder/iso-time.ts"
import { recordHostWait } from "../../boulder/usage-limit.ts"
import { hostWaitNotice } from "../../prompts/notice-text.ts"
import type { Shell } from "../host/shell.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { placeOf } from "../work/place-of.ts"

/** Shorter waits are the host's own retries of a moment: nobody needs to know. */
const SAID_FROM_MS = 60_000
/** No date is further ahead; the host itself waits for 24 days at most. */
const LONGEST_MS = 400 * 86_400_000

/** Keeps on disk until when the host waits for the provider, for a session that runs for a work; `until` in ms. */
export async function noteHostWait(shell: Shell, sessionId: string, until: number): Promise<void> {
  const now = shell.now()
  const left = msUntil(until, now)
  if (left < SAID_FROM_MS || left > LONGEST_MS) return
  const { role, work } = await placeOf(shell, sessionId, "far")
  // A former lead, and who runs below it, waits for itself.
  if (role !== "lead" && role !== "child") return
  if (work.status !== "active") return
  const kept = await changeOnWork(shell, work, (newest) =>
    newest.status === "active" ? recordHostWait(now, until)(newest) : newest,
  )
  if (kept?.status !== "active") return
  const end = isoOf(until)
  await shell.journal.append({
    at: isoOf(now),
    session: sessionId,
    work: work.work_id,
    decision: "rest",
    reason: "provider-wait",
    facts: { limited_until: end },
  })
  await shell.api.toast(hostWaitNotice(work.plan_name, end), "warning")
}
