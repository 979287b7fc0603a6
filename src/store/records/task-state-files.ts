// Stores the task state of each session in `.boulder/sessions`.
import { SESSION_ID } from "../../boulder/boulder.ts"
import { parseTaskState, printTaskState, type StoredTaskState } from "../../boulder/task-state.ts"
import { hashText } from "../../plan/model/hash-text.ts"
import { StoreError } from "../disk/store-error.ts"
import type { RecordFiles } from "./record-files.ts"

const FOLDER = "sessions"

/** The task states of a project, one file for each session: `.boulder/sessions/<session_id>.json`. */
export type TaskStateFiles = ReturnType<typeof openTaskStateFiles>

/** Opens the task states on a project's record files; touches nothing until the first call. */
export function openTaskStateFiles(records: RecordFiles) {
  const parsed = (text: string | null, sessionId: string) =>
    text === null ? null : { text, ...parseTaskState(text, sessionId) }
  const read = async (sessionId: string) =>
    parsed(await records.read(taskStatePath(sessionId)), sessionId)
  const readOneOfMany = async (sessionId: string) => {
    const text = await records.tryRead(taskStatePath(sessionId))
    return typeof text === "object" && text !== null
      ? { problem: `found ${text.problem}` }
      : parsed(text, sessionId)
  }
  return {
    /** Null if a session has none. Throws a `StoreError` (`corrupt`) that says what is wrong with its file. */
    async load(sessionId: string) {
      if (!SESSION_ID.test(sessionId)) return null
      const found = await read(sessionId)
      if (found === null) return null
      if ("stored" in found) return found.stored
      const todo = "It was left as it is. Repair it by hand, or move it away."
      throw damaged(sessionId, found.problem, todo)
    },

    /**
     * Completely on disk when it resolves. A file that could not be loaded is first kept under another name: then returns what was wrong with
     * it, else null.
     */
    async save(stored: StoredTaskState) {
      const text = printTaskState(stored)
      const path = taskStatePath(stored.session_id)
      const before = await read(stored.session_id)
      const found = before !== null && "problem" in before ? before : null
      const aside = `${path}.corrupt-${hashText(found?.text ?? "")}`
      if (found !== null) await records.createOnce(aside, found.text)
      await records.replace(path, text)
      return found === null
        ? null
        : damaged(stored.session_id, found.problem, `It was put aside as .boulder/${aside}.`)
    },

    async remove(sessionId: string) {
      await records.remove(taskStatePath(sessionId))
    },

    /** Every state that can be loaded, the last changed first, and the files that cannot, with the reason. */
    async list() {
      const stored: StoredTaskState[] = []
      const unreadable: { path: string; problem: string }[] = []
      for (const name of [...(await records.list(FOLDER))].sort()) {
        const sessionId = /^(ses_[0-9A-Za-z_-]{1,64})\.json$/.exec(name)?.[1]
        const found = sessionId === undefined ? null : await readOneOfMany(sessionId)
        if (found === null) continue
        if ("stored" in found) stored.push(found.stored)
        else unreadable.push({ path: `${FOLDER}/${name}`, problem: found.problem })
      }
      return { stored: stored.sort((a, b) => b.updated_at.localeCompare(a.updated_at)), unreadable }
    },
  }
}

function damaged(sessionId: string, found: string, todo: string): StoreError {
  const expected = `.boulder/${taskStatePath(sessionId)} to hold a task state`
  return new StoreError({ code: "corrupt", expected, found, todo })
}

/** Where a session's task state is stored, below `.boulder`. */
export function taskStatePath(sessionId: string): string {
  return `${FOLDER}/${sessionId}.json`
}
