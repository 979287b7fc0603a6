// Blocked tasks in words.
import type { BlockedTask } from "../boulder/blocked-tasks.ts"
import { quote, quoteWhole } from "./quote.ts"
import { shellWord } from "./shell-word.ts"

/** The command that a held task is approved with fits, its key whole. */
const UNBLOCK_TOKENS = 44

/** A line a blocked task: why, and what would unblock it. `shown` at most; the rest is counted. */
export function blockedLines(tasks: readonly BlockedTask[], shown: number): readonly string[] {
  const lines = tasks.slice(0, shown).map((task) => `- ${blockedLine(task)}`)
  const more = tasks.length - lines.length
  return more > 0 ? [...lines, `(${more} more: opencode-boulder status)`] : lines
}

function blockedLine({ key, title, reason, unblock }: BlockedTask): string {
  const why = reason === null ? "no reason is given" : quote(reason, 40)
  return `${quote(key, 13)} "${quote(title, 24)}": ${why}. ${unblockedBy(key, unblock)}`
}

function unblockedBy(key: string, unblock: string | null): string {
  return unblock === null
    ? `Unblock: take its mark and BLOCKED line out of the plan, or run opencode-boulder unblock ${commandKey(key)}.`
    : `Unblock when: ${quote(unblock, UNBLOCK_TOKENS)}`
}

/** A key as a command takes it: one that is cut would be refused. */
function commandKey(key: string): string {
  const whole = quoteWhole(key, 24)
  return whole === key ? shellWord(key) : "<task>"
}

/** Blocked tasks in one line, for a toast. */
export function blockedWords(tasks: readonly BlockedTask[], shown: number): string {
  const words = tasks.slice(0, shown).map(({ key, reason, unblock }) => {
    const why = quote(reason ?? "no reason is given", 20)
    return `${quote(key, 13)}: ${why}${unblock === null ? "" : `, unblock when: ${quote(unblock, UNBLOCK_TOKENS)}`}`
  })
  const more = tasks.length - words.length
  return [...words, ...(more > 0 ? [`${more} more`] : [])].join("; ")
}
