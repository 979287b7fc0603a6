// A title as it is shown, as it is told apart, and what it says itself of its work being done.
// Over 250 lines: what a title says at its ends of its work is also what it is told apart without.
import { printable } from "./foreign-text.ts"
import { hashText } from "./hash-text.ts"
import { countsLess, DONE_ELSEWHERE, lacks, leavesDone, tellsOfRest } from "./leaves-done.ts"
import {
  isPlainWord,
  mayNameState,
  readState,
  stateOfSigned,
  stateOfWord,
  TAKEN_BACK,
} from "./state-words.ts"
import { trimEnd } from "./trim-end.ts"

const MAX_TITLE_LENGTH = 400
const EMPHASIS = /\*\*|~~/g
const MARKS = /[*`~]/g
const ASCII = /^[ -~]*$/
/** All white space but a single blank, which stays. */
const SPACES = /\s{2,}|[^\S ]/g

/** One printable line of at most 400 characters, without `**` and `~~`. */
export function cleanTitle(text: string): string {
  const line = printable(text.replace(EMPHASIS, "")).trim()
  return line.length > MAX_TITLE_LENGTH ? cut(line, MAX_TITLE_LENGTH) : line
}

/** A title as a reader sees it: case, spacing and emphasis make no difference. */
export function plainTitle(text: string): string {
  const plain = ASCII.test(text) ? text : printable(text.normalize("NFKC"))
  return plain.replace(MARKS, "").replace(SPACES, " ").trim().toLowerCase()
}

/** Scripts that put no blanks between words. */
export const NO_BLANKS =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]"
const BORDERLESS = new RegExp(NO_BLANKS, "u")
/** Minimum length of a title without blanks, in characters. */
const SHORTEST = 4

/** Whether a plain title has more than one word: a single one, such as `ui`, is said about many things. */
export function isOfWords(plain: string): boolean {
  return /\s/.test(plain) || (BORDERLESS.test(plain) && plain.length >= SHORTEST)
}

/** Words and single blanks, up to a letter or digit: nothing can be removed from it. */
const WORDS = /^(?:[\w,'"&/+]+ )*[\w,'"&/+]*[A-Za-z\d]$/

/** 8 hex digits of the plain title. A note that the row is done, even with a commit, leaves it the same task. */
export function hashTitle(text: string): string {
  const isPlain = text.length <= MAX_TITLE_LENGTH && WORDS.test(text)
  return hashText(isPlain ? text.toLowerCase() : plainTitle(withoutDone(text)))
}

const DONE_SIGN = /[✅☑✔✓]/u
const AT_ITS_END = /(?:[([（]([^()[\]（）]{1,60})[)\]）]|[ \t][—–-][ \t]+([^—–]{1,60}))$/u
/** What else a state may follow at the end of a title: `A · done`, `A | done`, `A: complete`. */
const COLONS = [": ", "："]
const SIGNS = [" · ", " • ", " | ", ...COLONS]
const PASSES = /^pass/i
const MAX_NOTE_LENGTH = 60
/** This many parts before the last one make a list of names: `Inbox · Review · Decision · Done`. */
const LEAST_OF_LIST = 3

/** After a colon or bar a word with a single capital is a name, `Label: Done`; after a word such as "status", any word is its value. */
const NO_NAME = /^[*_`]{0,3}(?:\p{Ll}{2}|\p{Lu}{2}|\p{Lo})/u
/** Without emphasis and signs. */
const FIRST_LETTERS = /\p{L}[\p{L}-]{0,40}/u
/** A word whose value a following word for a state would be. */
export const HAS_VALUE =
  /(?<![\p{L}\p{N}])(?:status(?:es)?|states?|labels?|columns?|values?|flags?|texts?|fields?|words?|buttons?|cases?|modes?|names?|titles?|keys?|options?|messages?|events?|types?|tags?|expect(?:ed)?|results?|outputs?|returns?|shows?|to|as|is|on)$|(?:状态|狀態|状態|상태|按钮|按鈕|ボタン|버튼|标签|標籤|列|文本|文案|文字|字段|值|名称|名稱|选项|選項|消息|提示|菜单|标题|標題)$|[`"'”»’]$/iu
/** Before `| Completed` another state makes it a list of names: `All | Active | Completed`. */
const LAST_WORD = /\p{L}[\p{L}-]{0,40}$/u

const DONE_WORD = "done|completed?|finished|implemented|shipped|merged"
/** How a title may begin once its work is done: `Done: `, `**DONE** - `, `[completed] `. */
const DONE_FIRST = new RegExp(
  `^(?:[\\s*_\`]|[✅☑✔✓]\\ufe0f?){0,8}(?:(?:${DONE_WORD}|${DONE_ELSEWHERE.join("|")})[*_\`]{0,3}[ \\t]{0,3}(?:[:：—–]|-[ \\t])|[([](?:${DONE_WORD})[)\\]][ \\t:—–-])[*_\`]{0,3}[ \\t]{0,3}(?=\\S)`,
  "iu",
)

/** Part of a commit's hash. */
const SHA = "(?=\\d*[a-f])(?=[a-f]*\\d)[0-9a-f]{7,40}"
const COMMIT = "(?:commit|checkpoint|sha|커밋|提交|コミット|коммит):? `?"
/** The commit that finished a task, noted at the start of its title, `b12cdef Task: A`, */
const COMMIT_FIRST = /^[0-9a-f]{7,40}[ \t]+(?=Task:)/
/** and at its end: `A [b12cdef]`, `` A (`b12cdef`) ``, `A [checkpoint: b12cdef]`, `A — commit b12cdef`; */
const COMMIT_LAST = new RegExp(
  `[ \\t](?:\`?[([（]\`?(?:${COMMIT})?${SHA}\`?[)\\]）]\`?|[—–-] ${COMMIT}${SHA}\`?)$`,
  "iu",
)
/** without brackets if the title is written like Conductor's, `Task: A b12cdef`: elsewhere it may be the object, `Revert b12cdef`. */
const BARE_COMMIT = new RegExp(`[ \\t]${SHA}$`, "u")

/** Most titles begin in another way, so the long pattern is not tried. */
const MAY_BEGIN_DONE = /^[^:：—–)\]-]{2,20}[:：—–)\]-]/u

