// Headings that name a task, a phase or a number, with the rows below each and the row that each tells more of; and the columns of a board.
// Over 250 lines: what names a heading and what pairs it with a row share the one pattern of names.

import { type Blocks, type Heading, headingReader, type Row, titleIndex } from "../blocks/blocks.ts"
import { COUNTING_WORD, headingWords, numberedWords } from "../dialects/heading-words.ts"
import { type Labelled, splitLabel } from "../dialects/label.ts"
import { tellsNoStates, tellsOnlyOfNoWork } from "../dialects/no-work.ts"
import { CRITERIA_HEADING, IGNORED_HEADING, TODO } from "../dialects/section-rules.ts"
import type { TaskState } from "../model/plan.ts"
import { readState, stateOfWord } from "../model/state-words.ts"
import { hashTitle } from "../model/title.ts"
import type { StatusLine } from "./status-lines.ts"

/** A heading that names a task, and the rows below it that are not closer to another such heading. */
export interface Named {
  readonly heading: Heading
  readonly kind: string
  readonly labelled: Labelled
  readonly rows: Row[]
  isGroup: boolean
}

/** The words for a task in the languages of plans we have seen. */
const NAME =
  /^(?:(?:user[ \t]+)?(task|story|milestone|stage|phase|tarea|tarefa|tâche|aufgabe|задача)s?(?:[ \t]+|-)|(任务|任務|タスク|작업|태스크)[ \t]*)#?((?:[A-Z]{1,4}[.-]?)?\d{1,9}(?:[.–-](?:[A-Z]{1,2})?\d{1,9})*[a-z]?|[A-Z](?=[ \t]*(?:[.):：—–]|-[ \t]|$)))(?![\p{L}\p{N}])[ \t]*(?:[.):：—–|-]+(?=\s|$|\P{ASCII}))?/iu

/** The word and number that identify a heading. */
export function nameKey({ kind, labelled }: Named): string {
  return `${kind} ${labelled.label?.toLowerCase() ?? hashTitle(labelled.rest)}`
}

/** Names that groups of tasks have just as often: such a heading is a task only if its rows have numbers of their own. */
export const WEAK: ReadonlySet<string> = new Set(["phase", "stage"])
/** A heading with only a number, `### 3. Title`, or, in a plan without rows, with none: a task only if it states its own state. */
export const NUMBERED = "numbered"
/** Whether a heading of these words names a task: `Task 3: Title`. */
export function namesTask(text: string): boolean {
  return NAME.test(headingWords(text))
}

/** Whether a heading is called a task, `Task 3: Title`, and not a group of them, `Phase 3: Title`. */
export function isCalledTask(text: string): boolean {
  const [whole, kind = ""] = NAME.exec(headingWords(text)) ?? []
  const word = kind.toLowerCase()
  return whole !== undefined && word !== "milestone" && !WEAK.has(word)
}

/** What a heading makes of the rows and headings below it. */
interface Within {
  /** The innermost heading that names a task: itself, or one around it. */
  readonly named: Named | null
  readonly isIgnored: boolean
  /** The heading names something that is no work, such as risks. */
  readonly isAside: boolean
}

const TOP: Within = { named: null, isIgnored: false, isAside: false }

/**
 * The named headings in order, and the rows below none of them; a named heading with another one below it is a group. A title is no task of
 * its own plan. In a plan without list rows, any heading that states its state is named, unless it stands below a named one. Rows below
 * headings such as Success Criteria count if `hasCriteria` is set. `parts`: numbered headings that may be parts of a task.
 */
