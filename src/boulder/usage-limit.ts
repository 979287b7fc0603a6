// A limit of the provider: how long it lasts, when the work resumes, and how often.
// Over 250 lines: the limits of works, tasks and calls last, move with the clock and are counted by the same rules.

import { hashText } from "../plan/model/hash-text.ts"
import type { TaskSession, Work } from "./boulder.ts"
import { earlierBy, isoOf, msUntil } from "./iso-time.ts"

type Limited = NonNullable<Work["limited"]>

/** The limit that has interrupted a task's subagent. */
export type TaskLimit = NonNullable<TaskSession["interrupted"]>

/** From when until when a provider lets nothing through; ISO times. */
export type LimitSpan = Pick<Limited, "since" | "until">

/** A task that its own subagent's limit holds up. */
export interface TaskWait {
  readonly key: string
  readonly title: string
  /** ISO time; null where every attempt is taken: it waits for a person. */
  readonly until: string | null
}

/** Behind a limit's end: clocks differ, and works that wait for the same end do not all begin at once. */
const MARGIN_MS = 45_000
const JITTER_MS = 30_000
/** What `day` waits for: a limit of a day, told a little early. */
const DAY_MS = 26 * 3_600_000
/** Requests of ours behind one limit, until a person is needed. */
const MAX_ATTEMPTS = 2
/** A limit without an end is asked again after an hour. */
const UNKNOWN_MS = 3_600_000

/** Which limits we wait for by ourselves. */
export type LimitWait = "off" | "day" | "any"

/**
 * A limit that holds a work up, times in ms: `until` is null where nobody says when it ends, `toldAt` the clock of then,
 * `attempts` the requests behind it so far.
 */
export interface LimitMet {
  readonly at: number
  readonly until: number | null
  readonly toldAt: number
  readonly attempts: number
}

/** Writes a limit down that has ended a turn, or holds up every task; one that is over by `now`, in ms, needs no wait. */
export function recordLimit(
  { at, until, toldAt, attempts }: LimitMet,
  wait: LimitWait,
  now: number,
): (work: Work) => Work {
  return (work) => {
    const end = until ?? at + UNKNOWN_MS
    const isAwaited =
      wait === "any" || (wait === "day" && (end - at <= DAY_MS || msUntil(end, now) === 0))
    const goesOn = isAwaited && attempts < MAX_ATTEMPTS
    const jitter = Number.parseInt(hashText(`${work.work_id} ${end}`), 16) % JITTER_MS
    const limited = {
      since: isoOf(at),
      until: isoOf(end),
      ...(toldAt === at ? {} : { told_at: isoOf(toldAt) }),
      goes_on_at: goesOn ? isoOf(end + MARGIN_MS + jitter) : null,
      attempts,
    }
    return { ...work, limited }
  }
}

/** A limit as it is written down; one that nobody names an end of is tried again after an hour. Times in ms. */
export function limitSpan(at: number, until: number | null): LimitSpan {
  return { since: isoOf(at), until: isoOf(until ?? at + UNKNOWN_MS) }
}

/** Writes down that the host waits for a work's lead by itself from `at` until then, in ms: what is known of it if the host dies. */
export function recordHostWait(at: number, until: number): (work: Work) => Work {
  return (work) =>
    work.status !== "active"
      ? work
      : {
          ...work,
          limited: {
            since: isoOf(at),
            until: isoOf(until),
            goes_on_at: null,
            attempts: work.limited?.attempts ?? 0,
          },
        }
}

/**
 * Until when nothing of an active work goes on, since the host waits for the provider by itself: for its lead, or for the
 * subagent of each call that is under way, whatever that is for. An ISO time; null where something goes on.
 */
export function hostWaitEnd(work: Work, now: number): string | null {
  const { status, limited, dispatches } = begunByNow(work, now)
  if (status !== "active") return null
  if (limited !== null && lasts(limited, now)) return limited.until
  const ends = Object.values(dispatches).map(({ waits }) =>
    waits !== undefined && lasts(waits, now) ? waits.until : null,
  )
  return ends.includes(null) ? null : (ends.toSorted()[0] ?? null)
}

/** Whether a limit lasts, by the clock on the wall. */
export function lasts({ until }: Pick<LimitSpan, "until">, now: number): boolean {
  return msUntil(until, now) > 0
}

/** Whether a limit was over as soon as it was written down: it was told late, or a request was made behind its end. */
export function wasOver({ since, until }: LimitSpan): boolean {
  return until <= since
}

/** A work behind a step of the clock, back by so many ms: its limits, and its tasks' and calls', end as much earlier by it. */
export function clockSetBack(work: Work, stepMs: number): Work {
  return withSpans(work, () => stepMs)
}

/** A work none of whose limits begin in the future: the clock was set back behind them, and nobody has seen how far. */
export function begunByNow(work: Work, now: number): Work {
  return withSpans(work, ({ since }) => msUntil(since, now))
}

