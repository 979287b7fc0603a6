// Lists the handoffs that somebody can take up, grouped by reason.

import { type Handoff, holderOf } from "../boulder/handoff.ts"
import type { Offer, Offers } from "../boulder/handoff-outcome.ts"
import { msOf } from "../boulder/iso-time.ts"
import { addTo } from "../plan/model/once.ts"

/** No list is longer than this. */
const MAX_OFFERS = 10

/** Who asks, and when (ms). */
interface Asker {
  readonly sessionId: string | null
  readonly now: number
}

/**
 * The tasks that somebody can take up: blocked ones that nobody holds, and those whose session has been silent for longer than its lease.
 * The newest come first, the asker's own last; what another session holds is not listed.
 */
export function offersOf(handoffs: readonly Handoff[], asker: Asker, max = MAX_OFFERS): Offers {
  const all = handoffs
    .map((handoff) => offerOf(handoff, asker))
    .filter((offer) => offer !== null)
    .sort(
      (a, b) =>
        Number(a.isYours) - Number(b.isYours) ||
        b.since - a.since ||
        (a.handoff.id < b.handoff.id ? -1 : 1),
    )
  return { offers: all.slice(0, max), total: all.length }
}

/** The offers that a session could take up now; what it already holds is none. */
export function claimable(handoffs: readonly Handoff[], asker: Asker): Offers {
  const open = handoffs.filter((handoff) => offerOf(handoff, asker)?.kind !== "held")
  return offersOf(open, asker)
}

function offerOf(handoff: Handoff, { sessionId, now }: Asker): Offer | null {
  if (handoff.settled_at !== null) return null
  const since = msOf(handoff.blocked_at ?? handoff.claim?.lease_until ?? handoff.updated_at)
  const holder = holderOf(handoff, now)
  if (holder !== null)
    return holder === sessionId ? { handoff, kind: "held", isYours: true, since } : null
  const isYours = handoff.session_id === sessionId
  return { handoff, kind: handoff.status === "blocked" ? "blocked" : "interrupted", isYours, since }
}

/** Puts offers that wait for the same reason together, in the place of the first of them. */
export function groupedByReason<Shown extends Offer>(
  offers: readonly Shown[],
): readonly (readonly Shown[])[] {
  const groups = new Map<string, Shown[]>()
  for (const offer of offers) {
    const reason = (offer.handoff.blocked_reason ?? "")
      .toLowerCase()
      .replace(/[\s.!]+/g, " ")
      .trim()
    const isAlone = offer.isYours || offer.kind !== "blocked" || reason === ""
    const key = isAlone ? ` ${offer.handoff.id}` : reason
    addTo(groups, key, offer)
  }
  return [...groups.values()]
}

/** The largest number of offers that wait for the same reason. */
export function largestGroup(offers: readonly Offer[]): number {
  return Math.max(0, ...groupedByReason(offers).map((group) => group.length))
}

/** What a work itself has left open, as text to compare progress by. A renewed lease or a repeated record changes nothing in it. */
export function handoffProgress(handoffs: readonly Handoff[], workId: string): string {
  return handoffs
    .filter((handoff) => handoff.work_id === workId && handoff.from_outside !== true)
    .map(
      ({ id, status, summary, blocked_reason }) => `${id} ${status} ${summary} ${blocked_reason}`,
    )
    .sort()
    .join("\n")
}
