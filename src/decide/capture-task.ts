// The task that a delegation works on.
import type { Work } from "../boulder/boulder.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { plainTitle } from "../plan/model/title.ts"
import { trimEnd } from "../plan/model/trim-end.ts"

/** The words of a `task` call that can name the task it works on, and the session that it resumes. */
export interface DelegationWords {
  readonly description: string
  readonly prompt: string
  readonly resumes: string | null
}

/** How a call has named its task. */
type NamedBy = "key" | "label" | "title" | "session"

/** The task that a call works on; none where it names none, or several. */
export type Capture =
  | { readonly task: Task; readonly by: NamedBy }
  | { readonly task: null; readonly by: "nobody" }

/** Words of a call are searched this far and no further; for titles less far, since a plan has many. */
const MAX_SEARCHED = 100_000
const MAX_SEARCHED_FOR_TITLES = 20_000
/** So many titles in one text are several, whichever stands within another. */
const MANY = 64
const NOBODY: Capture = { task: null, by: "nobody" }

/**
 * The task that a delegation works on, where it names exactly one: in its description, by the recorded session that it
 * resumes, or in its prompt. Nothing is guessed: a call that names no task, or several, works on none.
 */
export function captureTask(plan: Plan, work: Work, words: DelegationWords): Capture {
  const named =
    namedIn(plan, words.description, "description") ??
    namedBySession(plan, work, words.resumes) ??
    namedIn(plan, words.prompt, "prompt")
  return named ?? NOBODY
}

/**
 * The one task that a text names; nobody where it names several, null where it names none. A key says it by itself; a
 * label and a title must not contradict each other.
 */
function namedIn(plan: Plan, text: string, where: "description" | "prompt"): Capture | null {
  const keyed = tasksWithKeyIn(plan, text)
  if (keyed.length > 0) return only(keyed, "key")
  const labelled = tasksWithLabelIn(plan, text, where)
  const titled = tasksWithTitleIn(plan, text, where)
  if (labelled.length === 0) return titled.length === 0 ? null : only(titled, "title")
  if (titled.length === 0) return only(labelled, "label")
  return only(
    labelled.filter((task) => titled.includes(task)),
    "label",
  )
}

function only(tasks: readonly Task[], by: NamedBy): Capture {
  const [task] = tasks
  return task !== undefined && tasks.length === 1 ? { task, by } : NOBODY
}

/** A recorded session names the task that it has worked on, as long as the plan has that very task. */
function namedBySession(plan: Plan, work: Work, resumed: string | null): Capture | null {
  if (resumed === null) return null
  const recorded = Object.values(work.task_sessions).filter((one) => one.session_id === resumed)
  const tasks = plan.tasks.filter(({ key, titleHash }) =>
    recorded.some((one) => one.task_key === key && one.title_hash === titleHash),
  )
  return tasks.length === 0 ? null : only(tasks, "session")
}

