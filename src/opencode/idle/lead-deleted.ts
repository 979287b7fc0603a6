// The session that leads a work is deleted: the work waits for a person.
import type { Work } from "../../boulder/boulder.ts"
import { stop } from "../../boulder/change-work.ts"
import { isGoing } from "../../boulder/usage-limit.ts"
import { nameIfNeeded } from "../../decide/name-work.ts"
import { worksLed } from "../../decide/place.ts"
import { pauseNotice } from "../../prompts/notice-text.ts"
import { ofWork } from "../../prompts/typed-command.ts"
import type { Shell } from "../host/shell.ts"
import { storeSoon } from "../work/comes-once.ts"
import { endRejection } from "./leave-going.ts"
import { pauseGoing } from "./pause-going.ts"

const DELETED = "its session was deleted"

/**
 * Stops the works that go on, or are to, and that a deleted session leads; says so once. What was refused in it, nobody
 * answers there any more. Any other work stays as it is.
 */
export async function leadDeleted(shell: Shell, sessionId: string): Promise<void> {
  const { boulder } = await storeSoon(() => shell.store.read())
  if (boulder === null) return
  for (const work of worksLed(boulder, sessionId).filter(isGoing)) await leadGone(shell, work)
  await storeSoon(() => endRejection(shell, boulder, sessionId))
}

/** Stops a work whose lead session the host does not have any more, and says so; one that does not go on stays as it is. */
export async function leadGone(shell: Shell, work: Work): Promise<void> {
  const paused = await storeSoon(() => pauseGoing(shell, work, stop, { why: DELETED }))
  if (paused === null) return
  const { pause_reason: reason } = paused.work
  const typed = ofWork(shell.typed, nameIfNeeded(work, paused.boulder))
  const notice = pauseNotice(work.plan_name, reason ?? "stopped-by-user", { facts: DELETED, typed })
  await shell.api.toast(notice, "warning")
}
