// Makes a work wait for a person if the session that leads it is deleted.
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

const DELETED = "its session was deleted: start the plan in another"

/**
 * Stops the works that a deleted session leads and that are active or would resume by themselves, and says so once. A refusal in that
 * session is ended, since nobody can answer there any more. Every other work stays as it is.
 */
export async function leadDeleted(shell: Shell, sessionId: string): Promise<void> {
  const { boulder } = await storeSoon(() => shell.store.read())
  if (boulder === null) return
  for (const work of worksLed(boulder, sessionId).filter(isGoing)) await leadGone(shell, work)
  await storeSoon(() => endRejection(shell, boulder, sessionId))
}

const stopDeleted = (work: Work): Work => ({ ...stop(work), refusal: DELETED })

/** Stops a work whose lead session the host no longer has, and says so, if it is active or would resume by itself. */
export async function leadGone(shell: Shell, work: Work): Promise<void> {
  const paused = await storeSoon(() => pauseGoing(shell, work, stopDeleted, { why: DELETED }))
  if (paused === null) return
  const { pause_reason: reason } = paused.work
  const typed = ofWork(shell.typed, nameIfNeeded(work, paused.boulder))
  const notice = pauseNotice(work.plan_name, reason ?? "stopped-by-user", { facts: DELETED, typed })
  await shell.api.toast(notice, "warning")
}
