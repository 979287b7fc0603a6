// Headings that are tasks, with the rows below them as their steps.
// Over 250 lines: which headings are tasks, and what stands beside these, are one choice.
import {
  type Blocks,
  belowReader,
  type Heading,
  headingReader,
  type Row,
} from "../blocks/blocks.ts"
import { LEAST } from "../dialects/counting.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { tellsWhatWasDone } from "../dialects/heading-roles.ts"
import { type Labelled, splitLabel } from "../dialects/label.ts"
import { tellsNoWork } from "../dialects/no-work.ts"
import { hashTitle } from "../model/title.ts"
import { areDivided, dividedNumbers, type Labels, readLabels } from "./divided-headings.ts"
import {
  boardColumns,
  findStandIns,
  isCalledTask,
  isLabelled,
  type Named,
  NUMBERED,
  namedHeadings,
  nameKey,
  seriesOf,
  WEAK,
} from "./named-headings.ts"
import { STEP } from "./nest-headings.ts"
import { countedAmong } from "./numbered-headings.ts"
import type { OwnLines } from "./own-headings.ts"
import { isTemplate, readStatusLines, type StatusLine } from "./status-lines.ts"

/** Headings that are tasks, with the rows below them as their steps, and headings that tell more about a row's task. */
export interface StepHeadings {
  /** The blocks, with a row without a box for each heading that is a task. */
  readonly blocks: Blocks
  readonly labelled: ReadonlyMap<Row, Labelled>
  /** By the heading's line: the earlier row that it tells more about. */
  readonly standIns: ReadonlyMap<number, Row>
  /** By the heading's line: the row with the same name below no named heading, including phases: what the heading says applies to it. */
  readonly told: ReadonlyMap<number, Row>
  /** By the heading's line: what stands below it as `Status:`. */
  readonly statuses: ReadonlyMap<number, StatusLine>
  /** Lines of headings whose rows are tasks, whatever they are called: beside headings that are tasks, and columns of a board. */
  readonly groups: ReadonlySet<number>
  /** Headings that state a state of their own but are no tasks, since the plan has rows. */
  readonly unread: readonly Heading[]
}

const FIRST = /^0*[01]$/
/**
 * If headings `Task N` have ids, and the rows below them are called Step or are numbered again from the start, or the dialect says so, the
 * heading is what one subagent gets and its rows are its steps. If other rows have the same names, as in a list of progress, those rows are
 * the tasks and the headings tell more about them. A heading without rows that states its own state, `**Status:** pending`, is a task as
 * well.
 */
export function findStepHeadings(
  blocks: Blocks,
  dialect: Dialect,
  { lines, own }: OwnLines,
): StepHeadings {
  const isNear = areUnlabelled(blocks)
  const statuses = readStatusLines(lines, blocks, { masks: blocks.masks, isNear })
  const bare = {
    ...{ blocks, labelled: new Map(), standIns: new Map(), statuses },
    ...{ groups: new Set(boardColumns(blocks.headings)), unread: [], told: new Map() },
  }
  // Beside list rows, only a word or number names a heading.
  if (isNear && blocks.rows.some(({ kind }) => kind !== "heading")) return bare
  const labels = readLabels(lines, blocks)
  const divided = dividedNumbers(blocks, labels)
  const among = countedAmong(own, statuses)
  const says = (index: number) => statuses.has(index) || among.has(index)
  const parts = partsAmong(blocks.headings, divided, says)
  const telling = { has: (index: number) => says(index) || divided.has(index) }
  const { found, loose } = namedHeadings(blocks, telling, { parts })
  if (found.length === 0) return bare
  const none = loose.length === 0 ? bare : { ...bare, told: findStandIns(found, loose) }
  const judged = judgedAlone(blocks, statuses, { found, loose })
  if (judged.length > 0) return asTasks(none, judged)
  const all = found.filter(({ isGroup }) => !isGroup)
  const numbered = all.filter(({ kind }) => kind === NUMBERED)
  const isAside = numbered.length <= loose.length
  const named = isAside ? all.filter(({ kind }) => kind !== NUMBERED) : all
  const isOpen = (status: StatusLine | undefined) => status === undefined || !isTemplate(status)
  const unfilled = numbered.filter(
    ({ rows, heading }) => rows.length === 0 && isOpen(statuses.get(heading.index)),
  )
  const unread = isAside ? unfilled.map(({ heading }) => heading) : []
  const strong = named.filter(({ kind }) => !WEAK.has(kind))
  const standIns = findStandIns(strong, blocks.rows)
  if (standIns.size > 0 && standIns.size * 2 >= strong.length) return { ...none, standIns, unread }
  const saying = sayingTheirState(named, { statuses, blocks })
  const tasks = new Set([...withSteps({ named, strong, loose, labels }, dialect), ...saying])
  if (tasks.size === 0) return { ...none, unread }
  const chosen = named.filter((each) => tasks.has(each))
  const others = named.filter((each) => !tasks.has(each))
  const groups = groupsBeside(blocks, {
    found,
    own: chosen,
    labels,
    others: saying.length > 0 ? others : null,
  })
  return { ...asTasks(none, chosen), groups: new Set([...none.groups, ...groups]), unread }
}

