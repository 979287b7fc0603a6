// Finds a model's answer to the compaction prompt in its output, and reads it strictly.

import { withoutFrames } from "../plan/model/foreign-text.ts"
import { jsonOf } from "./json-of.ts"
import {
  boundedTaskState,
  isEmptyTaskState,
  problemsOf,
  type TaskState,
  taskStateSchema,
} from "./task-state.ts"
import { unsafePartOf } from "./unsafe-part.ts"
import { z } from "./z.ts"

/** What a model has answered to the compaction prompt. */
export type CompactionAnswer =
  | { readonly kind: "decoded"; readonly taskState: TaskState; readonly displaySummary: string }
  | { readonly kind: "refused"; readonly reason: RefusalReason; readonly problem: string }

export type RefusalReason = "no-object" | "cut-off" | "not-strict" | "empty-state"

/** A longer text is no summary: it is cut, and says so. */
const MAX_SUMMARY_CHARS = 12_000
/** Any state within its bounds is far smaller, even with every character escaped. */
const MAX_OBJECT_CHARS = 1_000_000
/** Decoding costs far more than finding, and no model makes this many attempts. */
const MAX_CANDIDATES = 64

const answerSchema = z.strictObject({
  task_state: taskStateSchema,
  display_summary: z.string().refine((text) => text.trim() !== "", "expected some text"),
})

/**
 * Finds the model's object in the text around it and decodes it strictly. If there are several, the last valid one is the answer. Time
 * grows with the length of the text and with nothing else.
 */
export function decodeCompaction(text: string): CompactionAnswer {
  let answer: CompactionAnswer | null = null
  for (const candidate of lastCandidates(text)) {
    const decoded = decode(candidate)
    if (decoded.kind === "decoded") return decoded
    answer ??= decoded
  }
  return answer ?? refused("no-object", "found no object that begins with task_state")
}

/**
 * The objects that begin like an answer, last one first; null for one without an end. Inside such an object nothing else can begin like one
 * (no field of ours has such a key, and in a string its quotes would be escaped), so each is searched only up to the next one: every
 * character is looked at once.
 */
function* lastCandidates(text: string): Generator<string | null> {
  const starts = [...text.matchAll(/\{\s*"(?:task_state|display_summary)"\s*:/g)]
  let limit = text.length
  for (const { index: from } of starts.slice(-MAX_CANDIDATES).reverse()) {
    const end = endOfObject(text, from, limit)
    yield end === null ? null : text.slice(from, end)
    limit = from
  }
}

/** Where the object that begins at `from` ends; null if that is not before `limit`. */
function endOfObject(text: string, from: number, limit: number): number | null {
  let depth = 0
  for (let at = from; at < limit; at++) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at, limit)
    else if (character === "{") depth += 1
    else if (character === "}") depth -= 1
    if (depth === 0) return at + 1
  }
  return null
}

/** The position of the quote that ends the string beginning at `from`, or `limit`. */
function endOfString(text: string, from: number, limit: number): number {
  let at = from + 1
  while (at < limit && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
  return at
}

function decode(candidate: string | null): CompactionAnswer {
  if (candidate === null) return refused("cut-off", "its object has no end")
  if (candidate.length > MAX_OBJECT_CHARS)
    return refused("not-strict", `its object is longer than ${MAX_OBJECT_CHARS} characters`)
  const value = jsonOf(candidate)
  if (value === undefined) return refused("not-strict", "its object is no JSON")
  const unsafe = unsafePartOf(value)
  if (unsafe !== null) return refused("not-strict", unsafe)
  const parsed = answerSchema.safeParse(value)
  if (!parsed.success) return refused("not-strict", problemsOf(parsed.error))
  const taskState = boundedTaskState(parsed.data.task_state)
  return isEmptyTaskState(taskState)
    ? refused("empty-state", "its task_state is empty")
    : { kind: "decoded", taskState, displaySummary: boundedSummary(parsed.data.display_summary) }
}

function refused(reason: RefusalReason, problem: string): CompactionAnswer {
  return { kind: "refused", reason, problem }
}

/** The summary is put into the conversation as it is, and must not speak in our name there. */
function boundedSummary(text: string): string {
  const whole = withoutFrames(text.toWellFormed()).trim()
  if (whole.length <= MAX_SUMMARY_CHARS) return whole
  return `${whole.slice(0, MAX_SUMMARY_CHARS - 1).replace(/[\ud800-\udbff]$/, "")}…`
}
