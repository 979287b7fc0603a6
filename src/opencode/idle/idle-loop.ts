// Runs the decision at an idle, and again while something waits.
// Over 250 lines: its steps hand one look to the next, and its timers wake all of them.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { isoOf, msUntil, stepBackMs } from "../../boulder/iso-time.ts"
import { clockSetBack, isDue } from "../../boulder/usage-limit.ts"
import { decideContinuation } from "../../decide/decide-continuation.ts"
import type { IdleDecision } from "../../decide/decide-idle.ts"
import { decidePromptUnanswered, isNews, saidAs } from "../../decide/decide-shown.ts"
import type { Decision } from "../../decide/decision.ts"
import { HALF_WRITTEN_MS, lookAgainAt, SUPERSEDED_MS, WATCH_MS } from "../../decide/look-again.ts"
import { BEGINS_MS } from "../../decide/memory/heard.ts"
import { worksLed } from "../../decide/place.ts"
import type { Situation } from "../../decide/situation.ts"
import { hashNow } from "../../store/plans/plan-files.ts"
import { readToMark } from "../../store/plans/read-plan-of.ts"
import { factsOf } from "../host/journal-facts.ts"
import type { Shell } from "../host/shell.ts"
import { LOOK_LIMIT_MS, withinLimit } from "../host/time-limit.ts"
import type { Timers } from "../host/timers.ts"
import { storeSoon } from "../work/comes-once.ts"
import { changeOnWork, type DecidedOnWork, decideOnWork } from "../work/decide-on-work.ts"
import { journalReading } from "../work/journal-reading.ts"
import { changeReading } from "../work/record-plan.ts"
import { tidyBoulder } from "../work/tidy-boulder.ts"
import { carryOut, prepare } from "./carry-out.ts"
import { type Gathered, gatherSituation, humanFacts, lastTurnOf } from "./gather-situation.ts"
import { noteHostWait } from "./host-wait.ts"
import { stopHeldMs } from "./leave-going.ts"
import { lookLost } from "./look-lost.ts"
import { isLeftElsewhere } from "./take-up.ts"
import { countCompaction } from "./who-continues.ts"
import { writeDecision } from "./write-decision.ts"

/** Reasons of sessions that lead nothing: nothing was decided about a work. */
const SILENT: ReadonlySet<string> = new Set(["not-our-session", "child-session"])

/**
 * Opens the loop. `earlier` resolves once everything is written that the host has reported so far: every look is decided on that. After
 * `over` no look is made.
 */
