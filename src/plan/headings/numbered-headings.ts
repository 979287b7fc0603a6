// Headings with a number: a document's own sections, those that count work or count anew, and those among headings that say their state.

import {
  type Blocks,
  filledHeadings,
  type Heading,
  placeOf,
  stretchReader,
} from "../blocks/blocks.ts"
import { LEAST } from "../dialects/counting.ts"
import { showsLeft } from "../dialects/first-sign.ts"
import { tellsOrder } from "../dialects/heading-roles.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import { askForWork, tellsOnlyOfNoWork } from "../dialects/no-work.ts"
import { unitNumbers } from "../dialects/unit-names.ts"
import { addTo, once } from "../model/once.ts"
import type { Task } from "../model/plan.ts"
import { hashTitle, saysDone } from "../model/title.ts"
import type { Own } from "./own-headings.ts"
import type { StatusLine } from "./status-lines.ts"
import { ownLines } from "./stretches.ts"
import { onCommonLevel } from "./units-of-work.ts"

const NUMBER = /^\d{1,3}(?:\.\d{1,3})*[.):]?[ \t]+/
const NUMBERED = new RegExp(`${NUMBER.source}\\S`)
/** Sections that a document has beside those that tell of no work. */
const SECTION =
  /^(?:(?:(?:high-level|system|technical|proposed|current|overall|project|file|folder|directory|code|module|component) )?(?:architecture|structure|layout)|(?:tech(?:nology|nical)? )?stack|stack t[eé](?:cnica|chnique)|data model|timeline|appendix|glossary|introduction|executive summary|conclusions?|purpose|vision|motivation|rationale|definitions|terminology|stakeholders?|(?:table of )?contents|faqs?|(?:next|further) steps|dependencies|prerequisites|preconditions|lessons(?: learn(?:ed|t))?|(?:rollback|rollout|release|communication|contingency|test(?:ing)?)(?: (?:plan|strategy))?|(?:overall |testing |technical |general )?(?:strategy|approach)|(?:key|relevant|affected) files|(?:revision|version|document) history|(?:the )?team|contacts?|approvals?|budget|costs?|(?:estimated )?effort|estimates?|schedule|resources|(?:current|existing|initial) (?:state|situation)|as-is|(?:design |guiding |core )?principles|conventions|recommendations|legend|api(?: (?:reference|endpoints))?|configuration|environment(?: variables)?|architektur|arquite[ct]+ura|архитектура|架构|架構|アーキテクチャ|技术栈|技術棧|技术选型|아키텍처|기술 스택)$/iu

/** Whether a heading begins with a number: `3. Title`, `1.2 Title`. */
function hasNumber({ text }: Pick<Own, "text">): boolean {
  return NUMBERED.test(numberedWords(text))
}

/** Headings with a number below one that tells of work, or else all others that are no sections of a document. */
export function numberedHeadings(headings: readonly Own[]): readonly Own[] {
  const numbered = headings.filter(hasNumber)
  const isWork = ({ role }: Own) => role === "work" || role === "left"
  const work = new Set(headings.filter(isWork).map(({ index }) => index))
  const below = numbered.filter((each) => work.has(each.parent) && isWork(each))
  return onCommonLevel(below.length >= LEAST ? below : numbered.filter(isNoSection))
}

/**
 * The lines of headings that count on, by a number alone or behind a word of their own, where two others of the same place and
 * kind say a known state: as tasks they are open. A document's section among them is none, and makes none of the others.
 */
export function countedAmong(
  own: () => readonly Own[],
  statuses: ReadonlyMap<number, Pick<StatusLine, "isKnown">>,
): ReadonlySet<number> {
  if (statuses.size < LEAST) return new Set()
  const headings = own()
  const units = unitNumbers(headings)
  const numbered = headings.filter(hasNumber)
  const counted = headings.filter((each) => !hasNumber(each) && units.has(each.index))
  const isSaying = ({ index }: Own) => statuses.get(index)?.isKnown === true
  const found = [numbered, counted].flatMap((each) =>
    [...byPlace(each).values()].filter((series) => series.filter(isSaying).length >= LEAST).flat(),
  )
  return new Set(found.filter(isNoSection).map(({ index }) => index))
}

interface Chosen {
  readonly own: () => readonly Own[]
  /** The lines that would get a box if no task had one, */
  readonly chosen: () => ReadonlySet<number>
  /** and whether these are just the tasks. */
  readonly isChosen: () => boolean
}

/**
 * Tells of headings without a row, in a plan that has tasks, whether they have nothing but a number and are a
 * document's chapters: on a level where not enough others hold rows, or, among headings with a box, where no box would go
 * to them if no task had one; and always where the tasks are just the lines that would get one, or where they are parts of what
 * the heading above describes. What is left is none.
 */
