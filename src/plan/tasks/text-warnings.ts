// Warns if the text of a task's row contradicts its box.

import type { Row } from "../blocks/blocks.ts"
import type { PlanWarning, Task } from "../model/plan.ts"
import { mayNameState, readState, stateOfSigned } from "../model/state-words.ts"
import { HAS_VALUE, saysDone } from "../model/title.ts"
import type { Entry } from "./rows.ts"

/** Most rows have none of this: one pattern is the cheapest way to find out. */
const MAY_SAY_DONE = /[✅☑✔✓—–)\]]|~~| - /u
/** What is to be written says nothing about the task. */
const CODE = /`[^`]*`/g
const MAY_END = /[—–)\]）\p{Extended_Pictographic}]| -|[^\0-\x7f]$/u
const MAY_BEGIN = /^[*_`([（]/

/** Adds the warnings about a row whose text contradicts its box, or whose id is a placeholder or taken. */
export function warnOfText(
  warnings: PlanWarning[],
  task: Task,
  { row, labelled }: Pick<Entry, "row" | "labelled">,
): void {
  const warn = (rule: string, message: string) => warnings.push({ line: task.line, rule, message })
  if (labelled.isPlaceholder) warn("placeholder-id", "The id is a template's placeholder.")
  if (!task.reusable) warn("duplicate-label", twin(task))
  if (task.rejected && task.state === "done") warn("rejected", REJECTED)
  if (task.state !== "open") return
  const [rule, what] = saidAgainst(row, labelled.rest) ?? []
  if (rule !== undefined) warn(rule, `The text ${what}, but the box is open: the task stays open.`)
}

/** What the text of an open row says about its task being done or left out, with the rule's name; null for most. */
function saidAgainst({ kind, box: { text } }: Row, rest: string): readonly [string, string] | null {
  if (kind === "bare-heading") return null
  if (MAY_SAY_DONE.test(text) && saysDone(text.replace(CODE, "`x`")))
    return ["done-text", text.startsWith("~~") ? "is struck out" : "says done"]
  const held = heldAtEnd(text) ?? heldAtStart(rest)
  return held === null ? null : ["held-text", `says "${held}"`]
}

/** How a text ends: in brackets, after a dash or a picture, or with a last word in a script without blanks. */
const REMARK =
  /(?:[([（]([^()[\]（）]{1,80})[)\]）]|(?:[—–\p{Extended_Pictographic}]\ufe0f?[ \t]*|[ \t]-[ \t]+|[ \t](?=[^\0-\x7f]{1,9}$))([^—–]{1,40}))[ \t*_.]*$/u
const MAX_END = 100
/** How it begins, behind its id: in brackets that are no link, or in bold with a colon. */
const BEGIN =
  /^(?:[*_`]{0,3}[([（]([^()[\]（）]{1,80})[)\]）](?!\()|\*\*([^*:：]{1,40})(?:[:：]\*\*|\*\*[:：]))/u
/** What may follow such a word: nothing, a sign, or the reason; in a sentence it says what the task is about, `Cell (skipped rows)`, `A — blocked-users page`. */
const BEHIND =
  /^[*_`]*(?:$|[ \t]*(?!-[\p{L}\p{N}])[^\p{L}\p{N}\s]|[ \t]+(?:for now|until|till|by|as|because|since|due|per)(?![\p{L}\p{N}]))/iu

/** The same in brackets, which hold no part of a title: elsewhere it may go on, `Skip to content`. */
const BEHIND_INSIDE = /^[ \t]+(?:on|to)(?![\p{L}\p{N}])/u

/** The word at the end of a row or heading for a state that keeps work from being done, `A (won't do)`, `A — on hold`; null for any other. */
export function heldAtEnd(text: string): string | null {
  const end = text.slice(-MAX_END)
  const found = MAY_END.test(end) ? REMARK.exec(end) : null
  const held = heldIn(found?.[1] ?? found?.[2] ?? "", found?.[1] !== undefined)
  return held !== null && !HAS_VALUE.test(end.slice(0, found?.index).trimEnd()) ? held : null
}

/** The same at the start, `[BLOCKED: no key] A`, `**Deferred:** A`. */
function heldAtStart(text: string): string | null {
  const found = MAY_BEGIN.test(text) ? BEGIN.exec(text) : null
  return heldIn(found?.[1] ?? found?.[2] ?? "")
}

/** The word for such a state that a text begins with, alone or before a reason; null for any other. */
export function heldIn(words: string, isInside = true): string | null {
  if (!mayNameState(words)) return null
  const { at, word } = readState(words)
  const state = stateOfSigned(word)
  const isHeld = state === "cancelled" || state === "blocked"
  const rest = words.slice(at + word.length)
  return isHeld && (BEHIND.test(rest) || (isInside && BEHIND_INSIDE.test(rest))) ? word : null
}

function twin({ key }: Task): string {
  return `Another task has this ${key.includes(":~") ? "title" : "label"}: this one is ${key}.`
}

const REJECTED = "The task is ticked but its verdict is REJECT: that is not an approval."