export function openIdleLoop(
  shell: Shell,
  timers: Timers,
  earlier: () => Promise<void>,
  over: AbortSignal,
) {
  /** The order of looks. It says nothing about a work, and is empty when nothing runs. */
  const running = new Map<string, Promise<void>>()

  /** Resolves once a stop that was reported just now is known to be the user's. */
  const stopIsSure = async (sessionId: string): Promise<void> => {
    const left = stopHeldMs(shell.sessions.of(sessionId), shell.now())
    if (left === 0 || over.aborted) return
    await new Promise<void>((resolve) => {
      over.addEventListener("abort", () => resolve(), { once: true })
      timers.set(`stop ${sessionId}`, left, async () => resolve())
    })
  }

  /** Whether the look must come later: another process drives the work, or it is not written yet how the turn went. */
  const isNotNow = async (situation: Gathered["situation"], isLate: boolean): Promise<boolean> => {
    if (await isLeftElsewhere(shell, situation.work)) return true
    if (isLate || !isHalfWritten(situation)) return false
    const { sessionId } = situation
    timers.set(sessionId, HALF_WRITTEN_MS, () => lookNext(sessionId, true))
    return true
  }

  const look = async (sessionId: string, isLate: boolean): Promise<void> => {
    await earlier()
    await stopIsSure(sessionId)
    if (over.aborted || shell.sessions.of(sessionId).isDeleted) return
    const gathered = await gatherSituation(shell, sessionId)
    if (gathered.kind === "not-led") {
      await write({ ...gathered, decision: decideContinuation(gathered.situation) }, false)
      return
    }
    const { situation, reading } = gathered
    if (await isNotNow(situation, isLate)) return
    const { prompt, lacks } = await prepare(shell, gathered)
    const counted = changeReading(shell, reading, sessionId)
    const decided = await writeDecision(shell, gathered, { counted, lacks })
    if (decided === null) {
      // Another session leads the work by now, or the work is gone. This session may lead another work.
      timers.set(sessionId, SUPERSEDED_MS, () => fellIdle(sessionId))
      return
    }
    await journalReading(shell, { before: situation.work, after: decided.work }, reading)
    if (decided.made.decision.kind === "continue")
      // Set before the prompt, since the turn that the prompt begins cancels it.
      timers.set(sessionId, BEGINS_MS, () => lookedFor(sessionId, unanswered(decided)))
    const decision = await carryOut(shell, { ...decided, gathered, prompt })
    shell.sessions.note({ kind: "look-done", sessionId })
    await write({ ...decided.made, decision }, isNews({ ...decided.made, decision }))
    await goOn(gathered, decided, decision)
  }

  /** When and what to look at next, after a decision was carried out. */
  const goOn = async (
    { situation, reading, planHash }: Gathered,
    { work, boulder }: DecidedOnWork<IdleDecision>,
    decision: Decision,
  ): Promise<void> => {
    const { sessionId } = situation
    if (decision.kind === "finish") {
      await tidyBoulder(shell, boulder, { work, reading })
      const isNext = worksLed(boulder, sessionId).some(({ status }) => status === "active")
      if (isNext) timers.set(sessionId, 0, () => fellIdle(sessionId))
      return
    }
    const at = lookAgainAt(decision, shell.now())
    if (at !== null) lookAt(sessionId, msUntil(at, shell.now()), decision)
    else if (decision.reason === "agent-changed" || (decision.kind !== "continue" && waits(work)))
      watch(sessionId, { works: textOf(boulder, sessionId), work, planHash })
  }

  /** While an open request is still open, nothing else can be decided. Memory shows that without a look. */
  const lookAt = (sessionId: string, waitMs: number, decision: Decision): void =>
    timers.set(sessionId, waitMs, async () => {
      const { waitingFor } = humanFacts(shell, sessionId)
      if (decision.reason === `${waitingFor}-pending`) lookAt(sessionId, waitMs, decision)
      else await fellIdle(sessionId)
    })

  /** The host has accepted a prompt but begun no turn for it: that counts as a failed turn. */
  const unanswered = async ({
    made,
    work: prompted,
  }: DecidedOnWork<IdleDecision>): Promise<void> => {
    const { situation } = made
    const { sessionId } = situation
    const [running, { lastTurn }] = await Promise.all([
      shell.api.busySessions(),
      lastTurnOf(shell, sessionId),
    ])
    if (running.has(sessionId)) return
    const messageId = lastTurn?.isUnanswered ? lastTurn.messageId : null
    const now = shell.now()
    const decided = await decideOnWork(shell, prompted, (newest) =>
      decidePromptUnanswered({ ...made, work: prompted }, newest, { messageId, now }),
    )
    const isOfWork = decided !== null && decided.made.decision.reason !== "superseded"
    if (isOfWork) await write({ situation, decision: decided.made.decision }, false)
    // The work may have been stopped while another work of this session goes on.
    await fellIdle(sessionId)
  }

  /** Writes a decision to the journal. If nothing has changed, the same decision is written once. */
  const write = async (
    { situation, decision: made }: { situation: Situation; decision: Decision },
    isNew: boolean,
  ): Promise<void> => {
    const { sessionId, work } = situation
    const { kind: decision, reason } = made
    const said = saidAs({ situation, decision: made })
    if (SILENT.has(reason)) return
    if (!isNew && shell.sessions.of(sessionId).said === said) return
    shell.sessions.note({ kind: "said", sessionId, said })
    await shell.journal.append({
      at: isoOf(shell.now()),
      session: sessionId,
      work: work?.work_id ?? null,
      decision,
      reason,
      facts: factsOf(situation, made),
    })
  }

  /** Waits for what a timer finds out about a session. If that fails, the session is looked at all the same, later. */
  const lookedFor = (sessionId: string, found: Promise<void>): Promise<void> =>
    found.catch((error: unknown) => {
      askAgain(sessionId, error)
      throw error
    })

  const fellIdle = (sessionId: string): Promise<void> => lookNext(sessionId, false)

  /** The next look at the session waits until this has ended. */
  const nextBehind = (sessionId: string, ended: Promise<void>): void => {
    running.set(sessionId, ended)
    void ended.then(() => {
      if (running.get(sessionId) === ended) running.delete(sessionId)
    })
  }

  /** The next look waits for this too, but this waits for nothing. */
  const behindToo = (sessionId: string, mine: Promise<unknown>): void => {
    const both = Promise.allSettled([running.get(sessionId), mine])
    nextBehind(
      sessionId,
      both.then(() => undefined),
    )
  }

  const lookNext = async (sessionId: string, isLate: boolean): Promise<void> => {
    timers.cancel(sessionId)
    const before = running.get(sessionId) ?? Promise.resolve()
    // A look that hangs must not hold up those after it.
    const mine = before.then(() => withinLimit(look(sessionId, isLate), LOOK_LIMIT_MS, "a look"))
    nextBehind(
      sessionId,
      mine.catch((error: unknown) => askAgain(sessionId, error)),
    )
    await mine
  }

  /** Does not wait for the running look, since what that look has decided on is void now. */
  const compacted = async (sessionId: string): Promise<void> => {
    const mine = storeSoon(() => countCompaction(shell, sessionId))
    behindToo(sessionId, mine)
    await mine
  }

  const askAgain = (sessionId: string, error: unknown): void =>
    timers.set(sessionId, lookLost(shell, sessionId, error), () => fellIdle(sessionId))

  /** Waits for the end of a limit, and for what a person does elsewhere: a command line, an edit of the plan. */
  const watch = (sessionId: string, seen: Seen): void => {
    let lookedAt = shell.now()
    const again = async (): Promise<void> => {
      const now = shell.now()
      const stepMs = stepBackMs(lookedAt, now, WATCH_MS)
      if (stepMs > 0) await changeOnWork(shell, seen.work, (work) => clockSetBack(work, stepMs))
      lookedAt = now
      const isSame = isDue(seen.work, now) ? false : isAsSeen(shell, sessionId, seen)
      // So that nobody else looks in the meantime.
      behindToo(sessionId, Promise.resolve(isSame))
      if (await isSame) next()
      else await fellIdle(sessionId)
    }
    const next = () => timers.set(sessionId, WATCH_MS, () => lookedFor(sessionId, again()))
    next()
  }

  return {
    /** Looks at a session. Resolves when its decision is carried out, rejects if it could not be made. */
    fellIdle,
    /** A session was compacted. This is counted at once, before the next look. */
    compacted,
    /** The host waits for the provider by itself until then, in ms. */
    async hostWaits(sessionId: string, until: number) {
      timers.cancel(sessionId)
      await noteHostWait(shell, sessionId, until)
    },
    /** Whether a look at the session is running or timed. */
    isLookedAt: (sessionId: string) => running.has(sessionId) || timers.has(sessionId),
    /** A session runs again. Its next idle decides what would have been looked at later. */
    becameBusy: timers.cancel,
    forget: timers.cancel,
  }
}

