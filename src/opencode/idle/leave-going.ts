// Distinguishes the end of an opencode instance from its user's stop: the host reports both in the same way.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { pause, putWork } from "../../boulder/change-work.ts"
import { isoOf, isWithin, msUntil } from "../../boulder/iso-time.ts"
import { isRejected, isSinceResumed, keepRejection } from "../../boulder/reopen-work.ts"
import { NOTHING_REMEMBERED, type SessionMemory } from "../../decide/memory/session-memory.ts"
import { goOnPastStop } from "../../decide/reopen.ts"
import type { Shell } from "../host/shell.ts"
import { storeSoon } from "../work/comes-once.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { placeOf } from "../work/place-of.ts"
import { humanFacts } from "./gather-situation.ts"
import { pauseGoing } from "./pause-going.ts"

/** If the host disposes of a folder, it first reports the stops of its turns, and the disposal 65 to 140 ms later (1.18.33). */
const DISPOSED_MS = 500

/** For how long a stop is not acted on yet, in ms: an instance that ends may have reported it. */
export function stopHeldMs({ abortedAt }: Pick<SessionMemory, "abortedAt">, now: number): number {
  if (abortedAt === null || !isWithin(abortedAt, DISPOSED_MS, now)) return 0
  return Math.min(DISPOSED_MS, msUntil(abortedAt + DISPOSED_MS, now))
}

/** A stop older than this when the instance ends was the user's: pressing ESC and then leaving opencode takes longer. */
const ENDS_MS = 300

type Ending = Pick<Shell, "store" | "sessions" | "now" | "process" | "journal">

/**
 * Leaves the works active whose turns end with this instance: no person has stopped them. What the host writes about such a turn looks like
 * a stop, and is older than this. A user's stop that no look has written yet is written.
 */
export async function leaveGoing(shell: Ending): Promise<void> {
  // Before anything is read: on a slow disk, a stop of just now would look like an old one.
  const now = shell.now()
  const told = new Map([...shell.sessions.ids()].map((id) => [id, shell.sessions.of(id)]))
  // Nothing looks again after this: a read that fails once would leave a stop that nobody asked for.
  const { boulder } = await shell.store.read().catch(() => shell.store.read())
  for (const work of Object.values(boulder?.works ?? {}))
    await leave(shell, work, told.get(work.lead_session_id) ?? NOTHING_REMEMBERED, now)
  await giveBack(shell)
}

/** Gives back what this instance drives. Its process may live on with another folder, and others would wait for it. */
async function giveBack({ store, process }: Pick<Shell, "store" | "process">): Promise<void> {
  const isDriven = ({ status, driver }: Work) => status !== "completed" && driver === process.id
  const { boulder } = await store.read()
  if (!Object.values(boulder?.works ?? {}).some(isDriven)) return
  await store.update((before) =>
    Object.values(before.works)
      .filter(isDriven)
      .reduce((now, work) => putWork(now, { ...work, driver: null }), before),
  )
}

async function leave(
  shell: Ending,
  work: Work,
  { abortedAt, running }: Pick<SessionMemory, "abortedAt" | "running">,
  now: number,
): Promise<void> {
  const isStop = abortedAt !== null && !isWithin(abortedAt, ENDS_MS, now)
  const { rejectedAt } = humanFacts(shell, work.lead_session_id)
  const at = isStop ? abortedAt : rejectedAt
  const reason = isStop ? "aborted" : "rejected-by-user"
  if ((at !== null && (await stopped(shell, work, reason, at))) || isStop) return
  if (running === null && abortedAt === null) return
  // A refusal that this instance did not hear itself is left to the next look of whoever leads the work.
  await changeOnWork(shell, work, (newest) =>
    isRejected(newest) ? newest : goOnPastStop(isoOf(now))(newest),
  )
}

/** Pauses a work because of something its user did; false if the work was resumed after that, or is not going at all. */
async function stopped(
  shell: Ending,
  work: Work,
  reason: "aborted" | "rejected-by-user",
  at: number,
): Promise<boolean> {
  const now = shell.now()
  const paused = await pauseGoing(shell, work, (newest) =>
    isSinceResumed(at, newest, now) ? pause(reason)(newest) : newest,
  )
  return paused !== null
}

/**
 * Keeps on disk what is remembered of a refusal in a session. A process that dies before the lead's idle must not lose it, nor keep one
 * that was answered.
 */
export function noteRejection(shell: Shell, sessionId: string): Promise<void> {
  return storeSoon(async () => {
    const isNew = shell.sessions.of(sessionId).rejectedAt !== null
    const { role, work, boulder } = await placeOf(shell, sessionId, isNew ? "far" : "near")
    if (!isNew) await endRejection(shell, boulder, sessionId)
    else if (role === "lead" || role === "child") await keepNow(shell, work, sessionId)
  })
}

/** Removes a refusal in a session from disk, if it is no longer remembered, or was never heard here. */
export async function endRejection(
  shell: Shell,
  boulder: Boulder | null,
  sessionId: string,
): Promise<void> {
  for (const work of Object.values(boulder?.works ?? {}))
    if (Object.hasOwn(work.rejections, sessionId)) await keepNow(shell, work, sessionId)
}

/** Only `remember` says what ends a refusal. */
async function keepNow(shell: Shell, work: Work, sessionId: string): Promise<void> {
  await changeOnWork(shell, work, (newest) =>
    keepRejection(sessionId, shell.sessions.of(sessionId).rejectedAt, shell.now())(newest),
  )
}
