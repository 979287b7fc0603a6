// Finds the whole task titles that a text mentions.
import { at, beforeWave, placesBy } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { isOfWords, NO_BLANKS, plainTitle } from "../plan/model/title.ts"
import { trimEnd } from "../plan/model/trim-end.ts"

/** Which words of a call are searched. */
export type Where = "description" | "prompt"

/** A plan has many titles, so only this much of a text is searched for them. */
const MAX_SEARCHED = 20_000
/** This many titles in one text mean several tasks, whichever stand inside another. */
export const MANY = 64
/** Titles are seldom longer, and differ before this point; in characters. */
export const LONG_TITLE = 500

/** The tasks that a text can mean. A prompt that mentions a review does not make the call one. */
export function tasksOf({ tasks }: Plan, where: Where): readonly Task[] {
  return where === "prompt" ? beforeWave(tasks) : tasks
}

const placesByTitle = placesBy(({ title }) => unquoted(title))

/** What may stand around a title besides quotes. */
const IN_FRONT = /^[\s"'‘’“”„«»*`~()[\]:.,–—-]+/u
const BEHIND = [".! ", ".! )]"]

/** The tasks whose whole title, of more than one word, is all that a text says. */
export function tasksTitled(tasks: readonly Task[], given: string): readonly Task[] {
  const text = unquoted(given.slice(0, LONG_TITLE).replace(IN_FRONT, ""))
  const places = [text, ...BEHIND.map((signs) => trimEnd(text, signs))]
    .filter(isOfWords)
    .map((title) => placesByTitle(tasks).get(title))
    .find((found) => found !== undefined)
  return places === undefined ? [] : at(tasks, places)
}

/** Every whole title in the text, longest first, with the tasks that have it; not one that occurs only inside another. */
export function tasksWithTitleIn(
  plan: Plan,
  given: string,
  where: Where,
): readonly { readonly title: string; readonly tasks: readonly Task[] }[] {
  const text = unquoted(given.slice(0, MAX_SEARCHED))
  const all = tasksOf(plan, where)
  const found = [...placesByTitle(all)]
    .filter(([title]) => isTelling(title, text, where) && stands(title, text))
    .map(([title, places]) => ({ title, tasks: at(all, places) }))
    .sort((one, other) => other.title.length - one.title.length)
  if (found.length > MANY) return found.slice(0, 2)
  let left = text
  return found.filter(({ title }) => {
    const isSaid = stands(title, left)
    left = left.replaceAll(title, "□")
    return isSaid
  })
}

/**
 * A folded text with `□` in place of a title it mentions, whatever marks the title has. A title that is only a label, or is very long,
 * stays.
 */
export function without(text: string, { title }: { readonly title: string }): string {
  if (title.length > LONG_TITLE || /^(?:tasks?|todos?)? ?\S+$/.test(title)) return text
  const signs = Array.from(title, (sign) => (sign === " " ? " +" : literal(sign)))
  return text.replace(new RegExp(signs.join("[*`~\"'‘’“”„«»]*"), "gu"), "□")
}

/** A pattern that matches exactly these characters. */
export function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
}

/** A one-word title such as `UI` is too often said in passing: it counts only if nothing else is said. */
function isTelling(title: string, text: string, where: Where): boolean {
  if (title === "") return false
  if (isOfWords(title)) return true
  return where === "description" && title === trimEnd(text.replace(BEFORE_TITLE, ""), ".! ")
}

const BEFORE_TITLE = /^[\p{N}.():#\s]+/u
const SIGN = `(?!${NO_BLANKS})[\\p{L}\\p{N}\\p{M}]`
const OF_WORD = new RegExp(SIGN, "u")
/** Some characters join the parts of a word: `add foo_bar`, `config.ts`, `src/t1`. `1.Add` is a number and a title. */
const ENDS_IN_WORD = new RegExp(`${SIGN}$|(?!${NO_BLANKS})\\p{L}[-_/\\\\]$`, "u")
const GOES_ON = new RegExp(`^[-._/\\\\]?${SIGN}`, "u")

/** Whether `title` occurs in `text` as whole words: `test` is not in `latest`. */
function stands(title: string, text: string): boolean {
  const [opens, closes] = [OF_WORD.test(title[0] ?? ""), OF_WORD.test(title.at(-1) ?? "")]
  for (let at = text.indexOf(title); at >= 0; at = text.indexOf(title, at + 1)) {
    const end = at + title.length
    const isCut =
      (opens && ENDS_IN_WORD.test(text.slice(Math.max(0, at - 2), at))) ||
      (closes && GOES_ON.test(text.slice(end, end + 2)))
    if (!isCut) return true
  }
  return false
}

const QUOTES = /["'‘’“”„«»]/g

/** A title, or a text that may mention one, without case, marks and quotes. */
export function unquoted(text: string): string {
  return plainTitle(text).replace(QUOTES, "")
}
