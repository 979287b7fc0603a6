import type { StoredTaskState, TaskState } from "../../src/boulder/task-state.ts"
import { at, LEAD } from "./builders.ts"

/** The most that is kept of a task state: characters, except for the number of items. */
export const MAX_FIELD_CHARS = 2_000
export const MAX_ITEMS = 32
export const MAX_ITEM_CHARS = 400

/** A task state in which every field says something. */
export function aTaskState(given: Partial<TaskState> = {}): TaskState {
  return {
    goal: "Move the login to sessions that can be revoked",
    progress: ["The users table is in place", "The login route issues a session"],
    open_items: ["Rate limiting of the login route"],
    next_step: "Write the limiter in src/login/limit.ts",
    blockers: ["The staging database is read-only until Monday"],
    key_artifacts: ["src/login/route.ts", "docs/adr/0007-sessions.md"],
    decisions: ["Argon2id with 64 MiB, not bcrypt"],
    user_constraints: ["Never touch the billing tables"],
    ...given,
  }
}

/** A task state without a word. */
export const EMPTY_TASK_STATE: TaskState = {
  goal: "",
  progress: [],
  open_items: [],
  next_step: "",
  blockers: [],
  key_artifacts: [],
  decisions: [],
  user_constraints: [],
}

/** A task state as it is kept for `LEAD`. */
export function aStoredTaskState(given: Partial<StoredTaskState> = {}): StoredTaskState {
  return {
    schema_version: 1,
    session_id: LEAD,
    updated_at: at(0),
    context_tokens: 42_000,
    task_state: aTaskState(),
    ...given,
  }
}

/** What an obedient model answers to the compaction prompt. */
export function compactionAnswer(state: TaskState, summary = "The login is half done."): string {
  return JSON.stringify({ task_state: state, display_summary: summary })
}
