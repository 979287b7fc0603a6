// The task state that survives compaction: its schema, its bounds, and its file as text.

import { printable } from "../plan/model/foreign-text.ts"
import { SESSION_ID } from "./boulder.ts"
import { jsonOf } from "./json-of.ts"
import { unsafePartOf } from "./unsafe-part.ts"
import { z } from "./z.ts"

/** The bounds of a task state, enforced on save and on load. */
const MAX_FIELD_CHARS = 2_000
const MAX_ITEMS = 32
const MAX_ITEM_CHARS = 400

const list = z.array(z.string())

/** The task state that survives compaction: exactly these fields, written in this order. */
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
  /** Tokens in the session's context before the compaction that made this state; 0 if unknown. */
  context_tokens: z.int().nonnegative(),
  task_state: taskStateSchema,
  /** The host's message with the summary that was made with it; missing in files from before this was recorded. */
  summary_id: z.string().min(1).max(200).optional(),
})

const fileSchema = z.strictObject({
  schema_version: z.literal(1),
  session_id: z.string().regex(SESSION_ID),
  ...keptSchema.shape,
  /** The state that this one replaced, for the user's undo. */
  before: keptSchema.optional(),
})

export type TaskState = z.infer<typeof taskStateSchema>

/** A session's task state as stored. */
export type StoredTaskState = z.infer<typeof fileSchema>

/**
 * A session's state after the host has removed a message: unchanged if the message is not its summary, else the previous state; null if
 * none is known.
 */
export function withoutSummary(stored: StoredTaskState, messageId: string): StoredTaskState | null {
  const { before, ...now } = stored
  if (now.summary_id !== messageId) return before?.summary_id === messageId ? now : stored
  const { schema_version, session_id } = stored
  return before === undefined ? null : { schema_version, session_id, ...before }
}

/** A task state without empty, repeated or over-long parts; one that has none comes back equal. */
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

/** Whether nothing is in it. Only for bounded states: blank text counts as something elsewhere. */
export function isEmptyTaskState(state: TaskState): boolean {
  return Object.values(state).every((field) => field.length === 0)
}

/** The text of a state's file, within the bounds. Throws a `ZodError` for a state that could not be read back. */
export function printTaskState(stored: StoredTaskState): string {
  const file = fileSchema.parse(boundedFile(stored))
  return `${JSON.stringify(file, null, 2)}\n`
}

/** Reads a state's file, within the bounds; else tells what is wrong with it, field by field. */
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

/** What a schema found wrong, in one line with at most three problems. */
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

/** One line. If it is cut, that is shown, and never in the middle of a character. */
function boundedText(text: string, maxChars: number): string {
  const line = printable(text.toWellFormed()).replace(/\s+/g, " ").trim()
  if (line.length <= maxChars) return line
  const cut = line.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, "")
  return `${cut.trimEnd()}…`
}
