// Finds the task that a delegation works on.
import type { Work } from "../boulder/boulder.ts"
import { namesAnother, type ToldTask } from "../plan/match-tasks.ts"
import { at, byKey, placesByLabel, tasksWhere } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { trimEnd } from "../plan/model/trim-end.ts"
import { saysFix, withoutFindings } from "./review-findings.ts"
import {
  LONG_TITLE,
  MANY,
  tasksOf,
  tasksTitled,
  tasksWithTitleIn,
  unquoted,
  type Where,
  without,
} from "./said-titles.ts"

/** The words of a `task` call that can name its task, and the session that it resumes. */
export interface DelegationWords {
  readonly description: string
  readonly prompt: string
  readonly resumes: string | null
}

/** How a call has named its task. */
type NamedBy = "key" | "label" | "title" | "session"

/** The task that a call works on; none if it names none, or several. */
export type Capture =
  | { readonly task: Task; readonly by: NamedBy }
  | { readonly task: null; readonly by: "nobody" }

/** Only this many characters of a call are searched. */
const MAX_SEARCHED = 100_000
const NOBODY: Capture = { task: null, by: "nobody" }

/**
 * The task that a delegation works on, if the call names exactly one: in its description, by the recorded session that it resumes, or in
 * its prompt. Nothing is guessed: a call that names no task, or several, works on none. The same holds if its session names one task and
 * the key in its prompt another: "as in todo:2" and "now do final-wave:f1" look alike, and the wrong task could be marked or pass its
 * review. A label or title in the prompt only tells what came before, so there the session names the task. A bare key or label means what
 * it meant when the caller was `told` it (null: it was another plan's); if the plan was renumbered since, it names both tasks.
 */
export function captureTask(
  plan: Plan,
  work: Work,
  words: DelegationWords,
  told: readonly ToldTask[] | null = [],
): Capture {
  const named =
    namedIn(plan, words.description, "description") ??
    namedBySession(plan, work, words) ??
    namedIn(plan, words.prompt, "prompt")
  return named === null || isStale(plan, named, words, told) ? NOBODY : named
}

/** Whether the call names its task by a bare key or label that was another task's when the caller was told it. */
function isStale(
  plan: Plan,
  { task, by }: Capture,
  { description }: DelegationWords,
  told: readonly ToldTask[] | null,
): boolean {
  if (task === null || by === "session" || by === "title") return false
  const own = { ...plan, tasks: [task] }
  const said = (): boolean => tasksWithTitleIn(own, folded(description), "description").length > 0
  return namesAnother(told, plan, task, said)
}

/**
 * The one task that a text names; nobody if it names several, null if it names none. A key is enough by itself, whatever the text goes on
 * to say ("todo:4 Test what Task 2 has made"). Joined to another key, label or whole title ("todo:4 and Task 2") it is one of several. So
 * it is if another task's title is all that follows it, since the plan was renumbered. All labels and titles must mean the same task. What
 * stands inside a longer title belongs to that title; a one-word title counts only if nothing else is said. A review that is mentioned only
 * for its findings is not named.
 */
function namedIn(plan: Plan, given: string, where: Where): Capture | null {
  const text = withoutFindings(plan, folded(given))
  const keyed = tasksKeyedIn(plan, text, where)
  if (keyed.length > 1) return NOBODY
  if (keyed.length > 0) {
    const beside = [...titledBehindKey(plan, text, where), ...joinedToKey(plan, text, where)]
    return agreed([keyed, ...beside], "key")
  }
  const titles = tasksWithTitleIn(plan, text, where)
  const rest = titles.reduce(without, text)
  const labelled = tasksWithLabelIn(plan, rest, where)
  const said = [...labelled, ...titles.map(({ tasks }) => tasks)]
  return agreed(said, labelled.length > 0 ? "label" : "title")
}

/** Every task whose key a folded text mentions. A key inside a title that is mentioned belongs to that title; few titles can hold a key. */
function tasksKeyedIn(plan: Plan, text: string, where: Where): readonly Task[] {
  const [found, tasks] = [tasksWithKeyIn(plan, text), withKeyLike(plan.tasks)]
  if (found.length === 0 || tasks.length === 0) return found
  const titles = tasksWithTitleIn({ ...plan, tasks }, text, where)
  return titles.length === 0 ? found : tasksWithKeyIn(plan, titles.reduce(without, text))
}