/** Numbered headings with criteria that may be parts of the task around them: none where one beside them states its own state. */
function partsAmong(
  headings: Blocks["headings"],
  divided: ReadonlySet<number>,
  says: (index: number) => boolean,
): ReadonlySet<number> {
  const stated = new Set(headings.filter(({ index }) => says(index)).map(({ parent }) => parent))
  const parts = headings.filter(({ index, parent }) => divided.has(index) && !stated.has(parent))
  return new Set(parts.map(({ index }) => index))
}

/** Whether no heading has a name or a number, in a plan with rows. */
function areUnlabelled({ rows, headings }: Blocks): boolean {
  return rows.length > 0 && !headings.some(isLabelled)
}

interface Beside {
  readonly found: readonly Named[]
  /** Those that are tasks. */
  readonly own: readonly Named[]
  readonly labels: Labels
  /** The others; null if none states its state. */
  readonly others: readonly Named[] | null
}

/** Lines of headings whose rows are tasks beside headings that are tasks, if these state their state or have criteria. */
function groupsBeside(blocks: Blocks, { found, own, labels, others }: Beside): readonly number[] {
  if (others === null && !areDivided(own, labels)) return []
  const named = (others ?? []).map(({ heading }) => heading)
  return [...named, ...headingsOfLoose(blocks, found)].map(({ index }) => index)
}

/**
 * If the plan's only rows are criteria for headings such as `Phase 1`, below headings of their own such as Success Criteria: these
 * headings, if most have such rows.
 */
function judgedAlone(
  blocks: Blocks,
  statuses: ReadonlyMap<number, StatusLine>,
  { found, loose }: Pick<ReturnType<typeof namedHeadings>, "found" | "loose">,
): readonly Named[] {
  if (loose.length > 0 || found.some(({ rows }) => rows.length > 0)) return []
  const all = namedHeadings(blocks, statuses, { hasCriteria: true })
  const named = all.found.filter(({ kind, isGroup }) => !isGroup && kind !== NUMBERED)
  const filled = named.filter(({ rows }) => rows.length > 0)
  return all.loose.length === 0 && filled.length * 2 > named.length ? withoutRepeats(named) : []
}

interface Choice {
  readonly named: readonly Named[]
  readonly strong: readonly Named[]
  readonly loose: readonly Row[]
  readonly labels: Labels
}

function withSteps(
  { named, strong, loose, labels }: Choice,
  { hasHeadingTasks }: Dialect,
): readonly Named[] {
  const told = strong.filter(({ kind }) => kind !== NUMBERED)
  const isTold = hasHeadingTasks && told.some(({ rows }) => rows.length > 0)
  const isAlone = loose.length > 0 && told.filter(({ rows }) => rows.length > 0).length < LEAST
  if (isTold || (haveSteps(told) && !isAlone)) return withoutRepeats(told)
  if (areDivided(strong, labels)) return withoutRepeats(strong)
  const phases = named.filter(({ kind, rows }) => WEAK.has(kind) && rows.length > 0)
  // `Task 1` in each phase is a task, whatever its number.
  if (phases.some(({ rows }) => rows.some(({ box }) => isCalledTask(box.text)))) return []
  return phases.length >= LEAST && haveSteps(phases) ? phases : []
}

/** What tells the state of headings. */
interface Saying {
  readonly statuses: ReadonlyMap<number, StatusLine>
  readonly blocks: Blocks
}

/**
 * Headings without a row whose state stands below them in words, and those beside them that say none; where fewer than two, or half of them, say
 * theirs in known words, or by a box since somebody has ticked them, it is no custom. What an earlier row or heading of the same name tells is no task of its own.
 */
