// Finds each work that is going on again: behind a start of opencode, and where a wakeup was lost.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { takenUpNotice } from "../../prompts/notice-text.ts"
import type { Shell } from "../host/shell.ts"
import type { IdleLoop } from "./idle-loop.ts"

/** Looks at each work that goes on, or is to go on by itself, that nobody looks at and no other process drives. */
export async function takeUpWorks(
  shell: Shell,
  { isLookedAt, fellIdle }: Pick<IdleLoop, "isLookedAt" | "fellIdle">,
): Promise<void> {
  const { boulder } = await shell.store.read()
  for (const work of goingOn(boulder)) {
    const { lead_session_id: leadId, driver } = work
    if (shell.sessions.of(leadId).isRunning || isLookedAt(leadId)) continue
    if (driver !== null && (await shell.process.isElsewhere(driver))) continue
    if ((await shell.api.session(leadId)) === null) continue
    if (!shell.sessions.of(leadId).leads) await sayTakenUp(shell, work)
    await fellIdle(leadId)
  }
}

function goingOn(boulder: Boulder | null): readonly Work[] {
  return Object.values(boulder?.works ?? {}).filter(
    ({ status, limited }) =>
      status === "active" || (status === "paused" && (limited?.goes_on_at ?? null) !== null),
  )
}

async function sayTakenUp(shell: Shell, work: Work): Promise<void> {
  const { work_id, lead_session_id: session, plan_name: name, status } = work
  shell.sessions.note({ kind: "leads", sessionId: session })
  await shell.journal.append({
    at: isoOf(shell.now()),
    session,
    work: work_id,
    decision: "notice",
    reason: "taken-up",
    facts: { status, plan: name },
  })
  await shell.api.toast(takenUpNotice(name, session), "info")
}
