// What words and signs say of a task's state: one table for headings, rows, data, legends and the columns of a board.
// Over 250 lines: the words and what reads them are one table.
import {
  ALSO,
  countsLess,
  DONE_ELSEWHERE,
  DONE_ELSEWHERE_BY,
  formsOf,
  leavesDone,
} from "./leaves-done.ts"
import { isSettledState, isWorkable, type TaskState } from "./plan.ts"
import { trimEnd } from "./trim-end.ts"

const wordsOf = (...lists: readonly string[]): readonly string[] =>
  lists.flatMap((list) => list.split(" "))
/** Words for a state and nothing more: any of them may be written for it. */
const PLAIN: Readonly<Record<TaskState, readonly string[]>> = {
  open: wordsOf(
    "pending todo to-do open not-started notstarted unstarted planned failing incomplete 未开始 未開始 未完成 待办 待辦 待处理 待开始 未着手 未完了",
    "대기 미완료 计划中 計劃中 已计划 予定 計画中 예정 계획 offen geplant ausstehend por-hacer a-fazer à-faire à-venir",
    ...formsOf("pendient pendent", "e es i"),
    ...formsOf("planead planejad planificad pianificat previst", "o a os as i e"),
    ...formsOf("planifié prévu", "- e s es"),
    ...formsOf("запланирован", "- о а ы"),
    "da-fare не-начато ожидает do-zrobienia chưa-làm bekliyor",
  ),
  in_progress: wordsOf(
    "in-progress inprogress doing wip started active ongoing 进行中 進行中 作業中 対応中 진행중 진행-중 in-arbeit laufend in-bearbeitung",
    "en-progreso en-curso em-andamento em-progresso en-cours in-corso",
    "в-работе в-процессе w-toku đang-làm devam-ediyor",
  ),
  done: wordsOf("done completed complete passing passes passed pass finished", ...DONE_ELSEWHERE),
  blocked: wordsOf(
    "blocked 阻塞 已阻塞 blockiert bloqueado bloqueada bloqué bloccato заблокировано",
  ),
  cancelled: wordsOf(
    "cancelled canceled skipped skip 已取消 abgebrochen gestrichen übersprungen cancelado cancelada annulé annullato отменено",
  ),
}
/** Words that say more, such as who has the task now: they are read, but never written for another task. */
const TELLING: Readonly<Record<TaskState, readonly string[]>> = {
  open: wordsOf(
    "new ready queued upcoming backlog spec-ready ready-for-dev failed future scheduled proposed not-yet-started to-be-done",
    "to-be-implemented unimplemented unresolved unfixed 未实现 未實現 未修复 未对应 未対応 미착수 no-iniciado no-iniciada não-iniciado",
    "não-iniciada nicht-begonnen non-commencé не-выполнено не-реализовано non-iniziato nie-rozpoczęto to-be-started",
    "needs-work needs-implementation up-next next-up missing 待开发 待開發 待实现 待實現 待测试 待修复 待完成 next 次 下一步 다음",
  ),
  in_progress: wordsOf(
    "review in-review ready-for-review in-development partial partially partly parcial parcialmente parziale parzialmente partiel partiellement teilweise частично in-flight underway under-way under-review in-testing in-qa",
    "in-work needs-review awaiting-review 待审核 待审查 レビュー中 レビュー待ち",
  ),
  done: wordsOf(
    "verified closed implemented merged shipped released delivered fixed resolved deployed implementation-complete all-done",
    "all-complete",
    "tested",
    ...DONE_ELSEWHERE_BY,
  ),
  blocked: wordsOf(
    "deferred on-hold waiting postponed paused needs-clarification needs-info needs-input needs-decision needs-discussion",
    "已暂停 保留中 保留 보류 暂缓 搁置 aguardando esperando en-espera em-espera en-attente in-attesa отложено zurückgestellt verschoben",
    ...formsOf("adiad pospuest aplazad pausad rinviat", "o a os as i e"),
  ),
  cancelled: wordsOf(
    "dropped wont-do won't-do wontfix won't-fix wont-fix obsolete superseded not-needed n/a out-of-scope not-planned",
    "discarded abandoned verworfen entfällt entfallen descartado descartada abandonné scartato отброшено odrzucone 已放弃 已放棄",
    "不修复 対応しない 폐기 跳过 已跳过 跳過 スキップ スキップ済み 건너뜀 생략됨 bỏ-qua",
  ),
}
/** Names of a field or column for a state, as the source of a pattern. */
export const STATUS_NAME =
  "(?:task )?status|estado|statut|stato|статус|(?:任务|任務)?(?:状态|狀態)|(?:タスク)?状態|(?:작업 ?)?상태"
