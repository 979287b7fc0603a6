import { expect, test } from "bun:test"
import fc from "fast-check"
import type { MarkState } from "../../src/plan/check-marked.ts"
import { markTask } from "../../src/plan/mark-task.ts"
import { isSettled, type Plan, type Task } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

const DIALECTS = [
  "omo",
  "spec-kit",
  "kiro",
  "openspec",
  "gsd",
  "bmad",
  "swarm",
  "orchestrator",
  "ralph",
  "superpowers",
  "conductor",
  "agent-os",
  "bare-boxes",
  "generic",
]

const line = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("", "", " ", "  ", "   ", "    ", "\t"),
      fc.constantFrom("- ", "* ", "1. ", "> - ", "### ", "### 3. ", "", "-  "),
      fc.constantFrom("[ ]", "[x]", "[~]", "[-]", "[?]", "[P]", "[BLOCKED]", "[ ]*", "[]"),
      fc.constantFrom(
        " 1. One",
        " 2. Two (depends on 1)",
        " F1. Wave",
        " TXXX a",
        " **Step 1: a**",
        " Task 1: A",
        " 1.1 Part",
        " words",
        "",
        " 01-02: TBD",
      ),
    )
    .map((parts) => parts.join("")),
  fc.constantFrom(
    ...[
      "",
      "",
      "---",
      "```",
      "~~~",
      "<!--",
      "-->",
      "## TODOs",
      "## Final Verification Wave",
      "# Phase 1",
      "## Phases",
    ],
    ...[
      "## Definition of Done",
      "## Legend",
      "text",
      "  BLOCKED: why",
      "  - BLOCKED: why",
      "  Blocked By: 2, 3",
      "=====",
    ],
    ...["### Task 1: A", "### Task 2", "## Task 1", "#### Story 3: B", "### [x] Task 4: C"],
    ...['<task type="auto">', "<name>Task 1: A</name>", "## 1. Group", "phase: 1"],
  ),
)
const ends = fc.constantFrom("\n", "\n", "\r\n", "\r")
const plans = fc
  .tuple(fc.array(line, { maxLength: 25 }), ends, fc.constantFrom("", "\ufeff"))
  .map(([lines, end, mark]) => mark + lines.join(end))
const anyText = fc.oneof(plans, fc.string({ unit: "binary", maxLength: 200 }))
const dialects = fc.constantFrom(undefined, ...DIALECTS)

/** Written without a look at the reader's own patterns. */
const LOOKS_LIKE_BOX = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[^\][]?\]\*?(?:[ \t]|$)/

test("every line that looks like a checkbox is a task, a sub-item or ignored, and only one of them", () => {
  fc.assert(
    fc.property(anyText, dialects, (text, dialect) => {
      const plan = read(text, dialect)
      const told = [...plan.tasks, ...plan.subItems, ...plan.ignored].map((each) => each.line)
      expect(new Set(told).size).toBe(told.length)
      const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)
      const boxes = lines.flatMap((each, at) => (LOOKS_LIKE_BOX.test(each) ? [at + 1] : []))
      expect(boxes.filter((number) => !told.includes(number))).toEqual([])
    }),
    { numRuns: 3_000 },
  )
})

test("a reading adds up", () => {
  fc.assert(
    fc.property(anyText, dialects, (text, dialect) => {
      const { counts, tasks, state, next, subItems } = read(text, dialect)
      const { total, optional: _, ...byState } = counts
      expect(Object.values(byState).reduce((sum, count) => sum + count, 0)).toBe(total)
      expect(total).toBe(tasks.length)
      expect(state === "invalid").toBe(total === 0)
      expect(new Set(tasks.map(({ key }) => key)).size).toBe(total)
      if (state === "complete")
        expect(tasks.every((task) => isSettled(task) || task.optional)).toBe(true)
      if (next !== null) expect(["open", "in_progress"]).toContain(next.state)
      const keys = new Set(tasks.map(({ key }) => key))
      expect(subItems.every(({ parentKey }) => keys.has(parentKey))).toBe(true)
      expect(tasks.flatMap(({ dependsOn }) => dependsOn).every((key) => keys.has(key))).toBe(true)
    }),
    { numRuns: 3_000 },
  )
})

const marks = fc.constantFrom<MarkState>("done", "open", "in_progress", "blocked")

test("marking a task changes that task alone and reads back", () => {
  fc.assert(
    fc.property(plans, dialects, fc.nat(), marks, (text, dialect, pick, state) => {
      const before = read(text, dialect)
      const task = before.tasks[pick % Math.max(1, before.tasks.length)]
      if (task === undefined) return
      const result = markTask(text, task, state, state === "blocked" ? "why" : undefined)
      if (!result.ok) return expect(result.message).toMatch(/no box|by hand/)
      const after = read(result.text, before.dialect)
      expect(after.tasks.map(({ key }) => key)).toEqual(before.tasks.map(({ key }) => key))
      const marked = after.tasks.find(({ key }) => key === task.key)
      expect(readsAs(task, state)).toContain(marked?.state ?? "no such task")
      const others = (plan: Plan) =>
        plan.tasks.filter(({ key }) => key !== task.key).map((each) => each.state)
      expect(others(after)).toEqual(others(before))
    }),
    { numRuns: 3_000 },
  )
})