function sayingTheirState(
  named: readonly Named[],
  { statuses, blocks: { rows, headings } }: Saying,
): readonly Named[] {
  const known = named.filter(({ heading }) => statuses.get(heading.index)?.isKnown)
  const series = new Set(known.map(({ heading }) => seriesOf(heading)))
  const boxed = headings.filter((each) => each.isRow && series.has(seriesOf(each)))
  const isSaying = ({ heading }: Named) => statuses.has(heading.index)
  const least = Math.max(2, named.filter(isSaying).length / 2)
  if (known.length === 0 || known.length + boxed.length < least) return []
  const told = findStandIns(named, rows)
  return named.filter((each) => {
    if (each.rows.length > 0 || told.has(each.heading.index)) return false
    return isSaying(each) || series.has(seriesOf(each.heading))
  })
}

/**
 * Whether most of those with rows have steps: rows that are called steps, are numbered again from the start, or are the same below several
 * headings. A list's own numbers below a phase are no sign.
 */
function haveSteps(named: readonly Named[]): boolean {
  const filled = named.filter(({ rows }) => rows.length > 0)
  const called = filled.filter(({ rows }) => rows.some(({ box }) => STEP.test(box.text))).length
  const anew = filled.filter(({ rows, kind }) => beginsAnew(rows, !WEAK.has(kind))).length
  const same = repeating(filled.filter(({ kind }) => !WEAK.has(kind)))
  if (called > 0 && called * 2 >= filled.length) return true
  return [anew, same].some((count) => count > 1 && count * 2 >= filled.length)
}

/** How many of them repeat several rows of others word for word, as half of their rows or more. */
function repeating(named: readonly Named[]): number {
  const seen = new Map<string, number>()
  const titles = named.map(({ rows }) => rows.map(({ box }) => hashTitle(box.text)))
  for (const title of titles.flatMap((own) => [...new Set(own)])) {
    seen.set(title, (seen.get(title) ?? 0) + 1)
  }
  return titles.filter((own) => {
    const again = own.filter((title) => (seen.get(title) ?? 0) > 1).length
    return again >= LEAST && again * 2 >= own.length
  }).length
}

/**
 * The headings of rows that stand below no named heading. Beside headings that are tasks their rows are tasks, too, unless they stand below
 * a heading that names no work, other than what was done.
 */
function headingsOfLoose(
  { headings, rows }: Pick<Blocks, "headings" | "rows">,
  named: readonly Named[],
): readonly Heading[] {
  const isNoWork = ({ text }: Heading) => tellsNoWork(text) && !tellsWhatWasDone(text)
  const isAside = belowReader(headings, isNoWork)
  const known = new Set(named.flatMap((each) => each.rows))
  const loose = new Set<Heading>()
  const above = headingReader(headings)
  for (const row of rows) {
    const heading = above(row.index)
    const isLoose = row.kind === "list" && !known.has(row)
    if (isLoose && !isAside(row.index) && heading !== undefined) loose.add(heading)
  }
  return [...loose]
}

function beginsAnew(rows: readonly Row[], isListCounted: boolean): boolean {
  for (const { box, ordinal } of rows) {
    const label = splitLabel(box.text).label ?? (isListCounted ? ordinal : null)
    if (label !== null) return FIRST.test(label)
  }
  return false
}

/** A second heading with the same name and no rows tells more about the first. */
function withoutRepeats(named: readonly Named[]): readonly Named[] {
  const filled = new Set(named.filter(({ rows }) => rows.length > 0).map(nameKey))
  const seen = new Set<string>()
  return named.filter((each) => {
    const key = nameKey(each)
    const isKept = each.rows.length > 0 || !(filled.has(key) || seen.has(key))
    seen.add(key)
    return isKept
  })
}

function asTasks(none: StepHeadings, named: readonly Named[]): StepHeadings {
  const { blocks } = none
  const labelled = new Map(named.map((each) => [rowOf(each.heading), each.labelled] as const))
  const added = new Set([...labelled.keys()].map(({ index }) => index))
  const rows = [...blocks.rows, ...labelled.keys()].sort((one, other) => one.index - other.index)
  const headings = blocks.headings.map((heading) =>
    added.has(heading.index) ? { ...heading, isRow: true } : heading,
  )
  return { ...none, blocks: { ...blocks, rows, headings }, labelled }
}

function rowOf({ index, text }: Heading): Row {
  return {
    index,
    box: { marker: "", at: 0, starred: false, text },
    kind: "bare-heading",
    ordinal: null,
    parent: null,
    quoted: false,
    contentColumn: 0,
  }
}
