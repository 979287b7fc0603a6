// Task states for hooks: loads, and replaces whole or not at all.
import { isoOf } from "../../boulder/iso-time.ts"
import {
  isEmptyTaskState,
  printTaskState,
  type StoredTaskState,
  withoutSummary,
} from "../../boulder/task-state.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { forgetOldest } from "../../store/disk/forget-oldest.ts"
import { StoreError } from "../../store/disk/store-error.ts"
import type { Shell } from "../host/shell.ts"
import { TimeLimitError, withinLimit } from "../host/time-limit.ts"

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
  /** The host has taken a message back: where it was the summary made with a state, the state before it is back. */
  undone(sessionId: string, messageId: string): Promise<void>
  forget(sessionId: string): void
}

/** Well below the limit of a hook, so that its outcome is known within it; in ms. */
const SAVE_LIMIT_MS = 5_000

export function openKeptStates(shell: Shell): KeptStates {
  const { taskStates: files } = shell
  /** Whose damaged file was told of: it keeps the journal short, and no decision looks at it. */
  const told = new Set<string>()

  const read: KeptStates["load"] = async (sessionId) => {
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
    await shell.api.toast(cleanLine(message), "warning")
  }

  const takeBack = async (sessionId: string, messageId: string): Promise<void> => {
    const now = await read(sessionId)
    const then = now === null ? null : withoutSummary(now, messageId)
    if (then === now) return
    await (then === null ? files.remove(sessionId) : files.save(then))
    if (now?.summary_id !== messageId) return
    const facts = { before: then?.updated_at ?? null }
    const entry = { at: isoOf(shell.now()), session: sessionId, work: null }
    await shell.journal.append({
      ...entry,
      decision: "compact",
      reason: "task-state-undone",
      facts,
    })
  }

  /** One after the other: an undo takes several messages back at once, and the order of their states counts. */
  let last: Promise<unknown> = Promise.resolve()

  return {
    async load(sessionId) {
      // The request behind an undo comes while its messages are still being taken back.
      await last
      return read(sessionId)
    },
    undone(sessionId, messageId) {
      const mine = last.then(() => takeBack(sessionId, messageId))
      last = mine.catch(() => null)
      return mine
    },
    forget: (sessionId) => {
      told.delete(sessionId)
    },
    async replace(before, next) {
      const saving = files.save(next)
      try {
        await withinLimit(saving, SAVE_LIMIT_MS, "saving the task state")
        return null
      } catch (error) {
        const found = await withinLimit(read(next.session_id), SAVE_LIMIT_MS / 2, "looking for it")
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
