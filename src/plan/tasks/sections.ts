// Each row's section.
// Over 250 lines: the choice for the file as a whole and the walk that places each row share their few types.
import { type Blocks, belowReader, type Heading, type Row, titleIndex } from "../blocks/blocks.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { tellsBesideWork } from "../dialects/heading-roles.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { splitLabel } from "../dialects/label.ts"
import { COMMON_SECTIONS, type SectionRule } from "../dialects/section-rules.ts"
import { checksBeside, ignoredBy } from "../headings/checks-beside.ts"
import { namesTask, seriesOf } from "../headings/named-headings.ts"
import { besideCounted, commonSections, workBeside } from "../headings/nest-headings.ts"
import type { Section } from "../model/plan.ts"

/** Below a heading such as Definition of Done; below a checklist beside headings that are the work. */
export type Outside = "ignored" | "beside"

/** Where a row stands. */
export interface RowSection {
  readonly section: Section | Outside | null
  readonly heading: Heading | null
}

/** The section of each row, and why not only the plan's own sections were used. */
export interface RowSections {
  readonly of: ReadonlyMap<Row, RowSection>
  readonly passedOver: PassedOver | null
}

/**
 * Sections without a task (`empty`: the first of their headings; null if it is the plan's title), or with fewer rows than stand outside:
 * then all rows are read, or (`joined`) those of the common sections, too. Or rows below this heading are tasks since their ids go on
 * (`series`), or since their phase has no row (`phase`).
 */
type PassedOver =
  | { readonly why: "empty" | "outnumbered" | "series" | "phase"; readonly heading: Heading | null }
  | { readonly why: "joined" }

interface Opened {
  readonly level: number
  readonly section: Section | Outside
  /** Below a heading that is a task itself: its rows belong to it. */
  readonly isTask: boolean
}

const MAX_SECTION_LEVEL = 3

/**
 * Finds each row's section, chosen for the file as a whole: by the dialect's own headings; if there is no task below those, or if more rows
 * stand outside, by those of any dialect; if neither fits, every row counts. Rows below headings such as Definition of Done never do.
 */
export function sectionsOfRows(
  blocks: Blocks,
  dialect: Dialect,
  { groups, units }: SectionsTold,
): RowSections {
  const common = commonSections(blocks)
  const isCommon = dialect.sections === COMMON_SECTIONS
  const own = isCommon ? common : dialect.sections
  const all = isCommon ? common : [...own, ...common]
  const beside = new Set(checksBeside(blocks, units))
  const verdicts: Verdict[] = []
  let wave: ReadonlyMap<Row, RowSection> | null = null
  for (const rules of new Set([own, all])) {
    const of = sectionRows(blocks, { rules, groups, beside, outside: null })
    const verdict = judge(blocks, rules, of, dialect)
    const before = reasonOf(verdicts)
    if (verdict === "chosen")
      return { of, passedOver: before?.why === "outnumbered" ? { why: "joined" } : before }
    if (verdict === "wave-only") wave ??= of
    verdicts.push(verdict)
  }
  const passedOver = reasonOf(verdicts)
  if (wave !== null && passedOver === null) return { of: wave, passedOver }
  return { of: sectionRows(blocks, { rules: all, groups, beside, outside: "task" }), passedOver }
}

/** What is known of a plan's headings, by their lines. */
export interface SectionsTold {
  /** Those that open a section, whatever they are called. */
  readonly groups: ReadonlySet<number>
  /** The numbers of those that name a unit of work. */
  readonly units: ReadonlyMap<number, string>
}

/** Why sections do not fit, if they contain anything at all. */
function reasonOf(verdicts: readonly Verdict[]): PassedOver | null {
  const reasons = verdicts.filter((verdict) => typeof verdict === "object")
  return reasons.find(({ why }) => why === "outnumbered") ?? reasons[0] ?? null
}

type Verdict = "chosen" | "wave-only" | "none" | Exclude<PassedOver, { why: "joined" }>

