import { describe, expect, test } from "bun:test"
import { blockedNote } from "./blocked-note.ts"
import { splitLines } from "./lines.ts"
import { markTask } from "./mark-task.ts"
import { parsePlan } from "./parse-plan.ts"

const noteIn = (rows: string): string | null => {
  const text = `## TODOs\n\n${rows}\n`
  const [task] = parsePlan(text).tasks
  if (task === undefined) throw new Error("no task")
  return blockedNote(splitLines(text), task)
}

describe("the note of a blocked task", () => {
  test.each([
    { name: "a sub-line", rows: "- [ ] 1. Deploy\n  - BLOCKED: no key", is: "no key" },
    { name: "in bold", rows: "- [!] 1. Deploy\n  **BLOCKED**: no key", is: "no key" },
    {
      name: "among details",
      rows: "- [ ] 1. Deploy\n  What: x\n  - BLOCKED: no key\n  More: y",
      is: "no key",
    },
    { name: "a sub-item's", rows: "- [ ] 1. Deploy\n  - [ ] a\n      - BLOCKED: no key", is: null },
    { name: "no words", rows: "- [!] 1. Deploy\n  - BLOCKED:", is: null },
    { name: "a mark alone", rows: "- [!] 1. Deploy", is: null },
    {
      name: "another task's",
      rows: "- [!] 1. Deploy\n- [ ] 2. Run\n  - BLOCKED: no key",
      is: null,
    },
  ])("$name", ({ rows, is }) => {
    expect(noteIn(rows)).toBe(is)
  })
  test("it is the one that markTask writes", () => {
    const text = "## TODOs\n\n- [ ] 1. Deploy\n  What: x\n- [ ] 2. Run\n"
    const [task] = parsePlan(text).tasks
    if (task === undefined) throw new Error("no task")
    const marked = markTask(text, task, "blocked", "no key (hnd_1)")
    if (!marked.ok) throw new Error(marked.message)
    const [again] = parsePlan(marked.text).tasks
    expect(again?.state).toBe("blocked")
    expect(again && blockedNote(splitLines(marked.text), again)).toBe("no key (hnd_1)")
  })
})
