// Tells what each heading of a plan says about the lines below it.
import { type Heading, titleIndex } from "../blocks/blocks.ts"
import {
  introduces,
  namesOpenState,
  saysItWasDone,
  tellsOfLater,
  tellsOfWork,
  tellsWhatIsLeft,
  tellsWhatIsNotDone,
  tellsWhatWasDone,
} from "../dialects/heading-roles.ts"
import { tellsNoWork } from "../dialects/no-work.ts"
import { isNamedUnit, unitNumbers } from "../dialects/unit-names.ts"
import { once } from "../model/once.ts"

const PREFIX = /^ {0,3}#{1,6}[ \t]+/
const PICTURES = /^(?:!\[[^[\]]{0,80}\]\([^()]{0,400}\)[ \t]*)+/

/** Where a box goes. */
export interface BoxSpot {
  /** Index of the line, from 0. */
  readonly index: number
  /** Where its words begin in the line. */
  readonly at: number
}

/**
 * What a heading says about the text below it, by its own words or else those of the heading around it. `title`: only the plan's title says
 * so, which says nothing about other headings; `beside`: also about everything below it.
 */
type Role = "work" | "left" | "title" | "beside" | null

/** A heading of the text itself, without pictures before its words. */
export interface Own extends BoxSpot {
  readonly level: number
  readonly text: string
  readonly role: Role
  /** The line of the heading around it; -1 for none, and for one below the title. */
  readonly parent: number
  /** It stands below a heading with the role `beside`, or it names what comes after the plan or must not be done. */
  readonly isBeside: boolean
  /** It names what was done. */
  readonly isDone: boolean
}

/** A plan's lines, and its own headings. What these say takes many long patterns to find out, so it is found out only on demand. */
export interface OwnLines {
  readonly lines: readonly string[]
  readonly own: () => readonly Own[]
}

/** The headings of the text itself: not those in a list or a quote. */
export function ownHeadings(
  headings: readonly Heading[],
  lines: readonly string[],
): readonly Own[] {
  const title = titleIndex(headings)
  const leads = introductionReader(headings, title)
  const units = unitNumbers(headings)
  const around: Own[] = []
  return headings.flatMap(({ index, level, text }) => {
    const line = lines[index] ?? ""
    const at = PREFIX.exec(line)?.[0].length ?? /^ {0,3}(?=[^\s#>*+-])/.exec(line)?.[0].length
    if (at === undefined) return []
    while ((around.at(-1)?.level ?? 0) >= level) around.pop()
    if (isNamedUnit(text) && leads(around.at(-1))) around.pop()
    const outer = around.at(-1)
    const own = ownOf(
      { index, at, level, text: text.replace(PICTURES, "") },
      { outer, title, isUnit: units.has(index) },
    )
    around.push(own)
    return [own]
  })
}

/**
 * Tells whether a heading such as Overview only comes before units that are one level too deep, and does not contain them: no other heading
 * of its level names work.
 */
function introductionReader(
  headings: readonly Heading[],
  title: number,
): (around: Own | undefined) => boolean {
  const isWork = ({ index, text }: Heading) =>
    index !== title && (isNamedUnit(text) || tellsOfWork(text) || tellsWhatIsLeft(text))
  const outermost = once(() =>
    Math.min(...new Set(headings.filter(isWork).map(({ level }) => level))),
  )
  return (around) => around !== undefined && introduces(around.text) && outermost() > around.level
}

/** What a heading stands in, and whether it counts with others by a word of theirs. */
interface Around {
  readonly outer: Own | undefined
  readonly title: number
  readonly isUnit: boolean
}

function ownOf(
  heading: Pick<Own, "index" | "at" | "level" | "text">,
  { outer, title, isUnit }: Around,
): Own {
  const { level, text } = heading
  const isBeside = outer?.role === "beside" || tellsOfLater(text) || tellsWhatIsNotDone(text)
  return {
    ...heading,
    parent: outer === undefined || outer.index === title ? -1 : outer.index,
    isBeside,
    isDone: tellsWhatWasDone(text) || outer?.isDone === true,
    role: level === 1 ? roleOfTitle(text) : isBeside ? "beside" : roleIn(text, isUnit, outer?.role),
  }
}

function roleOfTitle(text: string): Role {
  return tellsOfWork(text) ? "title" : null
}

/** A phase of tests, `Phase 2: Testing`, is one of the work. */
function roleIn(text: string, isUnit: boolean, around: Role = null): Role {
  const isNoWork = tellsNoWork(text) && !isUnit && !isNamedUnit(text)
  if (isNoWork || saysItWasDone(text)) return "beside"
  if (tellsWhatIsLeft(text) || namesOpenState(text)) return "left"
  if (tellsOfWork(text)) return "work"
  return around === "title" ? null : around
}
