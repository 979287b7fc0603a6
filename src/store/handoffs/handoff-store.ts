// The interface of the handoff store.
import type { Handoff } from "../../boulder/handoff.ts"
import type { HandoffChange, HandoffRefusal } from "../../boulder/handoff-changes.ts"

/** The outcome of a change of one handoff. */
export type HandoffUpdate =
  | { readonly kind: "changed"; readonly handoff: Handoff }
  | { readonly kind: "refused"; readonly reason: HandoffRefusal; readonly handoff: Handoff }
  | { readonly kind: "missing" }

/**
 * Where the handoffs of one scope are stored: the project that it was opened for. Nothing of another scope is ever returned or changed,
 * whatever id is asked for. Times are the store's own, so that one clock measures the leases of several machines.
 *
 * - `scope` is the name in its records.
 * - `open` returns the records that are not settled, in no order; it reads no settled one.
 * - `read` returns one record, open or settled; null if this scope has none with that id.
 * - `create` stores the record that `make` returns for the store's time (ms since 1970), and returns it; null, and nothing written, if its id
 *   exists. Throws for a record of another scope.
 * - `update` compares and swaps: `change` is called with the newest record and the store's time, perhaps several times, and must be pure; its
 *   result is written only if nobody else has written since. If it returns a reason instead of a record, nothing is written. If two changes
 *   saw the same record, one of them is asked again. A settled record is never changed (`settled`).
 * - `lastOf` returns the record where a session was last heard, open ones before settled ones; null if there is none.
 *
 * What has resolved is durable. All methods may throw a `StoreError`; a record that cannot be read is skipped in `open` and named in
 * `unreadable`, and never stops the others.
 */
export interface HandoffStore {
  readonly scope: string
  open(): Promise<OpenHandoffs>
  read(id: string): Promise<Handoff | null>
  create(make: (now: number) => Handoff): Promise<Handoff | null>
  update(id: string, change: HandoffChange): Promise<HandoffUpdate>
  lastOf(sessionId: string): Promise<Handoff | null>
  /** Only in a store that can be away: the same store for one call. */
  forCall?(call: StoreCall): HandoffStore
  /**
   * Only in a store that can be away: the same records for hooks, which wait for no other machine. `open` returns what was last known and
   * asks afterwards; `update` changes what is known, and the change is sent afterwards.
   */
  readonly atOnce?: HandoffStore
  /** Only in a store that several machines may share: why no other shares this scope, in words; null if others may. */
  readonly alone?: string | null
}

/** What one call of a store that can be away has for itself. */
export interface StoreCall {
  /**
   * Everything that it asks ends within this many ms from now, with an error if there is no answer; lists then return what was last known.
   */
  readonly ms: number
  /**
   * A save is written together with its key, and throws `AlreadySaved` if the key exists: a save whose outcome is unknown is thus written
   * once.
   */
  readonly key?: string
  /** The scope that it was kept under, if that may be another. */
  readonly scope?: string | undefined
}

/** A save with this key was written before: nothing was written now, and nothing has failed. */
export class AlreadySaved extends Error {}

/** What waits or is held by somebody. */
export interface OpenHandoffs {
  readonly handoffs: readonly Handoff[]
  /** The store's time of this reading, by which leases run or have run out; ms since 1970. */
  readonly now: number
  /** Where each was last written; known only to a store that several machines share. */
  readonly machines?: ReadonlyMap<string, string>
  /** Why the list may be old: what could not be asked, in words. */
  readonly old?: string
  /** Files, or rows, without a valid record, named so that a person can find them. */
  readonly unreadable: readonly string[]
}

/** Of several records, the one where a session was last heard: the result of `lastOf`. */
export function lastHeard(handoffs: readonly Handoff[], sessionId: string): Handoff | null {
  const own = handoffs.filter((one) => one.session_id === sessionId || isInHistory(one, sessionId))
  const order = (a: Handoff, b: Handoff) => b.updated_at.localeCompare(a.updated_at)
  return own.sort(order)[0] ?? null
}

function isInHistory({ claim, history }: Handoff, sessionId: string): boolean {
  return claim?.session_id === sessionId || history.some((entry) => entry.session_id === sessionId)
}
