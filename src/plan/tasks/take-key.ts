// Makes the id of a row, and a key for a task that differs from all before it.
import { LEAST } from "../dialects/counting.ts"
import { partsOfId } from "../dialects/label.ts"
import { once } from "../model/once.ts"
import type { Section } from "../model/plan.ts"
import type { Entry } from "./rows.ts"

const LETTERED = /^[A-Z]/i
const NUMBER = /^\d{1,9}$/

/** How often each key has been taken so far in one reading. */
export type TakenKeys = Map<string, number>

/**
 * The parts of a label, each about a token in words and three in other letters, and the most that a key may have: models give it back, so it
 * is shown whole.
 */
const PART = /[a-z]{1,4}|\d{1,3}|./giu
const MOST_PARTS = 13

/**
 * The key of a task: its section and label, or its title's hash if it has no label, or a long one, or if its list is numbered again and an
 * earlier task has its number. A second task with a key already taken gets `#2`, a third `#3`, and `isFirst` is false.
 */
export function takeKey(
  taken: TakenKeys,
  { section, label, isCountedAnew = false }: Known,
  titleHash: string,
): { key: string; isFirst: boolean } {
  const own = `${section}:${label?.toLowerCase()}`
  const isTitled = label === null || isLong(label) || (isCountedAnew && taken.has(own))
  const first = isTitled ? `${section === "final-wave" ? section : "task"}:~${titleHash}` : own
  const count = (taken.get(first) ?? 0) + 1
  taken.set(first, count)
  return { key: count === 1 ? first : `${first}#${count}`, isFirst: count === 1 }
}

function isLong(label: string): boolean {
  if (label.length * 3 <= MOST_PARTS) return false
  const parts = label.match(PART) ?? []
  return parts.reduce((sum, part) => sum + (part > "\x7f" ? 3 : 1), 0) > MOST_PARTS
}

interface Known {
  readonly section: Section
  readonly label: string | null
  readonly isCountedAnew?: boolean
}

/**
 * The rows of lists whose own numbers start again, at 1 and below another heading, or for at least two rows: there the numbers do not
 * identify a task. A single repeated number is a slip.
 */
function countedAnew(roots: readonly Entry[]): ReadonlySet<Entry> {
  const lists: Entry[][] = []
  let before: Entry | null = null
  for (const entry of roots) {
    if (!NUMBER.test(entry.labelled.label ?? "")) continue
    if (before !== null && goesOn(before, entry)) lists.at(-1)?.push(entry)
    else lists.push([entry])
    before = entry
  }
  return new Set(
    lists.flatMap((list, at) => {
      const [first, second] = list
      const isOther = lists[at - 1]?.[0]?.within.heading !== first?.within.heading
      return at > 0 && numberOf(first) < LEAST && (isOther || second !== undefined) ? list : []
    }),
  )
}

function goesOn(before: Entry, entry: Entry): boolean {
  return before.within.heading === entry.within.heading && numberOf(before) < numberOf(entry)
}

function numberOf(entry: Entry | undefined): number {
  return Number(entry?.labelled.label)
}

/** Tells which of these ids begin with letters that no other one has: technical words, `S3` and `I18n`, are no series. */
function loneIds(labels: () => readonly string[]): (label: string) => boolean {
  const series = once(() => severalIn(labels().filter((label) => LETTERED.test(label))))
  return (label) => LETTERED.test(label) && !series().has(lettersOf(label))
}

/** The letters that several of these ids begin with. */
function severalIn(labels: readonly string[]): ReadonlySet<string> {
  const series = new Map<string, string>()
  const several = new Set<string>()
  for (const label of labels) {
    const letters = lettersOf(label)
    const other = series.get(letters) ?? label.toLowerCase()
    series.set(letters, other)
    if (other !== label.toLowerCase()) several.add(letters)
  }
  return several
}

function lettersOf(label: string): string {
  return partsOfId(label.toLowerCase())[0]
}

/** What the ids of tasks (`roots`), and of their parts, say together: if most begin with one, none is a word. */
export function idsOf(roots: readonly Entry[], entries: readonly Entry[]): TaskIds {
  const named = roots.filter(({ labelled }) => LETTERED.test(labelled.label ?? "")).length
  const isMost = named * 2 > roots.length
  const anew = countedAnew(roots)
  const labels = () => entries.flatMap(({ labelled }) => labelled.label ?? [])
  return {
    isLone: isMost ? () => false : loneIds(labels),
    isCountedAnew: (entry) => anew.has(entry),
  }
}

/** What identifies a row: its id, and its words without the id; and how it is shown: with what may be one of its words. */
export function labelledIn({ isLone }: TaskIds, { row, labelled }: Entry) {
  const { label } = labelled
  const { text } = row.box
  const isWord = label !== null && isLone(label) && !isSetOff(text, label)
  const rest = labelled.rest === "" ? text : labelled.rest
  return { label, rest, title: isWord ? text : rest }
}

/** What the ids of a plan's tasks say together. */
export interface TaskIds {
  readonly isLone: (label: string) => boolean
  /** Whether a row's number belongs to a list that is numbered again. */
  readonly isCountedAnew: (entry: Entry) => boolean
}

/** `EC2: the machine`, `EC2. The machine` and `[EC2] the machine`, but not `EC2 machine`. */
function isSetOff(text: string, label: string): boolean {
  return /^(?:\*\*|~~|__)?[\].):：]/.test(text.slice(text.indexOf(label) + label.length))
}
