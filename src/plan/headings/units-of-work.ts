// Decides which of the units that headings name are a plan's work.
import { titleIndex } from "../blocks/blocks.ts"
import { inCount, LEAST } from "../dialects/counting.ts"
import { BEFORE_NAME, numberedWords } from "../dialects/heading-words.ts"
import { partsOfId, splitLabel } from "../dialects/label.ts"
import { tellsOnlyOfNoWork } from "../dialects/no-work.ts"
import { isNamedUnit, unitName, unitNumbers } from "../dialects/unit-names.ts"
import type { Own } from "./own-headings.ts"

/** What a task's heading may be called, the smallest unit first: a phase contains steps. */
const TASKS = ["task", "story", "step"]
const UNITS = [
  ...TASKS,
  ...["milestone", "day", "week", "sprint", "iteration"],
  ...["month", "quarter", "chunk", "slice", "batch", "increment", "wave", "epic"],
  ...["phase", "stage", "part"],
].map(patternOf)
/** `A1. Title`, `M0 — Title`, `3.1 M1: Title`, `APP-14 — Title`; Q1 is a quarter or a question, V1 a version. */
const LETTERED = new RegExp(
  `^(?:\\d+(?:\\.\\d+)*[ \\t]+)?(?![QV]\\d)(?:[A-Z]{1,2}|[A-Z]{2,6}-)\\d{1,3}${BEFORE_NAME}[ \\t]*\\S`,
)

/** The headings of a plan's work that units name: the smallest unit that several are called, else any word that they count by. */
export function unitHeadings(own: readonly Own[]): readonly Own[] {
  const title = titleIndex(own)
  const work = own.filter(({ isBeside, index }) => !isBeside && index !== title)
  const words = work.map(({ text }) => inCount(numberedWords(text)))
  const named = UNITS.map((unit) => onNamedLevel(calledBy(unit, work, words)))
  const at = named.findIndex(({ length }) => length >= LEAST)
  const numbers = unitNumbers(work)
  const spots = named[at] ?? onCommonLevel(work.filter(({ index }) => numbers.has(index)))
  return at === -1 || at >= TASKS.length ? (identifiedWithin(spots, work, own) ?? spots) : spots
}

/** Headings of a plan's work with a letter and a number, by these of their words. */
export function letteredHeadings(own: readonly Own[], wordsOf = numberedWords): readonly Own[] {
  return onCommonLevel(
    own.filter(({ isBeside, text }) => !isBeside && LETTERED.test(wordsOf(text))),
  )
}

/**
 * Headings with ids of one series that continues over several of these groups, `T101 Dig`: smaller units, if all there have one, and words
 * of their own.
 */
function identifiedWithin(
  groups: readonly Own[],
  work: readonly Own[],
  own: readonly Own[],
): readonly Own[] | null {
  const tree = new Map(own.map((each) => [each.index, each]))
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

/** A number that sorts as it counts: 1.10 after 1.9. */
function inOrder(number: string): string {
  return number.replaceAll(/\d+/g, (digits) => digits.padStart(9, "0"))
}

/** The headings on the level where most of them are. */
export function onCommonLevel(headings: readonly Own[]): readonly Own[] {
  const counts = [1, 2, 3, 4, 5, 6].map(
    (level) => headings.filter((heading) => heading.level === level).length,
  )
  const common = counts.lastIndexOf(Math.max(...counts)) + 1
  return headings.filter(({ level }) => level === common)
}

/** The same, where those with a name behind their number decide if there are several: not `Phase 1 Commits` further in. */
function onNamedLevel(headings: readonly Own[]): readonly Own[] {
  const named = headings.filter(({ text }) => isNamedUnit(text))
  const [first] = onCommonLevel(named.length < LEAST ? headings : named)
  return headings.filter(({ level }) => level === first?.level)
}

function patternOf(unit: string): RegExp {
  return new RegExp(
    `^[^\\p{L}\\p{N}]*${unitName(unit)}(?:[ \\t]+#?|-?(?=\\d))((?:[A-Z]{1,2}-?)?\\d+(?:\\.\\d+)*|[A-Z]\\b)`,
    "iu",
  )
}

/** Headings with a unit's name and several numbers; headings that all have the same number count nothing. */
function calledBy(
  unit: RegExp,
  headings: readonly Own[],
  words: readonly string[],
): readonly Own[] {
  const numbers = new Map(
    headings.flatMap((each, at) => {
      const found = unit.exec(words[at] ?? "")
      return found === null ? [] : [[each, found[1]] as const]
    }),
  )
  return new Set(numbers.values()).size < LEAST ? [] : [...numbers.keys()]
}

type Tree = ReadonlyMap<number, Own>

/** The headings around one, below the title. */
function around({ parent }: Own, tree: Tree): readonly Own[] {
  const outer = tree.get(parent)
  return outer === undefined ? [] : [outer, ...around(outer, tree)]
}