const ticks = fc.constantFrom("[ ]", "[x]", "[X]", "[/]", "[done]")
const boxed = fc
  .tuple(
    fc.constantFrom("# ", "## ", "### ", "#### ", "- ", "  - "),
    fc.constantFrom("", "BOX "),
    fc.constantFrom(
      ...["Task 1: Dig", "Task 2: Fill", "Milestone 1: Browse", "Milestone 2: Swim", "Phase 1: A"],
      ...["Phase 2: B", "Phase 8: Optional", "1. Dig", "2. Fill", "§1.2. Edge", "AT-001: Title"],
      ...["Implementation Plan", "Tasks", "TODO", "Launch Checklist", "Notes", "Optional", "Done"],
      ...["Success Criteria", "Definition of Done", "Week 3: Detail", "Step 1: Dig", "Subtasks"],
    ),
  )
  .map((parts) => parts.join(""))

test("what stands in the boxes of headings and rows changes no reading but their states", () => {
  fc.assert(
    fc.property(fc.array(boxed, { maxLength: 14 }), fc.infiniteStream(ticks), (lines, marked) => {
      const text = lines.join("\n\n")
      const read = (box: () => string) => {
        const { tasks, subItems, ignored } = parsePlan(text.replaceAll("BOX", box))
        return {
          tasks: tasks.map(({ key, line }) => [line, key]),
          subItems: subItems.map(({ line, parentKey }) => [line, parentKey]),
          ignored,
        }
      }
      expect(read(() => marked.next().value ?? "[ ]")).toEqual(read(() => "[ ]"))
    }),
    { numRuns: 3_000 },
  )
})

test("a tick on a heading ticks its open boxes, and changes no other line", () => {
  fc.assert(
    fc.property(plans, dialects, fc.nat(), (text, dialect, pick) => {
      const headings = read(text, dialect).tasks.filter(({ steps = [] }) => steps.length > 0)
      const task = headings[pick % Math.max(1, headings.length)]
      const result = task === undefined ? null : markTask(text, task, "done")
      if (task === undefined || result === null || !result.ok) return
      const lines = text.split(/\r\n|\r|\n/)
      const changed = result.text
        .split(/\r\n|\r|\n/)
        .flatMap((line, at) => (line === lines[at] ? [] : [at + 1]))
      const { steps = [] } = task
      const isMeant = ({ optional }: { readonly optional: boolean }) => optional === task.optional
      const open = steps.filter((step) => !isSettled(step) && isMeant(step))
      expect(changed).toEqual(open.map(({ line }) => line))
    }),
    { numRuns: 3_000 },
  )
})

test("a mark without a note replaces what stands between the brackets and nothing else", () => {
  fc.assert(
    fc.property(plans, fc.nat(), (text, pick) => {
      const { tasks } = parsePlan(text)
      const task = tasks[pick % Math.max(1, tasks.length)]
      const result = task === undefined ? null : markTask(text, task, "done")
      if (task === undefined || result === null || !result.ok || task.state === "done") return
      if (task.steps !== undefined) return
      const lines = text.split(/(\r\n|\r|\n)/)
      const changed = result.text.split(/(\r\n|\r|\n)/)
      const at = (task.line - 1) * 2
      expect(changed.toSpliced(at, 1)).toEqual(lines.toSpliced(at, 1))
      expect(changed[at]?.replace("[x]", "")).toBe(lines[at]?.replace(`[${task.marker}]`, ""))
    }),
    { numRuns: 2_000 },
  )
})

test("a block that is taken back leaves the bytes as they were, mixed line ends and all", () => {
  const mixed = fc
    .array(fc.tuple(line, ends), { maxLength: 25 })
    .map((lines) => lines.flat().join(""))
  fc.assert(
    fc.property(fc.oneof(plans, mixed), dialects, fc.nat(), (text, dialect, pick) => {
      const open = read(text, dialect).tasks.filter(
        (task) => task.state === "open" && task.note === undefined && isWritten(task),
      )
      const task = open[pick % Math.max(1, open.length)]
      const blocked = task === undefined ? null : markTask(text, task, "blocked", "why")
      if (task === undefined || blocked === null || !blocked.ok) return
      const held = read(blocked.text, task.dialect).tasks.find(({ key }) => key === task.key)
      if (held === undefined) throw new Error("no task")
      expect(markTask(blocked.text, held, "open")).toEqual({ ok: true, text })
    }),
    { numRuns: 3_000 },
  )
})

/** Its box is as we write an open one, or it has none. */
function isWritten({ marker, steps }: Task): boolean {
  return marker === " " || steps !== undefined
}

/** A heading's steps say its state: one that is open again, or taken up, may read as begun or not. */
function readsAs({ steps }: Task, state: MarkState): readonly string[] {
  const isUnsettled = state === "open" || state === "in_progress"
  return steps !== undefined && isUnsettled ? ["open", "in_progress"] : [state]
}

function read(text: string, dialect: string | undefined): Plan {
  return parsePlan(text, dialect === undefined ? {} : { dialect })
}