/** The one task that all of these mean. */
function agreed(said: readonly (readonly Task[])[], by: NamedBy): Capture | null {
  const [first] = said
  if (first === undefined) return null
  return only(
    first.filter((task) => said.every((tasks) => tasks.includes(task))),
    by,
  )
}

function only(tasks: readonly Task[], by: NamedBy): Capture {
  const [task] = tasks
  return task !== undefined && tasks.length === 1 ? { task, by } : NOBODY
}

/**
 * The task that a recorded session worked on, if the plan still has that very task and the prompt names no other. A reviewer's session that
 * is resumed to fix something is not a review.
 */
function namedBySession(
  plan: Plan,
  work: Work,
  { resumes, prompt, description }: DelegationWords,
): Capture | null {
  if (resumes === null) return null
  const recorded = Object.values(work.task_sessions).filter((one) => one.session_id === resumes)
  const tasks = recorded.flatMap((one) => {
    const task = byKey(plan.tasks).get(one.task_key)
    return task?.titleHash === one.title_hash ? [task] : []
  })
  if (tasks.length === 0) return null
  if (saysFix(description) && tasks.every(({ section }) => section === "final-wave")) return NOBODY
  const said = tasksWithKeyIn(plan, withoutFindings(plan, folded(prompt)))
  const isDisputed = said.length > 0 && !tasks.some((task) => said.includes(task))
  return isDisputed ? NOBODY : only(tasks, "session")
}

/** How a key or label can continue: `3 and 4`, `3, 4`, `3–5`, `3 through 5`. A dash between blanks begins a title. */
const JOINS =
  "(?:and|or|to|then|plus|through|thru|until|as well as|along with|together with|und|oder|sowie|bis|et|ou|y|和|与|と)"
const AND = ` ?[,;&+/、] ?(?:${JOINS} ){0,2}| ?→ ?|[–—]|\\.{2,3}(?=\\p{N})| [–—-] (?=\\p{N}+(?:$|[^\\p{L}\\p{N} ]))|(?: ${JOINS}){1,2} (?:also )?`
const MORE = `(?:(?:${AND})#?\\p{N}[\\p{L}\\p{N}._-]{0,63}){0,8}`
const BETWEEN = new RegExp(`${AND}|(?<=^\\p{N}+)-(?=\\p{N}+$)`, "u")
/** `1..3` */
const RANGE = /\.{2,3}(?=\p{N})/u
/** A key as a word of its own. It can start only where a word starts, so that a long word is read once. */
const KEY = new RegExp(
  `(?<![\\p{Script=Latin}\\p{N}]|[\\p{Script=Latin}\\p{N}][_-])((?:todo|final-wave|task):)(?!(?:todo|final-wave|task):)([~#\\p{L}\\p{N}][~\\p{L}\\p{N}._#-]*)(${MORE})`,
  "gu",
)

/** A character that is not ASCII may become ASCII when folded. */
const MAY_HOLD_KEY = /(?:todo|final-wave|task):|[\u0080-\uffff]/i
const withKeyLike = tasksWhere(({ title }) => MAY_HOLD_KEY.test(title))

/** Every task whose key is a word of its own in the folded text: `todo:1` is not in `todo:12` or `todo:1.2`. */
function tasksWithKeyIn(plan: Plan, text: string): readonly Task[] {
  const keys = new Set(
    [...text.matchAll(KEY)].flatMap(([, section = "", first = "", more = ""]) =>
      [first, ...first.split(RANGE), ...labelsIn(more)].map(
        (label) => `${section}${withoutStops(label)}`,
      ),
    ),
  )
  const found = [...keys].flatMap((key) => byKey(plan.tasks).get(key) ?? [])
  return found.length < 2 ? found : plan.tasks.filter((task) => found.includes(task))
}

