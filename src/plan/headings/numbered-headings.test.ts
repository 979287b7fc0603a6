// Headings that count on among those that say their state: none of them is lost.
import { expect, test } from "bun:test"
import { addLikeliest } from "../../../test/support/likeliest-boxes.ts"
import { shownPlan } from "../../../test/support/shown-plan.ts"
import { markTask } from "../mark-task.ts"
import { parsePlan } from "../parse-plan.ts"

const DONE = "\n**Status:** completed\n\n- it is there\n\n"

test.each([
  { name: "a number alone", one: "1. Dig", two: "2. Fill", three: "3. Plant" },
  { name: "a word of their own", one: "Step 1: Dig", two: "Step 2: Fill", three: "Step 3: Plant" },
  { name: "a number before a phase", one: "1. Dig", two: "2. Phase 2 pump", three: "3. Plant" },
])("a heading with $name and without a status is open beside two that say theirs", (each) => {
  const { one, two, three } = each
  const text = `# Pond\n\n## ${one}\n${DONE}## ${two}\n${DONE}## ${three}\n\n- Plant it.\n`
  expect(shownPlan(text).map((said) => said.split(" ").at(-1))).toEqual([
    ...["open", "done", "done", "open"],
  ])
  const { next, warnings } = parsePlan(text)
  expect([next?.key, ...warnings.map(({ line, rule }) => `${line} ${rule}`)]).toEqual([
    "task:3",
    "15 headings-without-box",
  ])
})

test("so it is between others, beside rows of a section, and where its title says that it is done", () => {
  const text = `# Pond\n\n## 1. Dig\n${DONE}## 2. Clean ✅\n\n## 3. Fill\n\nWith rain.\n\n## 4. Fish\n**Status:** in progress\n- [x] buy\n- [ ] feed\n`
  expect(shownPlan(text)).toEqual([
    ...["open", "Dig done", "Clean done", "Fill open", "buy done", "feed open"],
  ])
})

test.each([
  { name: "one status", two: "2. Fill\n\nWith rain.\n\n" },
  { name: "statuses elsewhere", two: `More\n\n### Fill\n${DONE}` },
])("beside $name it is no custom", ({ two }) => {
  const text = `# Pond\n\n## 1. Dig\n${DONE}## ${two}## 3. Plant\n\nText\n`
  expect(shownPlan(text)).not.toContain("Plant open")
})

test.each([
  ...["## 3. Risks\n\n- Rain.\n", "## 3. Open questions\n\n- Which pump?\n"],
  ...["## 3. Architecture\n\nA pond.\n", "## 3. Acceptance criteria\n\n- Full.\n"],
  ...["## Risks\n\n### 1. Rain\n", "## Summary\n\nText\n", "## 3. Deferred\n\n- A bridge.\n"],
])("%j beside them is no task", (last) => {
  const text = `# Pond\n\n## 1. Dig\n${DONE}## 2. Fill\n${DONE}${last}`
  expect(shownPlan(text)).toEqual(["complete", "Dig done", "Fill done"])
})

test.each([
  ...["Next Steps", "Dependencies", "FAQ", "Table of Contents", "Lessons Learned", "Rollback Plan"],
  ...["Testing Strategy", "Key Files", "Revision History", "Team", "Budget", "Architecture"],
])("the section %s behind or before them is no task, and hides none", (name) => {
  const text = `# Pond\n\n## 1. ${name}\n\nText\n\n## 2. Pump\n${DONE}## 3. Hose\n${DONE}## 4. Fish\n\nText\n\n## 5. ${name}\n\nText\n`
  expect(shownPlan(text)).toEqual(["open", "Pump done", "Hose done", "Fish open"])
})

test.each([
  { of: ["1. A", "2. B", "3. C"], saying: [true, false, true] },
  { of: ["Step 1: A", "Step 2: B", "Step 3: C"], saying: [true, true, false] },
  { of: ["Fix 1: A", "Fix 2: B", "Fix 3: C"], saying: [true, true, false] },
  { of: ["Module 1: A", "Module 2: B", "Module 3: C"], saying: [true, false, true] },
  { of: ["Phase 1: A", "Phase 2: B", "Phase 3: C"], saying: [false, true, true] },
])(
  "one of $of that says no state gets a status line like the others, and changes no other",
  (each) => {
    const { of, saying } = each
    const part = (name: string, at: number) =>
      `## ${name}\n${saying[at] === true ? "**Status:** pending\n" : "text\n"}\n`
    const text = `# Plan\n\n${of.map(part).join("")}`
    const before = shownPlan(text)
    const at = saying.indexOf(false)
    const task = parsePlan(text).tasks[at]
    if (task === undefined) throw new Error("no task")
    for (const [state, word] of [
      ["done", "complete"],
      ["in_progress", "in_progress"],
    ] as const) {
      const heading = `## ${of[at]}\n`
      const now = text.replace(heading, `${heading}**Status:** ${word}\n`)
      expect(markTask(text, task, state)).toEqual({ ok: true, text: now })
      expect(shownPlan(now).slice(1)).toEqual(
        before.slice(1).map((said, index) => (index === at ? said.replace("open", state) : said)),
      )
    }
    const blocked = markTask(text, task, "blocked", "no rain")
    const shut = parsePlan(blocked.ok ? blocked.text : "").tasks[at]
    expect(shut?.state).toBe("blocked")
    const again = blocked.ok && shut !== undefined ? markTask(blocked.text, shut, "open") : blocked
    expect(again).toEqual({ ok: true, text })
  },
)

