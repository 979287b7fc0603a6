// Reads the words of a `BLOCKED:` line, and tells whether they say that nothing is blocked.
import { wordPattern } from "./word-pattern.ts"

/** Stands after `BLOCKED:` if nobody says why. */
export const NO_REASON = "no reason given"
/** A line of its own, or an item: `- **BLOCKED**: no key`. */
const STATED = /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?BLOCKED(?:\*\*|__)?[ \t]*:/
/** The same for what a task waits for: a line of its own, `- **Blocked by:** the key`. */
const WAITING = /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?blocked[ -]by(?:\*\*|__)?[ \t]*:/i
/** Words for what is in a plan: a line with one of these, or with a number, refers to it. */
const IN_PLAN =
  /\d|(?<!\p{L})(?:tasks?|steps?|phases?|stages?|waves?|stor(?:y|ies)|milestones?|epics?|sprints?|groups?|to-?dos?|tickets?|issues?|rows?|items?|parts?|all|everything|above|below|previous|prior|earlier|preceding|other|others|immediately|start)(?!\p{L})|任务|任務|阶段|階段|步骤|步驟|タスク|작업|단계|aufgaben?|tareas?|tâches?|задач/iu
const EMPHASIS = /^(?:\*\*|__)/

/** What may follow `none`, `no` and the like: nothing, punctuation, or words that only say when. */
const ALONE = "(?=[^\\p{L}\\p{N}]*$|[ \\t]*[^\\p{L}\\p{N}\\s'’`*_])"
const SO_FAR =
  "(?= (?:so far|yet|at all|to report|left|here[^\\p{L}\\p{N}]*$|found|known|recorded|listed|noted|reported|identified|added|planned|remain(?:s|ing)?|currently|now|for now|at (?:the|this) (?:moment|time|point)))"
const SIGNS = /^[^\p{L}\p{N}]+/u
const NOTHING = wordPattern(
  `^(?:${[
    `(?:none|no|nothing|false|nil)${ALONE}`,
    `(?:无|無|暂无|暫無|没有|なし|無し|없음|keine?|nichts|ninguno|ninguna|nada|nenhum|aucune?|rien|nessuno|нет)${ALONE}`,
    `(?:none|nothing)${SO_FAR}`,
    "n\\/?a(?![\\p{L}\\p{N}])",
    "not (?:applicable|blocked)(?![\\p{L}])",
    "nothing (?:(?:is |was )?block(?:s|ed|ing))(?![\\p{L}])",
    "no (?:[\\p{L}]+ )?block(?:s|ers?|ages?)(?![\\p{L}])",
    `no (?:[\\p{L}]+ )?(?:issues?|problems?|(?:tasks?|items?|work|jobs?)(?: in progress)?)(?:${ALONE}|${SO_FAR})`,
  ].join("|")})`,
)
/** After a "no" and a sign: what the work waits for after all. */
const WAITS =
  /^(?:no|none|nothing)[ \t]*[^\p{L}\p{N}\s][^\p{L}\p{N}]*(?:(?:still|is|are|we|it)[ \t]+)?(?:await(?:s|ing)|wait(?:s|ing)|needs?|requires?|pending|blocked)(?!\p{L})/iu
/** A line that we have written ends in the id of the block's record. */
const RECORD = /\(hnd_[0-9A-Za-z]+\)[ \t]*$/

/** The words after `BLOCKED:` on a line that states a block; null for any other line. */
export function blockedWords(line: string): string | null {
  const stated = STATED.exec(line)?.[0].length
  // Blanks around the words are not part of the pattern, which would try every way to divide them.
  return stated === undefined ? null : line.slice(stated).trim().replace(EMPHASIS, "").trim()
}

/** The words after `Blocked by:` on a line of its own that, as far as they tell, refer to nothing in the plan; null for any other line. */
export function waitedWords(line: string): string | null {
  const waiting = WAITING.exec(line)?.[0].length
  const words = waiting === undefined ? "" : line.slice(waiting).trim().replace(EMPHASIS, "").trim()
  return words === "" || IN_PLAN.test(words) ? null : words
}

/** Whether the words after `BLOCKED:` say that nothing is blocked; words that name a record never do. */
export function saysNothing(words: string): boolean {
  const said = words.replace(SIGNS, "")
  const isNothing = said === "" ? words !== "" : NOTHING.test(said) && !WAITS.test(said)
  return isNothing && !namesRecord(words)
}

/** Whether the words after `BLOCKED:` are ours: they name the record of the block. */
export function namesRecord(words: string): boolean {
  return RECORD.test(words)
}

/** The same without that name, for readers who only need to know why. */
export function withoutRecord(words: string): string {
  return words.replace(RECORD, "").trimEnd()
}