/** A key as a word of its own; it starts only where a word does, so that a long word is read once. */
const KEY =
  /(?<![\p{Script=Latin}\p{N}]|[\p{Script=Latin}\p{N}][_-])(?:todo|final-wave|task):(?!(?:todo|final-wave|task):)[~#\p{L}\p{N}][~\p{L}\p{N}._#-]*/gu

/** Every task whose key stands in the text as a word of its own: `todo:1` is not in `todo:12` nor in `todo:1.2`. */
function tasksWithKeyIn(plan: Plan, text: string): readonly Task[] {
  const keys = new Set((folded(text).match(KEY) ?? []).map(withoutStops))
  return keys.size === 0 ? [] : plan.tasks.filter((task) => keys.has(task.key))
}

/** `Task 3`, and what it goes on with: `Task 3 and 4`, `task 3, 4`, `task 3-5`. */
const WITH_WORD =
  /(?<![\p{L}\p{N}_-])(?:tasks?|todos?)[ #]{1,3}([\p{L}\p{N}][\p{L}\p{N}._-]{0,63}(?:(?: ?[,&+/–-] ?| and | or | to )#?\p{N}[\p{L}\p{N}._-]{0,63}){0,8})/gu
const BETWEEN = / ?[,&+/–] ?| and | or | to |(?<=^\p{N}+)-(?=\p{N}+$)/u
/** `3. Add the route`, `3) …` and `3: …`: how a plan's row begins. */
const AT_START = /^[\s#([]*(\p{N}[\p{L}\p{N}._-]{0,63}?)[.):](?=\s|$)/u
/** `T003`, `AUTH-7`, `F1`: no other word looks so. */
const WITH_DIGIT = /(?<![\p{L}\p{N}_.-])\p{L}[\p{L}_-]{0,15}\p{N}[\p{L}\p{N}._-]{0,47}/gu

/** Every task whose label stands in the text as one: a bare number is none. */
function tasksWithLabelIn(
  plan: Plan,
  given: string,
  where: "description" | "prompt",
): readonly Task[] {
  const text = folded(given)
  const row = where === "description" ? AT_START.exec(text)?.[1] : undefined
  const labels = new Set(
    [
      ...(row === undefined ? [] : [row]),
      ...[...text.matchAll(WITH_WORD)].flatMap(([, list = ""]) => list.split(BETWEEN)),
      ...(text.match(WITH_DIGIT) ?? []),
    ].map((label) => withoutStops(label.replace(/^#/, ""))),
  )
  return plan.tasks.filter(
    ({ label, section }) =>
      label !== null &&
      labels.has(label.toLowerCase()) &&
      // A prompt may speak of a review: that does not make the call one.
      !(where === "prompt" && section === "final-wave"),
  )
}

/** Every task whose whole title stands in the text; one that stands within another's is not meant. */
function tasksWithTitleIn(
  plan: Plan,
  given: string,
  where: "description" | "prompt",
): readonly Task[] {
  const text = unquoted(given.slice(0, MAX_SEARCHED_FOR_TITLES))
  const found = plan.tasks
    .map((task) => ({ task, title: unquoted(task.title) }))
    .filter(({ title }) => isTelling(title, text, where) && stands(title, text))
  if (found.length > MANY) return found.map(({ task }) => task)
  return found
    .filter(({ title }) => !found.some((one) => one.title !== title && stands(title, one.title)))
    .map(({ task }) => task)
}

/** A title of one word, such as `UI`, is said in passing too often: it counts where it is all that is said. */
function isTelling(title: string, text: string, where: "description" | "prompt"): boolean {
  if (title === "") return false
  if (/\s/.test(title) || (BORDERLESS.test(title) && title.length >= SHORTEST)) return true
  return where === "description" && title === trimEnd(text.replace(BEFORE_TITLE, ""), ".! ")
}

const BEFORE_TITLE = /^[\p{N}.():#\s]+/u
/** Of a title without blanks, in characters. */
const SHORTEST = 4
/** Scripts that put no blanks between words. */
const BORDERLESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const OF_WORD = /[\p{L}\p{N}]/u

/** Whether `title` stands in `text` with its words whole: `test` is not in `latest`. */
function stands(title: string, text: string): boolean {
  for (let at = text.indexOf(title); at >= 0; at = text.indexOf(title, at + 1)) {
    const isWhole =
      !isInWord(text[at - 1], title[0]) && !isInWord(title.at(-1), text[at + title.length])
    if (isWhole) return true
  }
  return false
}

function isInWord(left = " ", right = " "): boolean {
  return [left, right].every((sign) => OF_WORD.test(sign) && !BORDERLESS.test(sign))
}

const QUOTES = /["'‘’“”„«»]/g

function unquoted(text: string): string {
  return plainTitle(text).replace(QUOTES, "")
}

function withoutStops(word: string): string {
  return trimEnd(word, "._#-")
}

function folded(text: string): string {
  return text.slice(0, MAX_SEARCHED).normalize("NFKC").toLowerCase().replace(/\s+/g, " ")
}