/** Whether these sections fit. */
function judge(
  blocks: Blocks,
  rules: readonly SectionRule[],
  of: ReadonlyMap<Row, RowSection>,
  dialect: Dialect,
): Verdict {
  const sections = new Set<RowSection["section"]>()
  for (const { section } of of.values()) sections.add(section)
  const isOut = isOutnumbered(of, dialect)
  const opens = (each: Heading) => isMain(ruleFor(each, rules, 1))
  if (sections.has("todo") || sections.has("task")) {
    return isOut ? { why: "outnumbered", heading: blocks.headings.find(opens) ?? null } : "chosen"
  }
  const opened = blocks.headings.filter(opens)
  const named = opened.filter((each) => ruleFor(each, rules, 1)?.isCounted !== true)
  if (opened.length > 0 && blocks.rows.length > 0) return emptyOf(blocks, named)
  return sections.has("final-wave") && !isOut ? "wave-only" : "none"
}

/** A number promises no rows. The title is no section beside others, nor is what stands below a box or an order. */
function emptyOf({ headings }: Blocks, opened: readonly Heading[]): Verdict {
  const isPart = belowReader(headings, ({ isRow, text }) => isRow || tellsBesideWork(text))
  const whole = opened.find(({ index }) => !isPart(index) && index !== titleIndex(headings))
  return { why: "empty", heading: whole ?? null }
}

function isMain(rule: SectionRule | null): boolean {
  return rule !== null && rule.section !== "final-wave"
}

/** Whether more rows stand outside, in any state: a tick changes no reading. Rows without ids never outweigh a section with ids. */
function isOutnumbered(of: ReadonlyMap<Row, RowSection>, dialect: Dialect): boolean {
  const inside: Row[] = []
  const outside: Row[] = []
  for (const [row, { section }] of of) {
    if (row.parent !== null || isOutside(section)) continue
    if (section !== null) inside.push(row)
    else if (!isPart(dialect, row)) outside.push(row)
  }
  if (outside.length <= inside.length) return false
  const [namedInside, namedOutside] = [inside, outside].map((rows) => rows.filter(isNamed).length)
  return (namedInside ?? 0) * 2 < inside.length || (namedOutside ?? 0) * 2 >= outside.length
}

/** Whether rows of this section are never tasks. */
export function isOutside(section: RowSection["section"]): section is Outside {
  return section === "ignored" || section === "beside"
}

function isNamed({ box, ordinal, kind }: Row): boolean {
  return kind === "bare-heading" || ordinal !== null || splitLabel(box.text).label !== null
}

/** `02-01`, which belongs to a row `2` wherever that stands. */
function isPart({ children }: Dialect, { box }: Row): boolean {
  return children === "dashed" && /^\d+(?:\.\d+)?-\d+$/.test(splitLabel(box.text).label ?? "")
}

interface Choice {
  readonly rules: readonly SectionRule[]
  /** Lines of headings that open a section, whatever they are called. */
  readonly groups: ReadonlySet<number>
  /** Indexes of headings of checks that stand beside the work. */
  readonly beside: ReadonlySet<number>
  /** The section of rows below no heading. */
  readonly outside: "task" | null
}

interface Placing extends Choice {
  /** The line of the title, whose rows are tasks, whatever it is called. */
  readonly title: number
  readonly minLevel: number
  /** Lines of headings with a box, and of those that are tasks. */
  readonly boxed: ReadonlySet<number>
  readonly tasks: ReadonlySet<number>
  readonly opened: Opened[]
  readonly around: Heading[]
}

function sectionRows(blocks: Blocks, choice: Choice) {
  const { rules, outside } = choice
  const minLevel = blocks.headings.some((heading) => ruleFor(heading, rules, 2) !== null) ? 2 : 1
  const counts = (heading: Heading) =>
    ruleFor(heading, rules, minLevel)?.isCounted === true && ignoredBy(heading.text) === null
  const opens = (heading: Heading) => isMain(ruleFor(heading, rules, minLevel))
  const placing: Placing = {
    ...{ ...choice, minLevel, ...rowsOfHeadings(blocks) },
    groups: new Set([
      ...choice.groups,
      ...besideCounted(blocks, counts),
      ...workBeside(blocks, opens, rules),
    ]),
    title: titleIndex(blocks.headings),
    ...{ opened: [], around: [] },
  }
  const of = new Map<Row, RowSection>()
  const { headings } = blocks
  let at = 0
  let within: RowSection = { section: outside, heading: null }
  for (const row of blocks.rows) {
    const from = at
    for (; (headings[at]?.index ?? Number.POSITIVE_INFINITY) <= row.index; at++) {
      const heading = headings[at]
      if (heading !== undefined) enter(placing, heading)
    }
    if (at > from) {
      const section = placing.opened.at(-1)?.section ?? outside
      within = { section, heading: placing.around.at(-1) ?? null }
    }
    of.set(row, placed(placing, row, within))
  }
  return of
}

