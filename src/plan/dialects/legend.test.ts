// Legends: they tell what marks mean, and are no tasks.
import { expect, test } from "bun:test"
import { markedPlan, shownPlan } from "../../../test/support/shown-plan.ts"
import { parsePlan } from "../parse-plan.ts"

test.each([
  "# P\n\n**Legend**\n\n- [ ] Not started\n- [~] In progress\n- [x] Done\n\n## Sprint\n- [ ] a\n- [x] b\n",
  "Legend:\n[ ] open\n[x] done\n\nWork:\n[ ] a\n[x] b\n",
  "# About this file\n\n- [x] = done (seen by one)\n- [-] = in progress\n- [ ] = for later\n\n# Work\n\n- [ ] a\n- [x] b\n",
  "- [ ] a\n- [x] b\n\nKey:\n- [ ] to do\n- [x] done\n",
  "- [ ] a\n- [x] b\n\nLegend:\n- [ ] Not started\n- [x] Done\n- [!] Blocked/Issues\n",
  "- [ ] a\n- [x] b\n\n## Status Indicators\n- [ ] Not started\n- [~] In progress\n- [x] Completed\n- [!] Blocked/Issues\n",
])("rows of a legend are no tasks: %j", (text) => {
  expect(shownPlan(text)).toEqual(["open", "a open", "b done"])
  expect(parsePlan(text).warnings).toEqual([])
})

test.each([
  "- [ ] Not started\n- [x] Done\n",
  "- [ ] Not started\n- [x] Done\n- [ ] Open\n",
  "- [ ] Not started\n- [x] Done\n- [~] Dig\n",
])("rows that may be work are tasks beside no word for a legend: %j", (text) => {
  expect(parsePlan(text).tasks.length).toBe(text.trim().split("\n").length)
})

test("rows below the word Key that are work are tasks", () => {
  const text = "Key:\n- [ ] open the safe\n- [x] done\n"
  expect(shownPlan(text)).toEqual(["open", "open the safe open", "done done"])
})

test("a mark is one that reads back by the plan's own legend", () => {
  const text =
    "# Plan\nLegend: [ ] todo, [~] blocked, [x] done\n## Phase 1\n- [ ] Task: a\n- [ ] Task: b\n"
  const options = { path: "conductor/tracks/a/plan.md" }
  const key = parsePlan(text, options).tasks[0]?.key ?? ""
  const begun = markedPlan(text, key, "in_progress", options)
  expect(begun).toBe(text.replace("- [ ]", "- [/]"))
  expect(markedPlan(text, key, "blocked", options)).toContain("- [~] Task: a\n  - BLOCKED: why\n")
})

test("a line that begins with Status legend tells as well", () => {
  const text = "Status legend: `[ ]` not started · `[~]` blocked, waits · `[x]` done\n\n- [~] a\n"
  expect(shownPlan(text)).toEqual(["only-blocked", "a blocked"])
  expect(parsePlan(text).warnings).toEqual([])
})

test("a line that begins with the word tells beside a heading Legend, and no further than 500 characters", () => {
  const rows = "## Legend\n\nText\n\n## TODOs\n\n- [*] 1. a\n- [ ] 2. b\n"
  expect(shownPlan(`Legend: [*] done\n\n${rows}`)).toEqual(["open", "a done", "b open"])
  const far = `Legend: [~] blocked ${"x".repeat(500)} [*] done\n\n## TODOs\n\n- [*] 1. a\n- [ ] 2. b\n`
  expect(shownPlan(far)).not.toContain("a done")
})

test("rows that only say what marks mean teach them without the word legend", () => {
  const said = "- [-] = in progress\n- [?] = blocked\n- [ ] = open\n"
  expect(shownPlan(`# P\n${said}\n## Work\n\n- [-] a\n- [?] b\n- [ ] c\n`)).toEqual([
    "open",
    "a in_progress",
    "b blocked",
    "c open",
  ])
})

test.each(["- [ ] = open\n- [ ] = done\n", "- [ ] = open\n- [x] done\n", "- [ ] = a\n- [x] = b\n"])(
  "rows that only begin like it are tasks: %j",
  (text) => {
    expect(shownPlan(text)).toHaveLength(3)
  },
)

test.each([
  ["Future / out-of-scope", "cancelled"],
  ["Out of scope", "cancelled"],
  ["Not planned", "cancelled"],
  ["Future", "blocked"],
  ["Later", "blocked"],
  ["Started/partially done", "in_progress"],
])("a mark of its own for what is not to be done now is never open: [~] %s", (words, state) => {
  const rows = `- [ ] Pending\n- [x] Done\n- [~] ${words}\n`
  for (const head of ["## Status Legend\n", "**Legend**\n\n"]) {
    const text = `# P\n\n${head}${rows}\n---\n\n## Group 1\n\n- [x] 1. a\n- [~] 2. b\n`
    expect(shownPlan(text).slice(1)).toEqual(["a done", `b ${state}`])
  }
})

test.each([
  "Legend: [ ] open, [x] done, [S] skipped",
  "`[S]` = skipped, `[x]` = done",
  "| Mark | Meaning |\n|---|---|\n| `[S]` | Skipped |\n| `[x]` | Done |",
  "`[x]` means done.\n`[S]` means skipped.",
  "[S] stands for skipped.",
])("a legend says what a capital letter means, with its name or without: %j", (legend) => {
  const rows = "- [x] 1. a\n- [S] 2. b\n- [ ] 3. c\n"
  for (const text of [`${legend}\n\n${rows}`, `${rows}\n${legend}\n`])
    expect(shownPlan(text)).toEqual(["open", "a done", "b cancelled", "c open"])
})

test.each([
  { legend: "[~] = blocked", mark: "~" },
  { legend: "`[-]`: blocked", mark: "-" },
  { legend: "Use [~] for blocked and [x] for done.", mark: "~" },
  { legend: "```\n[ ] todo\n[-] blocked\n[R] in review\n```", mark: "-" },
  { legend: "## Status\n- `[ ]` not started\n- `[?]` blocked\n- `[x]` done", mark: "?" },
  { legend: "Boxes: `[ ]` todo, `[~]` blocked, `[x]` done", mark: "~" },
  { legend: "图例：[ ] 未开始  [~] 阻塞  [x] 已完成", mark: "~" },
])("a legend needs neither its name nor a sign: $legend", ({ legend, mark }) => {
  const text = `# P\n\n${legend}\n\n## Work\n\n- [ ] 1. a\n- [${mark}] 2. b\n`
  expect(shownPlan(text)).toEqual(["open", "a open", "b blocked"])
  expect(parsePlan(text).warnings).toEqual([])
})

test.each(["[x] Implemented\n[ ] Tested\n[ ] Deployed\n", "- [ ] a [x] done\n- [ ] b\n- [ ] c\n"])(
  "rows that name a state are no legend: %j",
  (text) => {
    expect(shownPlan(text)).toHaveLength(4)
  },
)

test.each([
  "",
  "[S]: skipped\n\n",
  "Mark it `[S]` when skipped.\n\n",
  "- [ ] 9. Write [S] = skipped\n",
  "| A | [S] | Skipped |\n| B | [x] | Done |\n\n",
])("without a legend it says nothing: %j", (text) => {
  expect(shownPlan(`${text}- [x] 1. a\n- [S] 2. b\n`)).toContain("b open")
})
