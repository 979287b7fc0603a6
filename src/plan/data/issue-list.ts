// Tells an issue list (beads' `issues.jsonl`), which is no plan.

import type { Plan } from "../model/plan.ts"
import { planOfList } from "./listed-plan.ts"

const OPEN = /"status"[ \t]*:[ \t]*"(?:open|in_progress|blocked)"/

/** An issue list (beads' `issues.jsonl`) is no plan: says what was found, and what a plan would need. */
export function readIssueList(text: string): Plan {
  const issues = text.split("\n").filter((line) => line.trimStart().startsWith("{"))
  const open = issues.filter((line) => OPEN.test(line)).length
  const message =
    `Found a list of ${issues.length} issues (${open} open), as beads keeps it; it is not carried out from here. ` +
    "Write what is to be done as a plan, a line a task: `- [ ] 1. Title` in .boulder/plans/<name>.md."
  const warnings = [{ line: 0, rule: "issue-list", message }]
  const evidence = "a .jsonl file"
  return planOfList({ dialect: "beads", evidence, tasks: [], ignored: [], warnings })
}
