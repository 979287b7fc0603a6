// Finds headings that name a unit of work, `Task 3` or any word that several count by, and the number of each.
import { belowReader, type Heading } from "../blocks/blocks.ts"
import { countsWork, inCount, LEAST } from "./counting.ts"
import { BEFORE_NAME, COUNTING_WORD, headingWords } from "./heading-words.ts"
import { tellsNoWork } from "./no-work.ts"

const UNIT = new RegExp(
  `^(?:task[ \\t]+group|${["task", "story", "step", "milestone", "phase", "stage"].map(unitName).join("|")})(?:[ \\t]+#?|-?(?=\\d))(\\d{1,4}(?:\\.\\d{1,4})*(?:[a-z](?![a-z0-9]))?|[a-z](?=${BEFORE_NAME}|[ \\t]*$))`,
  "i",
)
/** `Fix 3: Title`: any word that two headings count by is a unit, except those in `counting.ts`. */
const COUNTED = new RegExp(
  `^(${COUNTING_WORD}(?:[ \\t]\\p{L}{1,30})?)[ \\t]+#?(\\d{1,4}[a-zA-Z]?)(?=${BEFORE_NAME}|[ \\t]*(?:$|[(（]))`,
  "u",
)
const NAME_BEHIND = /^[ \t]*[:—–-]/

/** The source of a pattern for the name of a unit of work, in the plural for several together: `Task 3`, `Tasks 6-19`. */
export function unitName(name: string): string {
  const several = "s(?=[ \\t]+#?\\d{1,4}[ \\t]{0,2}(?:[-–—,&]|and\\b|to\\b))"
  return `${name.replace(/y$/, "(?:y|ie)")}(?:${several})?`
}

function countingWords(text: string): string {
  return inCount(headingWords(text))
}

/** Whether a heading is a unit's number and its name: `Phase 3: Title`, but not `Phase 3 Checklist`. */
export function isNamedUnit(text: string): boolean {
  const words = countingWords(text)
  const unit = UNIT.exec(words)?.[0]
  return unit !== undefined && NAME_BEHIND.test(words.slice(unit.length))
}

/** The number of the unit that a text begins with, `Phase 3: Title`; undefined for any other text. */
export function unitNumber(text: string): string | undefined {
  return UNIT.exec(countingWords(text))?.[1]
}

/** The numbers of the headings that name a unit of work, by line; `Phase 2 order` and `Phase 2 data` count nothing. */
export function unitNumbers(
  headings: readonly Pick<Heading, "index" | "text">[],
): ReadonlyMap<number, string> {
  const counted = new Map<string, Set<string>>()
  for (const { text } of headings) {
    const [, word = "", number = ""] = COUNTED.exec(countingWords(text)) ?? []
    if (number === "" || !countsWork(word) || tellsNoWork(word)) continue
    counted.set(word.toLowerCase(), (counted.get(word.toLowerCase()) ?? new Set()).add(number))
  }
  const words = [...counted].flatMap(([word, { size }]) => (size < LEAST ? [] : [word]))
  const units = new Set(words)
  const found = headings.flatMap(({ index, text }) => {
    const words = countingWords(text)
    const [, word = "", number] = COUNTED.exec(words) ?? []
    const isCounted = units.has(word.toLowerCase())
    const known = UNIT.exec(words)?.[1] ?? (isCounted ? number : undefined)
    return known === undefined ? [] : [[index, known] as const]
  })
  const isOne = found.length > 1 && new Set(found.map(([, number]) => number)).size === 1
  return isOne && !headings.some(({ text }) => isNamedUnit(text)) ? new Map() : new Map(found)
}

/**
 * The same for a plan's work: what headings count below one that names something else, such as `Issue 1` below Findings, is no unit, unless
 * it is called one: `Phase 1`.
 */
export function unitsOfWork(headings: readonly Heading[]): ReadonlyMap<number, string> {
  const found = unitNumbers(headings)
  if (found.size === 0) return found
  const isAside = belowReader(headings, ({ text }) => tellsNoWork(text))
  const units = headings.filter(({ index, text }) => {
    return found.has(index) && (!isAside(index) || UNIT.test(countingWords(text)))
  })
  return new Map(units.map(({ index }) => [index, found.get(index) ?? ""]))
}
