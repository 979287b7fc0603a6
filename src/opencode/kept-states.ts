import { isoOf } from "../boulder/iso-time.ts"
import { isEmptyTaskState, printTaskState, type StoredTaskState } from "../boulder/task-state.ts"
import { forgetOldest } from "../store/forget-oldest.ts"
import { StoreError } from "../store/store-error.ts"
import type { Shell } from "./shell.ts"
import { TimeLimitError, withinLimit } from "./time-limit.ts"

/**
 * The task states of this project, for hooks: a file that cannot be read is told of once and
 * taken for none, as is a state without a word.
 */
export interface KeptStates {
  load(sessionId: string): Promise<StoredTaskState | null>
  /**
   * Puts `next` in the place of `before`. Null when it lies there; else why not, and then `before` stays: a save that
   * comes through too late is taken back.
   */
  replace(before: StoredTaskState | null, next: StoredTaskState): Promise<string | null>
  forget(sessionId: string): void
}

/** Well below the limit of a hook, so that its outcome is known within it; in ms. */
const SAVE_LIMIT_MS = 5_000

export function openKeptStates(shell: Shell, saveLimitMs = SAVE_LIMIT_MS): KeptStates {
  const { taskStates: files } = shell
  const told = new Set<string>()

  const load: KeptStates["load"] = async (sessionId) => {
    try {
      const stored = await files.load(sessionId)
      return stored === null || isEmptyTaskState(stored.task_state) ? null : stored
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      await tellOnce(sessionId, error)
      return null
    }
  }

  const tellOnce = async (sessionId: string, { code, message }: StoreError): Promise<void> => {
    if (told.has(sessionId)) return
    told.add(sessionId)
    forgetOldest(told, MAX_TOLD)
    const entry = { at: isoOf(shell.now()), session: sessionId, work: null }
    await shell.journal.append({ ...entry, decision: "notice", reason: code, facts: { message } })
    await shell.log(message)
  }

  return {
    load,
    forget: (sessionId) => {
      told.delete(sessionId)
    },
    async replace(before, next) {
      const saving = files.save(next)
      try {
        await withinLimit(saving, saveLimitMs, "saving the task state")
        return null
      } catch (error) {
        const found = await withinLimit(load(next.session_id), saveLimitMs / 2, "looking for it")
        // The last step of a save may fail when the new file is in its place already: then it counts.
        if (found !== null && printTaskState(found) === printTaskState(next)) return null
        if (error instanceof TimeLimitError) void takenBack(saving, before, next.session_id)
        return error instanceof Error ? error.message : String(error)
      }
    },
  }

  /** Undoes a save that nobody waits for any more, once it comes through. */
  async function takenBack(
    saving: Promise<void>,
    before: StoredTaskState | null,
    sessionId: string,
  ): Promise<void> {
    try {
      await saving
      await (before === null ? files.remove(sessionId) : files.save(before))
    } catch (error) {
      await shell.log(`the task state of ${sessionId}: ${String(error)}`)
    }
  }
}

const MAX_TOLD = 256
