import { expect, test } from "bun:test"
import { DIALECTS } from "./dialects/dialects.ts"
import { blocksWords, formatName } from "./formats.ts"
import { parsePlan } from "./parse-plan.ts"

const NOTES = "begin its `notes` with `BLOCKED: why`"

/** Plans in which one task was blocked by hand as the words say. */
const BLOCKED: readonly { readonly path: string; readonly text: string; readonly by: string }[] = [
  {
    path: ".omo/plans/a.md",
    text: "# P\n\n## TODOs\n\n- [ ] 1. A\n  BLOCKED: no key\n- [ ] 2. B\n",
    by: "write `BLOCKED: why` below its row",
  },
  {
    path: "plan.md",
    text: "### Task 1: A\n\nBLOCKED: no key\n\n- [ ] Step 1: a\n\n### Task 2: B\n\n- [ ] Step 1: b\n",
    by: "write `BLOCKED: why` below its heading",
  },
  {
    path: "prd.json",
    text: '{"userStories":[{"id":"1","title":"A","notes":"BLOCKED: no key","passes":false}]}',
    by: NOTES,
  },
  {
    path: "feature_list.json",
    text: '{"features":[{"id":"1","title":"A","notes":"BLOCKED: no key","status":"pending"}]}',
    by: NOTES,
  },
  {
    path: ".taskmaster/tasks/tasks.json",
    text: '{"tasks":[{"id":1,"title":"A","status":"blocked"}]}',
    by: "set its `status` to blocked",
  },
  {
    path: ".cursor/plans/a.plan.md",
    text: "---\nname: x\ntodos:\n  - id: a\n    content: A\n    status: pending # BLOCKED: no key\n---\n",
    by: "write `# BLOCKED: why` behind its `status`",
  },
]

test.each([...BLOCKED])("$path: how a task is blocked by hand", ({ path, text, by }) => {
  const [task] = parsePlan(text, { path }).tasks
  expect(task?.state).toBe("blocked")
  expect(blocksWords(task, "its")).toBe(`${by} in the plan`)
})

test.each([
  { text: "- [ ] 1. A\n", path: "plan.md", name: "generic format" },
  { text: "## TODOs\n- [ ] 1. A\n", path: ".omo/plans/a.md", name: "omo format" },
  { text: '{"userStories":[]}', path: "prd.json", name: "prd-json format" },
])("$path is in the $name", ({ text, path, name }) => {
  expect(formatName(parsePlan(text, { path }).dialect)).toBe(name)
})

const PLACES = DIALECTS.filter(({ name }) => name !== "generic").flatMap(({ name, patterns }) =>
  patterns.map((pattern) => ({ name, path: pattern.replace("**", "a/b").replaceAll("*", "x") })),
)

test.each(PLACES)("$path, where plans of $name are found, says so", ({ name, path }) => {
  expect(parsePlan("- [ ] A\n", { path }).dialect).toBe(name)
})
