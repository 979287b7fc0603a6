import type { Work } from "../boulder/boulder.ts"
import { isoOf, msUntil } from "../boulder/iso-time.ts"
import { decideContinuation } from "../decide/decide-continuation.ts"
import type { Decision } from "../decide/decision.ts"
import type { Situation } from "../decide/situation.ts"
import { forgetOldest } from "../store/forget-oldest.ts"
import { type CarriedOut, carryOut } from "./carry-out.ts"
import { gatherSituation } from "./gather-situation.ts"
import { countCompaction } from "./going-on.ts"
import { factsOf } from "./journal-facts.ts"
import { settleTurn } from "./settle-turn.ts"
import type { Shell } from "./shell.ts"
import { tidyBoulder } from "./tidy-boulder.ts"
import type { Timers } from "./timers.ts"

/** How often a work that waits for a person is looked at: a `stat` of the plan and our own small file. */
const WATCH_MS = 2_000
/** A host that did not answer is asked again this often: silence must not end a run. */
const MAX_LOST = 5
const LOST_MS = 5_000
/** A turn's end is written within this of its idle; what is not there then has died with its host. */
const HALF_WRITTEN_MS = 1_000
const MAX_SESSIONS = 1_000

/** Sessions that are nobody's lead: nothing was decided about a work. */
const SILENT: ReadonlySet<string> = new Set(["not-our-session", "child-session"])

/** Reacts to sessions that fall idle: translate, gather, decide, carry out. One session is looked at once at a time. */
export interface IdleLoop {
  /** Looks at a session; resolves when its decision is carried out, rejects when it could not be made. */
  fellIdle(sessionId: string): Promise<void>
  /** A session was compacted: counted at once, and before the next look. */
  compacted(sessionId: string): Promise<void>
  /** A session runs again: its next idle settles what was to be looked at later. */
  becameBusy(sessionId: string): void
  forget(sessionId: string): void
}

export function openIdleLoop(shell: Shell, timers: Timers): IdleLoop {
  const running = new Map<string, Promise<void>>()
  const lastSaid = new Map<string, string>()
  const lost = new Map<string, number>()

  const look = async (sessionId: string, isLate: boolean): Promise<void> => {
    const plans = await plansOf(shell, sessionId)
    const first = await gatherSituation(shell, sessionId)
    if (isHalfWritten(first.situation) && !isLate) {
      timers.set(sessionId, HALF_WRITTEN_MS, () => lookNext(sessionId, true))
      return
    }
    const gathered = await settleTurn(shell, first)
    const decision = decideContinuation(gathered.situation)
    const done = await carryOut(shell, gathered, decision)
    lost.delete(sessionId)
    await write(gathered.situation, decision, done)
    if (done.decision === "finish") await tidyBoulder(shell, sessionId)
    const { work } = gathered.situation
    const isWaiting =
      done.decision === "pause" || done.reason === "awaiting-approval" || work?.status === "paused"
    if (done.lookAgainAt !== null)
      timers.set(sessionId, msUntil(done.lookAgainAt, shell.now()), () => fellIdle(sessionId))
    else if (isWaiting && work?.lead_session_id === sessionId) await watch(work, plans)
  }

  const write = async (
    situation: Situation,
    made: Decision,
    { decision, reason }: CarriedOut,
  ): Promise<void> => {
    const { sessionId: session, work } = situation
    const said = `${decision} ${reason}`
    if (SILENT.has(reason) || lastSaid.get(session) === said) return
    if (decision === "continue") lastSaid.delete(session)
    else lastSaid.set(session, said)
    forgetOldest(lastSaid, MAX_SESSIONS)
    const entry = { at: isoOf(shell.now()), session, work: work?.work_id ?? null, decision, reason }
    await shell.journal.append({ ...entry, facts: factsOf(situation, made) })
  }

  const fellIdle = (sessionId: string): Promise<void> => lookNext(sessionId, false)

  const lookNext = async (sessionId: string, isLate: boolean): Promise<void> => {
    timers.cancel(sessionId)
    const before = running.get(sessionId) ?? Promise.resolve()
    const mine = before.then(() => look(sessionId, isLate))
    const settled = mine.catch(() => askAgain(sessionId))
    running.set(sessionId, settled)
    await mine.finally(() => {
      if (running.get(sessionId) === settled) running.delete(sessionId)
    })
  }

  /** Not behind the look under way: what that has decided on is void now. */
  const compacted = async (sessionId: string): Promise<void> => {
    const mine = countCompaction(shell, sessionId)
    const settled = Promise.allSettled([running.get(sessionId), mine]).then(() => undefined)
    running.set(sessionId, settled)
    await mine.finally(() => {
      if (running.get(sessionId) === settled) running.delete(sessionId)
    })
  }

  const askAgain = (sessionId: string): void => {
    const times = (lost.get(sessionId) ?? 0) + 1
    lost.set(sessionId, times)
    forgetOldest(lost, MAX_SESSIONS)
    if (times <= MAX_LOST) timers.set(sessionId, LOST_MS * times, () => fellIdle(sessionId))
  }

  /** Waits for what a person does outside this session: a command line, another process, an edit of the plan. */
  const watch = async (work: Work, plans: string): Promise<void> => {
    const { work_id: id, lead_session_id: sessionId } = work
    const isStill = (await ledBy(shell, sessionId)).some((one) => one.work_id === id && waits(one))
    const works = isStill ? await worksOf(shell, sessionId) : null
    const again = async (): Promise<void> => {
      const isSame =
        (await worksOf(shell, sessionId)) === works && (await plansOf(shell, sessionId)) === plans
      if (isSame) timers.set(sessionId, WATCH_MS, again)
      else await fellIdle(sessionId)
    }
    timers.set(sessionId, WATCH_MS, again)
  }

  return {
    fellIdle,
    compacted,
    becameBusy: timers.cancel,
    forget(sessionId) {
      timers.cancel(sessionId)
      lastSaid.delete(sessionId)
      lost.delete(sessionId)
    },
  }
}

/** The host has told of an idle before it has written how the turn went: whether it has failed is not known yet. */
function isHalfWritten({ lastTurn }: Situation): boolean {
  return lastTurn !== null && !lastTurn.ended && lastTurn.error === null
}

/** A work that a person is to set going; one that is not so any more was set going while it was looked at. */
function waits({ status, awaiting_approval: waiting }: Work): boolean {
  return status === "paused" || waiting !== null
}

/** Changes when a plan of a lead session's works does; taken before a look, so that no edit meanwhile is missed. */
async function plansOf(shell: Shell, sessionId: string): Promise<string> {
  const open = (await ledBy(shell, sessionId)).filter(({ status }) => status !== "completed")
  const hashes = open.map(async ({ active_plan: path }) => {
    const reading = await shell.plans.read(path)
    return `${path} ${reading.kind === "read" ? reading.fingerprint.hash : "unavailable"}`
  })
  return (await Promise.all(hashes)).join("\n")
}

/** Changes when a lead session's works are changed by somebody. */
async function worksOf(shell: Shell, sessionId: string): Promise<string> {
  const works = await ledBy(shell, sessionId)
  return works.map((work) => `${work.work_id} ${work.updated_at} ${work.status}`).join("\n")
}

async function ledBy(shell: Shell, sessionId: string): Promise<readonly Work[]> {
  const { boulder } = await shell.store.read()
  return Object.values(boulder?.works ?? {}).filter((work) => work.lead_session_id === sessionId)
}
