import { expect, test } from "bun:test"
import { matchTasks } from "./match-tasks.ts"
import { parsePlan } from "./parse-plan.ts"

const edits: [string, string, string, string[]][] = [
  ["nothing", "1. A|2. B", "1. A|2. B", ["1 same", "2 same"]],
  ["a mark", "1. A", "[x] 1. A", ["1 same"]],
  ["a reworded title", "1. A|2. B", "1. A|2. C", ["1 same", "2 retitled"]],
  ["a new task in front", "1. A|2. B", "1. X|2. A|3. B", ["1 moved 2", "2 moved 3"]],
  ["a deleted task", "1. A|2. B", "1. B", ["1 gone", "2 moved 1"]],
  ["two tasks changing places", "1. A|2. B", "1. B|2. A", ["1 moved 2", "2 moved 1"]],
  ["another order, the same labels", "1. A|2. B", "2. B|1. A", ["1 same", "2 same"]],
  ["a label given to a task without one", "A|2. B", "1. A|2. B", ["~ moved 1", "2 same"]],
  ["two tasks of one title", "1. A|2. A", "3. A|4. A", ["1 gone", "2 gone"]],
  ["a title in bold and capitals", "1. fix it", "1. **Fix  it**", ["1 same"]],
  ["everything deleted", "1. A", "", ["1 gone"]],
]

test.each(edits)("tells what has become of each task after %s", (_, before, after, wanted) => {
  const matches = matchTasks(planOf(before).tasks, planOf(after))
  const told = matches.map((match) => {
    const to = match.kind === "moved" ? ` ${match.task.label}` : ""
    return `${match.known.label ?? "~"} ${match.kind}${to}`
  })
  expect(told).toEqual(wanted)
})

function planOf(rows: string) {
  const lines = rows.split("|").map((row) => (row.startsWith("[") ? `- ${row}` : `- [ ] ${row}`))
  return parsePlan(`## TODOs\n${rows === "" ? "" : lines.join("\n")}`)
}
