// The interface of the store and its notices.
import type { Boulder, Change } from "../../boulder/boulder.ts"

/** Something that the user should hear about: a revision restored, an older format upgraded, the state removed while in use, a temp file that cannot be removed. */
export interface StoreNotice {
  readonly kind: "restored" | "upgraded" | "removed" | "housekeeping"
  readonly message: string
}

interface StoreReading {
  /** Null when nothing was ever stored. */
  readonly boulder: Boulder | null
  readonly notices: readonly StoreNotice[]
}

export interface StoreUpdate {
  /** The state after the change. */
  readonly boulder: Boulder
  /** False when the change had nothing to change: nothing was written and the revision is as it was. */
  readonly changed: boolean
  readonly notices: readonly StoreNotice[]
}

/**
 * Where the state of a project lives. What it hands out is read-only by its type, since frozen objects are walked and
 * printed at a third of the speed: make a new object to change something.
 *
 * - `read` waits for nobody and does not throw for a missing file (`boulder: null`). A file that cannot be read as a
 *   boulder is never taken for an empty one: the last good revision is restored and a notice says so, or it throws.
 * - `update` reads, validates, applies `change`, validates, replaces, and raises `revision` by one. `change` may be
 *   called more than once (another process was faster), each time on the newest state, and must be pure; a throw of
 *   its own reaches the caller and nothing is written. Returning the very same object writes nothing. When it
 *   resolves, the change is on the disk; when it rejects with a `StoreError`, the message says what state the file is in.
 *   Who gives `whenPlaced` goes on as soon as the change is in place, where every reader sees it, and is given what
 *   resolves when it is on the disk, or rejects (`not-durable`): nobody outside may be told of the change before.
 *   Its time is limited; the error of a spent limit (`busy`) names the process that was in the way.
 */
export interface BoulderStore {
  read(): Promise<StoreReading>
  update(change: Change, whenPlaced?: (onDisk: Promise<void>) => void): Promise<StoreUpdate>
  /** Whether nobody has written since this store has handed `boulder` out: told by the file's bytes, nothing is parsed. */
  isNewest(boulder: Boulder): Promise<boolean>
}
