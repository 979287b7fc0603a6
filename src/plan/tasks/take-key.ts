// The id of a row, and the key of a task, unlike all before it.
import type { Section } from "../model/plan.ts"
import type { Entry } from "./rows.ts"

const LETTERED = /^[A-Z]/
/** One id that comes again is a slip. */
const LEAST = 2

/** How often each key has been taken so far in one reading. */
export type TakenKeys = Map<string, number>

/**
 * The key of a task: its section and label, or its title's hash without one. A second task with a
 * key already taken gets `#2`, a third `#3`, and `isFirst` is false.
 */
export function takeKey(
  taken: TakenKeys,
  section: Section,
  label: string | null,
  titleHash: string,
): { key: string; isFirst: boolean } {
  const first = label === null ? `task:~${titleHash}` : `${section}:${label.toLowerCase()}`
  const count = (taken.get(first) ?? 0) + 1
  taken.set(first, count)
  return { key: count === 1 ? first : `${first}#${count}`, isFirst: count === 1 }
}

/** Ids of which at least two stand before several rows in a row: a checklist of another plan's tasks, `T005: saved`, `T005: shown`. Those of a final wave are its own. */
export function referencesIn(roots: readonly Entry[]): ReadonlySet<string> {
  const found = new Set<string>()
  let last: string | null = null
  for (const { labelled, within } of roots) {
    const label = within.section === "final-wave" ? null : labelled.label
    if (label !== null && label === last && LETTERED.test(label)) found.add(label)
    last = label
  }
  return found.size < LEAST ? new Set() : found
}

/** A row's id, none where it is a reference, and its words without it. */
export function labelledIn(references: ReadonlySet<string>, { row, labelled }: Entry) {
  const { label, rest } = labelled
  return {
    label: references.has(label ?? "") ? null : label,
    rest: rest === "" ? row.box.text : rest,
  }
}
