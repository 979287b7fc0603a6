// Links tasks by what they say they depend on.
// Over 250 lines: names, ranges and sets of tasks are read by one grammar of a few functions.
import { once } from "../model/once.ts"
import type { PlanWarning, SubItem, Task } from "../model/plan.ts"
import { hashTitle } from "../model/title.ts"
import { trimSigns } from "../model/trim-end.ts"
import type { DependencyHint } from "./details.ts"

/** A task with what its text says about the tasks before it. */
export interface Hinted {
  readonly task: Task
  readonly hints: readonly DependencyHint[]
}

/** For each task's key the keys that come first. */
export interface Dependencies {
  readonly of: ReadonlyMap<string, readonly string[]>
  readonly warnings: readonly PlanWarning[]
}

interface Lookup {
  readonly byLabel: ReadonlyMap<string, readonly Task[]>
  readonly order: readonly Task[]
  readonly positions: ReadonlyMap<string, number>
  /** By the hashes of their titles, where no other task has the same one. */
  readonly byTitle: () => ReadonlyMap<string, Task | undefined>
}

const MAX_LINKS = 200_000
const MAX_RANGE = 1_000
const TOO_MANY = "There are too many dependencies to order by: none counts."
const SEPARATOR = /[,;&+、，；]|\band\b/
/** No id is longer: what is, refers to nothing, and is not looked at any further. */
const MAX_REFERENCE = 400
const WRAPPING = { start: " \t\r\n*_`#[]\"'", end: " \t\r\n*_`[]\"'." }
const PREFIX = /^(?:tasks?|steps?|phases?)[ \t]+/i
const ID = /^[A-Z]{0,10}[.-]?\d[\w.]*(?:-\d+)?$/i
const WHOLE = /^([A-Z]{0,10}[.-]?)(\d{1,9})$/i
const RANGE =
  /^([A-Z]{0,10}[.-]?\d[\w.]{0,20})[ \t]{0,4}(?:[-–—]|\.\.|to|through)[ \t]{0,4}([A-Z]{0,10}[.-]?\d[\w.]{0,20})$/i

/**
 * Links tasks by what they say they depend on. Hints only order, and only when all of the plan's references resolve
 * and none runs in a circle; else only links on what is blocked count, so that a row that is
 * taken out sets nothing free that waits for a blocked one. Too many links count not at all. A warning says why. Words
 * that are no ids ("none", "all of the above") refer to nothing.
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
    if (links > MAX_LINKS) return refused("too-many-dependencies", TOO_MANY, task.line)
    if (firsts.length > 0) of.set(task.key, firsts)
  }
  const inCircle = isAscending(lookup, of) ? null : findCircle(hinted, of)
  if (inCircle !== null) {
    const message = `The dependencies of ${inCircle.key} are circular: only those on what is blocked count.`
    warnings.push({ line: inCircle.line, rule: "dependency-cycle", message })
  }
  return { of: warnings.length === 0 ? of : onBlocked(hinted, of), warnings }
}

/** The keys of what a task waits for; most tasks name one other, by its label alone. */
function firstsOf(
  lookup: Lookup,
  task: Task,
  hints: readonly DependencyHint[],
  warnings: PlanWarning[],
): readonly string[] {
  const [first, ...more] = hints
  if (first === undefined) return []
  const only = more.length > 0 ? null : byLabel(lookup, task, first.list.trim())
  if (only !== null && only !== task) return [only.key]
  const keys = new Set<string>()
  for (const hint of hints) resolveHint(lookup, task, hint, { keys, warnings })
  return [...keys]
}

function refused(rule: string, message: string, line: number): Dependencies {
  return { of: new Map(), warnings: [{ line, rule, message }] }
}

