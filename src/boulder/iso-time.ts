// ISO 8601 times and milliseconds.
/** A moment as an ISO 8601 text or as ms since 1970. */
type Moment = string | number

/*
 * Here, and nowhere else, times are subtracted and compared: the clock may be set back or forward between any two of
 * them, also while this process runs. What is waited for is of one of three kinds:
 *
 * - The end of a provider's limit is a time of the wall: it has come when the machine wakes, when opencode begins anew,
 *   when the clock is set forward. Where that is set back, the end is set back too (`usage-limit.ts`): by the step where
 *   a watch has seen it (`stepBackMs`), else so that the limit begins now. It is never over for a step back, and lasts at
 *   most twice as long.
 * - Pauses of our own, between prompts, behind failures, of leases, are spans since a time that is written down
 *   (`isWithin`): a step of the clock ends them, or makes them last twice as long at most.
 * - How long a subagent is silent, or its tool runs, is no difference of times at all: `silent-children.ts` counts how
 *   long it has looked, by timers, which no clock on the wall moves and which stand still while the machine sleeps.
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

/** How long it is until then, in ms; 0 for a time that has passed. NaN for no time. */
export function msUntil(time: Moment, now: number): number {
  return Math.max(0, msOf(time) - now)
}

/**
 * Whether a span of `lengthMs` that began at `since` still runs. A beginning in the future counts as now while it is
 * nearer than the span is long: no step of the clock makes a span last more than twice as long. False for no time.
 */
export function isWithin(since: Moment, lengthMs: number, now: number): boolean {
  return Math.abs(now - msOf(since)) < lengthMs
}

/**
 * Whether one moment lies before another. A time in the future was written before the clock was set back: it lies
 * before every time that is not. `now` must be read after both, else what has just happened looks like the future.
 */
export function isBefore(one: Moment, other: Moment, now: number): boolean {
  const isOneAhead = msOf(one) > now
  const isOtherAhead = msOf(other) > now
  return isOneAhead === isOtherAhead ? msOf(one) < msOf(other) : isOneAhead
}

/** Puts moments in the order in which they say they were. */
export function byTime(one: Moment, other: Moment): number {
  return msOf(one) - msOf(other)
}

/** The ISO time that lies so many ms before another. */
export function earlierBy(time: Moment, byMs: number): string {
  return isoOf(msOf(time) - byMs)
}

/**
 * How far the clock was set back between two looks that a timer of `waitedMs` lies between, to within what that was
 * late; 0 where it was not.
 */
export function stepBackMs(before: number, now: number, waitedMs: number): number {
  return now < before ? before + waitedMs - now : 0
}
