import { expect, test } from "bun:test"
import { markTask } from "../mark-task.ts"
import { parsePlan } from "../parse-plan.ts"

const read = (json: unknown) => parsePlan(JSON.stringify(json, null, 2), { path: "board.json" })
const card = (title: string, status: string) => ({ title, status })

test("the only list whose entries have a title and a status is the plan, whatever its key", () => {
  const plan = read({ owner: "me", tags: ["a"], cards: [card("A", "done"), card("B", "ready")] })
  expect([plan.dialect, plan.evidence]).toEqual([
    "feature-list",
    "a list `cards` of entries with a title and a state",
  ])
  expect(plan.tasks.map(({ title, state }) => `${title} ${state}`)).toEqual(["A done", "B open"])
})

test("it may stand one key below, and is marked there", () => {
  const text = JSON.stringify({ board: { items: [card("A", "todo"), card("B", "done")] } }, null, 2)
  const [task] = parsePlan(text, { path: "board.json" }).tasks
  if (task === undefined) throw new Error("no task")
  expect(markTask(text, task, "done")).toEqual({ ok: true, text: text.replace("todo", "done") })
})

test("a status may stand under the key `state`, and is marked there", () => {
  const text = JSON.stringify({ features: [{ id: "a-1", title: "A", state: "not_started" }] })
  const [task] = parsePlan(text, { path: "feature_list.json" }).tasks
  if (task === undefined) throw new Error("no task")
  expect(task.state).toBe("open")
  const marked = markTask(text, task, "done")
  expect(marked).toEqual({ ok: true, text: text.replace("not_started", "done") })
})

test.each([
  { json: { a: [card("A", "todo")], b: [card("B", "todo")] }, says: "found 2 (`a`, `b`)" },
  { json: { users: [{ name: "A", age: 3 }] }, says: "found none" },
  { json: { features: ["x"], people: [] }, says: "found none" },
])("says what is expected where there is not one such list: $says", ({ json, says }) => {
  const plan = read(json)
  expect([plan.state, plan.warnings.length]).toEqual(["invalid", 1])
  expect(plan.warnings[0]?.message).toContain(says)
})

test("a known key that holds words does not hide a list of tasks", () => {
  expect(read({ features: ["x"], tasks: [card("A", "todo")] }).tasks).toHaveLength(1)
})

test("tasks in the entries of phases that say their state are parts of these, with a warning", () => {
  const tasks = [
    { id: "1.1", title: "Hull", status: "completed" },
    { id: "1.2", title: "Mast", status: "pending" },
  ]
  const text = JSON.stringify({ phases: [{ id: 1, name: "Ship", status: "in_progress", tasks }] })
  const plan = parsePlan(text, { path: "plan.json" })
  expect(plan.tasks.map(({ title, state }) => `${title} ${state}`)).toEqual(["Ship in_progress"])
  expect(plan.subItems.map(({ label, state }) => `${label} ${state}`)).toEqual([
    "1.1 done",
    "1.2 open",
  ])
  expect(plan.warnings.map(({ rule }) => rule)).toEqual(["nested-tasks"])
})

test("tasks in the entries of phases that state nothing are the plan, and are marked there", () => {
  const list = [
    { name: "Ship", tasks: [{ id: "1.1", title: "Hull", status: "completed" }] },
    {
      name: "Sea",
      tasks: [{ id: "2.1", title: "Sail", status: "pending", dependencies: ["1.1"] }],
    },
  ]
  for (const phases of [list, { ship: list[0], sea: list[1] }]) {
    const text = JSON.stringify({ project: "p", phases }, null, 2)
    const plan = parsePlan(text, { path: "prd.json" })
    expect(plan.evidence).toBe("a list `phases.tasks` of entries with a title and a state")
    expect(plan.tasks.map(({ key, state }) => `${key} ${state}`)).toEqual([
      "task:1.1 done",
      "task:2.1 open",
    ])
    const [first, second] = plan.tasks
    if (first === undefined || second === undefined) throw new Error("no task")
    expect(second.dependsOn).toEqual([first.key])
    const marked = markTask(text, second, "done")
    expect(marked).toEqual({ ok: true, text: text.replace("pending", "completed") })
  }
})

test.each([
  { what: "no task yet", tasks: [] },
  { what: "tasks without a state", tasks: [{ title: "Sail" }] },
])("phases of which one has $what are named, and what is to be done", ({ tasks }) => {
  const ship = { name: "Ship", tasks: [{ title: "Hull", status: "done" }] }
  const plan = read({ phases: [ship, { name: "Sea", tasks }] })
  expect(plan.tasks).toEqual([])
  expect(plan.warnings.map(({ message }) => message)).toEqual([
    "Expected one list of tasks; found one in each entry of `phases`: give each of these a `status`, or put their tasks into one list `tasks`.",
  ])
})

test.each([
  { phases: [{ title: "Ship", tasks: [card("Hull", "todo")], risks: [card("Wind", "open")] }] },
  {
    phases: [{ title: "Ship", tasks: [card("Hull", "todo")] }],
    risks: [{ title: "Wind", causes: [card("Sea", "open")] }],
  },
])("where such entries have lists of several kinds, nothing is taken for the tasks", (json) => {
  const { tasks, warnings } = read(json)
  expect(tasks).toEqual([])
  expect(warnings[0]?.message).toContain("found one in each entry of `phases`")
})

test("what a person reads as a title may stand under the key `story`", () => {
  const plan = read({
    cards: [
      { story: "A", status: "done" },
      { story: "B", status: "todo" },
    ],
  })
  expect(plan.tasks.map(({ title }) => title)).toEqual(["A", "B"])
})

test("a list of features stays in its order, whatever the priorities", () => {
  const card = (title: string, priority: number) => ({ title, status: "todo", priority })
  const plan = read({ features: [card("A", 2), card("B", 1)] })
  expect(plan.tasks.map(({ title }) => title)).toEqual(["A", "B"])
})

test.each([
  ...["userStories", "user_stories", "stories", "features", "feature_list", "featureList"],
  "tasks",
])("a list under the known key `%s` is the plan, beside another one of the same form", (key) => {
  const { tasks } = read({ cards: [card("B", "todo")], [key]: [card("A", "todo")] })
  expect(tasks.map(({ title }) => title)).toEqual(["A"])
})

test("a tag that is the list itself is task-master's, beside others too, and is marked in its words", () => {
  const dig = { id: "1", title: "Dig", status: "pending", dependencies: [] }
  const plant = { id: "2", title: "Plant", status: "in-progress", dependencies: ["1"] }
  for (const others of [{}, { "feature-x": [card("Fence", "done")] }]) {
    const text = JSON.stringify({ master: [dig, plant], ...others }, null, 2)
    const plan = parsePlan(text, { path: ".taskmaster/tasks/tasks.json" })
    expect(plan.dialect).toBe("task-master")
    const [first, second] = plan.tasks
    if (first === undefined) throw new Error("no task")
    expect(second?.dependsOn).toEqual([first.key])
    const marked = markTask(text, first, "in_progress")
    expect(marked).toEqual({ ok: true, text: text.replace("pending", "in-progress") })
  }
})