function newLookup(hinted: readonly Hinted[], subItems: readonly SubItem[]): Lookup {
  const order = hinted.map(({ task }) => task)
  const positions = new Map(order.map((task, at) => [task.key, at]))
  const byLabel = new Map<string, Task[]>()
  const add = (label: string | null, task: Task | undefined) => {
    if (label === null || task === undefined) return
    const plain = plainLabel(label)
    const others = byLabel.get(plain)
    if (others === undefined) byLabel.set(plain, [task])
    else if (!others.includes(task) && others.length < 3) others.push(task)
  }
  for (const task of order) add(task.label, task)
  for (const { label, parentKey } of subItems) {
    if (label !== null && !byLabel.has(plainLabel(label))) {
      add(label, order[positions.get(parentKey) ?? order.length])
    }
  }
  return { byLabel, order, positions, byTitle: once(() => tasksByTitle(order)) }
}

function tasksByTitle(order: readonly Task[]): ReadonlyMap<string, Task | undefined> {
  const found = new Map<string, Task | undefined>()
  for (const task of order) {
    found.set(task.titleHash, found.has(task.titleHash) ? undefined : task)
  }
  return found
}

function resolveHint(
  lookup: Lookup,
  task: Task,
  hint: DependencyHint,
  { keys, warnings }: { readonly keys: Set<string>; readonly warnings: PlanWarning[] },
): void {
  const { list } = hint
  const bare = list.includes("(") ? list.replace(/\([^()]*\)/g, "") : list
  for (const part of bare.split(SEPARATOR)) {
    const words = trimSigns(part.slice(0, MAX_REFERENCE), WRAPPING)
    const reference = trimSigns(words.replace(PREFIX, ""), WRAPPING)
    const found = resolve(lookup, task, reference)
    if (found === null && hint.isLoose !== true) warnings.push(unresolved(hint.line, reference))
    const firsts = found ?? foundOfRange(lookup, task, reference)
    const isKept = hint.isLoose !== true && isOwnLabel(task, reference)
    for (const { key } of isKept ? firsts : firsts.filter((first) => first !== task)) keys.add(key)
  }
}

/** A task that waits for itself by its own label is a slip, which stays to be said; by the label of a part only its parts are ordered. */
function isOwnLabel({ label }: Task, reference: string): boolean {
  return label !== null && plainLabel(label) === plainLabel(reference)
}

function unresolved(line: number, reference: string): PlanWarning {
  const message = `No single task is called ${reference.slice(0, 40)}: only dependencies on what is blocked count.`
  return { line, rule: "unresolved-dependency", message }
}

/** The tasks that a reference names; none for words that are no id, null for an unknown id. */
function resolve(lookup: Lookup, task: Task, reference: string): readonly Task[] | null {
  const single = byLabel(lookup, task, reference)
  if (single !== null) return [single]
  const [, first, last] = RANGE.exec(reference) ?? []
  if (first !== undefined && last !== undefined) return between(lookup, task, first, last)
  if (ID.test(reference)) return null
  const titled = lookup.byTitle().get(hashTitle(reference))
  return titled === undefined || titled === task ? [] : [titled]
}

/** What is there of a range that is not whole: of numbers all that are, of other ids its ends. */
function foundOfRange(lookup: Lookup, task: Task, reference: string): readonly Task[] {
  const [, first, last] = RANGE.exec(reference) ?? []
  if (first === undefined || last === undefined) return []
  const [, letters, digits = ""] = WHOLE.exec(first) ?? []
  const [, , lastDigits] = WHOLE.exec(last) ?? []
  const isCounted = letters !== undefined && lastDigits !== undefined
  const count = isCounted ? Math.min(Number(lastDigits) - Number(digits), MAX_RANGE) : -1
  const numbers = Array.from({ length: Math.max(0, count + 1) }, (_, step) =>
    String(Number(digits) + step).padStart(digits.length, "0"),
  )
  const labels = isCounted ? numbers.map((n) => letters + n) : [first, withPrefix(first, last)]
  return labels.flatMap((label) => byLabel(lookup, task, label) ?? [])
}

function byLabel(lookup: Lookup, task: Task, reference: string): Task | null {
  const named = lookup.byLabel.get(plainLabel(reference))
  if (named === undefined) return null
  if (named.length === 1) return named[0] ?? null
  const near = named.filter(({ section }) => section === task.section)
  const [only, second] = near.length > 0 ? near : named
  return only === undefined || second !== undefined ? null : only
}

