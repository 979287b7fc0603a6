// Loads task states for hooks, and replaces them whole or not at all.
import { isoOf } from "../../boulder/iso-time.ts"
import {
  isEmptyTaskState,
  printTaskState,
  type StoredTaskState,
  withoutSummary,
} from "../../boulder/task-state.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { forgetOldest } from "../../store/disk/forget-oldest.ts"
import { messageOf, StoreError } from "../../store/disk/store-error.ts"
import { openTurns } from "../host/in-turn.ts"
import type { Shell } from "../host/shell.ts"
import { TimeLimitError, withinLimit } from "../host/time-limit.ts"

/** The task states of this project, for hooks. An unreadable file is reported once and counts as none, as does a state without a word. */
export type KeptStates = ReturnType<typeof openKeptStates>

/** Well below the limit of a hook, so that the outcome is known within it; in ms. */
const SAVE_LIMIT_MS = 5_000
/** A save, and the look for it after a failure: still below that limit. */
const TURN_LIMIT_MS = 7_800

/** Saves of a session that nobody waits for any more. */
interface LateSaves {
  /** How many have not come through yet. */
  count: number
  /** What must be in the file, whichever of them comes through. */
  due: StoredTaskState | null
}

export function openKeptStates(shell: Shell) {
  const { taskStates: files } = shell
  /** Sessions whose damaged file was reported. It keeps the journal short; no decision looks at it. */
  const told = new Set<string>()

  const read = async (sessionId: string): Promise<StoredTaskState | null> => {
    try {
      const stored = await files.load(sessionId)
      return stored === null || isEmptyTaskState(stored.task_state) ? null : stored
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      await tellOnce(sessionId, error)
      return null
    }
  }

  const tellOnce = async (sessionId: string, damaged: StoreError | null): Promise<void> => {
    if (damaged === null || told.has(sessionId)) return
    const { code, message } = damaged
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
    await put(sessionId, then)
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

  const isThere = async (state: StoredTaskState): Promise<boolean> => {
    const found = await read(state.session_id)
    return found !== null && printTaskState(found) === printTaskState(state)
  }

  const put = async (sessionId: string, state: StoredTaskState | null): Promise<void> => {
    await (state === null ? files.remove(sessionId) : files.save(state))
    acknowledge(sessionId, state)
  }

  /** What was acknowledged stands, whatever comes through later. */
  const acknowledge = (sessionId: string, state: StoredTaskState | null): void => {
    const saves = late.get(sessionId)
    if (saves !== undefined) saves.due = state
  }

  /** By session, while one of its saves hangs. Only the writing of the file uses it; no decision looks at it. */
  const late = new Map<string, LateSaves>()

  /** Undoes a save that nobody waits for any more, once it comes through. */
  const takenBack = async (
    saving: Promise<unknown>,
    before: StoredTaskState | null,
    given: StoredTaskState,
  ): Promise<void> => {
    const { session_id: sessionId } = given
    const saves = late.get(sessionId) ?? { count: 0, due: before }
    late.set(sessionId, saves)
    saves.count += 1
    try {
      await saving
      await inTurn(sessionId, async () => {
        if (await isThere(given)) await put(sessionId, saves.due)
      })
    } catch (error) {
      await shell.log(`the task state of ${sessionId}: ${String(error)}`)
    }
    saves.count -= 1
    if (saves.count === 0) late.delete(sessionId)
  }

  const replace = async (
    before: StoredTaskState | null,
    next: StoredTaskState,
  ): Promise<string | null> => {
    const saving = files.save(next)
    try {
      const aside = await withinLimit(saving, SAVE_LIMIT_MS, "saving the task state")
      await tellOnce(next.session_id, aside)
    } catch (error) {
      const there = withinLimit(isThere(next), SAVE_LIMIT_MS / 2, "looking for it")
      // The last step of a save may fail when the new file is already in place: then the save counts.
      if (!(await there)) {
        if (error instanceof TimeLimitError) void takenBack(saving, before, next)
        return messageOf(error)
      }
    }
    acknowledge(next.session_id, next)
    return null
  }

  /** An undo removes several messages at once, and the order of their states counts. */
  const inTurn = openTurns(TURN_LIMIT_MS, "a task state")

  return {
    // The request after an undo comes while its messages are still being removed.
    load: (sessionId: string) => inTurn(sessionId, () => read(sessionId)),
    /** The host has removed a message. If that was the summary made with a state, the state before it is back. */
    undone: (sessionId: string, messageId: string) =>
      inTurn(sessionId, () => takeBack(sessionId, messageId)),
    /** Replaces `before` by `next`. Null if `next` is in place; else why not: `before` stays, and a save that comes too late is undone. */
    replace: (before: StoredTaskState | null, next: StoredTaskState) =>
      inTurn(next.session_id, () => replace(before, next)),
    forget: (sessionId: string) => {
      told.delete(sessionId)
    },
  }
}

const MAX_TOLD = 256
