// The task that a delegation works on.
// Over 250 lines: keys, labels and titles are read side by side, each against the others.
import type { Work } from "../boulder/boulder.ts"
import {
  at,
  beforeWave,
  byKey,
  placesBy,
  placesByLabel,
  tasksWhere,
} from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { plainTitle } from "../plan/model/title.ts"
import { trimEnd } from "../plan/model/trim-end.ts"

/** The words of a `task` call that can name the task it works on, and the session that it resumes. */
export interface DelegationWords {
  readonly description: string
  readonly prompt: string
  readonly resumes: string | null
}

/** Which words of a call are looked at. */
type Where = "description" | "prompt"

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
 * resumes, or in its prompt. Nothing is guessed: a call that names no task, or several, works on none. So does one whose
 * session names one task and whose prompt another by its key: "as in todo:2" and "now do final-wave:f1" read alike, and a
 * wrong task would be marked, or pass its review. A label or a title there is what has gone before: the session names it.
 */
export function captureTask(plan: Plan, work: Work, words: DelegationWords): Capture {
  const named =
    namedIn(plan, words.description, "description") ??
    namedBySession(plan, work, words) ??
    namedIn(plan, words.prompt, "prompt")
  return named ?? NOBODY
}

/**
 * The one task that a text names; nobody where it names several, null where it names none. A key says it by itself, whatever
 * it speaks of behind that ("todo:4 Test what Task 2 has made"); joined to another key, label or whole title ("todo:4 and
 * Task 2") it is one of several. Labels and titles must all mean the one task. What stands within a longer title that is
 * said is that title's; a title of one word counts only where it is all that is said.
 */
function namedIn(plan: Plan, text: string, where: Where): Capture | null {
  const all = folded(text)
  const keyed = tasksKeyedIn(plan, text, where)
  if (keyed.length > 1) return NOBODY
  if (keyed.length > 0) return agreed([keyed, ...joinedToKey(plan, all, where)], "key")
  const titles = tasksWithTitleIn(plan, text, where)
  const rest = titles.reduce(without, all)
  const labelled = tasksWithLabelIn(plan, rest, where)
  const said = [...labelled, ...titles.map(({ tasks }) => tasks)]
  return agreed(said, labelled.length > 0 ? "label" : "title")
}

/** Every task whose key a text says; one within a title that is said is that title's. Few titles can hold a key. */
function tasksKeyedIn(plan: Plan, text: string, where: Where): readonly Task[] {
  const all = folded(text)
  const found = tasksWithKeyIn(plan, all)
  if (found.length === 0) return found
  const titles = tasksWithTitleIn({ ...plan, tasks: withKeyLike(plan.tasks) }, text, where)
  return titles.length === 0 ? found : tasksWithKeyIn(plan, titles.reduce(without, all))
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

/** A recorded session names the task that it has worked on, as long as the plan has that very task, and the prompt no other. */
function namedBySession(
  plan: Plan,
  work: Work,
  { resumes, prompt }: Pick<DelegationWords, "resumes" | "prompt">,
): Capture | null {
  if (resumes === null) return null
  const recorded = Object.values(work.task_sessions).filter((one) => one.session_id === resumes)
  const tasks = recorded.flatMap((one) => {
    const task = byKey(plan.tasks).get(one.task_key)
    return task?.titleHash === one.title_hash ? [task] : []
  })
  if (tasks.length === 0) return null
  const said = tasksWithKeyIn(plan, folded(prompt))
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
/** Titles are longer than this seldom, and differ before; in characters. */
const LONG_TITLE = 500

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

/** The tasks that a text can mean. A prompt may speak of a review: that does not make the call one. */
function tasksOf({ tasks }: Plan, where: Where): readonly Task[] {
  return where === "prompt" ? beforeWave(tasks) : tasks
}

const placesByTitle = placesBy(({ title }) => unquoted(title))

function labelsIn(list: string): readonly string[] {
  const labels = list.split(BETWEEN).map((label) => withoutStops(label.replace(/^#/, "")))
  return labels.filter((label) => label !== "")
}

/** Every whole title that stands in the text, the longest first, and the tasks that have it; what stands only within another is none. */
function tasksWithTitleIn(
  plan: Plan,
  given: string,
  where: Where,
): readonly { readonly title: string; readonly tasks: readonly Task[] }[] {
  const text = unquoted(given.slice(0, MAX_SEARCHED_FOR_TITLES))
  const all = tasksOf(plan, where)
  const found = [...placesByTitle(all)]
    .filter(([title]) => isTelling(title, text, where) && stands(title, text))
    .map(([title, places]) => ({ title, tasks: at(all, places) }))
    .sort((one, other) => other.title.length - one.title.length)
  if (found.length > MANY) return found.slice(0, 2)
  let left = text
  return found.filter(({ title }) => {
    const isSaid = stands(title, left)
    left = left.replaceAll(title, "□")
    return isSaid
  })
}

/** A folded text with `□` for a title that it says, whatever marks stand in it; one that is but a label, or very long, stays. */
function without(text: string, { title }: { readonly title: string }): string {
  if (title.length > LONG_TITLE || /^(?:tasks?|todos?)? ?\S+$/.test(title)) return text
  const signs = Array.from(title, (sign) =>
    sign === " " ? " +" : sign.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"),
  )
  return text.replace(new RegExp(signs.join("[*`~\"'‘’“”„«»]*"), "gu"), "□")
}

/** A title of one word, such as `UI`, is said in passing too often: it counts where it is all that is said. */
function isTelling(title: string, text: string, where: Where): boolean {
  if (title === "") return false
  if (/\s/.test(title) || (BORDERLESS.test(title) && title.length >= SHORTEST)) return true
  return where === "description" && title === trimEnd(text.replace(BEFORE_TITLE, ""), ".! ")
}

const BEFORE_TITLE = /^[\p{N}.():#\s]+/u
/** Of a title without blanks, in characters. */
const SHORTEST = 4
/** Scripts that put no blanks between words. */
const NO_BLANKS =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]"
const BORDERLESS = new RegExp(NO_BLANKS, "u")
const SIGN = `(?!${NO_BLANKS})[\\p{L}\\p{N}\\p{M}]`
const OF_WORD = new RegExp(SIGN, "u")
/** A word goes on over what joins it: `add foo_bar`, `config.ts`, `src/t1`; `1.Add` is a number and a title. */
const ENDS_IN_WORD = new RegExp(`${SIGN}$|(?!${NO_BLANKS})\\p{L}[-_/\\\\]$`, "u")
const GOES_ON = new RegExp(`^[-._/\\\\]?${SIGN}`, "u")

/** Whether `title` stands in `text` with its words whole: `test` is not in `latest`. */
function stands(title: string, text: string): boolean {
  const [opens, closes] = [OF_WORD.test(title[0] ?? ""), OF_WORD.test(title.at(-1) ?? "")]
  for (let at = text.indexOf(title); at >= 0; at = text.indexOf(title, at + 1)) {
    const end = at + title.length
    const isCut =
      (opens && ENDS_IN_WORD.test(text.slice(Math.max(0, at - 2), at))) ||
      (closes && GOES_ON.test(text.slice(end, end + 2)))
    if (!isCut) return true
  }
  return false
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
