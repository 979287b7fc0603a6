// The interface of the handoff store.
import type { Handoff } from "../../boulder/handoff.ts"
import type { HandoffChange, HandoffRefusal } from "../../boulder/handoff-changes.ts"

/** What came of a change of one handoff. */
export type HandoffUpdate =
  | { readonly kind: "changed"; readonly handoff: Handoff }
  | { readonly kind: "refused"; readonly reason: HandoffRefusal; readonly handoff: Handoff }
  | { readonly kind: "missing" }

/**
 * Where the handoffs of one scope live: a project, which is what it was opened for. Nothing of another scope is ever
 * given out or changed, whatever id is asked for. Times are the store's own: leases of several machines are measured by
 * one clock.
 *
 * - `scope` is the name that its records carry.
 * - `open` gives the records that are not settled, in no order; it reads no settled one.
 * - `read` gives one record, open or settled; null when this scope has none of that id.
 * - `create` keeps the record that `make` gives for the store's time (ms since 1970), and gives it back; null, and nothing
 *   written, when its id is taken. Throws for one of another scope.
 * - `update` is compare and swap: `change` is called with the newest record and the store's time, perhaps several times,
 *   and must be pure; what it returns is written only if nobody else has written since. A reason instead of a record
 *   writes nothing. Of two changes that both saw the same record, one is asked again. A settled record is never changed
 *   (`settled`).
 * - `lastOf` gives the record that a session was last heard in, open ones before settled ones; null without any.
 *
 * What has resolved is durable. All methods may throw a `StoreError`; a record that cannot be read is skipped in
 * `open` and named in `unreadable`, and never stops the others.
 */
export interface HandoffStore {
  readonly scope: string
  open(): Promise<OpenHandoffs>
  read(id: string): Promise<Handoff | null>
  create(make: (now: number) => Handoff): Promise<Handoff | null>
  update(id: string, change: HandoffChange): Promise<HandoffUpdate>
  lastOf(sessionId: string): Promise<Handoff | null>
  /** Only of a store that can be away: the same store for one call. */
  forCall?(call: StoreCall): HandoffStore
  /**
   * Only of a store that can be away: the same records for hooks, which wait for no other machine. `open` gives what was
   * known last, and asks behind it; `update` changes what is known, and the change is sent behind it.
   */
  readonly atOnce?: HandoffStore
  /** Only of a store that several machines may share: in words why no other shares this scope, null where others may. */
  readonly alone?: string | null
}

/** What a call of a store that can be away has for itself. */
export interface StoreCall {
  /** All that it asks ends within so many ms from now, with an error where there is no answer; whoever lists is given what was known last. */
  readonly ms: number
  /**
   * What a save writes is written together with its key, and throws `AlreadySaved` where the key stands there: a save whose
   * end nobody knows is sent once.
   */
  readonly key?: string
  /** The scope that it was kept under, where that may be another. */
  readonly scope?: string | undefined
}

/** A save of this key was written before: nothing was written now, and nothing has failed. */
export class AlreadySaved extends Error {}

/** What waits or is in somebody's hands. */
export interface OpenHandoffs {
  readonly handoffs: readonly Handoff[]
  /** The store's time of this reading, by which leases run or have run out; ms since 1970. */
  readonly now: number
  /** Where each was written last; only a store that several machines share knows. */
  readonly machines?: ReadonlyMap<string, string>
  /** Why the list may be old: what could not be asked, in words. */
  readonly old?: string
  /** Files, or rows, that hold no valid record, as a person finds them. */
  readonly unreadable: readonly string[]
}

/** Of several records the one that a session was last heard in: what `lastOf` gives. */
export function lastHeard(handoffs: readonly Handoff[], sessionId: string): Handoff | null {
  const own = handoffs.filter((one) => one.session_id === sessionId || isInHistory(one, sessionId))
  const order = (a: Handoff, b: Handoff) => b.updated_at.localeCompare(a.updated_at)
  return own.sort(order)[0] ?? null
}

function isInHistory({ claim, history }: Handoff, sessionId: string): boolean {
  return claim?.session_id === sessionId || history.some((entry) => entry.session_id === sessionId)
}
