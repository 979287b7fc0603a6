// A line of the journal in words.
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { decisionWords } from "../../prompts/reasons.ts"
import type { JournalEntry } from "../../store/records/journal.ts"

/** A decision as one line: when, what, why, and the facts that made it. */
export function whyLine({ at, work, decision, reason, facts }: JournalEntry): string {
  const known = Object.entries(facts).filter(([, value]) => isTelling(value))
  const told = known.map(([name, value]) => `${cleanLine(name)}=${cleanLine(String(value))}`)
  return [
    cleanLine(at)
      .replace("T", " ")
      .replace(/\.\d+Z$/, "Z"),
    work === null ? null : cleanLine(work),
    decisionWords(decision, reason),
    told.length === 0 ? null : `[${told.join(" ")}]`,
  ]
    .filter((part) => part !== null)
    .join("  ")
}

/** Nothing, none and no are what a reader expects; only the rest made the decision what it is. */
function isTelling(value: JournalEntry["facts"][string]): boolean {
  return value !== null && value !== "" && value !== 0 && value !== false
}