/** Ends a name that may say it is done, before an explanation: `A (done) — with a view`, `**A: done** — with a view`. */
const AFTER_NAME = /(?:[)\]）✅☑✔✓~]\ufe0f?[*_]{0,3}|\p{L}[*_]{2,3})(?:[ \t]+[—–→-][ \t]+|[:：])/gu
/** More of these are prose. */
const MAX_NAMES = 4
const A_WORD = /[\p{L}\p{N}]/u
const LAST_BRACKETS = /[([（]([^()[\]（）]{1,60})[)\]）]$/

/**
 * Whether a title itself says that its work is done: `Done: A`, `A ✅`, `A ✅ Done (1 May)`, `A (completed 2026-01-02)`, `A — DONE`, `A ·
 * done`, `~~A~~`, also before an explanation, `**A (done)** — with a view`; not if its end says otherwise.
 */
export function saysDone(title: string): boolean {
  if (saysSoItself(title)) return true
  const text = title.slice(0, MAX_TITLE_LENGTH)
  if (DONE_SIGN.test(text.trimStart().charAt(0))) return false
  const ends = [...text.matchAll(AFTER_NAME)].slice(0, MAX_NAMES)
  if (ends.length === 0) return false
  const last = LAST_BRACKETS.exec(trimEnd(text, " \t*_"))?.[1] ?? null
  return (
    ends.some(({ 0: end, index }) => {
      const at = index + trimEnd(end, " \t—–-:：").length
      const rest = text.slice(index + end.length)
      return A_WORD.test(rest) && isNameDone(text.slice(0, at)) && !saysOtherwise(rest)
    }) && !saysOtherwise(last)
  )
}

/** A state in brackets after a word such as "status" is the subject of the title: `Rename the status (done): …`. */
function isNameDone(name: string): boolean {
  const bare = trimEnd(name, " \t*_\ufe0f")
  const word = LAST_WORD.exec(bare)?.[0] ?? null
  if ((word !== null && stateOfWord(word) !== "done") || !saysSoItself(name)) return false
  return !HAS_VALUE.test(
    trimEnd(bare.slice(0, AT_ITS_END.exec(bare)?.index ?? bare.length), " \t*_"),
  )
}

/** What is struck out, and the rest. */
const STRUCK = /^[*_]{0,3}~~[^~]+~~[*_]{0,3}[ \t]*(.*)$/
const IN_BRACKETS = /^[([（]([^()[\]（）]{1,200})[)\]）]$/u
const EXPLANATION = /(?:[ \t]+[—–-][ \t]|[:：]).*$/
/** A check sign at the end, with a remark in brackets or emphasis after it. */
const SIGN_LAST = /^[✅☑✔✓]\ufe0f?(?:[ \t]*[([（*_]{1,2}([^()[\]（）*_]{1,60})[)\]）]?)?$/u

