import { expect, test } from "bun:test"
import { parsePlan } from "../parse-plan.ts"

const features = (...items: readonly object[]) =>
  parsePlan(JSON.stringify({ features: items }), { path: "feature_list.json" })

test("a task of a JSON plan has the first of its titles, or none", () => {
  const { tasks, warnings } = features(
    { id: "a", title: " ", name: "A", status: "pending" },
    { id: "a", title: "B", status: "superseded" },
    { status: "pending" },
  )
  expect(tasks.map(({ title, state }) => [title, state])).toEqual([
    ["A", "open"],
    ["B", "cancelled"],
    ["", "open"],
  ])
  expect(warnings.map(({ message }) => message)).toEqual([
    "Another task has this id: this one is task:a#2.",
  ])
})

test("the steps of a JSON task are its body, whatever they are called", () => {
  const steps = [{ text: "Do it", title: "No" }, { title: "Then" }, "Last", {}]
  const [task] = features({ id: "a", title: "A", status: "pending", steps }).tasks
  expect(task?.body).toBe("- Do it\n- Then\n- Last")
})

test.each([
  { below: "- [x] X\n- [ ] Y\n", line: 8, rows: "1 open row is none" },
  { below: "- [ ] X\n- [ ] Y\n", line: 7, rows: "2 open rows from here on are none" },
])("below todos in front matter: $rows", ({ below, line, rows }) => {
  const todos = "---\ntodos:\n  - id: a\n    content: First\n    status: pending\n---\n"
  const message = `The todos in the front matter are the tasks: ${rows}.`
  const { warnings, ignored } = parsePlan(todos + below)
  expect(warnings).toEqual([{ line, rule: "outside-rows", message }])
  expect(ignored.map(({ reason }) => reason)).toEqual(["outside-section", "outside-section"])
})

test("settled rows below todos in front matter are nothing to speak of", () => {
  const todos = "---\ntodos:\n  - id: a\n    content: First\n    status: pending\n---\n"
  expect(parsePlan(`${todos}- [x] X\n`).warnings).toEqual([])
})

test("a GSD task without a name is called by its type, else by its number", () => {
  const plan = '<tasks>\n<task>\n</task>\n<task type="auto">\n</task>\n</tasks>\n'
  const { tasks } = parsePlan(plan, { path: ".planning/phases/01/01-PLAN.md", siblings: [] })
  expect(tasks.map(({ title }) => title)).toEqual(["task 1", "auto"])
})

test("open tasks of another tag are named with their count", () => {
  const done = { id: 1, title: "F", status: "done" }
  const text = JSON.stringify({
    a: { tasks: [done] },
    b: { tasks: [{ ...done, status: "pending" }, done] },
    c: { tasks: [done] },
  })
  const { state, warnings } = parsePlan(text, { path: ".taskmaster/tasks/tasks.json" })
  expect([state, warnings.map(({ message }) => message)]).toEqual([
    "complete",
    ["Only what stands under a is read: 1 open task stands under b."],
  ])
})

test("other tags whose tasks are settled are nothing to speak of", () => {
  const tag = { tasks: [{ id: 1, title: "F", status: "done" }] }
  const text = JSON.stringify({ a: tag, b: tag })
  expect(parsePlan(text, { path: ".taskmaster/tasks/tasks.json" }).warnings).toEqual([])
})

test("open tasks that a tag was written beside, each under a key, are named", () => {
  const entry = (id: number) => ({ id, title: "D", status: "pending" })
  const prd = { tasks: [{ id: 1, title: "B", status: "done" }] }
  const text = JSON.stringify({ 0: entry(1), 1: entry(2), t3: { ...entry(0), id: "t3" }, prd })
  const project = { id: 7, name: "Pond", status: "in-progress" }
  const plan = parsePlan(JSON.stringify({ ...JSON.parse(text), project }), {
    path: ".taskmaster/tasks/tasks.json",
  })
  expect([plan.state, plan.warnings.map(({ message }) => message)]).toEqual([
    "complete",
    ["Only what stands under prd is read: 3 open tasks stand under 0, 1, t3."],
  ])
})

test("the words done and in-progress in a Cursor todo are known, as everywhere else", () => {
  const text =
    "---\ntodos:\n  - id: a\n    content: A\n    status: done\n  - id: b\n    content: B\n    status: in-progress\n---\n"
  const { tasks, warnings } = parsePlan(text, { path: ".cursor/plans/a.plan.md" })
  expect(tasks.map(({ state }) => state)).toEqual(["done", "in_progress"])
  expect(warnings).toEqual([])
})

