// What a call says of a review without being one: that something is fixed, or what the review has found.
import { oncePerPlan } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { plainTitle } from "../plan/model/title.ts"
import { literal } from "./said-titles.ts"

/** Who fixes reviews nothing. */
const FIXES =
  /(?<![\p{L}\p{N}])(?:fix|fixing|address|addressing|resolve|resolving|repair|correct|remedy|implement|apply)(?![\p{L}\p{N}])/u
/** What stands behind a row that is spoken of for what it has found. */
const FOUND =
  /^(?:['’]s)?[\s"'’*`:)\]–—-]{0,4}(?:(?:review|audit) )?(?:fix(?:es)?|findings?|issues?|feedback|comments?|problems?|rejections?|remarks?|objections?|concerns?)(?![\p{L}\p{N}])/u
/** So far it is looked around a row, in characters. */
const LOOKED_AT = 100
/** What joins rows that are spoken of together, or a row's label and its title: `F1, F2 and F3`, `F1 (Plan audit`. */
const JOIN = '[\\s,;:.&+/("*`–—-]{1,4}(?:(?:and|or|to|then|plus|und|et|y)\\s)?'
/** Few titles of tasks speak of a row. */
const MANY = 64

/** Whether a call says that it fixes something. */
export function saysFix(text: string): boolean {
  return FIXES.test(text.toLowerCase())
}

/**
 * A folded text with `□` for each row of the final wave, or several joined, that it speaks of for what that has found: "Fix F1
 * findings" is no review of F1, and must not pass it. What stands within another task's whole title is that title's.
 */
export function withoutFindings({ tasks }: Plan, text: string): string {
  const { mentions } = mentionsIn(tasks)
  if (mentions === null) return text
  return text.replace(mentions, (said: string, title: string | undefined, at: number) =>
    title === undefined && isFinding(text, at, at + said.length) ? "□" : said,
  )
}

function isFinding(text: string, from: number, to: number): boolean {
  const [before, behind] = [text.slice(Math.max(0, from - LOOKED_AT), from), text.slice(to)]
  return FIXES.test(before) || FOUND.test(behind.slice(0, LOOKED_AT))
}

/** What names rows of the wave, as words of their own, and in its group a title of another task that does; null where there is no wave. */
const mentionsIn = oncePerPlan((tasks: readonly Task[]): { mentions: RegExp | null } => {
  const rows = tasks.filter(({ section }) => section === "final-wave")
  const others = tasks.filter(({ section }) => section !== "final-wave")
  // "Implement todo:1", where a row of the wave is the first too, speaks of the task.
  const taken = new Set(others.map(({ label }) => label?.toLowerCase()))
  const names = rows
    .flatMap(({ key, label, title }) => [
      key,
      label === null || taken.has(label.toLowerCase()) ? "" : label,
      plainTitle(title),
    ])
    .filter((name) => name !== "")
    .map(patternOf)
  if (names.length === 0) return { mentions: null }
  const name = `(?:${names.join("|")})`
  const word = asWord(`${name}(?:${JOIN}${name}){0,8}`)
  const speaks = new RegExp(word, "u")
  const titles = others.map(({ title }) => plainTitle(title)).filter((title) => speaks.test(title))
  const whole = titles.slice(0, MANY).map(patternOf).join("|")
  return { mentions: new RegExp(`${whole === "" ? "()(?!)" : asWord(`(${whole})`)}|${word}`, "gu") }
})

function asWord(pattern: string): string {
  return `(?<![\\p{L}\\p{N}_./\\\\-])${pattern}(?![._#-]?[\\p{L}\\p{N}_])`
}

function patternOf(name: string): string {
  return literal(name.toLowerCase()).replaceAll(" ", "[\\s*`~]+")
}
