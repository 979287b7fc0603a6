// Runs the decision at an idle, again while something waits.
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
import { type Gathered, gatherSituation, humanFacts } from "./gather-situation.ts"
import { noteHostWait } from "./host-wait.ts"
import { lastTurnOf } from "./last-turn.ts"
import { stopHeldMs } from "./leave-going.ts"
import { lookLost } from "./look-lost.ts"
import { isLeftElsewhere } from "./take-up.ts"
import { countCompaction } from "./who-continues.ts"
import { writeDecision } from "./write-decision.ts"

/** Sessions that are nobody's lead: nothing was decided about a work. */
const SILENT: ReadonlySet<string> = new Set(["not-our-session", "child-session"])

/** Reacts to sessions that fall idle: translate, gather, decide, carry out. One session is looked at once at a time. */
export interface IdleLoop {
  /** Looks at a session; resolves when its decision is carried out, rejects when it could not be made. */
  fellIdle(sessionId: string): Promise<void>
  /** A session was compacted: counted at once, and before the next look. */
  compacted(sessionId: string): Promise<void>
  /** A look at it is under way, or timed. */
  isLookedAt(sessionId: string): boolean
  /** The host waits for the provider by itself until then, in ms. */
  hostWaits(sessionId: string, until: number): Promise<void>
  /** A session runs again: its next idle decides what was to be looked at later. */
  becameBusy(sessionId: string): void
  forget(sessionId: string): void
}

/**
 * `earlier` resolves once what the host has told so far is written: every look is decided on it. Behind `over` none is
 * made.
 */
export function openIdleLoop(
  shell: Shell,
  timers: Timers,
  earlier: () => Promise<void>,
  over: AbortSignal,
): IdleLoop {
  /** The order of looks: it says nothing of a work, and is empty when nothing runs. */
  const running = new Map<string, Promise<void>>()

  /** Resolves once a stop that was told just now is known to be its user's. */
  const stopIsSure = async (sessionId: string): Promise<void> => {
    const left = stopHeldMs(shell.sessions.of(sessionId), shell.now())
    if (left === 0 || over.aborted) return
    await new Promise<void>((resolve) => {
      over.addEventListener("abort", () => resolve(), { once: true })
      timers.set(`stop ${sessionId}`, left, async () => resolve())
    })
  }

  /** Another process drives the work, or how the turn went is not written yet: then it is looked at later. */
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
      // Another session leads it by now, or it is gone: this one may lead another work.
      timers.set(sessionId, SUPERSEDED_MS, () => fellIdle(sessionId))
      return
    }
    await journalReading(shell, { before: situation.work, after: decided.work }, reading)
    if (decided.made.decision.kind === "continue")
      // Set before the prompt: the turn that it begins takes it away.
      timers.set(sessionId, BEGINS_MS, () => lookedFor(sessionId, unanswered(decided)))
    const decision = await carryOut(shell, { ...decided, gathered, prompt })
    shell.sessions.note({ kind: "look-done", sessionId })
    await write({ ...decided.made, decision }, isNews({ ...decided.made, decision }))
    await goOn(gathered, decided, decision)
  }

  /** When and what is looked at next, after a decision that was carried out. */
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

  /** While a request that was open is still open, nothing else is to be decided: memory tells that, without a look. */
  const lookAt = (sessionId: string, waitMs: number, decision: Decision): void =>
    timers.set(sessionId, waitMs, async () => {
      const { waitingFor } = humanFacts(shell, sessionId)
      if (decision.reason === `${waitingFor}-pending`) lookAt(sessionId, waitMs, decision)
      else await fellIdle(sessionId)
    })

  /** A prompt that the host has taken, and no turn begun for: a turn that failed. */
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
    // Its work may have been stopped, and another of this session be going.
    await fellIdle(sessionId)
  }

  /** Where nothing has changed, the same is written once. */
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

  /** What a timer finds out of a session: where it fails the session is looked at all the same, later. */
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

  /** It waits for this as well, which waits for nothing. */
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
    // A look that hangs must not hold up those behind it.
    const mine = before.then(() => withinLimit(look(sessionId, isLate), LOOK_LIMIT_MS, "a look"))
    nextBehind(
      sessionId,
      mine.catch((error: unknown) => askAgain(sessionId, error)),
    )
    await mine
  }

  /** Not behind the look under way: what that has decided on is void now. */
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
      // Nobody else looks meanwhile.
      behindToo(sessionId, Promise.resolve(isSame))
      if (await isSame) next()
      else await fellIdle(sessionId)
    }
    const next = () => timers.set(sessionId, WATCH_MS, () => lookedFor(sessionId, again()))
    next()
  }

  return {
    fellIdle,
    compacted,
    async hostWaits(sessionId, until) {
      timers.cancel(sessionId)
      await noteHostWait(shell, sessionId, until)
    },
    isLookedAt: (sessionId) => running.has(sessionId) || timers.has(sessionId),
    becameBusy: timers.cancel,
    forget: timers.cancel,
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

/** What a wait was decided on: the works that a session leads, and the one that waits, with its plan. */
interface Seen {
  readonly works: string
  readonly work: Work
  readonly planHash: string | null
}

/** Whether all is as it was; a read that fails tells of no change, and is made again. */
async function isAsSeen(shell: Shell, sessionId: string, seen: Seen): Promise<boolean> {
  try {
    const { boulder } = await shell.store.read()
    const hash = await hashNow(shell.plans, seen.work.active_plan)
    return textOf(boulder, sessionId) === seen.works && hash === seen.planHash
  } catch (error) {
    await shell.log(`a look at what ${sessionId} waits for failed: ${String(error)}`)
    return true
  }
}

/** Changes when a work of a lead session is changed by somebody. */
function textOf(boulder: Boulder | null, sessionId: string): string {
  const works = worksLed(boulder, sessionId)
  return works.map((work) => `${work.work_id} ${work.updated_at} ${work.status}`).join("\n")
}
