// Links tasks by what they say they depend on.
// Over 250 lines: names, ranges and sets of tasks are read by one grammar of a few functions.
import { CALLED, withoutTag } from "../dialects/label.ts"
import type { PlanWarning, SubItem, Task } from "../model/plan.ts"
import { trimSigns } from "../model/trim-end.ts"
import { behind, isAscending, joined, stuckIn, turnAround, type Waits } from "../model/waits.ts"
import type { DependencyHint } from "./details.ts"

/** A task, and what its text says about the tasks before it. */
export interface Hinted {
  readonly task: Task
  readonly hints: readonly DependencyHint[]
}

/** For each task's key, the keys that come first. */
export interface Dependencies {
  readonly of: Waits
  readonly warnings: readonly PlanWarning[]
}

interface Lookup {
  /** Null for a label of several tasks. */
  readonly byLabel: ReadonlyMap<string, Task | null>
  readonly order: readonly Task[]
  readonly positions: ReadonlyMap<string, number>
}

const MAX_LINKS = 200_000
const MAX_RANGE = 1_000
const TOO_MANY = "There are too many dependencies to order by: none counts."
const SEPARATOR = /[,;&+、，；]|\band\b/
/** No id is longer: a longer text refers to nothing, and is not examined further. */
const MAX_REFERENCE = 400
const WRAPPING = { start: " \t\r\n*_`#[]\"'", end: " \t\r\n*_`[]\"'." }
const ID = /^[A-Z]{0,10}[.-]?\d[\w.]*(?:-\d+)?$/i
const WHOLE = /^([A-Z]{0,10}[.-]?)(\d{1,9})$/i
/** `T1` is task 1 where no task has that id. */
const SHORT = /^t(?=\d)/
/** What an id is, in words: `S1.1.1 — the cache`. */
const TOLD = /^([A-Z]{0,10}[.-]?\d[\w.]*)[ \t]+[-–—]{1,2}[ \t]+\p{L}{2}.*$/isu
/** The same behind a colon, where only an id of the plan is one: `ADR-3: use SQLite` names no task. */
const TITLED = /^([A-Z]{0,10}[.-]?\d[\w.]*):[ \t]+\p{L}{2}/iu
const RANGE =
  /^([A-Z]{0,10}[.-]?\d[\w.]{0,20})[ \t]{0,4}(?:[-–—]|\.\.|to|through)[ \t]{0,4}([A-Z]{0,10}[.-]?\d[\w.]{0,20})$/i

/**
 * Links tasks by what they say they depend on. Hints only order tasks, and only if all of the plan's references resolve and none runs in a
 * circle. Otherwise only links on blocked tasks count, so that dropping a row frees nothing that waits for a blocked one. Too many links do
 * not count at all. A warning says why. Words that are no ids ("none", "all of the above") refer to nothing.
 */
export function linkTasks(hinted: readonly Hinted[], subItems: readonly SubItem[]): Dependencies {
  if (hinted.every(({ hints }) => hints.length === 0)) return { of: new Map(), warnings: [] }
  const lookup = newLookup(hinted, subItems)
  const of = new Map<string, readonly string[]>()
  const warnings: PlanWarning[] = []
  let links = 0
  for (const { task, hints } of hinted) {
    const firsts = firstsOf(lookup, task, hints, warnings)
    links += firsts.length
    const { line } = task
    if (links > MAX_LINKS)
      return {
        of: new Map(),
        warnings: [{ line, rule: "too-many-dependencies", message: TOO_MANY }],
      }
    if (firsts.length > 0) of.set(task.key, firsts)
  }
  const isAnyUnknown = warnings.length > 0
  const circle = inCircles(lookup, of)
  const [one] = circle
  if (one !== undefined) {
    const message = `The dependencies of ${one.key} are circular: until they are not, the order of the plan counts within the circle, and only blocked tasks hold up what depends on them.`
    warnings.push({ line: one.line, rule: "dependency-cycle", message })
  }
  const left = without(of, new Set(circle.map(({ key }) => key)))
  if (left === of && !isAnyUnknown) return { of, warnings }
  const blocked = onBlocked(hinted, of)
  return { of: isAnyUnknown ? blocked : joined(left, blocked), warnings }
}

/** The tasks of circles, in order: each comes before and behind another one of them. */
function inCircles({ positions, order }: Lookup, of: Waits): readonly Task[] {
  if (isAscending(positions, of)) return []
  const [behindOne, beforeOne] = [stuckIn(of), stuckIn(turnAround(of))]
  return order.filter(({ key }) => behindOne.has(key) && beforeOne.has(key))
}

/** The waits but for those of a circle's tasks for each other. */
function without(of: Waits, circle: ReadonlySet<string>): Waits {
  if (circle.size === 0) return of
  const left = ([key, firsts]: readonly [string, readonly string[]]) =>
    [key, circle.has(key) ? firsts.filter((first) => !circle.has(first)) : firsts] as const
  return new Map([...of].map(left))
}

/** The keys of what a task waits for; most tasks name one other, by its label alone. */
function firstsOf(
  lookup: Lookup,
  task: Task,
  hints: readonly DependencyHint[],
  warnings: PlanWarning[],
): readonly string[] {
  const [first] = hints
  if (first === undefined) return []
  const only = hints.length > 1 ? null : byLabel(lookup, first.list.trim())
  if (only !== null && only !== task) return [only.key]
  const keys = new Set<string>()
  for (const hint of hints) resolveHint(lookup, task, hint, { keys, warnings })
  return [...keys]
}

