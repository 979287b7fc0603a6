// Warns of headings such as `Phase 1` that have neither a box nor a row.
import type { Blocks } from "../blocks/blocks.ts"
import { headingWords } from "../dialects/heading-words.ts"
import type { PlanWarning, Task } from "../model/plan.ts"
import { cleanTitle } from "../model/title.ts"

const UNIT =
  /^(?:task(?:[ \t]+group)?|story|step|milestone|phase|stage)[ \t]+#?(\d{1,4}(?:\.\d{1,4})*)/i
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
  const taken = new Set(tasks.flatMap(({ label }) => numbersOf(label ?? "")))
  const units: Unit[] = []
  let open: Unit[] = []
  let at = 0
  const fillUpTo = (end: number) => {
    if ((rows[at]?.index ?? end) < end) for (const unit of open) unit.hasRow = true
    while ((rows[at]?.index ?? end) < end) at++
  }
  for (const { index, level, text, isRow } of headings) {
    fillUpTo(index)
    open = open.filter((unit) => unit.level < level)
    const number = isRow ? undefined : UNIT.exec(headingWords(text))?.[1]
    if (number === undefined || taken.has(number)) continue
    const unit = { level, line: index + 1, text, hasRow: false }
    units.push(unit)
    open.push(unit)
  }
  fillUpTo(Number.POSITIVE_INFINITY)
  const empty = units.filter(({ hasRow }) => !hasRow)
  const [first] = empty
  if (first === undefined || empty.length < LEAST || empty.length * 2 <= units.length) return []
  const message = `${empty.length} headings have no box and no row below them, and count as no tasks; the first: "${cleanTitle(first.text).slice(0, 80)}".`
  return [{ line: first.line, rule: "empty-headings", message }]
}

/** `18-20` bears three numbers. */
function numbersOf(label: string): readonly string[] {
  const [, from, to] = RANGE.exec(label) ?? []
  const count = Math.min(Number(to) - Number(from) + 1, MAX_RANGE)
  return count > 0 ? Array.from({ length: count }, (_, at) => `${Number(from) + at}`) : [label]
}
