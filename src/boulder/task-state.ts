// The capsule that survives compaction: schema, bounds, its file as text.

import { printable } from "../plan/model/foreign-text.ts"
import { SESSION_ID } from "./boulder.ts"
import { jsonOf } from "./json-of.ts"
import { unsafePartOf } from "./unsafe-part.ts"
import { z } from "./z.ts"

/** The bounds of a task state, held on save and on load. */
const MAX_FIELD_CHARS = 2_000
const MAX_ITEMS = 32
const MAX_ITEM_CHARS = 400

const list = z.array(z.string())

/** The capsule that survives compaction: exactly these fields, in the order that they are written in. */
export const taskStateSchema = z.strictObject({
  goal: z.string(),
  progress: list,
  open_items: list,
  next_step: z.string(),
  blockers: list,
  key_artifacts: list,
  decisions: list,
  user_constraints: list,
})

const keptSchema = z.strictObject({
  updated_at: z.iso.datetime({ offset: true }),
  /** Tokens in the session's context before the compaction that made this state; 0 where nobody told. */
  context_tokens: z.int().nonnegative(),
  task_state: taskStateSchema,
  /** The host's message that is the summary made with it; absent in files of before this was written down. */
  summary_id: z.string().min(1).max(200).optional(),
})

const fileSchema = z.strictObject({
  schema_version: z.literal(1),
  session_id: z.string().regex(SESSION_ID),
  ...keptSchema.shape,
  /** The state in whose place this one was put, for the user's undo. */
  before: keptSchema.optional(),
})

export type TaskState = z.infer<typeof taskStateSchema>

/** A session's task state as it is kept. */
export type StoredTaskState = z.infer<typeof fileSchema>

/**
 * A session's state once the host has taken a message back: the same one where the message is no summary of it, the one
 * before where it is; null where none is known.
 */
export function withoutSummary(stored: StoredTaskState, messageId: string): StoredTaskState | null {
  const { before, ...now } = stored
  if (now.summary_id !== messageId) return before?.summary_id === messageId ? now : stored
  const { schema_version, session_id } = stored
  return before === undefined ? null : { schema_version, session_id, ...before }
}

/** A task state without empty, repeated or over-long parts; one that is so already comes back equal. */
export function boundedTaskState(state: TaskState): TaskState {
  return {
    goal: boundedText(state.goal, MAX_FIELD_CHARS),
    progress: boundedList(state.progress),
    open_items: boundedList(state.open_items),
    next_step: boundedText(state.next_step, MAX_FIELD_CHARS),
    blockers: boundedList(state.blockers),
    key_artifacts: boundedList(state.key_artifacts),
    decisions: boundedList(state.decisions),
    user_constraints: boundedList(state.user_constraints),
  }
}

/** Nothing is in it. Of a bounded state only: blank text counts as something elsewhere. */
export function isEmptyTaskState(state: TaskState): boolean {
  return Object.values(state).every((field) => field.length === 0)
}

/** The text of a state's file, within the bounds. Throws a `ZodError` for what could not be read again. */
export function printTaskState(stored: StoredTaskState): string {
  const file = fileSchema.parse(boundedFile(stored))
  return `${JSON.stringify(file, null, 2)}\n`
}

/** A state's file read again, within the bounds; else what is wrong with it, field by field. */
export function parseTaskState(
  text: string,
  sessionId: string,
): { readonly stored: StoredTaskState } | { readonly problem: string } {
  const value = jsonOf(text.replace(/^\ufeff/, ""))
  if (value === undefined) return { problem: "it is no JSON" }
  const unsafe = unsafePartOf(value)
  if (unsafe !== null) return { problem: unsafe }
  const parsed = fileSchema.safeParse(value)
  if (!parsed.success) return { problem: problemsOf(parsed.error) }
  const stored = parsed.data
  if (stored.session_id !== sessionId) return { problem: "session_id: it is another session's" }
  return { stored: boundedFile(stored) }
}

function boundedFile(stored: StoredTaskState): StoredTaskState {
  const task_state = boundedTaskState(stored.task_state)
  const { before } = stored
  if (before === undefined) return { ...stored, task_state }
  const bounded = boundedTaskState(before.task_state)
  return { ...stored, task_state, before: { ...before, task_state: bounded } }
}

/** What a schema has found wrong, in one line of at most three problems. */
export function problemsOf({ issues }: z.ZodError): string {
  const said = issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join(".") || "the object"}: ${message}`)
  return [...said, ...(issues.length > 3 ? [`and ${issues.length - 3} more`] : [])].join("; ")
}

function boundedList(items: readonly string[]): string[] {
  const bounded = items
    .map((item) => boundedText(item, MAX_ITEM_CHARS))
    .filter((item) => item !== "")
  return [...new Set(bounded)].slice(0, MAX_ITEMS)
}

/** One line, cut with a sign that it was, never in the middle of a character. */
function boundedText(text: string, maxChars: number): string {
  const line = printable(text.toWellFormed()).replace(/\s+/g, " ").trim()
  if (line.length <= maxChars) return line
  const cut = line.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, "")
  return `${cut.trimEnd()}…`
}
