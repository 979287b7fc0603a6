import { expect, test } from "bun:test"
import { markTask } from "../mark-task.ts"
import { parsePlan } from "../parse-plan.ts"

const shown = (text: string) =>
  parsePlan(text).tasks.map(({ line, title, state }) => `${line} ${title} ${state}`)

test("lines that begin with a box are the rows where there is no other", () => {
  const text = "# P\n\nWords:\n[x] Engine\n[ ] Tank\n[] Bell\n"
  const { dialect, warnings } = parsePlan(text)
  expect(shown(text)).toEqual(["4 Engine done", "5 Tank open", "6 Bell open"])
  expect([dialect, warnings]).toEqual(["bare-boxes", []])
})

test.each([
  { what: "it is the only one", text: "# P\n[ ] Engine\n", tasks: [] },
  { what: "a list has a box", text: "- [ ] Engine\n[ ] Tank\n", tasks: ["1 Engine open"] },
  { what: "a heading has a box", text: "### [ ] Engine\n[ ] Tank\n", tasks: ["1 Engine open"] },
  { what: "there are references alone", text: "[1] Handbook\n[2] Map\n", tasks: [] },
  { what: "there is a remark alone", text: "[!] Careful\n", tasks: [] },
])("a line without the mark of a list is no row where $what", ({ text, tasks }) => {
  expect(shown(text)).toEqual([...tasks])
})

test("a box between signs of emphasis begins a row too", () => {
  expect(shown("**[ ] a**\n**[x] b**\n")).toEqual(["1 a open", "2 b done"])
})

test("a row of a quote and one of no marker are no other rows", () => {
  expect(shown("> - [ ] quoted\n\n- [P] tag\n\n[ ] Tank\n[ ] Bell\n")).toEqual([
    "5 Tank open",
    "6 Bell open",
  ])
})

test.each([
  { state: "done", now: "# P\r\n[x] Engine\r\n  [ ] bolts\r\n[x] Tank" },
  { state: "in_progress", now: "# P\r\n[/] Engine\r\n  [ ] bolts\r\n[x] Tank" },
  {
    state: "blocked",
    now: "# P\r\n[ ] Engine\r\n  - BLOCKED: no crane\r\n  [ ] bolts\r\n[x] Tank",
  },
] as const)("marked $state, nothing else is changed", ({ state, now }) => {
  const text = "# P\r\n[ ] Engine\r\n  [ ] bolts\r\n[x] Tank"
  const [task] = parsePlan(text).tasks
  if (task === undefined) throw new Error("no task")
  expect(markTask(text, task, state, "no crane")).toEqual({ ok: true, text: now })
  const [after] = parsePlan(now).tasks
  if (after === undefined) throw new Error("no task")
  expect([after.key, after.state]).toEqual([task.key, state])
  expect(markTask(now, after, "open")).toEqual({ ok: true, text })
})

test("a heading ends what stands below a row", () => {
  const { tasks, subItems } = parsePlan(
    "[ ] Engine\n  [ ] Belt\n[ ] Tank\n\n## Bell\n\n  [ ] Rope\n",
  )
  expect(tasks.map(({ title }) => title)).toEqual(["Engine", "Tank", "Rope"])
  expect(subItems.map(({ line }) => line)).toEqual([2])
})

const CODED =
  "# T\n\n## Work\n- `[x]` Dig\n- `[ ]` Fill\n  - `[ ]` with rain\n* `[ ]` **Complete** the form\n1. `[/]` Feed `fish`\n"

test("rows with a box in code are the rows where there are few others", () => {
  expect(shown(CODED)).toEqual([
    ...["4 Dig done", "5 Fill open", "7 Complete the form open", "8 Feed `fish` in_progress"],
  ])
  const { dialect, subItems, warnings } = parsePlan(CODED)
  expect([dialect, subItems.map(({ line }) => line), warnings]).toEqual(["bare-boxes", [6], []])
})

test.each([
  { state: "done", line: "- `[x]` Fill" },
  { state: "in_progress", line: "- `[/]` Fill" },
  { state: "blocked", line: "- `[ ]` Fill\n  - BLOCKED: no rain" },
] as const)("one that is marked $state keeps its code, and comes back", ({ state, line }) => {
  const [, task] = parsePlan(CODED).tasks
  if (task === undefined) throw new Error("no task")
  const now = CODED.replace("- `[ ]` Fill", line)
  expect(markTask(CODED, task, state, "no rain")).toEqual({ ok: true, text: now })
  const after = parsePlan(now).tasks[1]
  if (after === undefined) throw new Error("no task")
  expect(markTask(now, after, "open")).toEqual({ ok: true, text: CODED })
})

test.each([
  {
    what: "they are a legend",
    text: "- `[ ]` Open\n- `[x]` Done\n- `[/]` Doing\n- `[~]` Blocked\n",
  },
  {
    what: "each has a sign of its own",
    text: "- `[ ]` marks a task\n- `[x]` marks a done one\n- `[/]` one under way\n- `[~]` a blocked one\n",
  },
  { what: "they explain", text: "- `[ ]` = a\n- `[ ]` = b\n- `[ ]`: c\n- `[ ]` — d\n" },
  { what: "they are few", text: "- `[ ]` Dig\n- `[ ]` Fill\n- `[ ]` Plant\n" },
  { what: "they stand in a fence", text: "```\n- `[ ]` a\n- `[ ]` b\n- `[ ]` c\n- `[ ]` d\n```\n" },
])("rows with a box in code are none where $what", ({ text }) => {
  expect(shown(text)).toEqual([])
})

test("rows with a box in code are none beside half as many without code", () => {
  const rows = "- `[ ]` a\n- `[ ]` b\n- `[ ]` c\n- `[ ]` d\n"
  expect(shown(`${rows}- [ ] e\n- [ ] f\n`)).toEqual(["5 e open", "6 f open"])
})