const JOINED = new RegExp(`^(?:${AND})`, "u")
/** What may be a label, with the word before it. */
const LABELLED = /^(?:(?:tasks?|todos?)[ #*_`]{1,4})?\S{1,64}/u
/** For each label or whole title that the folded text joins to a key: the tasks that have it. */
function joinedToKey(plan: Plan, text: string, where: Where): readonly (readonly Task[])[] {
  const tails = [...text.matchAll(KEY)]
    .map(({ 0: { length }, index }) => text.slice(index + length, index + length + LONG_TITLE))
    .filter((tail) => JOINED.test(tail))
    .map((tail) => tail.replace(JOINED, ""))
  return [...new Set(tails)].slice(0, MANY).flatMap((tail) => {
    const plain = unquoted(tail)
    const titles = tasksWithTitleIn(plan, tail, where).filter(({ title }) =>
      plain.startsWith(title),
    )
    const [label = ""] = LABELLED.exec(tail) ?? []
    return titles.length > 0
      ? titles.map(({ tasks }) => tasks)
      : tasksWithLabelIn(plan, label, where)
  })
}

/** The tasks whose title is all that follows the first key of a folded text. A single word is said of many things, so it does not count. */
function titledBehindKey(plan: Plan, text: string, where: Where): readonly (readonly Task[])[] {
  const [key] = text.matchAll(KEY)
  const behind = key === undefined ? "" : text.slice(key.index + key[0].length)
  const titled = tasksTitled(tasksOf(plan, where), behind)
  return titled.length === 0 ? [] : [titled]
}

/** `Task 3`, and how it can continue. */
const WITH_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(tasks?|todos?)[ #*_\`]{1,4}([\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}${MORE})`,
  "gu",
)
/** `3. Add the route`, `3) …` and `3: …`: how a plan's row begins, and how that can continue: `1. and 3.` */
const AT_START = new RegExp(
  `^[\\s#([]*(\\p{N}[\\p{L}\\p{N}._-]{0,63}?)[.):](?=\\s|$)(${MORE})`,
  "u",
)
/** `1. Add route 3. Rate limits`: a further row after the first. */
const FURTHER = /(?:(?<=[\s([])(\p{N}[\p{L}\p{N}_-]{0,63})[.)]|(?<=[,;] )(\p{N}+):)(?=\s\S)/gu
/** `T003`, `AUTH-7`, `F1`. Nothing else looks like this except parts of a path. */
const WITH_DIGIT =
  /(?<![\p{L}\p{N}_./\\-])\p{L}[\p{L}_-]{0,15}\p{N}[\p{L}\p{N}._-]{0,47}(?![\p{L}\p{N}._-]|[/\\][\p{L}\p{N}_.])/gu

/** For each label that is a word of its own in the folded text: the tasks that have it. A bare number is no label. */
function tasksWithLabelIn(plan: Plan, text: string, where: Where): readonly (readonly Task[])[] {
  const all = tasksOf(plan, where)
  const having = (labels: readonly string[]) =>
    [...new Set(labels)].flatMap((label) => {
      const places = placesByLabel(all).get(label)
      return places === undefined ? [] : [at(all, places)]
    })
  const row = where === "description" ? AT_START.exec(text) : null
  const further = row === null ? [] : [...text.matchAll(FURTHER)].map(([, a, b]) => a ?? b ?? "")
  const worded = [...text.matchAll(WITH_WORD)].map(([, word = "", list = ""]) => ({
    isPlural: word.endsWith("s"),
    labels: labelsIn(list),
  }))
  const found = having([
    ...(row === null ? [] : [withoutStops(row[1] ?? ""), ...labelsIn(row[2] ?? "")]),
    ...further,
    ...worded.flatMap((one) => one.labels),
    ...(text.match(WITH_DIGIT) ?? []).map(withoutStops),
  ])
  // "Tasks 3 up to 5" means several, in words that we do not know.
  const isVague = worded.some(({ isPlural, labels }) => isPlural && having(labels).length === 1)
  return isVague ? [...found, []] : found
}

function labelsIn(list: string): readonly string[] {
  const labels = list.split(BETWEEN).map((label) => withoutStops(label.replace(/^#/, "")))
  return labels.filter((label) => label !== "")
}

function withoutStops(word: string): string {
  return trimEnd(word, "._#-")
}

function folded(text: string): string {
  return text.slice(0, MAX_SEARCHED).normalize("NFKC").toLowerCase().replace(/\s+/g, " ")
}