export function chapterReader(
  blocks: Blocks,
  { own, chosen, isChosen }: Chosen,
): (heading: Heading, isAmong: boolean) => boolean {
  const levels = once(() => chapterLevels(blocks))
  const parts = once(() => describedParts(blocks, own()))
  const left = once(
    () => new Set(own().flatMap(({ index, role }) => (role === "left" ? [index] : []))),
  )
  return (heading, isAmong) => {
    if (!hasNumber(heading) || left().has(heading.index)) return false
    if (isSection(heading) || isChosen() || parts().has(heading.index)) return true
    return isAmong ? !chosen().has(heading.index) : levels().has(heading.level)
  }
}

/**
 * Headings with a number on a level where none is a task or holds a row, below one that names neither work nor a unit of it, which ask for
 * nothing and show no sign of what is left: the tables of a schema, the pages of a design.
 */
function describedParts({ headings, rows }: Blocks, own: readonly Own[]): ReadonlySet<number> {
  const units = unitNumbers(own)
  const numbered = own.filter(hasNumber)
  const filled = filledHeadings(headings, rows)
  const tasks = headings.filter((each) => each.isRow || (hasNumber(each) && filled.has(each.index)))
  const levels = new Set(tasks.map(({ level }) => level))
  const isPart = ({ level, parent, role, text }: Own) =>
    parent !== -1 &&
    role === null &&
    !(levels.has(level) || units.has(parent)) &&
    !showsLeft(numberedWords(text).replace(NUMBER, ""))
  const parts = [...byPlace(numbered).values()].filter((each) => each.every(isPart) && !doAsk(each))
  return new Set(parts.flat().map(({ index }) => index))
}

/** Levels on which headings with a number are a document's chapters: a single one holds all rows, or fewer do than hold none and are not said to be done. */
function chapterLevels({ headings, rows }: Pick<Blocks, "headings" | "rows">): ReadonlySet<number> {
  const levels = [1, 2, 3, 4, 5, 6].map((level) => ({ level, holding: 0, others: 0 }))
  const filled = filledHeadings(headings, rows)
  for (const heading of headings) {
    const known = hasNumber(heading) ? levels[heading.level - 1] : undefined
    if (known !== undefined && filled.has(heading.index)) known.holding++
    else if (known !== undefined && !saysDone(heading.text)) known.others++
  }
  return new Set(
    levels.flatMap(({ level, holding, others }) =>
      holding > 0 && holding < Math.max(LEAST, others) ? [level] : [],
    ),
  )
}

/**
 * Tells of ascending headings with a number whether they count anew beside the tasks: all tasks of that number are headings too,
 * at other places and in other words. What stands below a heading that is a task tells more of it.
 */
export function countedAnew(blocks: Blocks, tasks: readonly Task[]): (index: number) => boolean {
  const byLine = new Map(blocks.headings.map((each) => [each.index, each]))
  const isWithin = stretchReader(ownLines(blocks, tasks))
  const borne = new Set<string>()
  for (const { line, label, title } of tasks) {
    const heading = byLine.get(line - 1)
    const where = heading === undefined ? "" : placeOf(heading)
    for (const each of [where, hashTitle(title)]) borne.add(`${label?.toLowerCase()} ${each}`)
  }
  return (index) => {
    const own = byLine.get(index)
    if (own === undefined || isWithin(index)) return false
    const { label, rest } = splitLabel(numberedWords(own.text))
    const isBorne = (where: string) => borne.has(`${label?.toLowerCase()} ${where}`)
    return !["", placeOf(own), hashTitle(rest)].some(isBorne)
  }
}

function byPlace(headings: readonly Own[]): ReadonlyMap<string, readonly Own[]> {
  const series = new Map<string, Own[]>()
  for (const each of headings) addTo(series, placeOf(each), each)
  return series
}

/** In a script whose verbs nobody here knows a document's numbers do not. */
function doAsk(series: readonly Own[]): boolean {
  return askForWork(series.map(wordsOf), true)
}

/** A heading's words without its number, `1.2` too. */
function wordsOf({ text }: Pick<Own, "text">): string {
  return headingWords(text).replace(NUMBER, "")
}

/** Whether a document has a section of that name: `2. Architecture`. */
export function isSection({ text }: Pick<Own, "text">): boolean {
  const words = wordsOf({ text })
  return tellsOnlyOfNoWork(words) || SECTION.test(words) || tellsOrder(text)
}

function isNoSection(heading: Own): boolean {
  return !(heading.isBeside || heading.isDone || isSection(heading))
}
