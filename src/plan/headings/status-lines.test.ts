import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { shownPlan } from "../../../test/support/shown-plan.ts"
import { markTask } from "../mark-task.ts"
import { parsePlan } from "../parse-plan.ts"

const PHASES = `# Task Plan: a new harbour
**Status:** Draft

## Phases

### Phase 1: Look about
Walk along the quay.
- **Status:** complete

### Phase 2: Drive the piles
1. north side
2. south side
- **Status:** in_progress

### Phase 3: Open it

- **Status:** pending
`

const shown = (text: string) =>
  parsePlan(text).tasks.map(
    ({ key, state, runnable }) => `${key} ${state}${runnable ? " run" : ""}`,
  )

test("a heading without a box says its state in its status line", () => {
  const plan = parsePlan(PHASES)
  expect(shown(PHASES)).toEqual(["task:1 done", "task:2 in_progress run", "task:3 open run"])
  expect([plan.next?.line, plan.state, plan.warnings]).toEqual([10, "open", []])
})

test.each([
  ["**Status**: Completed", "done"],
  ["**Status:** ✅ COMPLETE (2026-01-02)", "done"],
  ["Status: Done", "done"],
  ["**Status: DONE** (98382b6) — skeleton, both build.", "done"],
  ["> **Status**: 🔄 In Progress — half of it", "in_progress run"],
  ["- Status: `not started`", "open run"],
  ["**Status:** **TODO**", "open run"],
  ["**Status**: ✅", "done"],
  ["**Status**: ⏳", "open run"],
  ["**状态：** pending", "open run"],
  ["*Status: Blocked by the weather*", "blocked"],
  ["**Status:** cancelled", "cancelled"],
  ["**Status** : 🔴 **TO DO**", "open run"],
  ["**Status:** 🔵 **To do**", "open run"],
  ["**Status:** 🟡 **IN PROGRESS**", "in_progress run"],
  ["**Status:** 🔴 *In progress since May*", "in_progress run"],
  ["**Status:** ✅ **RESOLVED on 2025-11-29**", "done"],
  ["**Status:** 🟢 `done`", "done"],
  ["**Status:** 🚧 **Done**", "open"],
  ["**Status:** ❌ **Done**", "open"],
  ["**Status:** ✅ **Done, but not deployed**", "open"],
  ["**Status:** 🟡 **the last tests**", "in_progress run"],
  ["**Status:** pending | in_progress | complete", "open"],
  ["**Status:** Done when the tide is low", "open"],
  ["**Status:** who knows", "open"],
  ["**Status:**", "open"],
  ["**Status:** [x] done", "done"],
  ["**Status:** [x] **Completed** (2026-01-02)", "done"],
  ["- **Status:** [ ] pending", "open run"],
  ["**Status:** [x]", "done"],
  ["- Status: `[x]`", "done"],
  ["**Status: [ ]**", "open run"],
  ["**Status:** [x] Draft [x]", "open"],
  ["**Status:** [ ] done", "open"],
  ["**Status:** [x] Draft [ ] Ready [ ] Done", "open"],
  ["**Status:** [x] sketched, [ ] built", "open"],
])("reads %j as %s", (line, state) => {
  const text = `# P\n\n## Task 1: A\nStatus: done\n\n## Task 2: B\nStatus: todo\n\n## Task 3: C\n${line}\n`
  expect(shown(text)[2]).toBe(`task:3 ${state}`)
})

test("one heading with a status is no custom, and a fence hides one", () => {
  expect(shown("## Task 1: A\nStatus: done\n\n## Task 2: B\nwords\n")).toEqual([])
  const fenced = "## Task 1: A\n```\nStatus: done\n```\n## Task 2: B\n```\nStatus: done\n```\n"
  expect(shown(fenced)).toEqual([])
})

test("rows below a phase stay the tasks, and a phase without rows is one beside them", () => {
  const text =
    "## Phases\n### Phase 1: A\n- [x] a\n- [ ] b\n- **Status:** in_progress\n\n### Phase 2: B\n- **Status:** pending\n"
  expect(parsePlan(text).tasks.map(({ title, state }) => `${title} ${state}`)).toEqual([
    "a done",
    "b open",
    "B open",
  ])
})

test("a status that says done above open boxes is warned about, and the boxes count", () => {
  const text =
    "## Phases\n### Phase 1: A\n- [x] a\n- [ ] b\n- [ ] c\n- **Status:** complete\n\n### Phase 2: B\n- [ ] d\n- **Status:** pending\n"
  const { warnings, counts } = parsePlan(text)
  expect(counts.open).toBe(3)
  expect(warnings.map(({ line, rule, message }) => [line, rule, message.slice(0, 60)])).toEqual([
    [4, "status-against-boxes", '2 tasks are open below a heading that says "complete", the f'],
  ])
})

