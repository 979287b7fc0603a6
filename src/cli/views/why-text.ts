// A decision and its reason in words.
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { REASONS } from "../../prompts/reasons.ts"
import type { JournalEntry } from "../../store/records/journal.ts"

/** A decision and its reason in words. */
export function decisionText(decision: string, reason: string): string {
  const words = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  const what = `${cleanLine(decision)} (${cleanLine(reason)})`
  return words === undefined ? what : `${what}: ${words.says}`
}

/** A decision as one line: when, what, why, and the facts that made it. */
export function whyLine({ at, work, decision, reason, facts }: JournalEntry): string {
  const known = Object.entries(facts).filter(([, value]) => isTelling(value))
  const told = known.map(([name, value]) => `${cleanLine(name)}=${cleanLine(String(value))}`)
  return [
    cleanLine(at)
      .replace("T", " ")
      .replace(/\.\d+Z$/, "Z"),
    work === null ? null : cleanLine(work),
    decisionText(decision, reason),
    told.length === 0 ? null : `[${told.join(" ")}]`,
  ]
    .filter((part) => part !== null)
    .join("  ")
}

/** Nothing, none and no are what a reader expects; only the rest made the decision what it is. */
function isTelling(value: JournalEntry["facts"][string]): boolean {
  return value !== null && value !== "" && value !== 0 && value !== false
}