const STATES: readonly TaskState[] = ["open", "in_progress", "done", "blocked", "cancelled"]
const STATE_OF: ReadonlyMap<string, TaskState> = new Map(
  STATES.flatMap((state) =>
    [...PLAIN[state], ...TELLING[state]].map((word) => [word, state] as const),
  ),
)
const BY_SIGN: readonly (readonly [RegExp, TaskState])[] = [
  [/[✅☑✔✓]/u, "done"],
  [/[🔄🚧🔵🟡]/u, "in_progress"],
  [/[⬜⏳⌛🔲□📋☐⏸🔜]/u, "open"],
  [/[🛑⛔🚫]/u, "blocked"],
]

/** What a value says about a state, and where its word stands. */
interface SaidState {
  /** Where the word begins in the value. */
  readonly at: number
  /** The word for the state as written, including an emoji before it. */
  readonly word: string
  /** Null for a value that nobody knows. */
  readonly state: TaskState | null
  /** Whether the word is known, even if something beside it takes back what it says. */
  readonly isKnown: boolean
}

/** A box before a word for a state, with or without emphasis; or a box and nothing else. */
export const BOXED = /^([*_`]{0,3})\[([ xX✓✔]?)\](?:[ \t]+|(?=[*_`]{0,3}$))/
/** What is struck out and emphasis, then signs such as an emoji, then up to four words of a value. */
const WRAPPING = /^(?:~~[^~]{1,60}~~[ \t]*)?[*_`([]{0,4}/
const SIGNS = /^(?:[^\p{L}\p{N}\s|*_`([]{1,6}[ \t]*)?/u
const PHRASE = /^(?:n\/a\b|\p{L}[\p{L}'’]{0,40}(?:[ _-]\p{L}[\p{L}'’]{0,40}){0,3})/iu
const NO_LETTERS = /^[^\p{L}]+/u
const CLOSING = /^[*_`\])]*[ \t]*/
/** Emphasis or code between a sign and the words: `🔴 **To do**`. */
const INNER = /^[*`]{1,3}/
/** If there are several to choose from, or a condition, none states a state; another field after it is neither. */
const CHOICE =
  /^(?:[→?]|->|\|(?![ \t]*(?:$|[*_]{0,2}\p{L}[^|:：]{0,40}[:：]))|(?:or|when|if|once|until|only|after|unless)\b)/iu
/** Takes back that a task is left out for good. */
export const TAKEN_BACK =
  /^[ \t]*[:：—–-]?[ \t]*no(?![\p{L}\p{N}]|-)|(?<![\p{L}\p{N}])(?:but|except|however|although|still|yet|until|unless|soon|later|for now|temporarily|pending|partial|partially|reopened?|resumed?|awaiting|waiting|todo|wip)(?![\p{L}\p{N}])|[?？]/iu
