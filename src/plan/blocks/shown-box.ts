// Tells whether a line shows an open box to a person, in any spelling and whatever the grammar makes of it.

import { linesWith, type TextLines } from "../model/lines.ts"
import { meaningOf } from "../model/markers.ts"
import { isSettledState } from "../model/plan.ts"
import { isStateAlone } from "../model/state-words.ts"
import { readLineBox } from "./box.ts"

/** Signs of an open box, and the start of a form's. */
const MAY_BE = /[[\uff3b\u3010\u3014\u2610\u25a1\u25a2\u25fb\u2b1c\u{1f532}]|<input/u
const MAY_BE_IN = new RegExp(MAY_BE, "gu")
const FOREIGN = /[^\x20-\x7e\t]/
const SIGN = "[\\u2610\\u25a1\\u25a2\\u25fb\\u2b1c\\u{1f532}]"
/** It is followed neither by a link's address, which is no word alone, nor by a link's name. */
const BLANK_BOX = "\\\\?\\[[ \\t]{1,3}\\\\?\\](?!\\([^\\s()]{0,200}(?:[/.#:]|\\)[ \\t]*$)|[`[])"
const EMPTY_BOX = "\\\\?\\[\\\\?\\](?=[\\s\\p{L}\\p{N}*_~]|$)"
/** Bullets of any kind, emphasis, an emoji, a number: anything but words, code and another bracket. */
const SIGNS = "[^\\p{L}\\p{N}[\\]`|]"
const NUMBER =
  "(?:(?:task|step|phase|item|todo)?[ \\t]{0,2}#?\\d{1,9}(?:\\.\\d{1,9})*|[a-z]{1,4}-?\\d{1,9}(?=[.):]?[ \\t])|todo|[a-z](?=[.)]))[.):]?"
const AT_START = new RegExp(
  `^${SIGNS}{0,24}(?:${NUMBER}${SIGNS}{0,12})?(?:${BLANK_BOX}|${EMPTY_BOX}|${SIGN})`,
  "iu",
)
/** An empty list alone is a value of a table. */
const IN_CELL = new RegExp(
  `\\|[ \\t]*(?:${BLANK_BOX}|\\[\\](?=[ \\t]{1,9}[\\p{L}\\p{N}*_~])|${SIGN})`,
  "u",
)
const AT_END = new RegExp(
  `^[ \\t]*(?:#{1,6}|[-*+]|\\d{1,9}[.)])[ \\t].*[^:= \\t][ \\t]+(?:\\[[ \\t]\\]|${SIGN}\\ufe0f?)[ \\t]*$`,
  "u",
)
/** In a list row after other words, or after a comment: `- T1: [ ] A`. */
const IN_ROW = /^[ \t>]*(?:[-*+•]|\d{1,9}[.)]|<!--.*-->)[ \t].*[\s:：]\[[ \t]{1,3}\][ \t]+[^\s=]/u
/** Code, and boxes that a text mentions together: `any [x] or [ ] row`. */
const CODE =
  /`[^`]*`|\[[xX]\][ \t]*(?:or|and|to|oder|und|ou|et|o|y|e|или|и|または|或|和|[/,→]|->)[ \t]*\[[ \t]\]/giu
/** In code at the start of a row: `[ ]`, and words that do not explain the sign. */
const IN_CODE =
  /^[ \t>]*(?:[-*+•]|\d{1,9}[.)]|`[-*+])[ \t]+[*_]{0,2}`?(?:[-*+][ \t]+)?\[[ \t]{1,3}\]([^`]*)`[*_]{0,2}(.*)$/u
const MEANING = /^[ \t]*(?:$|[=:：→–—-])/u
/** Between two words for a state, and not between brackets. */
const OR = /\/(?=[ \t]*\p{L})/u
/** `<li>`, and the tags around it. */
const TAGS = /^(?:[ \t]{0,8}<[a-z][^<>]{0,80}>){1,8}/i
const OF_A_FORM = /<input\b(?=[^<>]{0,200}\bcheckbox\b)(?![^<>]{0,200}\bchecked\b)/i

/** The indexes of the lines with a sign that a box may begin with: most lines have none. */
export function thatMayShowBox(text: TextLines): readonly number[] {
  return linesWith(MAY_BE_IN, text)
}

/** How a line shows an open box: at its start, in a table, or elsewhere; null for any other line. */
export function showsOpenBox(line: string): "start" | "table" | "elsewhere" | null {
  if (!MAY_BE.test(line)) return null
  if (isWordLeft(line)) return "start"
  const shown = line.replace(TAGS, "")
  const plain = FOREIGN.test(shown) ? withBrackets(shown.normalize("NFKC")) : shown
  if (AT_START.test(plain)) return "start"
  if (IN_CELL.test(plain)) return "table"
  const isElsewhere =
    AT_END.test(plain) ||
    OF_A_FORM.test(line) ||
    isInCode(line) ||
    IN_ROW.test(line.replace(CODE, ""))
  return isElsewhere ? "elsewhere" : null
}

/** The brackets of Chinese and Japanese keyboards are meant as a box: `【 】`. */
function withBrackets(line: string): string {
  return line.replace(/[【〔][ \t\u3000]*[】〕]/gu, "[ ]")
}

/** Whether a line has a box that says, by a word or another sign, that something is left: `- [DOING] A`. */
function isWordLeft(line: string): boolean {
  const marker = readLineBox(line)?.marker.trim() ?? ""
  const state = marker === "" ? null : (meaningOf(marker, [])?.state ?? null)
  return state !== null && !isSettledState(state)
}

/** A row of a legend names only the sign and a state; any other row in code may be meant as a task. */
function isInCode(line: string): boolean {
  const [whole, inside = "", behind = ""] = IN_CODE.exec(line) ?? []
  if (whole === undefined) return false
  if (inside.trim() !== "") return true
  const isMeaning = MEANING.test(behind) || isStateAlone(behind.trim())
  return !isMeaning && !behind.split(OR).every((each) => isStateAlone(each.trim()))
}
