// Recognises a call that mentions a review without being one: it fixes something, or speaks of the review's findings.
import { oncePerPlan } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { plainTitle } from "../plan/model/title.ts"
import { literal } from "./said-titles.ts"

/** A call that fixes something is no review. */
const FIXES =
  /(?<![\p{L}\p{N}])(?:fix|fixing|address|addressing|resolve|resolving|repair|correct|remedy|implement|apply)(?![\p{L}\p{N}])/u
/** What follows the name of a row that is mentioned for its findings. */
const FOUND =
  /^(?:['’]s)?[\s"'’*`:)\]–—-]{0,4}(?:(?:review|audit) )?(?:fix(?:es)?|findings?|issues?|feedback|comments?|problems?|rejections?|remarks?|objections?|concerns?)(?![\p{L}\p{N}])/u
/** How far around a row to look, in characters. */
const LOOKED_AT = 100
/** What joins rows that are mentioned together, or a row's label and its title: `F1, F2 and F3`, `F1 (Plan audit`. */
const JOIN = '[\\s,;:.&+/("*`–—-]{1,4}(?:(?:and|or|to|then|plus|und|et|y)\\s)?'
/** Few task titles mention a row. */
const MANY = 64

/** Whether a call says that it fixes something. */
export function saysFix(text: string): boolean {
  return FIXES.test(text.toLowerCase())
}

/**
 * A folded text with `□` in place of each row of the final wave, or several joined ones, that it mentions for its findings: "Fix F1
 * findings" is no review of F1 and must not pass it. What stands inside another task's whole title belongs to that title.
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

/**
 * Matches what names rows of the wave, as whole words; its capture group is a title of another task that mentions one. Null without a wave.
 */
const mentionsIn = oncePerPlan((tasks: readonly Task[]): { mentions: RegExp | null } => {
  const rows = tasks.filter(({ section }) => section === "final-wave")
  const others = tasks.filter(({ section }) => section !== "final-wave")
  // If a row of the wave is also number 1, "Implement todo:1" means the task.
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