/** Signs that may stand before a word which says that nothing is left to do. */
const SETTLED_SIGNS: Readonly<Record<"done" | "cancelled", RegExp>> = {
  done: /^(?:[✅☑✔✓🎉🎊🚀✨💯🏁👍🟢\s*`]|\ufe0f)*$/u,
  cancelled: /^[^✅☑✔✓🔄🚧🔵🟡⬜⏳🔲📋☐⏸]*$/u,
}

/** What may come before a word for done without changing it: `validated and completed`, `fully implemented`. */
const FULLY = ["fully", "successfully", "already"]
const AND_DONE_WORDS = [...FULLY, ...ALSO]
const AND_DONE = new RegExp(`^(?:(?:${FULLY.join("|")})-|(?:${ALSO.join("|")})-and-)`)

/** The same, negated, means open: `not implemented`, `not yet merged`. */
const NOT = /^not-(?:yet-)?/

/** If a part is done, the task is in progress: `partially implemented`. */
const PARTLY_WORDS =
  "partially|partly|half|mostly|nearly|almost|parcialmente|parzialmente|partiellement|teilweise|частично"
const PARTLY = new RegExp(
  `^(?:(?:${PARTLY_WORDS})-|(?:部分|一部|부분|基本|大部分|基本上|概ね|거의)-?)(?=.)`,
)

/** The state that a word stands for, however it is spelled; null for an unknown word. */
export function stateOfWord(word: string): TaskState | null {
  const plain = plainWord(word)
  const known = STATE_OF.get(plain)
  if (known !== undefined) return known
  if (PARTLY.test(plain)) return isDone(plain.replace(PARTLY, "")) ? "in_progress" : null
  if (AND_DONE.test(plain)) {
    const rest = plain.replace(AND_DONE, "")
    return isDone(rest) || ALSO.includes(rest) ? "done" : null
  }
  const denied = NOT.test(plain) ? plain.replace(NOT, "") : null
  return denied !== null && (stateOfWord(denied) === "done" || ALSO.includes(denied))
    ? "open"
    : null
}

function isDone(plain: string): boolean {
  return STATE_OF.get(plain) === "done"
}

const FIRST_WORDS: ReadonlySet<string> = new Set([
  ...[...STATE_OF.keys()].map((word) => word.split("-", 1)[0] ?? word),
  ...[...AND_DONE_WORDS, ...PARTLY_WORDS.split("|")],
])
/** With a table's bar after it, it is a cell. */
const FIRST_WORD = /^[^\p{L}\p{N}|]{0,8}(\p{L}[\p{L}'’/]*)[^|]*$/u

/** Whether a text begins with a word that a state may begin with: a quick check before it is read. */
export function mayNameState(text: string): boolean {
  const [, first] = FIRST_WORD.exec(text) ?? []
  return first !== undefined && FIRST_WORDS.has(first.toLowerCase())
}

/** Whether a word says that work is open, in progress or done, and nothing more. */
export function isPlainWord(word: string): boolean {
  const state = stateOfWord(word)
  return (isWorkable(state) || state === "done") && PLAIN[state].includes(plainWord(word))
}

/** Of the plan's own words, with signs before them, the first that means exactly this state; null if none does. */
export function writtenWord(state: TaskState, used: readonly string[]): string | null {
  const isPlain = (word: string) => {
    const words = lettersOf(word)
    return isBalanced(word) && (words === "" || PLAIN[state].includes(plainWord(words)))
  }
  const says = (word: string) =>
    readState(word).state === state && isPlain(word.replace(BOXED, "$1"))
  return used.find(says) ?? null
}

/** Whether emphasis that begins in a word also ends there: not in `✅ **Done`, which a date follows. */
export function isBalanced(word: string): boolean {
  return word.split(/[*`]+/).length % 2 === 1
}

/** `In progress`, `in-progress` and `IN_PROGRESS` are one word. */
export function plainWord(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace("’", "'")
    .replace(/[\s_-]+/g, "-")
}

/** What a word says, with or without an emoji before it; an emoji alone has its own meaning. */
export function stateOfSigned(word: string): TaskState | null {
  const words = lettersOf(word)
  const bySign = BY_SIGN.find(([pattern]) => pattern.test(word))?.[1] ?? null
  if (words === "") return bySign
  const byWord = stateOfWord(words)
  if (!isSettledState(byWord)) return byWord
  return SETTLED_SIGNS[byWord].test(word.slice(0, word.indexOf(words))) ? byWord : null
}

/** A word without the signs before it, and without the emphasis that belongs to them. */
function lettersOf(word: string): string {
  return trimEnd(word.replace(NO_LETTERS, ""), "*`")
}