test.each([
  { under: "## Phase 2: B\n**Status:** Deferred until May\n", says: "Deferred" },
  { under: "## Phase 2: B\n> **Status: BLOCKED — no key**\n", says: "BLOCKED" },
  { under: "## Phase 2: B [BLOCKED]\n", says: "BLOCKED" },
  { under: "## Phase 2: B (blocked on A)\n", says: "blocked" },
  { under: "## Phase 2: B ⛔ BLOCKED (no key)\n", says: "BLOCKED" },
  { under: "## Phase 2: B (skipped)\n", says: "skipped" },
  { under: "## Blocked\n", says: "Blocked" },
  { under: "## Player — Paused\n", says: "Paused" },
  { under: "## Phase 2: B — DEFERRED (no screen)\n", says: "DEFERRED" },
  { under: "## Order states — Cancelled\n", says: null },
  { under: "## Header — Skip to content link\n", says: null },
  { under: "## Phase 2: Show what is blocked\n", says: null },
  { under: "## Phase 2: Cells (skipped rows)\n", says: null },
])("open rows below a heading that is held up or left out are said: $under", ({ under, says }) => {
  const { warnings, counts } = parsePlan(`# P\n\n## Phase 1: A\n- [ ] a\n\n${under}- [ ] b\n`)
  expect(counts.open).toBe(2)
  const said = warnings.map(({ rule, message }) => [rule, /says "(.*?)"/.exec(message)?.[1]])
  expect(said).toEqual(says === null ? [] : [["status-against-boxes", says]])
})

test("a whole plan whose status is held up says so", () => {
  const { warnings } = parsePlan("# P\n\n**Status:** blocked\n\n- [ ] a\n- [ ] b\n")
  expect(warnings.map(({ message }) => message.slice(0, 54))).toEqual([
    '2 tasks are open in a plan that says "blocked", the fi',
  ])
})

test("a numbered heading is a task where it says its state", () => {
  const text = "## 1. Piles\n**Status**: Completed\n\n## 2. Planks\n**Status**: Not Started\n"
  expect(shown(text)).toEqual(["task:1 done", "task:2 open run"])
})

test("a phase with tasks below it is their group, whatever its status says", () => {
  const text =
    "## Phase 1: A\n**Status:** complete\n### Task 1.1: B\n**Status:** complete\n### Task 1.2: C\n**Status:** pending\n"
  expect(shown(text)).toEqual(["task:1.1 done", "task:1.2 open run"])
})

test.each([
  { at: 0, state: "open", line: 8, now: "- **Status:** pending" },
  { at: 1, state: "done", line: 13, now: "- **Status:** complete" },
  { at: 2, state: "in_progress", line: 17, now: "- **Status:** in_progress" },
  { at: 2, state: "done", line: 17, now: "- **Status:** complete" },
] as const)("marks $state on line $line and nowhere else", ({ at, state, line, now }) => {
  expect(changes(PHASES, at, state)).toEqual([`${line} ${now}`])
})

test.each([
  { status: "✅ Completed", other: "⏳ Pending", now: "✅ Completed" },
  { status: "IN_PROGRESS", other: "TODO", now: "COMPLETE" },
  { status: "In Progress", other: "Not Started", now: "Complete" },
  { status: "✅ **DONE**", other: "🔴 **TO DO**", now: "✅ **DONE**" },
  { status: "✅ **DONE** (1 May 2026)", other: "🟡 **IN PROGRESS since May**", now: "✅ **DONE**" },
  { status: "✅ **DONE on 1 May 2026**", other: "🔴 **TO DO**", now: "COMPLETE" },
  { status: "[x] DONE (1 May 2026)", other: "[ ] pending", now: "[x] DONE" },
  { status: "[ ] TODO", other: "[ ] pending", now: "[x] complete" },
  { status: "[x]", other: "[ ]", now: "[x]" },
  { status: "`[ ]`", other: "`[ ]`", now: "`[x]`" },
])("writes $now where the plan says $status and $other", ({ status, other, now }) => {
  const text = `## Task 1: A\nStatus: ${status}\n\n## Task 2: B\nStatus: ${other}\n`
  expect(changes(text, 1, "done")).toEqual([`5 Status: ${now}`])
})