export function namedHeadings(
  { headings, rows }: Blocks,
  statuses: Pick<ReadonlyMap<number, StatusLine>, "has">,
  { hasCriteria = false, parts = new Set() }: Reading = {},
): { readonly found: readonly Named[]; readonly loose: readonly Row[] } {
  const told = {
    title: titleIndex(headings),
    isAlone: rows.every(({ kind }) => kind === "heading"),
    hasCriteria,
  }
  const withins = new Map<number, Within>()
  const found: Named[] = []
  for (const heading of headings) {
    const around = withins.get(heading.parent) ?? TOP
    const each = { hasStatus: statuses.has(heading.index), mayBePart: parts.has(heading.index) }
    const within = enter(heading, around, { ...told, ...each })
    withins.set(heading.index, within)
    if (within.named !== null && within.named !== around.named) found.push(within.named)
  }
  const loose: Row[] = []
  const above = headingReader(headings)
  for (const row of rows) {
    const { named, isIgnored } = withins.get(above(row.index)?.index ?? -1) ?? TOP
    const isCounted = row.kind !== "heading" && row.parent === null && !isIgnored
    if (isCounted) (named?.rows ?? loose).push(row)
  }
  return { found, loose }
}

interface Reading {
  readonly hasCriteria?: boolean
  readonly parts?: ReadonlySet<number>
}

interface Told {
  /** The line of the plan's title. */
  readonly title: number
  readonly hasStatus: boolean
  /** It has only a number, and below a task with a name it is a part of that. */
  readonly mayBePart: boolean
  /** The plan has no list rows. */
  readonly isAlone: boolean
  /** Rows below criteria for the work count as well. */
  readonly hasCriteria: boolean
}

function enter(
  heading: Heading,
  around: Within,
  { title, hasStatus, mayBePart, isAlone, hasCriteria }: Told,
): Within {
  const isTitle = heading.index === title
  const isIgnored =
    heading.isRow || around.isIgnored || (!isTitle && isNoWork(heading.text, hasCriteria))
  const isSaying = hasStatus && !around.isAside
  const mayBePlain = isAlone && around.named === null
  const found = isIgnored || isTitle ? null : readName(heading, { isSaying, mayBePlain })
  const named = inGroup(found, around.named, mayBePart)
  const isAside =
    around.isAside ||
    (named === null && !isTitle && tellsNoStates(heading.text) && !(isAlone && isColumn(heading)))
  return { named: named ?? around.named, isIgnored, isAside }
}

function isNoWork(text: string, hasCriteria: boolean): boolean {
  const words = headingWords(text)
  return IGNORED_HEADING.test(words) && !(hasCriteria && CRITERIA_HEADING.test(words))
}

/** A task below another named heading makes that one a group; a part of it does not. */
function inGroup(found: Named | null, outer: Named | null, mayBePart: boolean): Named | null {
  if (found === null || isPartOfTask(found, outer, mayBePart)) return null
  if (outer !== null) outer.isGroup = true
  return found
}

/** A phase below a task is a part of it, and so is a number with criteria alone below a name; a milestone has phases as a group has tasks. */
function isPartOfTask({ kind }: Named, outer: Named | null, mayBePart: boolean): boolean {
  if (outer === null || outer.kind === "milestone" || WEAK.has(outer.kind)) return false
  return WEAK.has(kind) || (mayBePart && kind === NUMBERED && outer.kind !== NUMBERED)
}

function readName(
  heading: Heading,
  { isSaying, mayBePlain }: { readonly isSaying: boolean; readonly mayBePlain: boolean },
): Named | null {
  const named = nameOf(heading) ?? (isSaying ? numberOf(heading) : null)
  if (named !== null || !isSaying || !mayBePlain) return named
  const rest = headingWords(heading.text)
  if (tellsOnlyOfNoWork(heading.text)) return null
  return newNamed(heading, NUMBERED, { label: null, rest, isPlaceholder: false })
}

function newNamed(heading: Heading, kind: string, labelled: Labelled): Named {
  return { heading, kind, labelled, rows: [], isGroup: false }
}

/** `Completed recently`, `Blocked / needs decision`: a column of a board, in a plan where each heading states its own state. */
function isColumn({ text }: Heading): boolean {
  const state = stateOfWord(readState(headingWords(text)).word)
  return state !== null && state !== "open"
}