/** Whether the host has reported an idle before writing how the turn went: then it is not known yet whether the turn failed. */
function isHalfWritten({ lastTurn }: Situation): boolean {
  return lastTurn !== null && !lastTurn.ended && lastTurn.error === null
}

/** Whether a person must resume the work. If that is no longer so, it was resumed during the look. */
function waits({ status, awaiting_approval: waiting }: Work): boolean {
  return status === "paused" || waiting !== null
}

/** What a wait was decided on: the works that a session leads, and the one that waits, with its plan. */
interface Seen {
  readonly works: string
  readonly work: Work
  readonly planHash: string | null
}

/** Whether everything is as it was. A read that fails counts as no change, and is repeated. */
async function isAsSeen(shell: Shell, sessionId: string, seen: Seen): Promise<boolean> {
  try {
    const { boulder } = await shell.store.read()
    if (textOf(boulder, sessionId) !== seen.works) return false
    const { active_plan: path } = seen.work
    if (seen.planHash !== null) return (await hashNow(shell.plans, path)) === seen.planHash
    return (await readToMark(shell.plans, path)).kind !== "read"
  } catch (error) {
    await shell.log(`a look at what ${sessionId} waits for failed: ${String(error)}`)
    return true
  }
}

/** A text that changes if anyone changes a work of a lead session. */
function textOf(boulder: Boulder | null, sessionId: string): string {
  const works = worksLed(boulder, sessionId)
  return works.map((work) => `${work.work_id} ${work.updated_at} ${work.status}`).join("\n")
}
