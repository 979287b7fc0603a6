// The task that a delegation works on.
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

/** Words of a call are searched this far and no further. */
const MAX_SEARCHED = 100_000
const NOBODY: Capture = { task: null, by: "nobody" }

/**
 * The task that a delegation works on, where it names exactly one: in its description, by the recorded session that it
 * resumes, or in its prompt. Nothing is guessed: a call that names no task, or several, works on none. So does one whose
 * session names one task and whose prompt another by its key: "as in todo:2" and "now do final-wave:f1" read alike, and a
 * wrong task would be marked, or pass its review. A label or a title there is what has gone before: the session names it.
 * A key or a label alone means what it did when the caller was `told` it (null: another plan's): renumbered since, it names both.
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

/** Named by a key or a label alone that was another task's when it was told. */
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
 * The one task that a text names; nobody where it names several, null where it names none. A key says it by itself, whatever
 * it speaks of behind that ("todo:4 Test what Task 2 has made"); joined to another key, label or whole title ("todo:4 and
 * Task 2") it is one of several, and so it is where another's title is all that stands behind it: the plan was renumbered.
 * Labels and titles must all mean the one task. What stands within a longer title that is said is that title's; a title of
 * one word counts only where it is all that is said. A review that is spoken of for what it has found is not named.
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

/** Every task whose key a folded text says; one within a title that is said is that title's. Few titles can hold a key. */
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
 * A recorded session names the task that it has worked on, as long as the plan has that very task, and the prompt no other; a
 * reviewer's that is to fix something reviews nothing by it.
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

/** What a key or a label goes on with: `3 and 4`, `3, 4`, `3–5`, `3 through 5`. A dash between blanks begins a title. */
const JOINS =
  "(?:and|or|to|then|plus|through|thru|until|as well as|along with|together with|und|oder|sowie|bis|et|ou|y|和|与|と)"
const AND = ` ?[,;&+/、] ?(?:${JOINS} ){0,2}| ?→ ?|[–—]|\\.{2,3}(?=\\p{N})| [–—-] (?=\\p{N}+(?:$|[^\\p{L}\\p{N} ]))|(?: ${JOINS}){1,2} (?:also )?`
const MORE = `(?:(?:${AND})#?\\p{N}[\\p{L}\\p{N}._-]{0,63}){0,8}`
const BETWEEN = new RegExp(`${AND}|(?<=^\\p{N}+)-(?=\\p{N}+$)`, "u")
/** `1..3` */
const RANGE = /\.{2,3}(?=\p{N})/u
/** A key as a word of its own; it starts only where a word does, so that a long word is read once. */
const KEY = new RegExp(
  `(?<![\\p{Script=Latin}\\p{N}]|[\\p{Script=Latin}\\p{N}][_-])((?:todo|final-wave|task):)(?!(?:todo|final-wave|task):)([~#\\p{L}\\p{N}][~\\p{L}\\p{N}._#-]*)(${MORE})`,
  "gu",
)

/** What is not ASCII may become so where it is folded. */
const MAY_HOLD_KEY = /(?:todo|final-wave|task):|[\u0080-\uffff]/i
const withKeyLike = tasksWhere(({ title }) => MAY_HOLD_KEY.test(title))

/** Every task whose key stands in the folded text as a word of its own: `todo:1` is not in `todo:12` nor in `todo:1.2`. */
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
/** What may be a label, with its word. */
const LABELLED = /^(?:(?:tasks?|todos?)[ #*_`]{1,4})?\S{1,64}/u
/** For every label or whole title that is joined to a key in the folded text, the tasks that have it. */
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

/** The tasks whose title is all that stands behind the first key of a folded text; one word is said of many things. */
function titledBehindKey(plan: Plan, text: string, where: Where): readonly (readonly Task[])[] {
  const [key] = text.matchAll(KEY)
  const behind = key === undefined ? "" : text.slice(key.index + key[0].length)
  const titled = tasksTitled(tasksOf(plan, where), behind)
  return titled.length === 0 ? [] : [titled]
}

/** `Task 3`, and what it goes on with. */
const WITH_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(tasks?|todos?)[ #*_\`]{1,4}([\\p{L}\\p{N}][\\p{L}\\p{N}._-]{0,63}${MORE})`,
  "gu",
)
/** `3. Add the route`, `3) …` and `3: …`: how a plan's row begins; and what it goes on with: `1. and 3.` */
const AT_START = new RegExp(
  `^[\\s#([]*(\\p{N}[\\p{L}\\p{N}._-]{0,63}?)[.):](?=\\s|$)(${MORE})`,
  "u",
)
/** `1. Add route 3. Rate limits`: a further row behind one. */
const FURTHER = /(?:(?<=[\s([])(\p{N}[\p{L}\p{N}_-]{0,63})[.)]|(?<=[,;] )(\p{N}+):)(?=\s\S)/gu
/** `T003`, `AUTH-7`, `F1`: no other word looks so, but the parts of a path. */
const WITH_DIGIT =
  /(?<![\p{L}\p{N}_./\\-])\p{L}[\p{L}_-]{0,15}\p{N}[\p{L}\p{N}._-]{0,47}(?![\p{L}\p{N}._-]|[/\\][\p{L}\p{N}_.])/gu

/** For every label that stands in the folded text as one, the tasks that have it; a bare number is none. */
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
  // "Tasks 3 up to 5": several, in words that we do not know.
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