function nameOf(heading: Heading): Named | null {
  const words = headingWords(heading.text)
  const [whole, kind = "task", , label] = NAME.exec(words) ?? []
  if (whole === undefined || label === undefined) return null
  const rest = words.slice(whole.length).trim()
  const labelled = { label, rest: rest === "" ? words : rest, isPlaceholder: false }
  return newNamed(heading, kind.toLowerCase(), labelled)
}

const COUNTING = new RegExp(`^(${COUNTING_WORD})[ \\t]+#?\\d{1,4}(?![\\p{L}\\p{N}])`, "u")

/** The one word by which a heading counts, in lower case, whatever follows the number: `Fix 3 (small)`; undefined if it counts by none. */
function countedBy(text: string): string | undefined {
  return COUNTING.exec(headingWords(text))?.[1]?.toLowerCase()
}

/** Headings of one level that count by the same word, that have only a number, or neither, form one series. */
export function seriesOf(heading: Heading): string {
  const named = nameOf(heading) ?? numberOf(heading)
  const word = named?.kind ?? countedBy(heading.text)
  return `${heading.level} ${word ?? ""}`
}

/** Whether a heading may name a task, or has a number. */
export function isLabelled(heading: Heading): boolean {
  return nameOf(heading) !== null || numberOf(heading) !== null
}

function numberOf(heading: Heading): Named | null {
  const labelled = splitLabel(numberedWords(heading.text))
  return labelled.label === null ? null : newNamed(heading, NUMBERED, labelled)
}

const COLUMN_STATES: ReadonlySet<TaskState | null> = new Set(["open", "in_progress", "done"])

/**
 * The other columns of a board that has one of the name Todo: headings that are a word for a state, and
 * nothing else.
 */
export function boardColumns(headings: readonly Heading[]): readonly number[] {
  const columns = headings.filter(({ text }) => COLUMN_STATES.has(stateOfWord(headingWords(text))))
  const todo = columns.find(({ text }) => TODO.heading.test(headingWords(text)))
  return columns.filter(({ level }) => level === todo?.level).map(({ index }) => index)
}

/** By the heading's line: the earlier row with the same name that stands below none of the headings. */
export function findStandIns(
  named: readonly Named[],
  rows: readonly Row[],
): ReadonlyMap<number, Row> {
  const byName = rowsByName(named, rows)
  const found = new Map<number, Row>()
  for (const each of named) {
    const { rest, label } = each.labelled
    const row =
      byName.get(nameKey(each)) ?? byName.get(`${label?.toLowerCase()} ${hashTitle(rest)}`)
    if (row !== undefined && row.index < each.heading.index) found.set(each.heading.index, row)
  }
  return found
}

/** Rows that stand below none of the headings, each by the names that it may have. */
function rowsByName(named: readonly Named[], rows: readonly Row[]): ReadonlyMap<string, Row> {
  const below = new Set(named.flatMap((each) => each.rows))
  const byName = new Map<string, Row>()
  for (const row of rows) {
    if (row.parent !== null || below.has(row)) continue
    for (const name of namesOf(row)) if (!byName.has(name)) byName.set(name, row)
  }
  return byName
}

/** A link at the start of a row to the heading of its task, `[Task 3: Title](#task-3-title)`: its words are the row's. */
const LINK = /^\[([^[\]]{1,300})\]\([^()\s]{0,300}\)/

/** `Task 3: Title` is named by its word and number, `3. Title` by its number and title. */
function namesOf({ box, ordinal }: Row): readonly string[] {
  const text = box.text.replace(/^[*_~`]+/, "").replace(LINK, "$1")
  const [whole = "", kind = "task", , number] = NAME.exec(text) ?? []
  if (number !== undefined) {
    const names = [`${kind} ${number}`, `${number} ${hashTitle(text.slice(whole.length))}`]
    return names.map((name) => name.toLowerCase())
  }
  const { label, rest } = splitLabel(LINK.test(box.text) ? text : box.text)
  const id = label ?? ordinal
  return id === null ? [] : [`${id.toLowerCase()} ${hashTitle(rest)}`]
}
