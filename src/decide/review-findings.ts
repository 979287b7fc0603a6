// What a call says of a review without being one: that something is fixed, or what the review has found.
import { oncePerPlan } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { plainTitle } from "../plan/model/title.ts"

/** Who fixes reviews nothing. */
const FIXES =
  /(?<![\p{L}\p{N}])(?:fix|fixing|address|addressing|resolve|resolving|repair|correct|remedy|implement|apply)(?![\p{L}\p{N}])/u
/** What stands behind a row that is spoken of for what it has found. */
const FOUND =
  /^(?:['’]s)?[\s"'’*`:–—-]{0,4}(?:review )?(?:fix(?:es)?|findings?|issues?|feedback|comments?|problems?|rejections?|remarks?|objections?|concerns?)(?![\p{L}\p{N}])/u
/** So far it is looked around a row, in characters. */
const LOOKED_AT = 100
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g

/** Whether a call says that it fixes something. */
export function saysFix(text: string): boolean {
  return FIXES.test(text.toLowerCase())
}

/**
 * A folded text with `□` for each row of the final wave that it speaks of for what that has found: "Fix F1 findings" is no
 * review of F1, and must not pass it.
 */
export function withoutFindings({ tasks }: Plan, text: string): string {
  const { mentions } = mentionsIn(tasks)
  if (mentions === null) return text
  return text.replace(mentions, (said: string, at: number) =>
    isFinding(text, at, at + said.length) ? "□" : said,
  )
}

function isFinding(text: string, from: number, to: number): boolean {
  const [before, behind] = [text.slice(Math.max(0, from - LOOKED_AT), from), text.slice(to)]
  return FIXES.test(before) || FOUND.test(behind.slice(0, LOOKED_AT))
}

/** What names a row of the wave, as a word of its own: its key, its label, its title; null where there is no wave. */
const mentionsIn = oncePerPlan((tasks: readonly Task[]): { mentions: RegExp | null } => {
  const rows = tasks.filter(({ section }) => section === "final-wave")
  const names = rows
    .flatMap(({ key, label, title }) => [key, label ?? "", plainTitle(title)])
    .filter((name) => name !== "")
    .map((name) => name.toLowerCase().replace(SPECIAL, "\\$&").replaceAll(" ", "[\\s*`~]+"))
  if (names.length === 0) return { mentions: null }
  const word = `(?<![\\p{L}\\p{N}_./\\\\-])(?:${names.join("|")})(?![\\p{L}\\p{N}_])`
  return { mentions: new RegExp(word, "gu") }
})
