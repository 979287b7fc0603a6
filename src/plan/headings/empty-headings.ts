// Headings such as `Phase 1` that have neither a box nor a row, and the checks beside them.
import type { Blocks, Heading } from "../blocks/blocks.ts"
import { headingWords } from "../dialects/heading-words.ts"
import type { PlanWarning, Task } from "../model/plan.ts"
import { cleanTitle } from "../model/title.ts"

const UNIT =
  /^(?:task(?:[ \t]+group)?|story|step|milestone|phase|stage)[ \t]+#?(\d{1,4}(?:\.\d{1,4})*)/i
/** What is looked at once the work is done. */
const CHECK =
  /(?<![\p{L}\p{N}])(?:checklist|verification|validation|testing|test plan|criteria|sign-?off|gates)(?![\p{L}\p{N}])/iu
const NAME_BEHIND = /^[ \t]*[:—–-]/
const RANGE = /^(\d{1,4})[-–](\d{1,4})$/
const MAX_RANGE = 50
/** Two of a kind make a pattern, one does not. */
const LEAST = 2

interface Unit {
  readonly level: number
  readonly line: number
  readonly text: string
  hasRow: boolean
}

/**
 * A warning where most headings such as `Phase 1` have neither a box nor a row below them, and no task bears their
 * number: the boxes of such a plan are a checklist beside the work.
 */
export function emptyHeadings({ headings, rows }: Blocks, tasks: readonly Task[]): PlanWarning[] {
  if (!headings.some(({ text }) => unitNumber(text) !== undefined)) return []
  const taken = new Set(tasks.flatMap(({ label }) => numbersOf(label ?? "")))
  const { units } = walk({ headings, rows }, ({ text, isRow }) => {
    const number = isRow ? undefined : unitNumber(text)
    return number !== undefined && !taken.has(number)
  })
  const empty = units.filter(({ hasRow }) => !hasRow)
  const [first] = empty
  if (first === undefined || !isMost(empty, units)) return []
  const message = `${empty.length} headings have no box and no row below them, and count as no tasks; the first: "${cleanTitle(first.text).slice(0, 80)}".`
  return [{ line: first.line, rule: "empty-headings", message }]
}

/**
 * The indexes of headings such as `Release Checklist` that stand beside headings such as `Phase 1`, most of which have
 * no row below them: what is checked there comes behind the work, and is not the work itself.
 */
export function headingsBeside({ headings, rows }: Blocks): ReadonlySet<number> {
  if (!headings.some(isCheck)) return new Set()
  const listed = rows.filter(({ kind }) => kind === "list")
  const { units, checks } = walk(
    { headings, rows: listed },
    ({ text }) => unitNumber(text) !== undefined,
  )
  const empty = units.filter(({ hasRow }) => !hasRow)
  return new Set(isMost(empty, units) ? checks : [])
}

function isMost(empty: readonly Unit[], units: readonly Unit[]): boolean {
  return empty.length >= LEAST && empty.length * 2 > units.length
}

/** Whether a heading is a unit's number and its name, `Phase 3: Title`, and not `Phase 3 Checklist`. */
export function isNamedUnit(text: string): boolean {
  const words = headingWords(text)
  const unit = UNIT.exec(words)?.[0]
  return unit !== undefined && NAME_BEHIND.test(words.slice(unit.length))
}

function unitNumber(text: string): string | undefined {
  return UNIT.exec(headingWords(text))?.[1]
}

function isCheck({ text }: Heading): boolean {
  return CHECK.test(text) && unitNumber(text) === undefined
}

/** The units with what stands below them, and the headings of checks that stand below none. */
function walk(
  { headings, rows }: Pick<Blocks, "headings" | "rows">,
  isUnit: (heading: Heading) => boolean,
): { readonly units: readonly Unit[]; readonly checks: readonly number[] } {
  const units: Unit[] = []
  const checks: number[] = []
  let open: Unit[] = []
  let at = 0
  const fillUpTo = (end: number) => {
    if ((rows[at]?.index ?? end) < end) for (const unit of open) unit.hasRow = true
    while ((rows[at]?.index ?? end) < end) at++
  }
  for (const heading of headings) {
    const { index, level, text } = heading
    fillUpTo(index)
    open = open.filter((unit) => unit.level < level)
    if (open.length === 0 && isCheck(heading)) checks.push(index)
    if (!isUnit(heading)) continue
    const unit = { level, line: index + 1, text, hasRow: false }
    units.push(unit)
    open.push(unit)
  }
  fillUpTo(Number.POSITIVE_INFINITY)
  return { units, checks }
}

/** `18-20` bears three numbers. */
function numbersOf(label: string): readonly string[] {
  const [, from, to] = RANGE.exec(label) ?? []
  const count = Math.min(Number(to) - Number(from) + 1, MAX_RANGE)
  return count > 0 ? Array.from({ length: count }, (_, at) => `${Number(from) + at}`) : [label]
}
