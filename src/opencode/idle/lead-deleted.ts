// The session that leads a work is deleted: the work waits for a person.
import type { Work } from "../../boulder/boulder.ts"
import { stop } from "../../boulder/change-work.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { isGoing } from "../../boulder/usage-limit.ts"
import { nameIfNeeded } from "../../decide/name-work.ts"
import { worksLed } from "../../decide/place.ts"
import { pauseNotice } from "../../prompts/notice-text.ts"
import { ofWork } from "../../prompts/typed-command.ts"
import type { Shell } from "../host/shell.ts"
import { storeSoon } from "../work/comes-once.ts"
import { decideOnWork } from "../work/decide-on-work.ts"

const REASON = "stopped-by-user"
const DELETED = "its session was deleted"

/** Stops the works that go on, or are to, and that a deleted session leads; says so once. Any other work stays as it is. */
export async function leadDeleted(shell: Shell, sessionId: string): Promise<void> {
  const { boulder } = await storeSoon(() => shell.store.read())
  if (boulder === null) return
  for (const work of worksLed(boulder, sessionId).filter(isGoing)) {
    const decided = await storeSoon(() =>
      decideOnWork(shell, work, (newest) => {
        const isNew = isGoing(newest)
        return { isNew, work: isNew ? stop(newest) : newest }
      }),
    )
    if (decided?.made.isNew !== true) continue
    await shell.journal.append({
      at: isoOf(shell.now()),
      session: sessionId,
      work: work.work_id,
      decision: "pause",
      reason: REASON,
      facts: { why: DELETED },
    })
    await sayStopped(shell, work, decided.boulder)
  }
}

async function sayStopped(
  shell: Shell,
  work: Work,
  boulder: Parameters<typeof nameIfNeeded>[1],
): Promise<void> {
  const typed = ofWork(shell.typed, nameIfNeeded(work, boulder))
  const notice = pauseNotice(work.plan_name, REASON, { facts: DELETED, typed })
  await shell.api.toast(notice, "warning")
}