function newLookup(hinted: readonly Hinted[], subItems: readonly SubItem[]): Lookup {
  const order = hinted.map(({ task }) => task)
  const positions = new Map(order.map((task, at) => [task.key, at]))
  const byLabel = new Map<string, Task | null>()
  const add = (label: string | null, task: Task | undefined) => {
    if (label === null || task === undefined) return
    const plain = plainLabel(label)
    const known = byLabel.get(plain)
    byLabel.set(plain, known === undefined || known === task ? task : null)
  }
  for (const task of order) add(task.label, task)
  for (const { label, parentKey } of subItems) {
    if (label !== null && !byLabel.has(plainLabel(label))) {
      add(label, order[positions.get(parentKey) ?? order.length])
    }
  }
  return { byLabel, order, positions }
}

function resolveHint(
  lookup: Lookup,
  task: Task,
  { line, list, isLoose }: DependencyHint,
  { keys, warnings }: { readonly keys: Set<string>; readonly warnings: PlanWarning[] },
): void {
  for (const reference of referencesIn(lookup, list)) {
    const found = resolve(lookup, task, reference)
    const isMeant = isLoose !== true && !isIssue(lookup, list, reference)
    if (found === null && isMeant) warnings.push(unresolved(line, reference))
    const firsts = found ?? foundOfRange(lookup, reference)
    for (const first of firsts) if (first !== task) keys.add(first.key)
  }
}

/** `#250` is an issue if no task has a number of its own. */
function isIssue({ byLabel: known }: Lookup, list: string, reference: string): boolean {
  return list.includes(`#${reference}`) && ![...known.keys()].some((label) => /^\d/.test(label))
}

/** What a list names: an id as a task has it, `TASK-1`, or what is left of the words around it. */
function referencesIn({ byLabel: known }: Lookup, list: string): readonly string[] {
  const bare = list.includes("(") ? list.replace(/\([^()]*\)/g, "") : list
  return bare.split(SEPARATOR).map((part) => {
    const words = trimSigns(withoutTag(part.slice(0, MAX_REFERENCE).trim()), WRAPPING)
    if (known.has(plainLabel(words))) return words
    const plain = words.replace(CALLED, "")
    const [, id = ""] = TITLED.exec(plain) ?? []
    return known.has(plainLabel(id)) ? id : trimSigns(plain.replace(TOLD, "$1"), WRAPPING)
  })
}

function unresolved(line: number, reference: string): PlanWarning {
  const message = `No single task is called ${reference.slice(0, 40)}: until the plan names one, its order counts, and only blocked tasks hold up what depends on them.`
  return { line, rule: "unresolved-dependency", message }
}

/** The tasks that a reference names; none for words that are no id, null for an unknown id. */
function resolve(lookup: Lookup, task: Task, reference: string): readonly Task[] | null {
  const single = byLabel(lookup, reference)
  if (single !== null) return [single]
  const [, first, last] = RANGE.exec(reference) ?? []
  if (first !== undefined && last !== undefined) return between(lookup, task, first, last)
  return ID.test(reference) ? null : []
}

/** The existing tasks of a range that is not complete. */
function foundOfRange(lookup: Lookup, reference: string): readonly Task[] {
  const [, first, last] = RANGE.exec(reference) ?? []
  if (first === undefined || last === undefined) return []
  return idsFrom(first, last).flatMap((label) => byLabel(lookup, label) ?? [])
}

/** The ids of a range: "T012-T014" includes T013; for other ids nobody knows what comes in between. */
function idsFrom(first: string, last: string): readonly string[] {
  const [, letters, digits = ""] = WHOLE.exec(first) ?? []
  const [, , lastDigits] = WHOLE.exec(last) ?? []
  if (letters === undefined || lastDigits === undefined) return [first, withPrefix(first, last)]
  const count = Math.min(Number(lastDigits) - Number(digits), MAX_RANGE)
  const numbers = Array.from({ length: Math.max(0, count + 1) }, (_, step) => Number(digits) + step)
  return numbers.map((number) => letters + String(number).padStart(digits.length, "0"))
}

function byLabel(lookup: Lookup, reference: string): Task | null {
  const plain = plainLabel(reference)
  const named = lookup.byLabel.get(plain) ?? lookup.byLabel.get(plain.replace(SHORT, ""))
  return named ?? null
}

function between(lookup: Lookup, task: Task, first: string, last: string): readonly Task[] | null {
  const from = positionOf(lookup, byLabel(lookup, first))
  const to = positionOf(lookup, byLabel(lookup, withPrefix(first, last)))
  if (from === null || to === null || from > to || to - from > MAX_LINKS) return null
  return lookup.order.slice(from, to + 1).filter(({ key }) => key !== task.key)
}

function positionOf(lookup: Lookup, task: Task | null): number | null {
  return task === null ? null : (lookup.positions.get(task.key) ?? null)
}

/** "T005-8" means up to T008 only if that is how ids are written: a bare `8` takes the letters of the first id. */
function withPrefix(first: string, last: string): string {
  return /^\d/.test(last) ? (/^\D*/.exec(first)?.[0] ?? "") + last : last
}

function plainLabel(label: string): string {
  const lower = label.toLowerCase()
  return lower.startsWith("#") ? lower.slice(1) : lower
}

/** The links on blocked tasks and on what waits for one: whatever else is wrong, nothing runs before those. */
function onBlocked(hinted: readonly Hinted[], of: Waits): Waits {
  const blocked = hinted.flatMap(({ task }) => (task.state === "blocked" ? [task.key] : []))
  const held = behind(blocked, turnAround(of))
  const kept = [...of].map(([key, firsts]) => [key, firsts.filter((one) => held.has(one))] as const)
  return new Map(kept.filter(([, firsts]) => firsts.length > 0))
}
