// The key of a task, unlike all before it.
import type { Section } from "../model/plan.ts"

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