test.each([
  {
    name: "in phases",
    text: "---\nname: X\nphases:\n  - name: P1\n    todos:\n      - id: a\n        content: A\n        status: pending\n---\n",
    is: [5, "1 todo in it are not read."],
  },
  { name: "that are words alone", text: "---\ntodos:\n  - A\n  - B\n---\n", is: [2, "2 todos"] },
])("todos $name in front matter are not skipped in silence", ({ text, is: [line, words] }) => {
  const [warning] = parsePlan(text, { path: ".cursor/plans/a.plan.md" }).warnings
  expect([warning?.line, warning?.rule]).toEqual([Number(line), "unread-todos"])
  expect(warning?.message).toContain(String(words))
})

test("todos that are all settled complete a plan of Cursor, whatever boxes stand below, which is said", () => {
  const text =
    "---\nname: P\ntodos:\n  - id: a\n    content: Tell Ann\n    status: completed\n---\n\n- [ ] Tell Ann\n"
  const { state, warnings } = parsePlan(text, { path: ".cursor/plans/a.plan.md" })
  expect([state, warnings.map(({ rule }) => rule)]).toEqual(["complete", ["outside-rows"]])
})

test("a story that passes and says itself that it is under way is not done", () => {
  const { tasks } = features(
    { id: "a", title: "A", passes: true, status: "in_progress" },
    { id: "b", title: "B", passes: true, status: "completed" },
    { id: "c", title: "C", passes: true },
  )
  expect(tasks.map(({ state }) => state)).toEqual(["in_progress", "done", "done"])
})

test("open parts of settled tasks are said", () => {
  const subtasks = [{ id: 1, title: "x", status: "pending" }]
  const text = JSON.stringify({ tasks: [{ id: 1, title: "A", status: "done", subtasks }] })
  const { state, warnings } = parsePlan(text, { path: "tasks.json" })
  expect([state, warnings.map(({ rule }) => rule)]).toEqual(["complete", ["open-parts"]])
})

test.each([
  { status: "Done", said: [] },
  { status: "In Progress", said: ["status-against-boxes"] },
])("a ticked task of Backlog.md whose status is $status: its plan of work is $said", (each) => {
  const text = `---\nid: task-3\nstatus: ${each.status}\ncreated_date: '2026-01-01'\n---\n\n## Acceptance Criteria\n- [x] #1 a\n\n## Implementation Plan\n\n### Files\n1. Dig\n2. Fill\n`
  const { warnings } = parsePlan(text, { path: "backlog/tasks/task-3 - Y.md" })
  expect(warnings.map(({ rule }) => rule)).toEqual([...each.said])
})

test.each([...["dependencies", "dependsOn", "depends_on", "blockedBy", "blocked_by"]])(
  "what a JSON task waits for stands under `%s`",
  (key) => {
    const { tasks } = features(
      { id: "a", title: "A", status: "pending" },
      { id: "b", title: "B", status: "pending", [key]: ["a"] },
    )
    expect(tasks.map(({ dependsOn }) => dependsOn)).toEqual([[], ["task:a"]])
  },
)

test.each([{ ids: ["TASK-1"] }, { ids: ["TASK-1", "TASK-2"] }, { ids: ["task-1", "Task-2"] }])(
  "ids that begin with a word for a task are found in a list: $ids",
  ({ ids }) => {
    const { tasks, warnings } = features(
      { id: "TASK-1", title: "A", status: "pending" },
      { id: "TASK-2", title: "B", status: "pending" },
      { id: "TASK-3", title: "C", status: "pending", depends_on: ids },
    )
    const keys = ids.map((id) => `task:${id.toLowerCase()}`)
    expect([tasks[2]?.dependsOn, warnings]).toEqual([keys, []])
  },
)

test("a task whose status is missing or unknown is not run, and it is said which of the two it is", () => {
  const { warnings } = features(
    { id: "a", title: "A", status: "pending" },
    { id: "b", title: "B", status: "" },
    { id: "c", title: "C", status: "paused?" },
    { id: "d", title: "D", status: "paused?" },
    { id: "e", title: "E", status: "paused?" },
  )
  expect(warnings.map(({ key, message }) => [key, message])).toEqual([
    ["task:b", "There is no status: task:b counts as open and is not run."],
    ["task:c", 'The status "paused?" is unknown: task:c and 2 more count as open and are not run.'],
  ])
})

test("a status that nobody knows is said of a task with a boolean too, and of parts", () => {
  const part = { id: 1, title: "c", status: "odd" }
  const { tasks, warnings } = features(
    { id: "a", title: "A", passes: false, status: "parked" },
    { id: "b", title: "B", passes: true, status: "done" },
    { id: "c", title: "C", status: "pending", subtasks: [part] },
  )
  expect(tasks.map(({ state }) => state)).toEqual(["open", "done", "open"])
  expect(warnings.map(({ message }) => message)).toEqual([
    '2 statuses are unknown, the first "parked": a key such as `passes` counts where there is one; what has none counts as open.',
  ])
})
