// Which of the units that headings name are a plan's work.
import { placeOf, titleIndex } from "../blocks/blocks.ts"
import { inCount, LEAST } from "../dialects/counting.ts"
import { tellsBesideWork, tellsOfLater, tellsWhatIsNotDone } from "../dialects/heading-roles.ts"
import { numberedWords } from "../dialects/heading-words.ts"
import { partsOfId, splitLabel } from "../dialects/label.ts"
import { tellsOnlyOfNoWork } from "../dialects/no-work.ts"
import { countedWord, unitName, unitNumbers } from "../dialects/unit-names.ts"
import { saysDone } from "../model/title.ts"
import type { Own } from "./own-headings.ts"

/** What a task's heading may be called, the smallest unit first: a phase holds steps. */
const TASKS = ["task", "story", "step"]
const UNITS = [
  ...TASKS,
  ...["milestone", "day", "week", "sprint", "iteration"],
  ...["month", "quarter", "chunk", "slice", "batch", "increment", "wave", "epic"],
  ...["phase", "stage", "part"],
].map(patternOf)
/** What stands behind the number of a unit that is named and nothing else: `Week 2`, `Week 3-4: Fill`, `Phase 1b — Measure`. */
const BARE = /^[a-z]?[ \t]*(?:$|[^\p{L}\p{N} \t])/iu

/**
 * Of a plan's headings those of its work that units name: the smallest unit that several are called, else any word that they
 * count by; and with them the units that neither hold one of these nor stand within one: a week that no day divides is work as
 * the days are. A word that is not known is a unit beside known ones only at their place.
 */
export function unitHeadings(own: readonly Own[]): readonly Own[] {
  const title = titleIndex(own)
  const work = own.filter(({ isBeside, index }) => !isBeside && index !== title)
  const later = own.filter(({ isBeside, text }) => isBeside && tellsOfLater(text))
  const worded = wordsOf(work)
  const named = UNITS.map((unit) => namedAs(unit, worded))
  const numbers = unitNumbers([...work, ...later])
  const byWord = work.filter(({ index }) => numbers.has(index))
  const at = named.findIndex((each) => onCommonLevel(several(each)).length >= LEAST)
  const [unit, first] = [UNITS[at], named[at]]
  const tree = new Map(own.map((each) => [each.index, each]))
  let spots = onCommonLevel(first === undefined ? byWord : several(first))
  if (at === -1 || at >= TASKS.length) spots = identifiedWithin(spots, work, tree) ?? spots
  const join = (found: readonly Own[]) => {
    spots = [...spots, ...found].sort((one, other) => one.index - other.index)
  }
  if (unit !== undefined) join(countingOn(spots, namedAs(unit, wordsOf(own)), tree))
  const known = named.map((each) => several(each.filter(({ isBare }) => isBare)))
  const isAside = (each: Own) => around(each, tree).some(({ text }) => tellsBesideWork(text))
  for (const each of first === undefined ? [byWord] : known) {
    join(onCommonLevel(besides(spots, each, tree)).filter((other) => !isAside(other)))
  }
  join(besides(spots, atPlacesOf(spots, work, named.flat()), tree))
  return spots
}

/** Headings with ids of one series that count on over several of these groups, `T101 Dig`: smaller units, if all there have one, and words of their own. */
function identifiedWithin(
  groups: readonly Own[],
  work: readonly Own[],
  tree: Tree,
): readonly Own[] | null {
  const known = new Set(groups)
  const within = work.filter((each) => around(each, tree).some((outer) => known.has(outer)))
  const level = Math.min(...within.map((each) => each.level))
  const parts = within.filter((each) => each.level === level)
  const ids = parts.map(({ text }) => [splitLabel(numberedWords(text)), splitLabel(text)])
  const labels = ids.map(
    ([plain, bracketed]) =>
      plain?.label ?? bracketed?.label ?? BARE_NUMBER.exec(plain?.rest ?? "")?.[0] ?? "",
  )
  const isOne = new Set(labels.map((label) => partsOfId(label)[0])).size === 1
  const places = labels.map((label) => inOrder(partsOfId(label)[1]))
  const countOn = places.every((place, order) => place > (places[order - 1] ?? ""))
  const titles = new Set(ids.map(([plain]) => plain?.rest.toLowerCase()))
  const areOwn = titles.size === parts.length && !parts.some(({ text }) => tellsOnlyOfNoWork(text))
  const chapterOf = ({ parent }: Own) =>
    Number.parseInt(numberedWords(tree.get(parent)?.text ?? ""), 10)
  const areSections = parts.some((each, at) => labels[at]?.startsWith(`${chapterOf(each)}.`))
  const parents = new Set(parts.map(({ parent }) => parent))
  const areMany = parents.size >= LEAST && !areSections
  return isOne && countOn && areOwn && areMany ? parts : null
}

