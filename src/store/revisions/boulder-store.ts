// The interface of the store and its notices.
import type { Boulder, Change } from "../../boulder/boulder.ts"

/** Something that the user should hear about: a revision restored, an older format upgraded, the state removed while in use, a temp file that cannot be removed. */
export interface StoreNotice {
  readonly kind: "restored" | "upgraded" | "removed" | "housekeeping"
  readonly message: string
}

interface StoreReading {
  /** Null if nothing was ever stored. */
  readonly boulder: Boulder | null
  readonly notices: readonly StoreNotice[]
}

export interface StoreUpdate {
  /** The state after the change. */
  readonly boulder: Boulder
  /** False if the change changed nothing: nothing was written and the revision is the same. */
  readonly changed: boolean
  readonly notices: readonly StoreNotice[]
}

/**
 * Where the state of a project is stored. Its type makes the result read-only (frozen objects would be walked and printed at a third of the
 * speed): make a new object to change something.
 *
 * - `read` waits for nobody and does not throw if the file is missing (`boulder: null`). A file that cannot be read as a boulder is never
 *   taken for an empty one: the last good revision is restored and a notice says so, or it throws.
 * - `update` reads, validates, applies `change`, validates, replaces, and raises `revision` by one. `change` may be called more than once (if
 *   another process was faster), each time on the newest state, and must be pure; if it throws, the caller gets the error and nothing is
 *   written. Returning the same object writes nothing. When `update` resolves, the change is on disk; when it rejects with a `StoreError`, the
 *   message says what state the file is in. A caller that passes `whenPlaced` can continue as soon as the change is in place, where every reader
 *   sees it; `whenPlaced` gets a promise that resolves when the change is on disk, or rejects (`not-durable`): nobody outside may be told of the
 *   change before that. Its time is limited; the error for a spent limit (`busy`) names the process that was in the way.
 * - `kept` gives what `read` gave last, if one `stat` shows at once that the same file is still there unchanged. Else null, also behind an
 *   `update`: then call `read`.
 */
export interface BoulderStore {
  read(): Promise<StoreReading>
  kept(): Boulder | null
  update(change: Change, whenPlaced?: (onDisk: Promise<void>) => void): Promise<StoreUpdate>
  /** Whether nobody has written since this store returned `boulder`: compares the file's bytes, nothing is parsed. */
  isNewest(boulder: Boulder): Promise<boolean>
}