function withSpans(work: Work, aheadOf: (span: LimitSpan) => number): Work {
  const { limited, task_sessions: kept, dispatches } = work
  const sessions = movedOf(kept, ({ interrupted: limit, ...session }) => {
    const byMs = limit === undefined ? 0 : aheadOf(limit)
    return limit === undefined || byMs === 0
      ? null
      : { ...session, interrupted: { ...limit, ...earlier(limit, byMs) } }
  })
  const calls = movedOf(dispatches, ({ waits, ...call }) => {
    const byMs = waits === undefined ? 0 : aheadOf(waits)
    return waits === undefined || byMs === 0 ? null : { ...call, waits: earlier(waits, byMs) }
  })
  const ofWork = limited === null ? 0 : aheadOf(limited)
  if (ofWork === 0 && sessions === kept && calls === dispatches) return work
  return {
    ...work,
    limited: limited === null || ofWork === 0 ? limited : limitedEarlier(limited, ofWork),
    task_sessions: sessions,
    dispatches: calls,
  }
}

/** The entries with those that `moved` gives another for; the same object where it gives none. */
function movedOf<Entry>(
  entries: Readonly<Record<string, Entry>>,
  moved: (entry: Entry) => Entry | null,
): Record<string, Entry> {
  const changed = Object.entries(entries).flatMap(([key, entry]) => {
    const now = moved(entry)
    return now === null ? [] : [[key, now] as const]
  })
  return changed.length === 0 ? entries : { ...entries, ...Object.fromEntries(changed) }
}

function limitedEarlier(limited: Limited, byMs: number): Limited {
  const { since, told_at: told = since, goes_on_at: at } = limited
  const goesOn = at === null ? null : earlierBy(at, byMs)
  return { ...limited, ...earlier(limited, byMs), told_at: told, goes_on_at: goesOn }
}

function earlier({ since, until }: LimitSpan, byMs: number): LimitSpan {
  return { since: earlierBy(since, byMs), until: earlierBy(until, byMs) }
}

/** When a limit was told, by the clock of then: what tells it from another. */
export function toldAt({ since, told_at: told = since }: Limited): string {
  return told
}

/** Whether as many requests were made behind a limit as may be: the work's, or a task's own. */
export function isSpent({ attempts = 0 }: { readonly attempts?: number | undefined }): boolean {
  return attempts >= MAX_ATTEMPTS
}

/** Whether a limit of a task's own holds it up: while it lasts, or for good where it has taken all its attempts. */
export function holds(limit: TaskLimit, now: number): boolean {
  return lasts(limit, now) || isSpent(limit)
}

/** Whether a work waits for the end of a limit, and is to go on by itself then. */
export function goesOnByItself({ status, pause_reason: reason, limited }: Work): boolean {
  return status === "paused" && reason === "usage-limited" && (limited?.goes_on_at ?? null) !== null
}

/** Whether a work is active, or will be by itself at the end of a limit. */
export function isGoing(work: Work): boolean {
  return work.status === "active" || goesOnByItself(work)
}

/** Whether it is to go on by itself now. */
export function isDue(work: Work, now: number): boolean {
  const at = work.limited?.goes_on_at ?? null
  return goesOnByItself(work) && at !== null && msUntil(at, now) === 0
}

/** Sets a work going whose wait for a limit is over; any other stays as it is. No person has: stops of theirs still hold. */
export function wakeIfDue(work: Work, now: number): Work {
  return isDue(work, now) ? { ...work, status: "active", pause_reason: null } : work
}

/** A work that waits for no limit by itself, since its person wants none waited for: it needs one. */
export function withoutWait(work: Work): Work {
  const { limited } = work
  return goesOnByItself(work) && limited !== null
    ? { ...work, limited: { ...limited, goes_on_at: null } }
    : work
}

/** Counts a request behind a limit, whose end has come, before it is made; a work without one stays as it is. */
export function countAttempt(work: Work): Work {
  const { limited } = work
  if (limited === null) return work
  const { since, attempts } = limited
  // No step of the clock makes it last again.
  return {
    ...work,
    limited: { ...limited, until: since, goes_on_at: null, attempts: attempts + 1 },
  }
}

/** Gives the attempt back of a request that the provider has never got. */
export function giveBackAttempt(work: Work): Work {
  const { limited } = work
  return limited === null || limited.attempts === 0
    ? work
    : { ...work, limited: { ...limited, attempts: limited.attempts - 1 } }
}

/**
 * The same for a task whose subagent met a limit, before it is delegated again. While its limit lasts that is no request
 * behind it: the model that delegates it all the same takes no attempt. `at` is when it is delegated, in ms.
 */
export function countTaskAttempt(work: Work, task: LimitedTask, at: number): Work {
  return withTaskAttempts(work, task, at, 1)
}

/** Gives the attempt back that was counted at `at`, in ms, for a task whose subagent never began. */
export function giveBackTaskAttempt(work: Work, task: LimitedTask, at: number): Work {
  return withTaskAttempts(work, task, at, -1)
}

interface LimitedTask {
  readonly key: string
  readonly titleHash: string
}

function withTaskAttempts(work: Work, task: LimitedTask, at: number, by: number): Work {
  const { task_sessions: kept } = work
  const session = Object.hasOwn(kept, task.key) ? kept[task.key] : undefined
  const limit = session?.interrupted
  if (session === undefined || limit === undefined || session.title_hash !== task.titleHash)
    return work
  const known = begunByNow(work, at).task_sessions[task.key]?.interrupted ?? limit
  if (lasts(known, at)) return work
  const interrupted = { ...limit, attempts: Math.max(0, (limit.attempts ?? 0) + by) }
  return { ...work, task_sessions: { ...kept, [task.key]: { ...session, interrupted } } }
}
