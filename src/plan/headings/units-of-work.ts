// Headings that name a unit of work, `Task 3` or any word that several count by, and the number of each.
import type { Heading } from "../blocks/blocks.ts"
import { BEFORE_NAME, headingWords } from "../dialects/heading-words.ts"
import { tellsNoWork } from "../dialects/no-work.ts"
import { titleIndex } from "./nest-headings.ts"
import { below, stretchReader } from "./stretches.ts"

const UNIT = new RegExp(
  `^(?:task[ \\t]+group|${["task", "story", "step", "milestone", "phase", "stage"].map(unitName).join("|")})[ \\t]+#?(\\d{1,4}(?:\\.\\d{1,4})*(?:[a-z](?![a-z0-9]))?)`,
  "i",
)
const WORD = "\\p{L}[\\p{L}-]{0,30}"
const COUNTING = new RegExp(`^(${WORD})[ \\t]+#?\\d{1,4}(?![\\p{L}\\p{N}])`, "u")
/** `Fix 3: Title`: any word that two headings count by is a unit, */
const COUNTED = new RegExp(
  `^(${WORD}(?:[ \\t]\\p{L}{1,30})?)[ \\t]+#?(\\d{1,4}[a-z]?)(?=${BEFORE_NAME}|[ \\t]*$)`,
  "u",
)
/** but not one that counts what is thought about. */
const NO_UNIT =
  /(?:^|[ \t])(?:options?|approach|alternative|scenario|example|figure|table|appendix|chapter|section|part|version|release|level|layer|case|flow|round|session|day|attempt|run)$/i
const NAME_BEHIND = /^[ \t]*[:—–-]/
/** Two of a kind make a pattern, one does not. */
const LEAST = 2

/** A pattern's source for what a unit of work is called, in the plural where several stand together: `Task 3`, `Tasks 6-19`. */
export function unitName(name: string): string {
  const several = "s(?=[ \\t]+#?\\d{1,4}[ \\t]{0,2}(?:[-–—,&]|and\\b|to\\b))"
  return `${name.replace(/y$/, "(?:y|ie)")}(?:${several})?`
}

/** Whether a heading is a unit's number and its name, `Phase 3: Title`, and not `Phase 3 Checklist`. */
export function isNamedUnit(text: string): boolean {
  const words = headingWords(text)
  const unit = UNIT.exec(words)?.[0]
  return unit !== undefined && NAME_BEHIND.test(words.slice(unit.length))
}

/** The one word that a heading counts by, in lower case, whatever stands behind the number: `Fix 3 (small)`; undefined where it counts by none. */
export function countedBy(text: string): string | undefined {
  return COUNTING.exec(headingWords(text))?.[1]?.toLowerCase()
}

/** The number of the unit that a text begins with, `Phase 3: Title`; undefined for any other. */
export function unitNumber(text: string): string | undefined {
  return UNIT.exec(headingWords(text))?.[1]
}

/** By the lines of headings that name a unit of work, its number; `Phase 2 order` and `Phase 2 data` count nothing. */
export function unitNumbers(
  headings: readonly Pick<Heading, "index" | "text">[],
): ReadonlyMap<number, string> {
  const counted = new Map<string, Set<string>>()
  for (const { text } of headings) {
    const [, word = "", number = ""] = COUNTED.exec(headingWords(text)) ?? []
    if (number === "" || NO_UNIT.test(word) || tellsNoWork(word)) continue
    counted.set(word.toLowerCase(), (counted.get(word.toLowerCase()) ?? new Set()).add(number))
  }
  const found = headings.flatMap(({ index, text }) => {
    const words = headingWords(text)
    const [, word = "", number] = COUNTED.exec(words) ?? []
    const isCounted = (counted.get(word.toLowerCase())?.size ?? 0) >= LEAST
    const known = UNIT.exec(words)?.[1] ?? (isCounted ? number : undefined)
    return known === undefined ? [] : [[index, known] as const]
  })
  const isOne = found.length > 1 && new Set(found.map(([, number]) => number)).size === 1
  return isOne && !headings.some(({ text }) => isNamedUnit(text)) ? new Map() : new Map(found)
}

/** The same of a plan's work: what headings count below one that tells of none, as `Issue 1` below Findings, is no unit, unless it is called so: `Phase 1`. */
export function unitsOfWork(headings: readonly Heading[]): ReadonlyMap<number, string> {
  const found = unitNumbers(headings)
  if (found.size === 0) return found
  const title = titleIndex(headings)
  const isNoWork = ({ index, text }: Heading) => index !== title && tellsNoWork(text)
  const isAside = stretchReader(below({ headings }, Number.POSITIVE_INFINITY, isNoWork))
  const units = headings.filter(({ index, text }) => {
    return found.has(index) && (!isAside(index) || UNIT.test(headingWords(text)))
  })
  return new Map(units.map(({ index }) => [index, found.get(index) ?? ""]))
}
