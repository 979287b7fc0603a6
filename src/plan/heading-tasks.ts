import type { Blocks } from "./blocks.ts"
import { splitLabel } from "./label.ts"
import type { PlanWarning } from "./plan.ts"
import { cleanTitle } from "./title.ts"

const NAMED = 3

/**
 * For a plan without a single box: says which headings look like tasks, so that the message names
 * what is missing. Two of them make a pattern, one does not.
 */
export function headingTasks(blocks: Blocks): PlanWarning[] {
  const found = blocks.headings.filter(({ text }) => splitLabel(text).label !== null)
  const [first] = found
  if (first === undefined || found.length < 2) return []
  const names = found.slice(0, NAMED).map(({ text }) => `"${cleanTitle(text).slice(0, 60)}"`)
  const more = found.length > NAMED ? ", …" : ""
  const message =
    `${found.length} headings look like tasks but have no box (${names.join(", ")}${more}): ` +
    "write each as a row with a box, `- [ ] 1. Title`."
  return [{ line: first.index + 1, rule: "heading-tasks", message }]
}
