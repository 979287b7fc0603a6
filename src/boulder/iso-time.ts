// ISO 8601 times and milliseconds.
/** A moment as an ISO 8601 text or as ms since 1970. */
type Moment = string | number

/*
 * Here, and nowhere else, times are subtracted and compared: the clock may be set back or forward between any two of
 * them, also while this process runs, and none of our answers may then hold for as long as that step. A monotonic clock
 * would know better within one process, but it stands still while the machine sleeps, and the host's times and those on
 * disk are of the wall clock; only limits on one call of ours are measured with it.
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