test("a value without a word is replaced as a whole", () => {
  const text =
    "## Task 1: A\nStatus: done\n\n## Task 2: B\nStatus: todo\n\n## Task 3: C\nStatus: `[ ]` in progress"
  expect(changes(text, 2, "done")).toEqual(["8 Status: done"])
})

test("a word that says more than the state is not written for another task", () => {
  const text = "## Task 1: A\nStatus: In Review\n\n## Task 2: B\nStatus: Planned\n"
  expect(changes(text, 1, "in_progress")).toEqual(["5 Status: In Progress"])
})

test("a block is a line below the heading, and is taken out with the block", () => {
  const task = parsePlan(PHASES).tasks[2]
  if (task === undefined) throw new Error("no task")
  const blocked = markTask(PHASES, task, "blocked", "no crane")
  if (!blocked.ok) throw new Error(blocked.message)
  const held = parsePlan(blocked.text).tasks[2]
  if (held === undefined) throw new Error("no task")
  expect([held.state, held.note?.words]).toEqual(["blocked", "no crane"])
  expect(markTask(blocked.text, held, "open")).toEqual({ ok: true, text: PHASES })
})

test.each([
  { status: "completed for v1", state: "open", now: "pending" },
  { status: "completed for v1", state: "in_progress", now: "in_progress" },
  { status: "✅ Complete (2026-01-02)", state: "open", now: "pending" },
  { status: "Done in #12 | Owner: Ann", state: "open", now: "pending | Owner: Ann" },
  { status: "deferred to v2", state: "in_progress", now: "in_progress" },
  { status: "in progress (by Ann)", state: "open", now: "pending (by Ann)" },
  { status: "pending, see B", state: "in_progress", now: "in_progress, see B" },
] as const)("what is said of $status is not said of it as $state", ({ status, state, now }) => {
  const text = (first: string) =>
    `## Task 1: A\nStatus: ${first}\n\n## Task 2: B\nStatus: pending\n\n## Task 3: C\nStatus: in_progress\n`
  expect(changes(text(status), 0, state)).toEqual([`2 Status: ${now}`])
})

test.each(["completed for now", "Done (2/5)", "pending, see B", "nobody knows"])(
  "a block and its end leave %s as it is",
  (status) => {
    const text = `## Task 1: A\nStatus: ${status}\n\n## Task 2: B\nStatus: pending\n\n## Task 3: C\nStatus: done\n`
    const [task] = parsePlan(text).tasks
    const blocked = task && markTask(text, task, "blocked", "no crane")
    const [held] = blocked?.ok ? parsePlan(blocked.text).tasks : []
    expect(held?.state).toBe("blocked")
    expect(blocked?.ok && held && markTask(blocked.text, held, "open")).toEqual({ ok: true, text })
  },
)

test.each([
  { name: "a heading of its own", status: (state: string) => `### Status: ${state}\n` },
  {
    name: "one behind others",
    status: (state: string) => `### Parts\n\na\n\n### Status: ${state}\n`,
  },
  { name: "a line below one", status: (state: string) => `#### Status\n\n**Status:** ${state}\n` },
])("$name says the state of the heading around", ({ status }) => {
  const text = `# P\n\n## Phase 1: A\n\n${status("✅ Done")}\n## Phase 2: B\n\n${status("Pending")}`
  expect(shown(text)).toEqual(["task:1 done", "task:2 open run"])
  expect(changes(text, 1, "done").map((line) => line.replace(/^\d+ /, ""))).toEqual([
    status("✅ Done").trim().split("\n").at(-1) ?? "",
  ])
})

test("a heading of a status beside others, below the title or of more words is none of theirs", () => {
  const phases = (status: string) =>
    `# P\n\n${status}\n\n## Phase 1: A\n\n${status}\n\n## Phase 2: B\n`
  for (const status of ["## Status: done", "### Status overview", "### Status of the pump: done"])
    expect(shown(phases(status))).toEqual([])
})

test("added boxes tick what a heading of its own calls done", () => {
  const text = "# P\n\n## Phase 1: A\n\n### Status: ✅ Complete\n\nx\n\n## Phase 2: B\n\nx\n"
  const boxed = addLikeliest(text, "plan.md")
  expect(boxed.ok && boxed.text.split("\n").filter((line) => line.includes("["))).toEqual([
    "## [x] Phase 1: A",
    "## [ ] Phase 2: B",
  ])
})