/** A heading with a box is a task if other headings open sections, even before them. */
function placed({ groups }: Placing, { kind, index }: Row, within: RowSection): RowSection {
  const isTask = kind === "heading" && within.section === null && groups.has(index)
  return isTask ? { ...within, section: "task" } : within
}

/** If headings are tasks, one with a box of its own is a task like the others, by its name or the word that they count by. */
function rowsOfHeadings({ rows, headings }: Blocks): Pick<Placing, "boxed" | "tasks"> {
  const [boxed, bare] = [new Set<number>(), new Set<number>()]
  for (const { kind, index } of rows) {
    if (kind === "heading") boxed.add(index)
    if (kind === "bare-heading") bare.add(index)
  }
  if (bare.size === 0) return { boxed, tasks: bare }
  const series = new Set(headings.flatMap((each) => (bare.has(each.index) ? [seriesOf(each)] : [])))
  const isLike = (each: Heading) => namesTask(each.text) || series.has(seriesOf(each))
  const named = headings.filter((each) => boxed.has(each.index) && isLike(each))
  return { boxed, tasks: new Set([...bare, ...named.map(({ index }) => index)]) }
}

function enter(placing: Placing, heading: Heading): void {
  const { rules, minLevel, boxed, tasks, opened, around } = placing
  const isTask = tasks.has(heading.index)
  leave(around, heading.level)
  if (isTask) {
    openTask(opened, heading.level)
  } else if (boxed.has(heading.index)) {
    const isOver = isOutside(opened.at(-1)?.section ?? null)
    leave(opened, isOver ? heading.level : heading.level + 1)
  } else {
    open(placing, heading, ruleFor(heading, rules, minLevel))
    around.push(heading)
  }
}

function leave(around: { readonly level: number }[], level: number): void {
  while ((around.at(-1)?.level ?? 0) >= level) around.pop()
}

function open(placing: Placing, heading: Heading, rule: SectionRule | null): void {
  const { opened } = placing
  const { level } = heading
  leave(opened, level)
  const outer = opened.at(-1)
  if ((outer !== undefined && isOutside(outer.section)) || outer?.isTask === true) return
  const section = outsideOf(placing, heading, rule) ?? sectionFor(placing, heading, rule, outer)
  if (section !== null) opened.push({ level, section, isTask: false })
}

function outsideOf({ beside, title }: Placing, { index, text }: Heading, rule: SectionRule | null) {
  if (index === title || rule?.isNeverIgnored === true) return null
  return ignoredBy(text) ?? (beside.has(index) ? "beside" : null)
}

function sectionFor(
  { groups }: Placing,
  { index }: Heading,
  rule: SectionRule | null,
  outer: Opened | undefined,
): Section | null {
  if (rule?.section === "final-wave") return rule.section
  if (outer !== undefined) return null
  return rule?.section ?? (groups.has(index) ? "task" : null)
}

/** A heading that is a task is a section of its own, inside the one around it, if any. */
function openTask(opened: Opened[], level: number): void {
  leave(opened, level)
  opened.push({ level, section: opened.at(-1)?.section ?? "task", isTask: true })
}

function ruleFor(
  heading: Heading,
  rules: readonly SectionRule[],
  minLevel: number,
): SectionRule | null {
  if (heading.isRow || heading.level < minLevel || heading.level > MAX_SECTION_LEVEL) return null
  const plain = numberedWords(heading.text)
  const words = headingWords(heading.text)
  return rules.find((rule) => rule.heading.test(plain) || rule.heading.test(words)) ?? null
}
