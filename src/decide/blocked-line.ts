// Finds why a subagent could not finish, in a result that says `BLOCKED: why`.
import { blockedWords, namesRecord, saysNothing } from "../plan/model/blocked-words.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"
import { fences } from "../plan/model/lines.ts"

const MAX_FIRST = 200
const MAX_SEARCHED = 20_000
/** The line stands at the end of a result, with room after it for what would unblock the task. */
const LAST_LINES = 3
/** Four blanks or a tab make it code. */
const CODE = /^(?: {4}|\t)/
const UNBLOCK = /^[\s>*_-]*unblock/i
const NO_WORDS = /^[\W_]*$/

/**
 * Why a subagent could not finish, if one of the last lines of its result says `BLOCKED: why`. A line about what would unblock it is part
 * of the reason. Null for every other result: the bare word, or one inside prose, code or a quote, blocks nothing.
 */
export function blockedReason(output: string): string | null {
  const lines = filledLines(resultIn(output))
  const last = lines.slice(-LAST_LINES)
  const at = last.findLastIndex((line) => !CODE.test(line) && blockedWords(line) !== null)
  const reason = blockedWords(last[at] ?? "")
  if (reason === null || NO_WORDS.test(reason) || saysNothing(reason)) return null
  // A line of the plan that we wrote ourselves: that block is already known.
  if (namesRecord(reason)) return null
  const next = last[at + 1]?.trim() ?? ""
  return UNBLOCK.test(next) ? `${reason} ${next.replace(/^[\s>*_-]+/, "")}` : reason
}

/** The subagent's own words, without the frame that the host puts around them. */
export function resultIn(output: string): string {
  const start = output.indexOf("<task_result>")
  const end = output.lastIndexOf("</task_result>")
  return start < 0 || end < start ? output : output.slice(start + "<task_result>".length, end)
}

/** The first line of a result, cut to 200 characters: what the session says it has done. */
export function firstLineOf(output: string): string {
  const text = resultIn(output).trimStart().slice(0, MAX_FIRST)
  return cleanLine(text.split(/[\r\n]/, 1)[0] ?? "")
}

/** The lines that have words in them, without code blocks. */
function filledLines(text: string): readonly string[] {
  const isFenced = fences()
  const lines = text.slice(-MAX_SEARCHED).split(/\r?\n/)
  return lines.filter((line) => !isFenced(line) && line.trim() !== "")
}