function saysSoItself(title: string): boolean {
  const plain = trimEnd(title.slice(-MAX_TITLE_LENGTH), " \t*_\ufe0f")
  const rest = STRUCK.exec(plain)?.[1] ?? null
  if (rest !== null) return isStruckFor(rest)
  const first = DONE_FIRST.exec(title)?.[0]
  if (first === undefined) return isSignedDone(plain, DONE_SIGN.test(title.trimStart().charAt(0)))
  const named = title.slice(first.length, MAX_TITLE_LENGTH)
  return !countsLess(named) && !saysOtherwise(atItsEnd(named))
}

/** By what follows the struck-out text: nothing, a remark, or that it is done. */
function isStruckFor(rest: string): boolean {
  const isShown = rest === "" || DONE_SIGN.test(rest.charAt(0))
  const remark = IN_BRACKETS.exec(rest)?.[1] ?? (isShown ? rest : null)
  if (remark === null) return readState(rest.replace(EXPLANATION, "")).state === "done"
  return readState(remark).state === "cancelled" || !(saysOtherwise(remark) || lacks(remark))
}

/** By a check sign at its start or end, or else by a remark at its end. */
function isSignedDone(plain: string, isSignedFirst: boolean): boolean {
  const sign = lastSign(plain)
  const behind = sign > 0 ? plain.slice(sign) : ""
  const [signed, remark = null] = SIGN_LAST.exec(behind) ?? []
  const before = sign > 0 ? trimEnd(plain.slice(0, sign), " \t*_\ufe0f") : plain
  // A remark that nobody can read may say that it is not.
  const isSignedBehind = signed !== undefined && (remark === null || leavesDone(remark))
  if (isSignedBehind || readState(behind).state === "done") return !saysOtherwise(atItsEnd(before))
  const end = atItsEnd(plain)
  return isSignedFirst ? !saysOtherwise(end) : end !== null && readState(end).state === "done"
}

const APPROVED = /^[*_`]{0,4}(?:approved?|pass(?:ed)?)(?![\p{L}\p{N}])/iu
/** A verdict in capitals at the end: `A: APPROVED`, `A ✅ PASS`, `A **APPROVED**`, `A - VERDICT: APPROVE`, `A (APPROVE after a fix)`. */
const VERDICT_LAST =
  /(?:[:：|·→✅☑✔✓]\ufe0f?|[ \t][—–-]|[ \t](?=\*\*|__))[ \t]*(?:VERDICT[:：]?[ \t]*)?[*_`]{0,4}(?:APPROVED?|PASS(?:ED)?)$|[ \t][([](?:APPROVED?|PASS(?:ED)?)(?!\p{L})[^()[\]]{0,60}[)\]]$/u
/** Characters at the end of a title beside its last part, and at its start beside a check sign. */
const ENDS = " \t.。,;:*_`\ufe0f"
const SIGN_FIRST = /^[✅☑✔✓]\ufe0f?\s*/u
/** How a note begins or ends: most titles have none of this, and one pattern is the cheapest way to find out. */
const MAY_NOTE = /[✅☑✔✓：]|[)\]）]$|[ \t][—–·•|-][ \t]|:[ \t]|(?:APPROVED?|PASS(?:ED)?)$/u
/** Such a note in brackets or after a dash. */
const MAY_END = /[)\]）]$|[ \t][—–-][ \t]/u
/** More notes than these in a row are part of the title. */
const MAX_NOTES = 4

/**
 * A title without what its start or end adds once its work is done, including a full stop: `Done: A`, `A ✅`, `A (done)`, `A · done`, `A —
 * APPROVED` and `A.` are all `A`. A title that consists of nothing else stays as it is.
 */
function withoutDone(title: string): string {
  const bare = MAY_BEGIN_DONE.test(title)
    ? title.replace(COMMIT_FIRST, "").replace(DONE_FIRST, "")
    : title
  const words = bare.charCodeAt(0) > 0x7f ? bare.replace(SIGN_FIRST, "") : bare
  let text = trimEnd(words, ENDS)
  for (let note = 0; note < MAX_NOTES; note += 1) {
    const start = MAY_NOTE.test(text) ? startOfNote(text) : null
    if (start === null) break
    text = trimEnd(text.slice(0, start), ENDS)
  }
  return text === "" ? title : text
}

