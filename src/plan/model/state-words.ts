// What words and signs say of a task's state: one table for headings, rows, data, legends and the columns of a board.
import type { TaskState } from "./plan.ts"
import { trimEnd } from "./trim-end.ts"

const WORDS: Readonly<Record<TaskState, readonly string[]>> = {
  open: [
    ...["pending", "todo", "to-do", "open", "not-started", "notstarted", "unstarted", "new"],
    ...["ready", "planned", "queued", "upcoming", "backlog", "spec-ready", "failing", "failed"],
    ...["incomplete", "未开始", "未開始", "待办", "待辦", "待处理", "未着手", "未完了", "대기"],
  ],
  in_progress: [
    ...["in-progress", "inprogress", "doing", "wip", "started", "active", "ongoing", "review"],
    ...["in-review", "partial", "partially-done", "partially-complete", "partially-completed"],
    ...["partially-implemented", "进行中", "進行中", "作業中", "진행중"],
  ],
  done: [
    ...["done", "completed", "complete", "passing", "passes", "passed", "pass", "verified"],
    ...["closed", "finished", "implemented", "merged", "shipped"],
    ...["已完成", "完成", "完了", "완료"],
  ],
  blocked: ["blocked", "deferred", "on-hold", "waiting", "postponed", "paused", "阻塞"],
  cancelled: [
    ...["cancelled", "canceled", "skipped", "skip", "dropped", "wont-do", "won't-do", "wontfix"],
    ...["obsolete", "superseded", "not-needed", "n/a", "已取消"],
  ],
}
const STATES: readonly TaskState[] = ["open", "in_progress", "done", "blocked", "cancelled"]
const STATE_OF: ReadonlyMap<string, TaskState> = new Map(
  STATES.flatMap((state) => WORDS[state].map((word) => [word, state] as const)),
)
const BY_SIGN: readonly (readonly [RegExp, TaskState])[] = [
  [/[✅☑✔✓]/u, "done"],
  [/[🔄🚧🔵🟡]/u, "in_progress"],
  [/[⬜⏳🔲📋☐⏸]/u, "open"],
  [/[🛑⛔🚫]/u, "blocked"],
]

/** What a value says of a state, and where its word stands. */
export interface SaidState {
  /** Where the word begins in the value. */
  readonly at: number
  /** The word for the state as it is written, an emoji before it included. */
  readonly word: string
  /** Null for a value that nobody knows. */
  readonly state: TaskState | null
}

/** Emphasis, then signs such as an emoji, then up to three words of a value. */
const WRAPPING = /^[*_`([]{0,4}/
const SIGNS = /^(?:[^\p{L}\p{N}\s|*_`([]{1,6}[ \t]*)?/u
const PHRASE = /^(?:n\/a\b|\p{L}[\p{L}'’]{0,40}(?:[ _-]\p{L}[\p{L}'’]{0,40}){0,2})/iu
const NO_LETTERS = /^[^\p{L}]+/u
const CLOSING = /^[*_`\])]*[ \t]*/
/** Of several to choose from, and of a condition, none says a state; another field behind it is none of these. */
const CHOICE =
  /^(?:[/→?]|->|\|(?![ \t]*(?:$|[*_]{0,2}\p{L}[^|:：]{0,40}[:：]))|(?:or|when|if|once|until|only|after|unless)\b)/iu
/** What may follow a word that says that nothing is left to do: a remark behind a sign, or how and when. */
const REMARK =
  /^(?:$|[^\p{L}\p{N}?]|[\d#]|(?:in|on|at|as|by|via|with|since|and|for|per|see|successfully|already|now|today)\b)/iu
/** What takes it back. */
const TAKEN_BACK =
  /(?<![\p{L}\p{N}])(?:but|except|excluding|however|although|though|still|yet|until|unless|soon|pending|partial|partially|almost|nearly|mostly|awaiting|waiting|blocked|todo|wip|not (?:yet|all|fully|done|complete)|fails|failing|(?:\d+ )(?:left|open|remaining|to go))(?![\p{L}\p{N}])|(?<![\d.])\d{1,2}[ \t]?%|[?？]/iu

/** What a word says of a state, however it is spelled; null for one that nobody knows. */
export function stateOfWord(word: string): TaskState | null {
  const plain = word
    .trim()
    .toLowerCase()
    .replace("’", "'")
    .replace(/[\s_-]+/g, "-")
  return STATE_OF.get(plain) ?? null
}

/** What a word says, an emoji before it or not; an emoji alone says its own. */
export function stateOfSigned(word: string): TaskState | null {
  const words = word.replace(NO_LETTERS, "")
  const bySign = BY_SIGN.find(([pattern]) => pattern.test(word))?.[1] ?? null
  if (words === "") return bySign
  const byWord = stateOfWord(words)
  return byWord === "done" && bySign !== null && bySign !== "done" ? null : byWord
}

/**
 * What a value such as `✅ Complete (2026-01-02)` says of a state: its first words. "Done, but tests fail" and "complete soon"
 * do not say that anything is done.
 */
export function readState(value: string): SaidState {
  const at = WRAPPING.exec(value)?.[0].length ?? 0
  const bare = value.slice(at)
  const signs = SIGNS.exec(bare)?.[0] ?? ""
  const phrase = PHRASE.exec(bare.slice(signs.length))?.[0] ?? ""
  const word = signs + (knownWords(phrase) ?? phrase)
  const behind = bare.slice(word.length)
  const rest = behind.slice(CLOSING.exec(behind)?.[0].length ?? 0)
  const state = stateOfSigned(word)
  const isKept = !CHOICE.test(rest) && (state !== "done" || !isTakenBack(rest))
  return { at, word: word.trimEnd(), state: isKept ? state : null }
}

const DONE_SIGN = /[✅☑✔✓]/u
const AT_ITS_END = /(?:[([]([^()[\]]{1,60})[)\]]|[ \t][—–-][ \t]+([^—–]{1,60}))$/u

/** Whether a title says itself that its work is done: `A ✅`, `A (completed 2026-01-02)`, `A — DONE`, `~~A~~`. */
export function saysDone(title: string): boolean {
  const plain = trimEnd(title.slice(-MAX_TITLE), " \t*_\ufe0f")
  if (DONE_SIGN.test(title.trimStart().charAt(0)) || DONE_SIGN.test(plain.slice(-1))) return true
  if (/^~~[^~]+~~$/.test(plain)) return true
  const [, inBrackets, behindDash] = AT_ITS_END.exec(plain) ?? []
  const words = inBrackets ?? behindDash
  return words !== undefined && readState(words).state === "done"
}

const MAX_TITLE = 400

function isTakenBack(rest: string): boolean {
  return !REMARK.test(rest) || TAKEN_BACK.test(rest)
}

/** The longest part of the words, from their start, that says a state. */
function knownWords(words: string): string | null {
  const ends = [...words.matchAll(/[ _-]|$/g)].map(({ index }) => index).reverse()
  const end = ends.find((length) => length > 0 && stateOfWord(words.slice(0, length)) !== null)
  return end === undefined ? null : words.slice(0, end)
}