const BARE_NUMBER = /^\d{1,4}(?=[ \t])/

/** A number that sorts as it counts: 1.10 behind 1.9. */
function inOrder(number: string): string {
  return number.replaceAll(/\d+/g, (digits) => digits.padStart(9, "0"))
}

/** Those that count on from the chosen by a whole number below a heading that tells of no work: `Task 3` below Testing. */
function countingOn(
  chosen: readonly Own[],
  all: readonly NamedHeading[],
  tree: Tree,
): readonly Own[] {
  const known = new Set(chosen)
  let last = Number.NaN
  return all.flatMap(({ heading, number = "" }) => {
    const isKnown = known.has(heading)
    const isNext =
      heading.level === chosen[0]?.level && /^\d+$/.test(number) && Number(number) === last + 1
    const isNone = [heading, ...around(heading, tree)].some(
      ({ text }) => tellsOfLater(text) || tellsWhatIsNotDone(text),
    )
    const isLeft = !(isNone || heading.isDone || saysDone(heading.text))
    if (isKnown || (isNext && isLeft)) last = Number(number)
    return !isKnown && isNext && isLeft ? [heading] : []
  })
}

/** What stands where units do, and counts: by a unit's name, if it is a single one, or by a word that several count by. */
function atPlacesOf(
  units: readonly Own[],
  work: readonly Own[],
  named: readonly NamedHeading[],
): readonly Own[] {
  const places = new Set(units.map(placeOf))
  const near = work.filter((each) => places.has(placeOf(each)))
  const known = new Set(named.flatMap(({ isBare, heading }) => (isBare ? [heading.index] : [])))
  const numbers = unitNumbers(near, true)
  const counts = ({ index, text }: Own) => numbers.has(index) && countedWord(text) !== undefined
  return near.filter((each) => known.has(each.index) || counts(each))
}

/** Headings that are called by this word and several numbers. */
export function calledBy(word: string, headings: readonly Own[]): readonly Own[] {
  return several(namedAs(patternOf(word), wordsOf(headings)))
}

/** The one heading that is called a task, where a task has a file of its own; a title is none. */
export function loneTask(headings: readonly Own[]): readonly Own[] {
  const found = namedAs(patternOf("task"), wordsOf(headings)).filter(({ isBare }) => isBare)
  const isOne = found.length === 1 && found[0]?.heading.index !== titleIndex(headings)
  return isOne ? found.map(({ heading }) => heading) : []
}

/** Those headings that stand on the level where most of them stand. */
export function onCommonLevel(headings: readonly Own[]): readonly Own[] {
  const counts = [1, 2, 3, 4, 5, 6].map(
    (level) => headings.filter((heading) => heading.level === level).length,
  )
  const common = counts.lastIndexOf(Math.max(...counts)) + 1
  return headings.filter(({ level }) => level === common)
}

function patternOf(unit: string): RegExp {
  return new RegExp(
    `^[^\\p{L}\\p{N}]*${unitName(unit)}(?:[ \\t]+#?|-?(?=\\d))(\\d+(?:\\.\\d+)*|[A-Z]\\b)`,
    "iu",
  )
}

interface NamedHeading {
  readonly heading: Own
  readonly number: string | undefined
  readonly isBare: boolean
}

/** Headings with the words that a unit's name is looked for in. */
type Worded = ReadonlyMap<Own, string>

function wordsOf(headings: readonly Own[]): Worded {
  return new Map(headings.map((each) => [each, inCount(numberedWords(each.text))]))
}

/** Headings that a unit names, each with its number. */
function namedAs(unit: RegExp, headings: Worded): readonly NamedHeading[] {
  return [...headings].flatMap(([heading, words]) => {
    const [whole, number] = unit.exec(words) ?? []
    if (whole === undefined) return []
    return [{ heading, number, isBare: BARE.test(words.slice(whole.length)) }]
  })
}

/** Headings of one and the same number count nothing. */
function several(found: readonly NamedHeading[]): readonly Own[] {
  const numbers = new Set(found.map(({ number }) => number))
  return numbers.size < LEAST ? [] : found.map(({ heading }) => heading)
}

type Tree = ReadonlyMap<number, Own>

/** The headings around one, below the title. */
function around({ parent }: Own, tree: Tree): readonly Own[] {
  const outer = tree.get(parent)
  return outer === undefined ? [] : [outer, ...around(outer, tree)]
}

/** Of these those that neither hold a chosen one nor stand within one. */
function besides(chosen: readonly Own[], found: readonly Own[], tree: Tree): readonly Own[] {
  const holding = new Set(chosen.flatMap((each) => [each, ...around(each, tree)]))
  const known = new Set(chosen)
  const isWithin = (each: Own) => around(each, tree).some((outer) => known.has(outer))
  return found.filter((each) => !(holding.has(each) || isWithin(each)))
}
