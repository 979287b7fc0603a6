// What the provider's answer to the last turn asks of a work: a person, or a wait.
import type { Work } from "../boulder/boulder.ts"
import { isBefore, isoOf, msOf } from "../boulder/iso-time.ts"
import { isSpent, lasts } from "../boulder/usage-limit.ts"
import type { Situation } from "./situation.ts"

const STILL_TOO_LONG = "the context is too long, also behind a compaction"

/** The words with which the provider refuses whatever is asked of it; null where it does not. */
export function refusalNow(
  { failure, lastTurn, now }: Situation,
  { resumed_at: since, compactions }: Work,
): string | null {
  if (failure?.kind === "refused" && !isOld(failure.at, since, now)) return failure.words
  const isTooLong = lastTurn?.error === "ContextOverflowError" && compactions.in_a_row > 0
  return isTooLong && !isOld(lastTurn.createdAt, since, now) ? STILL_TOO_LONG : null
}

/** The limit that a work has to wait for, as `recordLimit` takes it, times in ms; null where none holds it up. */
export function limitNow(
  { failure, now, isBusy }: Situation,
  { resumed_at: resumed, limited }: Work,
): { readonly at: number; readonly until: number | null } | null {
  const isNew = failure?.kind === "limited" && limited?.since !== isoOf(failure.at)
  if (isNew && !isOld(failure.at, resumed, now)) return failure
  // What the host waited for when it died, or a limit that has taken all its attempts.
  if (limited === null || isBusy || !(lasts(limited, now) || isSpent(limited))) return null
  return { at: msOf(limited.since), until: msOf(limited.until) }
}

/** A person has set the work going since. What lies in the future counts as now: the clock was set back behind it. */
function isOld(at: number, resumed: string, now: number): boolean {
  return isBefore(Math.min(at, now), resumed, now)
}
