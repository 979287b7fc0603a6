// What a compaction asks the model for, and what replaces a failed summary.
import type { RefusalReason } from "../boulder/decode-compaction.ts"
import type { TaskState } from "../boulder/task-state.ts"
import type { WorkFacts } from "../boulder/work-facts.ts"
import { harmlessJson } from "../plan/model/foreign-text.ts"
import { frame } from "./frame.ts"
import { quote } from "./quote.ts"
import { taskStateLines } from "./task-state-text.ts"
import { workFactsLines } from "./work-facts-text.ts"

/** Not JSON, so that nobody takes a repetition of it for an answer. */
const FORM =
  '{"task_state":{"goal":string,"progress":string[],"open_items":string[],"next_step":string,"blockers":string[],"key_artifacts":string[],"decisions":string[],"user_constraints":string[]},"display_summary":string}'

/**
 * What a compaction asks the model for. It contains the state whole and to the letter: what is left out here would be lost. Budget: 350
 * tokens (o200k) besides the state, 1,000 for the facts.
 */
export function compactionPrompt(state: TaskState | null, facts: WorkFacts | null): string {
  return frame([
    "Turn this conversation into a task state and a summary. Its next turns will know these, and perhaps its newest messages, which may stay as they are. Answer with one JSON object and nothing else, in exactly this form: all fields, no null, no others:",
    FORM,
    "- Begin with the current task state. Keep what still holds word for word, the user's constraints and the decisions above all; leave out what is done with; add what the conversation has brought.",
    '- At most 350 words in all its fields. Lists: the most important first, one short fact an item; paths, ids and commands to the letter. Nothing to say: "" or [].',
    '- next_step: the one thing to do next, so that somebody new could do it; "" if the plan or a newer message says it.',
    "- display_summary: what has happened and why, at most 300 words, in the user's language; without what the task state says.",
    state === null
      ? "Current task state: none yet."
      : `Current task state:\n${unframedJson({ task_state: state })}`,
    ...(facts === null
      ? []
      : [
          "Known from the plan and the records of the work, and kept there. Do not repeat it, and list nothing as open that the plan has settled:",
          ...workFactsLines(facts, null),
        ]),
  ])
}

/** Why a model's summary could not be used. */
export type SummaryFailure = RefusalReason | "no-answer" | "not-saved"

const FAILURES: Readonly<Record<SummaryFailure, string>> = {
  "no-answer": "the model gave none",
  "no-object": "it was not in the form asked for",
  "cut-off": "it was cut off",
  "not-strict": "it was not in the form asked for",
  "empty-state": "its task state was empty",
  "not-saved": "its task state could not be saved",
}

/** What is known if the model's summary could not be used. Budget: 2,500 tokens (o200k). */
interface FallbackFacts {
  readonly failure: SummaryFailure
  readonly sessionId: string
  /** The state before the compaction. */
  readonly state: TaskState | null
  readonly facts: WorkFacts | null
  /** The user's own last words, oldest first; shown if no state was kept. */
  readonly userWords: readonly string[]
  /** If the host repeats the last turn after the summary, which knows nothing of it: the argument that resumes a session; else null. */
  readonly resumedBy: string | null
}

/** The summary of a conversation whose own summary could not be used: made from our records, without a word of the model. */
export function fallbackSummary(given: FallbackFacts): string {
  const { state, facts, userWords } = given
  return frame([
    `The conversation up to here was compacted, but its summary cannot be used: ${FAILURES[given.failure]}. This is known from the records:`,
    ...(state === null
      ? ["No task state was kept yet.", ...wordsOf(userWords)]
      : taskStateLines(state, given.sessionId)),
    ...(facts === null ? [] : workFactsLines(facts, given.resumedBy)),
  ])
}

function wordsOf(words: readonly string[]): readonly string[] {
  return words.length === 0
    ? []
    : ["The user has said:", ...words.slice(-4).map((text) => `- ${quote(text, 100)}`)]
}

/** JSON in which no text can close or imitate our frame; it can be read back to the letter. */
function unframedJson(value: unknown): string {
  return harmlessJson(value).replace(OPENERS, (sign) => `\\u${hexOf(sign)}`)
}

/** How a tag may begin, as a character or as an entity. */
const OPENERS = /[<＜﹤&]/g

function hexOf(sign: string): string {
  return sign.charCodeAt(0).toString(16).padStart(4, "0")
}