test.each([
  { like: "- **Status**: ⏳ Pending", now: "- **Status**: Complete" },
  { like: "Status: PENDING", now: "Status: COMPLETE" },
  { like: "**Owner:** me | **Status:** pending", now: "**Status:** complete" },
  { like: "**Status: pending**", now: "**Status:** complete" },
  { like: "| Status | pending |", now: "**Status:** complete" },
])("a status line like $like", ({ like, now }) => {
  const text = `# Plan\n\n## 1. A\n\n${like}\n\n## 2. B\n\n${like}\n\n## 3. C\n\ntext\n`
  const [, , task] = parsePlan(text).tasks
  if (task === undefined) throw new Error("no task")
  const marked = text.replace("## 3. C\n", `## 3. C\n\n${now}\n`)
  expect(markTask(text, task, "done")).toEqual({ ok: true, text: marked })
})

test("a box that somebody has written before one of them hides no other", () => {
  const text =
    "# Plan\n\n## Fix 1: A\n**Status:** done\n\n## Fix 2: B\n**Status:** pending\n\n## [x] Fix 3: C\n"
  expect(shownPlan(text)).toEqual(["open", "Fix 1: A done", "Fix 2: B open", "Fix 3: C done"])
})

test.each([
  ...["Task {}: Part", "Phase {}: Part", "{}. Part", "Step {}: Part", "Fix {}: Part", "Part"],
])(
  "headings %j that are ticked one after another are all there, and those open that are",
  (name) => {
    const heading = (at: number, ticked: number) =>
      `## ${at <= ticked ? "[x] " : ""}${name.replace("{}", `${at}`)}\n**Status:** ${at <= ticked ? "done" : "pending"}\n\n`
    for (const ticked of [1, 2, 3]) {
      const text = `# Plan\n\n${[1, 2, 3, 4].map((at) => heading(at, ticked)).join("")}`
      const states = parsePlan(text).tasks.map(({ state }) => state)
      expect(states).toEqual([1, 2, 3, 4].map((at) => (at <= ticked ? "done" : "open")))
    }
  },
)

const STEPS = "# Pond\n\n## Implementation steps\n\n### 1. Line it\nx\n\n### 2. Fill it\nx\n\n"

test.each([
  ...["Out of scope", "Non-goals", "What will NOT change", "What we don't touch", "Do not touch"],
  ...[
    "Unchanged",
    "What stays the same",
    "不变的部分",
    "Lo que NO cambia",
    "Risks",
    "Open questions",
  ],
])("below a heading of work, the number of %j counts no task", (words) => {
  const boxed = addLikeliest(`${STEPS}### 3. ${words}\nx\n`, "plan.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([5, 8])
})

test.each([...["What changes", "What does not work yet", "Keep the water", "Testing", "Rollout"]])(
  "that of %j does",
  (words) => {
    const boxed = addLikeliest(`${STEPS}### 3. ${words}\nx\n`, "plan.md")
    expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([5, 8, 11])
  },
)

test.each(["Out of scope", "Non-goals", "What will not change"])(
  "no more does a step %j",
  (words) => {
    const steps = STEPS.replaceAll(/### (\d)\./g, "### Step $1:")
    const boxed = addLikeliest(`${steps}### Step 3: ${words}\nx\n`, "plan.md")
    expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([5, 8])
  },
)

test.each([
  {
    name: "that ask for work",
    text: "# P\n\n## 1. Overview\nx\n\n## 2. Pond\n\n### 2.1 Add a liner\nx\n\n### 2.2 Fill it\nx\n",
    is: [8, 11],
  },
  {
    name: "below the plan's own",
    text: "# P\n\n## 1. Facts\nx\n\n## 2. Implementation plan\n\n### 2.1 Liner\nx\n\n### 2.2 Water\nx\n",
    is: [8, 11],
  },
  {
    name: "of stages of work",
    text: "# P\n\n## 1. Design\nx\n\n## 2. Implementation\nx\n\n## 3. Docs\nx\n",
    is: [3, 6, 9],
  },
])("parts of chapters do: $name", ({ text, is }) => {
  const boxed = addLikeliest(text, "plan.md")
  expect(boxed.ok && boxed.added.map(({ line }) => line)).toEqual([...is])
})

test("what has a number alone in front of the first that says its state is no task, and is said", () => {
  const text = (words: string) =>
    `## 1. ${words}\nText.\n## 2. M0\n**Status:** Planned\n## 3. M1\n**Status:** Planned\n`
  const options = { path: "ROADMAP.md" }
  expect(shownPlan(text("Roadmap purpose"), options)).toEqual(["open", "M0 open", "M1 open"])
  const { warnings } = parsePlan(text("Roadmap purpose"), options)
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('1 heading has no box and is not run ("1. Roadmap purpose")'),
  ])
  expect(parsePlan(text("Risks"), options).warnings).toEqual([])
})

test("headings most of which say a status that nobody knows are no tasks", () => {
  const one = (at: number, status: string) => `## ${at}. A${at}\n**Status:** ${status}\n\n`
  const known = one(1, "Planned") + one(2, "Done")
  const unknown = one(3, "High priority") + one(4, "After the rain")
  expect(shownPlan(known + unknown)).toHaveLength(5)
  const { state, warnings } = parsePlan(known + unknown + one(5, "Medium priority"))
  expect([state, warnings.map(({ rule }) => rule)]).toEqual(["invalid", ["no-boxes"]])
})
