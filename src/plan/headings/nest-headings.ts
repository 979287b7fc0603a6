// Headings by where they stand: the title, phases that count anew below another heading, what stands beside those that count, and what is optional.
import {
  type Blocks,
  belowReader,
  filledHeadings,
  type Heading,
  placeOf,
  type Row,
} from "../blocks/blocks.ts"
import { tellsBesideWork, tellsOfWork, tellsWhatIsLeft } from "../dialects/heading-roles.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { tellsNoWork, tellsOnlyOfNoWork } from "../dialects/no-work.ts"
import {
  COMMON_SECTIONS,
  OPTIONAL_HEADING,
  PHASE,
  type SectionRule,
} from "../dialects/section-rules.ts"
import { namesTask } from "./named-headings.ts"

const NUMBER = /\p{L}+(?:[ \t]+#?|-)([\p{L}\p{N}.]+)/u

/**
 * The same blocks with the title on level 1, and everything else moved with it: a plan that is part of a longer text has its title deeper.
 * A title has no row of its own and all other headings below it, is no task, and does not name something beside the work.
 */
export function withTitle(blocks: Blocks): Blocks {
  const [first, ...others] = blocks.headings
  const by = (first?.level ?? 1) - 1
  const end = others[0]?.index
  if (by === 0 || end === undefined || others.some(({ level }) => level - by <= 1)) return blocks
  const isOther = namesTask(first?.text ?? "") || tellsOnlyOfNoWork(first?.text ?? "")
  if (isOther || (blocks.rows[0]?.index ?? end) < end) return blocks
  const headings = blocks.headings.map((each) => ({ ...each, level: each.level - by }))
  return { ...blocks, headings }
}

/** The headings that open a section in any plan: phases do not where they are parts of what others name. */
export function commonSections(blocks: Blocks): readonly SectionRule[] {
  return arePhasesParts(blocks) ? COMMON_SECTIONS.filter((rule) => rule !== PHASE) : COMMON_SECTIONS
}

/**
 * Whether phases that hold rows count anew below another heading, such as `### Phase 1` below each of two features: then they
 * are parts of what those headings name, and no sections of the whole file.
 */
function arePhasesParts({ headings, rows }: Blocks): boolean {
  const isPhase = ({ text }: Heading) => PHASE.heading.test(numberedWords(text))
  if (!headings.some(isPhase)) return false
  const filled = filledHeadings(headings, rows)
  const phases = headings.filter((each) => filled.has(each.index) && !each.isRow && isPhase(each))
  return doCountAnew(phases)
}

function doCountAnew(phases: readonly Heading[]): boolean {
  const parentOf = new Map<string, number>()
  for (const { text, parent } of phases) {
    const number = NUMBER.exec(numberedWords(text))?.[1]?.toLowerCase() ?? ""
    if ((parentOf.get(number) ?? parent) !== parent) return true
    parentOf.set(number, parent)
  }
  return false
}

/** The headings that stand where one does that is meant and holds rows. */
function besideFilled(
  { headings, rows }: Blocks,
  isMeant: (heading: Heading) => boolean,
): readonly Heading[] {
  if (!headings.some(isMeant)) return []
  const filled = filledHeadings(headings, rows)
  const meant = headings.filter((each) => filled.has(each.index) && isMeant(each))
  const places = new Set(meant.map(placeOf))
  return headings.filter((each) => places.has(placeOf(each)))
}

/**
 * The indexes of headings that stand beside counted ones (`counts`), such as `Finder` beside `Phase 1`: they are groups of tasks like
 * those, and tasks if they have a box, unless they name something that is no work.
 */
export function besideCounted(
  blocks: Blocks,
  counts: (heading: Heading) => boolean,
): readonly number[] {
  const found = besideFilled(blocks, counts)
  return found.flatMap(({ index, text }) => (tellsNoWork(text) ? [] : [index]))
}

/**
 * The indexes of headings of optional work beside a heading that opens a section (`opens`) and has rows; beside the sections of any plan,
 * if all `rules` are of this kind, also those of work and of what is left.
 */
export function workBeside(
  blocks: Blocks,
  opens: (heading: Heading) => boolean,
  rules: readonly SectionRule[],
): readonly number[] {
  const areCommon = rules.every((rule) => COMMON_SECTIONS.includes(rule))
  const tells = ({ text }: Heading) =>
    tellsWhatIsLeft(text) || (tellsOfWork(text) && !tellsBesideWork(text))
  const isWork = (each: Heading) => isOptional(each) || (areCommon && tells(each))
  // Headings that open a section are not tested: compiling these words takes Node longer than everything else that a small plan needs.
  const isSection = (each: Heading) => !each.isRow && opens(each)
  const found = besideFilled(blocks, opens).filter((each) => !isSection(each) && isWork(each))
  return found.map(({ index }) => index)
}

/** Whether a heading says that what stands below it may be left undone: `Later` and `Ideas` do not say so. */
export function isOptional({ text }: Pick<Heading, "text">): boolean {
  return OPTIONAL_HEADING.test(headingWords(text))
}

/** Tells of rows in ascending order whether a heading says that they may be left undone: one above them, or their own. */
export function optionalReader(blocks: Blocks): (row: Row) => boolean {
  const isBelow = belowReader(blocks.headings, isOptional)
  return ({ index, kind, box }) => isBelow(index) || (kind !== "list" && isOptional(box))
}

/** What a row begins with that is called a step. */
export const STEP =
  /^[*_~`]*(?:step|paso|passo|étape|schritt|шаг|步骤|步驟|ステップ|手順|단계)[ \t]*#?\d/iu
