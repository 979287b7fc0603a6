// Sorts numbered headings: a document's own sections, those that count work, and those among headings that state their state.

import { placeOf } from "../blocks/blocks.ts"
import { LEAST } from "../dialects/counting.ts"
import { tellsOrder } from "../dialects/heading-roles.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { tellsOnlyOfNoWork } from "../dialects/no-work.ts"
import { unitNumbers } from "../dialects/unit-names.ts"
import { addTo } from "../model/once.ts"
import type { Own } from "./own-headings.ts"
import type { StatusLine } from "./status-lines.ts"
import { onCommonLevel } from "./units-of-work.ts"

const NUMBER = /^\d{1,3}(?:\.\d{1,3})*[.):]?[ \t]+/
const NUMBERED = new RegExp(`${NUMBER.source}\\S`)
/** Sections of a document, besides those that name no work. */
const SECTION =
  /^(?:(?:(?:high-level|system|technical|proposed|current|overall|project|file|folder|directory|code|module|component) )?(?:architecture|structure|layout)|(?:tech(?:nology|nical)? )?stack|stack t[eé](?:cnica|chnique)|data model|timeline|appendix|glossary|introduction|executive summary|conclusions?|purpose|vision|motivation|rationale|definitions|terminology|stakeholders?|(?:table of )?contents|faqs?|(?:next|further) steps|dependencies|prerequisites|preconditions|lessons(?: learn(?:ed|t))?|(?:rollback|rollout|release|communication|contingency|test(?:ing)?)(?: (?:plan|strategy))?|(?:overall |testing |technical |general )?(?:strategy|approach)|(?:key|relevant|affected) files|(?:revision|version|document) history|(?:the )?team|contacts?|approvals?|budget|costs?|(?:estimated )?effort|estimates?|schedule|resources|(?:current|existing|initial) (?:state|situation)|as-is|(?:design |guiding |core )?principles|conventions|recommendations|legend|api(?: (?:reference|endpoints))?|configuration|environment(?: variables)?|architektur|arquite[ct]+ura|архитектура|架构|架構|アーキテクチャ|技术栈|技術棧|技术选型|아키텍처|기술 스택)$/iu

/** Whether a heading begins with a number: `3. Title`, `1.2 Title`. */
function hasNumber({ text }: Pick<Own, "text">): boolean {
  return NUMBERED.test(numberedWords(text))
}

/** Numbered headings below one that describes work, or else all others that are no sections of a document. */
export function numberedHeadings(headings: readonly Own[]): readonly Own[] {
  const numbered = headings.filter(hasNumber)
  const isWork = ({ role }: Own) => role === "work" || role === "left"
  const work = new Set(headings.filter(isWork).map(({ index }) => index))
  const below = numbered.filter((each) => work.has(each.parent) && isWork(each))
  return onCommonLevel(below.length >= LEAST ? below : numbered.filter(isNoSection))
}

/**
 * The lines of headings that count on, by a number alone or behind a word of their own, where two others of the same place and
 * kind say a known state: as tasks they are open. A document's section among them is none, and makes none of the others; nor is
 * what has a number alone in front of the first that says a state.
 */
export function countedAmong(
  own: () => readonly Own[],
  statuses: ReadonlyMap<number, Pick<StatusLine, "isKnown">>,
): ReadonlySet<number> {
  if (statuses.size < LEAST) return new Set()
  const headings = own()
  const units = unitNumbers(headings)
  const counted = headings.filter((each) => !hasNumber(each) && units.has(each.index))
  const numbered = [...byPlace(headings.filter(hasNumber)).values()].map((series) =>
    series.slice(series.findIndex(({ index }) => statuses.has(index))),
  )
  const isSaying = ({ index }: Own) => statuses.get(index)?.isKnown === true
  const found = [...numbered, ...byPlace(counted).values()]
    .filter((series) => series.filter(isSaying).length >= LEAST)
    .flat()
  return new Set(found.filter(isNoSection).map(({ index }) => index))
}

function byPlace(headings: readonly Own[]): ReadonlyMap<string, readonly Own[]> {
  const series = new Map<string, Own[]>()
  for (const each of headings) addTo(series, placeOf(each), each)
  return series
}

/** A heading's words without its number, such as `1.2`. */
function wordsOf({ text }: Pick<Own, "text">): string {
  return headingWords(text).replace(NUMBER, "")
}

/** Whether documents have a section of that name: `2. Architecture`. */
export function isSection({ text }: Pick<Own, "text">): boolean {
  const words = wordsOf({ text })
  return tellsOnlyOfNoWork(words) || SECTION.test(words) || tellsOrder(text)
}

function isNoSection(heading: Own): boolean {
  return !(heading.isBeside || heading.isDone || isSection(heading))
}