test("steps say the state of a heading, and a tick writes its status as well", () => {
  const text =
    "### Task 1: A\nStatus: pending\n- [ ] **Step 1:** a\n- [ ] **Step 2:** b\n\n### Task 2: B\nStatus: complete\n- [x] **Step 1:** c\n"
  expect(shown(text)).toEqual(["task:1 open run", "task:2 done"])
  expect(changes(text, 0, "done")).toEqual([
    "2 Status: complete",
    "3 - [x] **Step 1:** a",
    "4 - [x] **Step 2:** b",
  ])
})

test("added boxes tick what its status calls done", () => {
  const text = "# P\n\n### Step A: Piles\nStatus: done\n\n### Step B: Planks\nwords\n"
  const boxed = addLikeliest(text, "plan.md")
  expect(boxed.ok && boxed.text.split("\n").filter((line) => line.includes("["))).toEqual([
    "### [x] Step A: Piles",
    "### [ ] Step B: Planks",
  ])
})

function changes(text: string, at: number, state: "done" | "open" | "in_progress") {
  const task = parsePlan(text).tasks[at]
  if (task === undefined) throw new Error("no task")
  const marked = markTask(text, task, state)
  if (!marked.ok) return [marked.message]
  const before = text.split("\n")
  return marked.text
    .split("\n")
    .flatMap((line, index) => (line === before[index] ? [] : [`${index + 1} ${line}`]))
}

test.each([
  { status: "In Progress (2/5)", now: "Complete" },
  { status: "**In progress — 40 %**", now: "**Complete**" },
  { status: "🔄 In Progress, tests missing", now: "Complete" },
  {
    status: "Pending (2026-01-02) | **Owner:** Ann",
    now: "Complete (2026-01-02) | **Owner:** Ann",
  },
  { status: "Pending, waits for Bob | **Owner:** Ann", now: "Complete | **Owner:** Ann" },
  { status: "Done (2/5)", now: "Done" },
  { status: "❌ Done", now: "Complete" },
])("a remark that would take it back goes when $status is done", ({ status, now }) => {
  const text = `## Task 1: A\nStatus: ${status}\n\n## Task 2: B\nStatus: In Review\n`
  expect(changes(text, 0, "done")).toEqual([`2 Status: ${now}`])
})

test("a status with a box before it is one word, and no row", () => {
  const text = "## Task 1: A\nStatus: [x] Done\n\n## Task 2: B\nStatus: [ ] Pending\n"
  const plan = parsePlan(text)
  const [first, second] = plan.tasks
  expect(shown(text)).toEqual(["task:1 done", "task:2 open run"])
  expect([first?.status?.word, second?.status?.word]).toEqual(["[x] Done", "[ ] Pending"])
  expect(changes(text, 0, "open")).toEqual(["2 Status: [ ] Pending"])
  expect(parsePlan(text.replaceAll("Status", "- **Status**")).warnings).toEqual([])
})

test("open rows below a heading that is done are said, also where another heading stands between", () => {
  const text = "# Harbour\n\n**Status:** [x] done\n\n## Tasks\n- [ ] a\n- [ ] b\n"
  expect(parsePlan(text).warnings.map(({ line, rule }) => [line, rule])).toEqual([
    [6, "status-against-boxes"],
  ])
})

test("a form with the states that may be written there says none, beside rows", () => {
  const text =
    "# P\n\n## 1. Steps\n- [ ] a\n- [ ] b\n\n## 2. Report\n\nSTATUS: DONE | NEEDS_CONTEXT | BLOCKED\n"
  expect(parsePlan(text).warnings).toEqual([])
  const said = parsePlan(text.replace(/DONE \|.*/, "In progress")).warnings
  expect(said.map(({ rule }) => rule)).toEqual(["unread-status"])
})

const SAYING =
  "### 2. Fill\n**Status:** Not started\n- [ ] earth\n- [ ] water\n\n### 3. Fish\n**Status:** Not started\n- [ ] carp\n\n### 4. Plants\n**Status:** Not started\n"

test.each([
  { name: "below a column of what was done", before: "## Done\n\n### 1. Dig\n" },
  { name: "below any heading", before: "## Holes\n\n### 1. Dig\n" },
  {
    name: "of one that says its state itself",
    before: "## Holes\n\n### 1. Dig\n**Status:** Done\n",
  },
  { name: "right below what was done", before: "## Completed\n\n" },
])("rows $name are tasks beside headings that say their state", ({ before }) => {
  const text = `# Pond\n\n${before}- [x] mark\n- [x] dig\n\n## In progress\n\n${SAYING}`
  const { counts, warnings } = parsePlan(text)
  expect([counts.total, counts.done, warnings]).toEqual([6, 2, []])
})

