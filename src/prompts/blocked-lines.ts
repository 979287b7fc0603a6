// Puts blocked tasks into words.
import type { BlockedTask } from "../boulder/blocked-tasks.ts"
import { firstWithin } from "./first-within.ts"
import { quote, quoteKey, quoteWhole } from "./quote.ts"
import { type Typed, unblocking } from "./typed-command.ts"

const UNBLOCK_TOKENS = 44

/**
 * A line for each blocked task: why, and what would unblock it. Shows the first ones, up to a number and an estimate of tokens, and counts
 * the rest. `typed` belongs to their work.
 */
export function blockedLines(
  tasks: readonly BlockedTask[],
  room: { readonly most: number; readonly tokens: number },
  typed: Typed,
): readonly string[] {
  return firstWithin(
    tasks.map((task) => `- ${blockedLine(task, typed)}`),
    { ...room, rest: (left, shown) => `(${left}${shown > 0 ? " more" : ""}: ${typed("status")})` },
  )
}

function blockedLine(task: BlockedTask, typed: Typed): string {
  const { key, title, reason } = task
  const why = reason === null ? "no reason is given" : quote(reason, 40)
  return `${quoteKey(key)} "${quote(title, 24)}": ${why}. ${unblockedBy(task, typed)}`
}

function unblockedBy(task: BlockedTask, typed: Typed): string {
  const until = untilWords(task, typed)
  return until === null
    ? `Unblock: ${unblocking(typed, ...commandKey(task.key))}.`
    : `Unblock when: ${until}`
}

/** What would unblock a task, including the command that approves a held one; null if nobody says. */
function untilWords({ key, unblock, isHeld }: BlockedTask, typed: Typed): string | null {
  if (unblock === null) return null
  const approves = isHeld ? `: ${typed("approve", ...commandKey(key))}` : ""
  return `${quote(unblock, UNBLOCK_TOKENS)}${approves}`
}

/** A key as a command takes it; none if it would be cut and refused: then the command lists the tasks. */
function commandKey(key: string): readonly string[] {
  return quoteWhole(key, 24) === key ? [key] : []
}

/** Blocked tasks in one line, for a toast; `typed` belongs to their work. */
export function blockedWords(tasks: readonly BlockedTask[], shown: number, typed: Typed): string {
  const words = tasks.slice(0, shown).map((task) => {
    const why = quote(task.reason ?? "no reason is given", 20)
    const until = untilWords(task, typed)
    return `${quoteKey(task.key)}: ${why}${until === null ? "" : `, unblock when: ${until}`}`
  })
  const more = tasks.length - words.length
  return [...words, ...(more > 0 ? [`${more} more`] : [])].join("; ")
}
