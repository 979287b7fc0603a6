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

test.each(["✓", "✔", "☑"])(
  "a legend that ticks with %s leaves a finished plan its tasks",
  (sign) => {
    let text = `# P\n\nLegend: [ ] open, [${sign}] done\n\n[ ] one\n[ ] two\n[ ] three\n`
    for (const at of [0, 1, 2]) {
      const task = parsePlan(text).tasks[at]
      if (task === undefined) throw new Error("no task")
      const marked = markTask(text, task, "done")
      expect(marked.ok).toBe(true)
      text = marked.ok ? marked.text : text
    }
    expect(parsePlan(text).state).toBe("complete")
  },
)

test("a numbered row right below prose is one where its number follows that of the row before", () => {
  const text = "1. [x] Dig\n2. [ ] Fill\n\nThen, in May:\n3. [ ] Plant\nand\n5. [ ] Sit\n"
  const { tasks, warnings } = parsePlan(text)
  expect(tasks.map(({ line, label }) => [line, label])).toEqual([
    [1, "1"],
    [2, "2"],
    [5, "3"],
  ])
  expect(warnings.map(({ line, rule }) => [line, rule])).toEqual([[7, "no-rows"]])
  const [, , plant] = tasks
  const marked = plant === undefined ? null : markTask(text, plant, "done")
  expect(marked?.ok === true && marked.text).toBe(text.replace("[ ] Plant", "[x] Plant"))
})

test("rows noted below a line without a list mark are its parts, and do not outnumber such lines", () => {
  const line = (mark: string, at: number) => `[${mark}] Dig ${at}\n`
  const text = [1, 2, 3, 4].map((at) => `${line("x", at)}  - [x] tests pass\n`).join("")
  const { counts, state } = parsePlan(`${text}${[5, 6].map((at) => line(" ", at)).join("")}`)
  expect([counts.total, counts.done, state]).toEqual([6, 4, "open"])
})
