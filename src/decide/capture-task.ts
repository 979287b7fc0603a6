import type { Work } from "../boulder/boulder.ts"
import { isSettled, type Plan, type Task } from "../plan/plan.ts"
import { unsettledTasks } from "./final-wave.ts"

/** The words of a `task` call that can name the task it works on. */
export interface DelegationWords {
  readonly description: string
  readonly prompt: string
}

/** How the task was found, for the journal. */
type CapturedBy = "named-in-description" | "named-in-prompt" | "first-unsettled"

export interface Capture {
  readonly task: Task
  readonly by: CapturedBy
}

/** Words of a call are searched this far and no further. */
const MAX_SEARCHED = 100_000

/**
 * The task that a delegation works on (design.md 5.3): named in the description by its key, or by
 * label and title; else the one key that occurs in the prompt; else the first unsettled task.
 * Null when the plan has nothing left to do.
 */
export function captureTask(plan: Plan, work: Work, words: DelegationWords): Capture | null {
  const description = normalised(words.description)
  const named = namedByKey(plan, description) ?? namedByTitle(plan, description)
  if (named !== null) return { task: named, by: "named-in-description" }
  const inPrompt = tasksWithKeyIn(plan, normalised(words.prompt))
  const [only] = inPrompt
  if (only !== undefined && inPrompt.length === 1) return { task: only, by: "named-in-prompt" }
  const open = unsettledTasks(plan, work)
  const first = open.find((task) => task.runnable || isSettled(task)) ?? open[0]
  return first === undefined ? null : { task: first, by: "first-unsettled" }
}

function namedByKey(plan: Plan, text: string): Task | null {
  const found = tasksWithKeyIn(plan, text)
  return found.length === 1 ? (found[0] ?? null) : null
}

/** A key as a word of its own; it starts only where a word does, so that a long word is read once. */
const KEY =
  /(?<![\p{Script=Latin}\p{N}]|[\p{Script=Latin}\p{N}][_-])(?:todo|final-wave|task):(?!(?:todo|final-wave|task):)[~\p{L}\p{N}][~\p{L}\p{N}._#-]*/gu

/** Every task whose key stands in the text as a word of its own: `todo:1` is not in `todo:12` nor in `todo:1.2`. */
function tasksWithKeyIn(plan: Plan, text: string): readonly Task[] {
  const words = new Set(text.match(KEY) ?? [])
  const keys = new Set([...words].map((word) => word.replace(/(?<![._#-])[._#-]+$/, "")))
  return plan.tasks.filter((task) => keys.has(task.key))
}

/** A description such as `3. Add the login route`, `T012: …` or the bare title: one task and no other. */
function namedByTitle(plan: Plan, text: string): Task | null {
  const words = new Set(
    text.split(/[\s,;:()[\]"'`*]+/).flatMap((word) => [word, word.replace(/[.]+$/, "")]),
  )
  const matches = plan.tasks.filter(
    (task) => (task.label === null || words.has(task.label.toLowerCase())) && hasTitle(text, task),
  )
  const [first, second] = matches.sort((a, b) => b.title.length - a.title.length)
  if (first === undefined) return null
  return second === undefined || second.title.length < first.title.length ? first : null
}

function hasTitle(text: string, { title }: Task): boolean {
  const wanted = normalised(title)
  return wanted.length > 0 && text.includes(wanted)
}

function normalised(text: string): string {
  return text.slice(0, MAX_SEARCHED).normalize("NFKC").toLowerCase().replace(/\s+/g, " ")
}
