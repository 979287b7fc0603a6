// A limit of the provider: how long it lasts, when the work resumes, and how often.
// Over 250 lines: the limits of works, tasks and calls last, move with the clock and are counted by the same rules.

import type { KnownTask } from "../plan/match-tasks.ts"
import { hashText } from "../plan/model/hash-text.ts"
import type { TaskSession, Work } from "./boulder.ts"
import { earlierBy, isoOf, msUntil } from "./iso-time.ts"

type Limited = NonNullable<Work["limited"]>

/** The limit that has interrupted a task's subagent. */
export type TaskLimit = NonNullable<TaskSession["interrupted"]>

/** From when until when a provider answers nothing; ISO times. */
export type LimitSpan = Pick<Limited, "since" | "until">

/** A task that a limit of its own subagent holds up. */
export interface TaskWait {
  readonly key: string
  readonly title: string
  /** An ISO time; null if all attempts are used up, so that it waits for a person. */
  readonly until: string | null
}

/** Added to a limit's end: clocks differ, and works that wait for the same end should not all start at once. */
const MARGIN_MS = 45_000
const JITTER_MS = 30_000
/** What `day` waits for: a limit of a day, reported a little early. */
const DAY_MS = 26 * 3_600_000
/** Our requests after one limit before a person is needed. */
const MAX_ATTEMPTS = 2
/** A limit without an end is tried again after an hour. */
const UNKNOWN_MS = 3_600_000

/** Which limits we wait for by ourselves. */
export type LimitWait = "off" | "day" | "any"

/**
 * A limit that holds a work up, times in ms: `until` is null if nobody says when it ends, `toldAt` is by the clock of that moment,
 * `attempts` are the requests made after it so far.
 */
export interface LimitMet {
  readonly at: number
  readonly until: number | null
  readonly toldAt: number
  readonly attempts: number
}

/** Records a limit that ended a turn, or that holds up every task; one that is over by `now`, in ms, needs no wait. */
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

/** A limit as recorded; one without a known end is tried again after an hour. Times in ms. */
export function limitSpan(at: number, until: number | null): LimitSpan {
  return { since: isoOf(at), until: isoOf(until ?? at + UNKNOWN_MS) }
}

/** Records that the host itself waits for a work's lead from `at` to `until`, in ms: this is what is known if the host dies. */
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
 * Until when nothing in an active work can go on because the host itself waits for the provider: for its lead, or for the subagent of every
 * running call, whatever it is for. An ISO time; null if something goes on.
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

/** Whether a limit still lasts, by the clock on the wall. */
export function lasts({ until }: Pick<LimitSpan, "until">, now: number): boolean {
  return msUntil(until, now) > 0
}

/** A work after the clock was set back by this many ms: its limits, and those of its tasks and calls, end that much earlier. */
export function clockSetBack(work: Work, stepMs: number): Work {
  return withSpans(work, () => stepMs)
}

/** A work without limits that begin in the future: the clock was set back behind them, and nobody has seen how far. */
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

/** Replaces the entries for which `moved` gives a new value; the same object if there are none. */
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

/** When a limit was reported, by the clock of that moment: this distinguishes it from others. */
export function toldAt({ since, told_at: told = since }: Limited): string {
  return told
}

/** Whether all attempts after a limit are used up: the work's, or a task's own. */
export function isSpent({ attempts = 0 }: { readonly attempts?: number | undefined }): boolean {
  return attempts >= MAX_ATTEMPTS
}

/** Whether a task's own limit holds it up: while it lasts, or for good if its attempts are used up. */
export function holds(limit: TaskLimit, now: number): boolean {
  return lasts(limit, now) || isSpent(limit)
}

/** Whether a work waits for the end of a limit and will then resume by itself. */
export function goesOnByItself({ status, pause_reason: reason, limited }: Work): boolean {
  return status === "paused" && reason === "usage-limited" && (limited?.goes_on_at ?? null) !== null
}

/** Whether a work is active, or will be by itself at the end of a limit. */
export function isGoing(work: Work): boolean {
  return work.status === "active" || goesOnByItself(work)
}

/** Whether it should resume by itself now. */
export function isDue(work: Work, now: number): boolean {
  const at = work.limited?.goes_on_at ?? null
  return goesOnByItself(work) && at !== null && msUntil(at, now) === 0
}

/** Resumes a work whose wait for a limit is over; any other stays as it is. No person did this, so their stops still hold. */
export function wakeIfDue(work: Work, now: number): Work {
  return isDue(work, now) ? { ...work, status: "active", pause_reason: null } : work
}

/** A work that does not wait for a limit by itself, because its user wants no such waits: it needs a person. */
export function withoutWait(work: Work): Work {
  const { limited } = work
  return goesOnByItself(work) && limited !== null
    ? { ...work, limited: { ...limited, goes_on_at: null } }
    : work
}

/** Counts a request after a limit that has ended, before it is made; a work without a limit stays as it is. */
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

/** Gives back the attempt of a request that never reached the provider. */
export function giveBackAttempt(work: Work): Work {
  const { limited } = work
  return limited === null || limited.attempts === 0
    ? work
    : { ...work, limited: { ...limited, attempts: limited.attempts - 1 } }
}

/**
 * The same for a task whose subagent met a limit: counts an attempt (`by` 1) before it is delegated again at `at`, in ms, and gives it back
 * (-1) if that subagent never began. While its limit lasts, a request is not one after it: a model that delegates the task anyway uses up
 * no attempt.
 */
export function countTaskAttempt(work: Work, task: KnownTask, at: number, by: 1 | -1): Work {
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
