// Headings that are tasks, with the rows below them as their steps.
import type { Blocks, Heading, Row } from "../blocks/blocks.ts"
import type { Dialect } from "../dialects/dialects.ts"
import { headingWords, numberedWords } from "../dialects/heading-words.ts"
import { type Labelled, splitLabel } from "../dialects/label.ts"
import { IGNORED_HEADING } from "../dialects/section-rules.ts"
import { findStandIns, NAME, type Named, nameKey } from "./stand-ins.ts"
import { readStatusLines, type StatusLine } from "./status-lines.ts"

/** Headings that are tasks, the rows below them being their steps, and headings that tell more of a row's task. */
export interface StepHeadings {
  /** The blocks, with a row without a box for each heading that is a task. */
  readonly blocks: Blocks
  readonly labelled: ReadonlyMap<Row, Labelled>
  /** By the heading's line: the earlier row that it tells more of. */
  readonly standIns: ReadonlyMap<number, Row>
  /** By the heading's line: what stands below it as `Status:`. */
  readonly statuses: ReadonlyMap<number, StatusLine>
}

const STEP =
  /^[*_~`]*(?:step|paso|passo|étape|schritt|шаг|步骤|步驟|ステップ|手順|단계)[ \t]*#?\d/iu
/** Names that a group of tasks has as often: such a heading is a task only if its rows carry numbers of their own. */
const WEAK: ReadonlySet<string> = new Set(["phase", "stage"])
const FIRST = /^0*[01]$/
/** A heading that has a number alone, `### 3. Title`: a task only where it says its own state. */
const NUMBERED = "numbered"

/**
 * Where headings `Task N` carry ids, and the rows below them are called Step or begin to count anew, or the dialect has
 * it so, the heading is what one subagent is given and its rows are its steps. Where rows before them carry the same names,
 * as a list of progress does, those rows are the tasks and the headings tell more of them. A heading without a row
 * that says its own state, `**Status:** pending`, is a task as well.
 */
export function findStepHeadings(
  blocks: Blocks,
  dialect: Dialect,
  lines: readonly string[],
): StepHeadings {
  const statuses = blocks.headings.some(isLabelled)
    ? readStatusLines(lines, blocks.headings, blocks.masks)
    : new Map()
  const none = { blocks, labelled: new Map(), standIns: new Map(), statuses }
  const all = namedHeadings(blocks, statuses)
  if (all.length === 0) return none
  const named = all.filter(({ isGroup }) => !isGroup)
  const strong = named.filter(({ kind }) => !WEAK.has(kind))
  const standIns = findStandIns(strong, blocks.rows)
  if (standIns.size > 0 && standIns.size * 2 >= strong.length) return { ...none, standIns }
  const tasks = new Set([
    ...withSteps(named, strong, dialect),
    ...sayingTheirState(named, statuses),
  ])
  return tasks.size === 0
    ? none
    : asTasks(
        none,
        named.filter((each) => tasks.has(each)),
      )
}

function withSteps(
  named: readonly Named[],
  strong: readonly Named[],
  { hasHeadingTasks }: Dialect,
): readonly Named[] {
  const told = strong.filter(({ kind }) => kind !== NUMBERED)
  const isTold = hasHeadingTasks && told.some(({ rows }) => rows.length > 0)
  if (isTold || haveSteps(told)) return withoutRepeats(told)
  const phases = named.filter(({ kind, rows }) => WEAK.has(kind) && rows.length > 0)
  return haveSteps(phases) ? phases : []
}

/** Headings without a row whose state stands below them in words; where fewer than two words are known, it is no custom. */
function sayingTheirState(
  named: readonly Named[],
  statuses: ReadonlyMap<number, StatusLine>,
): readonly Named[] {
  const known = named.filter(({ heading }) => statuses.get(heading.index)?.state != null)
  if (known.length < 2) return []
  return named.filter(({ heading, rows }) => rows.length === 0 && statuses.has(heading.index))
}

/** Whether a heading of these words names a task: `Task 3: Title`. */
export function namesTask(text: string): boolean {
  return NAME.test(headingWords(text))
}

interface Open {
  readonly level: number
  readonly named: Named | null
  readonly isIgnored: boolean
}

/** The named headings in order; one with another below it is a group. A title is no task of its own plan. */
function namedHeadings(
  { headings, rows }: Blocks,
  statuses: ReadonlyMap<number, StatusLine>,
): readonly Named[] {
  const isTitled = headings.filter(({ level }) => level === 1).length === 1
  const open: Open[] = []
  const found: Named[] = []
  let at = 0
  for (const heading of headings) {
    for (; (rows[at]?.index ?? Number.POSITIVE_INFINITY) < heading.index; at++) {
      addRow(open, rows[at])
    }
    const named = enter(open, heading, { isTitled, hasStatus: statuses.has(heading.index) })
    if (named !== null) found.push(named)
  }
  for (const row of rows.slice(at)) addRow(open, row)
  return found
}

function enter(
  open: Open[],
  heading: Heading,
  { isTitled, hasStatus }: { readonly isTitled: boolean; readonly hasStatus: boolean },
): Named | null {
  while ((open.at(-1)?.level ?? 0) >= heading.level) open.pop()
  const isIgnored =
    heading.isRow ||
    open.at(-1)?.isIgnored === true ||
    IGNORED_HEADING.test(headingWords(heading.text))
  const isTitle = heading.level === 1 && isTitled
  const outer = innermost(open)
  const found = isIgnored || isTitle ? null : readName(heading, hasStatus)
  const named = found !== null && isPartOfTask(found, outer) ? null : found
  if (named !== null && outer !== null) outer.isGroup = true
  open.push({ level: heading.level, named, isIgnored })
  return named
}

/** A phase below a task is a part of it. */
function isPartOfTask({ kind }: Named, outer: Named | null): boolean {
  return WEAK.has(kind) && !WEAK.has(outer?.kind ?? "phase")
}

function readName(heading: Heading, hasStatus: boolean): Named | null {
  return nameOf(heading) ?? (hasStatus ? numberOf(heading) : null)
}

function addRow(open: readonly Open[], row: Row | undefined): void {
  if (row === undefined || row.kind === "heading" || row.parent !== null) return
  if (open.at(-1)?.isIgnored !== true) innermost(open)?.rows.push(row)
}

function innermost(open: readonly Open[]): Named | null {
  return open.findLast(({ named }) => named !== null)?.named ?? null
}

function nameOf(heading: Heading): Named | null {
  const words = headingWords(heading.text)
  const [whole, kind = "task", , label] = NAME.exec(words) ?? []
  if (whole === undefined || label === undefined) return null
  const rest = words.slice(whole.length).trim()
  const labelled = { label, rest: rest === "" ? words : rest, isPlaceholder: false }
  return { heading, kind: kind.toLowerCase(), labelled, rows: [], isGroup: false }
}

function isLabelled(heading: Heading): boolean {
  return nameOf(heading) !== null || numberOf(heading) !== null
}

function numberOf(heading: Heading): Named | null {
  const labelled = splitLabel(numberedWords(heading.text))
  return labelled.label === null
    ? null
    : { heading, kind: NUMBERED, labelled, rows: [], isGroup: false }
}

/** Most of those with rows have steps; a list's own numbers below a phase are no sign. */
function haveSteps(named: readonly Named[]): boolean {
  const filled = named.filter(({ rows }) => rows.length > 0)
  const called = filled.filter(({ rows }) => rows.some(({ box }) => STEP.test(box.text))).length
  const anew = filled.filter(({ rows, kind }) => beginsAnew(rows, !WEAK.has(kind))).length
  return (called > 0 && called * 2 >= filled.length) || (anew > 1 && anew * 2 >= filled.length)
}

function beginsAnew(rows: readonly Row[], isListCounted: boolean): boolean {
  for (const { box, ordinal } of rows) {
    const label = splitLabel(box.text).label ?? (isListCounted ? ordinal : null)
    if (label !== null) return FIRST.test(label)
  }
  return false
}

/** A second heading of the same name without rows tells of the first. */
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
