// ISO 8601 times and milliseconds.
/** A moment as an ISO 8601 text or in ms since 1970. */
type Moment = string | number

/*
 * Times are subtracted and compared here and nowhere else: the clock may be set back or forward between any two of them, even while this
 * process runs. There are three kinds of waits:
 *
 * - The end of a provider's limit is a time on the wall clock: it has come if the machine wakes up, opencode starts again or the clock is
 *   set forward. If the clock is set back, the end moves back too (`usage-limit.ts`): by the step if a watch has seen it (`stepBackMs`),
 *   else so that the limit begins now. A step back never ends a limit, and makes it at most twice as long.
 * - Our own pauses, between prompts, after failures and of leases, are spans since a recorded time (`isWithin`): a step of the clock ends
 *   them, or makes them at most twice as long.
 * - How long a subagent is silent, or its tool runs, is no difference of times at all: `silent-children.ts` counts how long it has watched,
 *   by timers, which no wall clock moves and which stand still while the machine sleeps.
 */

/** Milliseconds since 1970 of an ISO 8601 time; NaN for anything else. Arithmetic, not a clock. */
export function msOf(time: Moment): number {
  // biome-ignore lint/style/noRestrictedGlobals: parsing a given time reads no clock
  return typeof time === "number" ? time : Date.parse(time)
}

/** The ISO 8601 time, in UTC, of milliseconds since 1970. */
export function isoOf(ms: number): string {
  // biome-ignore lint/style/noRestrictedGlobals: formatting a given time reads no clock
  return new Date(ms).toISOString()
}

/** How long ago something was, in ms; a time in the future counts as now. NaN for no time. */
export function elapsedMs(since: Moment, now: number): number {
  return Math.max(0, now - msOf(since))
}

/** How long it is until `time`, in ms; 0 if it has passed. NaN for no time. */
export function msUntil(time: Moment, now: number): number {
  return Math.max(0, msOf(time) - now)
}

/**
 * Whether a span of `lengthMs` that began at `since` is still running. A beginning in the future counts as now if it is nearer than the
 * span is long: no step of the clock makes a span more than twice as long. False for no time.
 */
export function isWithin(since: Moment, lengthMs: number, now: number): boolean {
  return Math.abs(now - msOf(since)) < lengthMs
}

/**
 * Whether one moment is before another. A time in the future was written before the clock was set back, so it is before every time that is
 * not in the future. `now` must be read after both, or what has just happened looks like the future.
 */
export function isBefore(one: Moment, other: Moment, now: number): boolean {
  const isOneAhead = msOf(one) > now
  const isOtherAhead = msOf(other) > now
  return isOneAhead === isOtherAhead ? msOf(one) < msOf(other) : isOneAhead
}

/** Sorts moments by the times they state. */
export function byTime(one: Moment, other: Moment): number {
  return msOf(one) - msOf(other)
}

/** The ISO time this many ms before another. */
export function earlierBy(time: Moment, byMs: number): string {
  return isoOf(msOf(time) - byMs)
}

/**
 * How far the clock was set back between two looks, given that a timer of `waitedMs` ran between them; exact to the timer's delay. 0 if it
 * was not set back.
 */
export function stepBackMs(before: number, now: number, waitedMs: number): number {
  return now < before ? before + waitedMs - now : 0
}
