// Holds the records last known and what was written since, for hooks and while the database is away.
import type { Handoff } from "../../boulder/handoff.ts"
import { elapsedMs } from "../../boulder/iso-time.ts"
import { type HandoffStore, lastHeard, type OpenHandoffs } from "../handoffs/handoff-store.ts"

/** A store that nobody else sees: somebody else sends what is written to it. */
export interface KnownHandoffs extends HandoffStore {
  /** Replaces everything that was known by a list. Until the first one, `open` says that it is `old`. */
  hear(open: OpenHandoffs): void
  /** Takes one record as it is now. */
  note(handoff: Handoff): void
  /** How often it was written to: a list that was requested before a write does not include it. */
  writes(): number
}

/** Opens a store that knows no record yet; `now` in ms since 1970, by which the time of the last list is carried forward. */
export function openKnownHandoffs(scope: string, now: () => number): KnownHandoffs {
  let heard: OpenHandoffs = {
    handoffs: [],
    unreadable: [],
    now: now(),
    machines: new Map(),
    old: "The database of the handoffs has not answered yet.",
  }
  let heardAt = heard.now
  let records = new Map<string, Handoff>()
  let writes = 0
  const time = () => heard.now + elapsedMs(heardAt, now())
  const openOnes = () => [...records.values()].filter(({ settled_at }) => settled_at === null)
  const note = (handoff: Handoff): void => {
    writes += 1
    records.set(handoff.id, handoff)
  }
  return {
    scope,
    note,
    writes: () => writes,
    hear(open) {
      heard = open
      heardAt = now()
      records = new Map(open.handoffs.map((handoff) => [handoff.id, handoff]))
    },
    open: async () => ({ ...heard, handoffs: openOnes(), now: time() }),
    read: async (id) => records.get(id) ?? null,
    lastOf: async (sessionId) =>
      lastHeard(openOnes(), sessionId) ?? lastHeard([...records.values()], sessionId),
    async create(make) {
      const made = make(time())
      if (records.has(made.id)) return null
      note(made)
      return made
    },
    async update(id, change) {
      const handoff = records.get(id)
      if (handoff === undefined) return { kind: "missing" }
      const after = handoff.settled_at === null ? change(handoff, time()) : "settled"
      if (typeof after === "string") return { kind: "refused", reason: after, handoff }
      note(after)
      return { kind: "changed", handoff: after }
    },
  }
}