/** Where the note at the end of a title begins that says its work is done; null if there is none. */
function startOfNote(text: string): number | null {
  const from = Math.max(0, text.length - MAX_TITLE_LENGTH)
  const tail = text.slice(from)
  const sign = lastSign(tail)
  if (sign > 0 && readState(tail.slice(sign)).state === "done") return from + sign
  const commit =
    COMMIT_LAST.exec(tail) ?? (text.startsWith("Task:") ? BARE_COMMIT.exec(tail) : null)
  const last = commit ?? VERDICT_LAST.exec(tail)
  if (last !== null) return from + last.index
  const end = noteAtEnd(tail)
  if (end === null) return null
  const { words } = end
  const approved = APPROVED.exec(words)?.[0] ?? null
  const isDone =
    approved === null ? readState(words).state === "done" : leavesDone(words.slice(approved.length))
  return isDone ? from + end.index : null
}

/** The position of the last check sign; -1 if there is none. */
function lastSign(plain: string): number {
  return Math.max(...["✅", "☑", "✔", "✓"].map((sign) => plain.lastIndexOf(sign)))
}

const atItsEnd = (plain: string): string | null => noteAtEnd(plain)?.words ?? null

interface Note {
  readonly index: number
  readonly words: string
}

/** The remark at the end of a title, and where it begins: in brackets or after a dash, else a state after another sign. */
function noteAtEnd(text: string): Note | null {
  const found = MAY_END.test(text) ? AT_ITS_END.exec(text) : null
  const words = found?.[1] ?? found?.[2]
  const dashed = found === null || words === undefined ? null : { index: found.index, words }
  if (dashed !== null && readState(dashed.words).isKnown) return dashed
  return stateBehindSign(text) ?? dashed
}

/** A state after the last dot, bar or colon; null if there is none. */
function stateBehindSign(text: string): Note | null {
  const index = Math.max(...SIGNS.map((sign) => text.lastIndexOf(sign)))
  const sign = SIGNS.find((each) => text.startsWith(each, index)) ?? ""
  const words = text.slice(index + sign.length).trim()
  if (index < 1 || words.length > MAX_NOTE_LENGTH || !mayNameState(words)) return null
  const before = text.slice(0, index)
  const isNamed = isList(before, sign) || isValue(before, words, sign)
  const isLess = countsLess(before) || saysOtherwise(LAST_BRACKETS.exec(before)?.[1] ?? null)
  return isNamed || isLess || !readState(words).isKnown ? null : { index, words }
}

/** `Inbox · Review · Decision · Done`, `Order states: placed · paid · delivered`, `Open | Done`. */
function isList(before: string, sign: string): boolean {
  if (stateOfWord(LAST_WORD.exec(before)?.[0] ?? "") !== null) return true
  if (COLONS.includes(sign)) return false
  const parts = before.split(sign).length
  const isIntroduced = COLONS.some((colon) => before.includes(colon))
  return parts >= LEAST_OF_LIST || (isIntroduced && parts > 1)
}

/** After a colon only a word that means nothing else describes the title, `Login: done`; any other is a value, `Breaker: closed`. */
function isValue(before: string, words: string, sign: string): boolean {
  if (COLONS.includes(sign)) {
    const word = FIRST_LETTERS.exec(words)?.[0] ?? ""
    const isPlain = isPlainWord(word) && !PASSES.test(word)
    return !isPlain || !NO_NAME.test(words) || HAS_VALUE.test(before)
  }
  return sign === " | " && !NO_NAME.test(words)
}

/** It names what is done, `核心完成`, which is a part. */
const OF_PART = /(?<=\p{L})(?:完成|完了|完毕|완료)$/u

/** Whether the end of a title with a check sign says that something is left: a remark after "done" has to say so itself. */
function saysOtherwise(end: string | null): boolean {
  if (end === null) return false
  if (tellsOfRest(end) || TAKEN_BACK.test(end)) return true
  const { at, word, state, isKnown } = readState(end)
  if (state === "done") return false
  if (!isKnown) return OF_PART.test(end)
  return stateOfSigned(word) !== "done" || lacks(end.slice(at + word.length))
}

/** A title as a message shows it: at most this many characters, and one more, `…`, if it is cut. */
export function namedTitle(text: string, length: number): string {
  const title = cleanTitle(text)
  return title.length > length ? `${cut(title, length).trimEnd()}…` : title
}

function cut(line: string, length: number): string {
  const last = line.charCodeAt(length - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return line.slice(0, isHalf ? length - 1 : length)
}
