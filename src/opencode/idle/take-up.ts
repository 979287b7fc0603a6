// Finds each active or watched work again after a start of opencode, or if a wakeup was lost; books what running turns have spent.

import type { Boulder, Work } from "../../boulder/boulder.ts"
import { isBefore, isoOf, isWithin } from "../../boulder/iso-time.ts"
import { isGoing } from "../../boulder/usage-limit.ts"
import { BEGINS_MS } from "../../decide/memory/heard.ts"
import { keysOf } from "../../decide/memory/told-keys.ts"
import { nameIfNeeded } from "../../decide/name-work.ts"
import { takenUpNotice } from "../../prompts/notice-text.ts"
import { ofWork } from "../../prompts/typed-command.ts"
import { isSessionHere } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"
import { storeSoon } from "../work/comes-once.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { placeOf } from "../work/place-of.ts"
import { spentSoFar } from "../work/take-spent.ts"
import { leadGone } from "./lead-deleted.ts"

/** The part of the idle loop that is needed here. */
interface Looks {
  readonly isLookedAt: (sessionId: string) => boolean
  readonly fellIdle: (sessionId: string) => Promise<void>
}

/**
 * Looks at each open work that nobody looks at and no other process drives; in a brief host, only at those that it leads. A paused one is watched from then on for what resumes it: an
 * edit of its plan, or a command line. One whose session this opencode has never had, or has for another folder, is left alone, and
 * that is said. Books what each has spent so far. At the first start with a version, says that the plugin is loaded.
 */
export async function takeUpWorks(
  shell: Shell,
  { isLookedAt, fellIdle }: Looks,
  report: (error: unknown, leadId: string) => Promise<void>,
): Promise<void> {
  const { boulder } = await shell.store.read()
  const works = Object.values(boulder?.works ?? {})
  const isTaken = ({ status, lead_session_id: leadId }: Work) =>
    status !== "completed" && (!shell.isBrief || shell.sessions.of(leadId).leads)
  for (const work of works.filter(isTaken)) {
    // A session that the host cannot read must not hold up the works of others.
    const taken = takeUp(shell, { isLookedAt, fellIdle }, { work, boulder })
    await taken.catch((error: unknown) => report(error, work.lead_session_id))
  }
  const greeting = await shell.greeting()
  if (greeting !== null) await shell.api.toast(greeting, "info")
}

/** An open work, and the state it comes from. */
interface Found {
  readonly work: Work
  readonly boulder: Boulder | null
}

async function takeUp(shell: Shell, { isLookedAt, fellIdle }: Looks, found: Found): Promise<void> {
  const { work } = found
  const { lead_session_id: leadId } = work
  // A turn may run for hours, and opencode may end without a word.
  await bookSpent(shell, leadId)
  if (isLookedAt(leadId) || !(await isOurs(shell, work))) return
  const isHere = await isSessionHere(shell, leadId)
  const { leads, isDeleted, said } = shell.sessions.of(leadId)
  if (isHere) {
    if (isGoing(work) && !leads) await sayTakenUp(shell, found, null)
    await fellIdle(leadId)
    return
  }
  // If this opencode has had the session, it is gone. Otherwise another may have it: one with another data folder, Kilo, a container, or
  // this one for the folder that this project is a copy of.
  if (leads || isDeleted) await leadGone(shell, work)
  else if (isGoing(work) && said !== UNKNOWN) await sayTakenUp(shell, found, UNKNOWN)
}

const UNKNOWN = "opencode has no such session for this folder"

/**
 * Whether an active work is left to the process that drives it: if two processes have watched it since their starts, both see what resumes
 * it. A session runs here if anything was heard of it here since the work was last written.
 */
export async function isLeftElsewhere(
  { sessions, process, now }: Pick<Shell, "sessions" | "process" | "now">,
  { status, driver, lead_session_id: leadId, updated_at: writtenAt }: Work,
): Promise<boolean> {
  const { heardAt, running } = sessions.of(leadId)
  const isHeard = heardAt !== null && !isBefore(heardAt, writtenAt, now())
  return status === "active" && !isHeard && running === null && process.isElsewhere(driver)
}

/** Whether nobody works on it: neither its own session nor another process. */
async function isOurs(
  shell: Shell,
  { lead_session_id: leadId, driver, resumed_at: since }: Work,
): Promise<boolean> {
  const { running, command } = shell.sessions.of(leadId)
  // One of our commands has just resumed it; the message that the command makes will begin the turn.
  if (command !== null && isWithin(since, BEGINS_MS, shell.now())) return false
  // A turn that is remembered may have ended without a report. The host knows whether it runs.
  if (running !== null && (await shell.api.busySessions()).has(leadId)) return false
  return !(await shell.process.isElsewhere(driver))
}

async function sayTakenUp(
  shell: Shell,
  { work, boulder }: Found,
  why: typeof UNKNOWN | null,
): Promise<void> {
  const { work_id, lead_session_id: session, plan_name: name, status } = work
  if (why === null) shell.sessions.note({ kind: "leads", sessionId: session, keys: keysOf(work) })
  else shell.sessions.note({ kind: "said", sessionId: session, said: why })
  await shell.journal.append({
    at: isoOf(shell.now()),
    session,
    work: work_id,
    decision: "notice",
    reason: "taken-up",
    facts: { status, plan: name, ...(why === null ? {} : { why }) },
  })
  const typed = ofWork(shell.typed, nameIfNeeded(work, boulder))
  await shell.api.toast(takenUpNotice(name, session, { isKnown: why === null, typed }), "info")
}

/** Whether the host has started. Until then it answers nothing, and is asked again later. */
export function hasStarted({ api }: Pick<Shell, "api">): Promise<boolean> {
  return api.busySessions().then(
    () => true,
    () => false,
  )
}

/** Books what a session and those below it have spent, for the work that they run for. If they have spent nothing, nothing is read. */
export async function bookSpent(
  shell: Pick<Shell, "store" | "sessions" | "api" | "now" | "process">,
  sessionId: string,
): Promise<void> {
  if (spentSoFar(shell, sessionId).length === 0) return
  await storeSoon(async () => {
    const { work } = await placeOf(shell, sessionId, "far")
    if (work !== null) await changeOnWork(shell, work, (newest) => newest)
  })
}
