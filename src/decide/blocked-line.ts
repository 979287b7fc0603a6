// Why a subagent could not finish, where its result states it as `BLOCKED: why`.
import { blockedWords, namesRecord, saysNothing } from "../plan/model/blocked-words.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"
import { fences } from "../plan/model/lines.ts"

const MAX_FIRST = 200
const MAX_SEARCHED = 20_000
/** A result ends with the line; behind it there is room for what would unblock it. */
const LAST_LINES = 3
/** Four blanks make it code. */
const CODE = /^(?: {4}|\t)/
const UNBLOCK = /^[\s>*_-]*unblock/i
const NO_WORDS = /^[\W_]*$/

/**
 * Why a subagent could not finish, where one of the last lines of its result states it as `BLOCKED: why`. A line
 * about what unblocks it goes with the reason. Null for all other results: the word alone, in a text, in code or in a
 * quote, blocks nothing.
 */
export function blockedReason(output: string): string | null {
  const lines = filledLines(resultIn(output))
  const last = lines.slice(-LAST_LINES)
  const at = last.findLastIndex((line) => !CODE.test(line) && blockedWords(line) !== null)
  const reason = blockedWords(last[at] ?? "")
  if (reason === null || NO_WORDS.test(reason) || saysNothing(reason)) return null
  // A line of the plan, as we have written it: it tells of a block that is known.
  if (namesRecord(reason)) return null
  const next = last[at + 1]?.trim() ?? ""
  return UNBLOCK.test(next) ? `${reason} ${next.replace(/^[\s>*_-]+/, "")}` : reason
}

/** What stands in the host's frame around a subagent's words. */
export function resultIn(output: string): string {
  const start = output.indexOf("<task_result>")
  const end = output.lastIndexOf("</task_result>")
  return start < 0 || end < start ? output : output.slice(start + "<task_result>".length, end)
}

/** The first line of a result, cut to 200 characters: what its session says that it has done. */
export function firstLineOf(output: string): string {
  const text = resultIn(output).trimStart().slice(0, MAX_FIRST)
  return cleanLine(text.split(/[\r\n]/, 1)[0] ?? "")
}

/** The lines with words in them, those of code blocks left out. */
function filledLines(text: string): readonly string[] {
  const isFenced = fences()
  const lines = text.slice(-MAX_SEARCHED).split(/\r?\n/)
  return lines.filter((line) => !isFenced(line) && line.trim() !== "")
}