/** What may follow a state in the explanation of a sign: `[x]` Completed tasks. */
const OF_TASKS = /^[*_`]*[ \t]+(?:tasks?|items?|steps?|yet)(?![\p{L}\p{N}])/iu

/** Whether a text only names a state: `In progress (by an agent)`, with a remark after it, but not `Complete the form`. */
export function isStateAlone(text: string): boolean {
  const { at, word, state } = readState(text)
  const behind = text.slice(at + word.length).replace(OF_TASKS, "")
  return state !== null && !/^[*_`]*[ \t]*[\p{L}\p{N}]/u.test(behind)
}

/**
 * What a value such as `✅ Complete (2026-01-02)` says about a state: its first words. It is done only if nothing beside them takes that
 * back: neither "Done (2/5)" nor "Implemented, not tested" is.
 */
export function readState(value: string): SaidState {
  return readTicked(value) ?? readWords(value)
}

/**
 * `[x] done`: a box and the words after it state one state, and a box alone its own; with several boxes, or a box that its words contradict,
 * there is none.
 */
function readTicked(value: string): SaidState | null {
  const [whole, before = "", marker] = BOXED.exec(value.trimEnd()) ?? []
  if (whole === undefined || value.includes("[", whole.length)) return null
  const isTicked = marker !== " " && marker !== ""
  const at = before.length
  if (whole.endsWith("]"))
    return { at, word: whole.slice(at), state: isTicked ? "done" : "open", isKnown: true }
  const said = readWords(value.slice(whole.length))
  const end = whole.length + said.at + said.word.length
  const isKept = isTicked || !isSettledState(said.state)
  return {
    at,
    word: value.slice(at, end),
    state: isKept ? said.state : null,
    isKnown: said.isKnown,
  }
}

function readWords(value: string): SaidState {
  const at = WRAPPING.exec(value)?.[0].length ?? 0
  const bare = value.slice(at)
  const signs = SIGNS.exec(bare)?.[0] ?? ""
  const phrase = PHRASE.exec(bare.slice(signs.length))?.[0] ?? ""
  const known = knownWords(phrase)
  const inside = signs === "" ? null : wordInside(bare.slice(signs.length))
  const word = signs + (known ?? inside ?? phrase)
  const behind = bare.slice(word.length)
  const rest = behind.slice(CLOSING.exec(behind)?.[0].length ?? 0)
  const state = stateOfSigned(word)
  const isKept = !isChoice(state, rest) && !isTakenBack(state, behind)
  const isKnown = known !== null || inside !== null || state !== null
  return { at: word === "" ? 0 : at, word: word.trimEnd(), state: isKept ? state : null, isKnown }
}

/** The word for a state in emphasis of its own after signs, with its end if it ends there; null if none is known. */
function wordInside(text: string): string | null {
  const start = INNER.exec(text)?.[0] ?? ""
  if (start === "") return null
  const known = knownWords(PHRASE.exec(text.slice(start.length))?.[0] ?? "")
  if (known === null) return null
  const word = start + known
  return text.startsWith(start, word.length) ? word + start : word
}

/** Whether another state may also be meant: `TODO / DONE`, but not `Complete / validated`. */
function isChoice(state: TaskState | null, rest: string): boolean {
  if (!rest.startsWith("/")) return CHOICE.test(rest)
  const other = knownWords(PHRASE.exec(rest.slice(1).trimStart())?.[0] ?? "")
  return other !== null && stateOfWord(other) !== state
}

/** Whether what follows the word for a state takes it back; nothing can take back that work is left. */
function isTakenBack(state: TaskState | null, behind: string): boolean {
  if (state === "done") return !leavesDone(behind)
  return state === "cancelled" && (TAKEN_BACK.test(behind) || countsLess(behind))
}

/** The longest part of the words, from their start, that states a state. */
function knownWords(words: string): string | null {
  const ends = [...words.matchAll(/[ _-]|$/g)].map(({ index }) => index).reverse()
  const end = ends.find((length) => length > 0 && stateOfWord(words.slice(0, length)) !== null)
  return end === undefined ? null : words.slice(0, end)
}