test.each(["Implementation log", "Notes"])("those below %s are none, and are said", (heading) => {
  const text = `# Pond\n\n## In progress\n\n${SAYING}\n## ${heading}\n\n### 2026-01-02\n\n- [ ] begun\n`
  const { counts, warnings } = parsePlan(text)
  expect([counts.total, warnings.map(({ rule }) => rule)]).toEqual([4, ["outside-rows"]])
})

test.each([
  ...[
    "**狀態（Status）**",
    "**狀態 (Status)**",
    "**Status（狀態）**",
    "**Status (Stand)**",
    "**Estado (Status)**",
  ],
  ...[
    "**Status/状态**",
    "**Status / 状態**",
    "- **Stand (Status)**",
    "状态（Status）",
    "Statut / Status",
  ],
])("a name in two languages, %s, is a status line, and is marked", (name) => {
  const text = `## Stage 1: Dig\n${name}: Complete\n\n## Stage 2: Fill\n${name}: Not started\n`
  expect(shown(text)).toEqual(["task:1 done", "task:2 open run"])
  const [, fill] = parsePlan(text).tasks
  if (fill === undefined) throw new Error("no task")
  const marked = markTask(text, fill, "done")
  expect(marked).toEqual({ ok: true, text: text.replace("Not started", "Complete") })
})

test.each(["HTTP (Status)", "Response / status", "**Error (code)**"])(
  "%s is no status line",
  (name) => {
    const text = `## Stage 1: Dig\n${name}: done\n\n## Stage 2: Fill\n${name}: pending\n`
    expect(parsePlan(text).tasks).toEqual([])
  },
)

test.each([
  { name: "a bullet", told: "- Write docs/adr.md with:\n  - **Status**: Done\n" },
  { name: "a numbered row", told: "1. ADR-9\n   - **Status**: Done\n" },
  { name: "its words behind a blank line", told: "* ADR-9\n\n  **Status:** Done\n" },
  { name: "a quote", told: "The record reads\n\n> ADR-9\n> **Status**: Done\n" },
])("a status within $name is not the heading's", ({ told }) => {
  const text = `### Task 1: A\n**Status:** done\n### Task 2: B\n${told}### Task 3: C\n**Status:** pending\n`
  expect(shownPlan(text)).toEqual(["open", "A done", "B open", "C open"])
})

test.each([
  "> **Status:** done\n",
  "- **Status:** done\n",
  "  - **Status:** done\n",
  "Text\n\n- **Owner:** me\n- **Status:** done\n",
])("%j is the heading's", (said) => {
  const text = `### Task 1: A\n${said}### Task 2: B\n${said}`
  expect(shownPlan(text)).toEqual(["complete", "A done", "B done"])
})

test.each(["Summary Statistics", "Appendix", "Timeline", "Final Summary"])(
  "a document's closing status is not that of its last heading: %s",
  (last) => {
    const tasks =
      "## Task 1: Dig\n**Status:** done\n\n---\n\n## Task 2: Fill\n**Status:** pending\n\n---\n\n"
    const text = `# P\n\n${tasks}## ${last}\n\n- Total: 2\n\n---\n\n**Status:** Wave 1 In Progress\n`
    const { tasks: found, warnings } = parsePlan(text)
    expect(found.map(({ title, state }) => `${title} ${state}`)).toEqual(["Dig done", "Fill open"])
    expect(warnings).toEqual([])
  },
)

test.each([
  { name: "the line below a heading", above: "Task 1: Dig\n---\n" },
  { name: "a line of code", above: "## Task 1: Dig\n\n```yaml\na: 1\n---\nb: 2\n```\n\n" },
])("$name is no thematic break", ({ above }) => {
  const text = `# P\n\n${above}**Status:** done\n\n## Task 2: Fill\n\n**Status:** pending\n`
  const { tasks } = parsePlan(text)
  expect(tasks.map(({ title, state }) => `${title} ${state}`)).toEqual(["Dig done", "Fill open"])
})

test("open boxes below Done are warned about, and count", () => {
  const rules = (heading: string) => {
    const { tasks, warnings } = parsePlan(`## To do\n- [ ] a\n\n## ${heading}\n- [ ] b\n- [x] c\n`)
    return [tasks.length, ...warnings.map(({ rule, line }) => `${line} ${rule}`)]
  }
  for (const done of ["Done", "✅ Completed", "已完成"])
    expect(rules(done)).toEqual([3, "5 status-against-boxes"])
  for (const other of ["Definitely Done UI", "Phase 2", "✅ Pumps"])
    expect(rules(other)).toEqual([3])
})