function between(lookup: Lookup, task: Task, first: string, last: string): readonly Task[] | null {
  const from = positionOf(lookup, byLabel(lookup, task, first))
  const to = positionOf(lookup, byLabel(lookup, task, withPrefix(first, last)))
  if (from === null || to === null || from > to || to - from > MAX_LINKS) return null
  if (!hasAllBetween(lookup, task, first, last, to - from)) return null
  return lookup.order.slice(from, to + 1).filter(({ key }) => key !== task.key)
}

/** "T012-T014" names T013 too; of other ids nobody knows what stands between. */
function hasAllBetween(
  lookup: Lookup,
  task: Task,
  first: string,
  last: string,
  positions: number,
): boolean {
  const [, letters, digits] = WHOLE.exec(first) ?? []
  const [, , lastDigits] = WHOLE.exec(last) ?? []
  if (letters === undefined || digits === undefined || lastDigits === undefined) return true
  const count = Number(lastDigits) - Number(digits)
  if (count > positions) return false
  for (let step = 1; step < count; step++) {
    const number = String(Number(digits) + step).padStart(digits.length, "0")
    if (byLabel(lookup, task, letters + number) === null) return false
  }
  return true
}

function positionOf(lookup: Lookup, task: Task | null): number | null {
  return task === null ? null : (lookup.positions.get(task.key) ?? null)
}

/** "T005-8" means up to T008 only if it is written so: `8` alone takes the first one's letters. */
function withPrefix(first: string, last: string): string {
  return /^\d/.test(last) ? (/^\D*/.exec(first)?.[0] ?? "") + last : last
}

function plainLabel(label: string): string {
  const lower = label.toLowerCase()
  return lower.startsWith("#") ? lower.slice(1) : lower
}

/** Where each task waits for earlier ones alone, as in most plans, there is no circle. */
function isAscending({ positions }: Lookup, of: ReadonlyMap<string, readonly string[]>): boolean {
  for (const [key, firsts] of of) {
    const own = positions.get(key) ?? 0
    for (const first of firsts) if ((positions.get(first) ?? own) >= own) return false
  }
  return true
}

/** A task that waits for itself, directly or not; null if the links can be put in order. */
function findCircle(
  hinted: readonly Hinted[],
  of: ReadonlyMap<string, readonly string[]>,
): Task | null {
  const waiting = turnAround(of)
  const left = new Map([...of].map(([key, firsts]) => [key, firsts.length]))
  const ready = hinted.map(({ task }) => task.key).filter((key) => !left.has(key))
  for (let key = ready.pop(); key !== undefined; key = ready.pop()) {
    for (const next of waiting.get(key) ?? []) {
      const rest = (left.get(next) ?? 0) - 1
      left.set(next, rest)
      if (rest === 0) ready.push(next)
    }
  }
  return hinted.find(({ task }) => (left.get(task.key) ?? 0) > 0)?.task ?? null
}

function turnAround(of: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string[]> {
  const waiting = new Map<string, string[]>()
  const links = [...of].flatMap(([key, firsts]) => firsts.map((first) => ({ key, first })))
  for (const { key, first } of links) {
    const others = waiting.get(first)
    if (others === undefined) waiting.set(first, [key])
    else others.push(key)
  }
  return waiting
}

/** The links on blocked tasks and on what waits for one: whatever else is wrong, nothing runs before those. */
function onBlocked(
  hinted: readonly Hinted[],
  of: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const waiting = turnAround(of)
  const held = new Set<string>()
  const queue = hinted.flatMap(({ task }) => (task.state === "blocked" ? [task.key] : []))
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    if (held.has(key)) continue
    held.add(key)
    for (const next of waiting.get(key) ?? []) queue.push(next)
  }
  const kept = [...of].map(([key, firsts]) => [key, firsts.filter((one) => held.has(one))] as const)
  return new Map(kept.filter(([, firsts]) => firsts.length > 0))
}
