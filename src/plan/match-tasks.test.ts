import { expect, test } from "bun:test"
import { matchTasks, movedSince, namesAnother } from "./match-tasks.ts"
import { parsePlan } from "./parse-plan.ts"

const edits: [string, string, string, string[]][] = [
  ["nothing", "1. A|2. B", "1. A|2. B", ["1 same", "2 same"]],
  ["a mark", "1. A", "[x] 1. A", ["1 same"]],
  ["a reworded title", "1. A|2. B", "1. A|2. C", ["1 same", "2 retitled"]],
  ["a new task in front", "1. A|2. B", "1. X|2. A|3. B", ["1 moved 2", "2 moved 3"]],
  ["a deleted task", "1. A|2. B", "1. B", ["1 gone", "2 moved 1"]],
  ["two tasks changing places", "1. A|2. B", "1. B|2. A", ["1 moved 2", "2 moved 1"]],
  ["another order, the same labels", "1. A|2. B", "2. B|1. A", ["1 same", "2 same"]],
  ["a label given to a task without one", "A|2. B", "1. A|2. B", ["~ moved 1", "2 same"]],
  ["two tasks of one title", "1. A|2. A", "3. A|4. A", ["1 gone", "2 gone"]],
  ["a title in bold and capitals", "1. fix it", "1. **Fix  it**", ["1 same"]],
  ["everything deleted", "1. A", "", ["1 gone"]],
]

test.each(edits)("tells what has become of each task after %s", (_, before, after, wanted) => {
  const matches = matchTasks(planOf(before).tasks, planOf(after))
  const told = matches.map((match) => {
    const to = match.kind === "moved" ? ` ${match.task.label}` : ""
    return `${match.known.label ?? "~"} ${match.kind}${to}`
  })
  expect(told).toEqual(wanted)
})

function planOf(rows: string) {
  const lines = rows.split("|").map((row) => (row.startsWith("[") ? `- ${row}` : `- [ ] ${row}`))
  return parsePlan(`## TODOs\n${rows === "" ? "" : lines.join("\n")}`)
}

const renumbered: readonly {
  readonly what: string
  readonly before: string
  readonly after: string
  readonly moved: string[]
  readonly others: string[]
}[] = [
  { what: "nothing", before: "1. A|2. B", after: "1. A|2. B", moved: [], others: [] },
  { what: "a reworded title", before: "1. A|2. B", after: "1. A|2. C", moved: [], others: [] },
  { what: "a new task at the end", before: "1. A", after: "1. A|2. X", moved: [], others: [] },
  {
    what: "a new task in front",
    before: "1. A|2. B",
    after: "1. X|2. A|3. B",
    moved: ["?→1", "1→2", "2→3"],
    others: ["1", "2"],
  },
  {
    what: "a deleted task",
    before: "1. A|2. B|3. C",
    after: "1. B|2. C",
    moved: ["2→1", "3→2"],
    others: ["1", "2"],
  },
  {
    what: "tasks of one title",
    before: "1. A|2. A",
    after: "1. X|2. A|3. A",
    moved: ["?→1"],
    others: ["1"],
  },
  {
    what: "a third task of one title",
    before: "1. A|2. A",
    after: "1. A|2. A|3. A",
    moved: [],
    others: [],
  },
  { what: "a told key that nobody knows", before: "", after: "1. A", moved: [], others: [] },
]

test.each(renumbered)(
  "tells which told keys name others after $what",
  ({ before, after, moved, others }) => {
    const [told, plan] = [planOf(before).tasks, planOf(after)]
    const moves = movedSince(told, plan)
    expect(moves.map(({ from, task }) => `${from?.slice(5) ?? "?"}→${task.label}`)).toEqual(moved)
    const named = plan.tasks.filter((task) => namesAnother(told, plan, task))
    expect(named.map(({ label }) => label ?? "")).toEqual(others)
  },
)

test.each(["1. A|2. B|3. B", "1. A|1. B", ""])(
  "tasks told as the plan has them are not gone through: %s",
  (rows) => {
    const { tasks } = planOf(rows)
    const known = [
      ...tasks,
      { key: "todo:1", titleHash: "other" },
      { key: "todo:9", titleHash: "a" },
    ]
    const copied = known.map((task) =>
      namesAnother(
        tasks.map((told) => ({ ...told })),
        { tasks },
        task,
      ),
    )
    let walks = 0
    const watched = new Proxy(tasks, {
      get(target, key, receiver) {
        if (key === Symbol.iterator || key === "flatMap") walks++
        return Reflect.get(target, key, receiver)
      },
    })
    expect(known.map((task) => namesAnother(watched, { tasks: watched }, task))).toEqual(copied)
    expect(walks).toBe(0)
  },
)

const PHASE = (at: number, ...more: string[]) =>
  [`## Phase ${at}`, "- [ ] Write tests", `- [ ] Build ${at}`, ...more].join("\n")
test.each([
  { what: "no edit", before: [1, 2], after: [1, 2], others: [] },
  { what: "other rows", before: [1, 2], after: [1, 2], more: "- [ ] Ship", others: [] },
  { what: "a phase in front", before: [1, 2], after: [0, 1, 2], others: [1, 2, 3] },
  { what: "a finished phase that was deleted", before: [1, 2, 3], after: [2, 3], others: [1, 2] },
  { what: "one row beside which another came", before: [1], after: [0, 1], others: [1] },
])(
  "of rows of one title nobody can tell which is which behind $what",
  ({ before, after, more = "", others }) => {
    const told = parsePlan(before.map((at) => PHASE(at)).join("\n")).tasks
    const plan = parsePlan(`${after.map((at) => PHASE(at)).join("\n")}\n${more}`)
    const alike = plan.tasks.filter(({ title }) => title === "Write tests")
    const named = alike.filter((task) => namesAnother(told, plan, task, () => true))
    expect(named.map((task) => alike.indexOf(task) + 1)).toEqual(
      others.filter((at) => at <= before.length),
    )
  },
)

const OWN = (letters: string) =>
  [...letters].map((one) => `## ${one}\n- [ ] Build ${one}\n- [ ] Write tests`).join("\n")
const NUMBERED = (letters: string) => {
  let at = 0
  return OWN(letters).replaceAll("[ ]", () => `[ ] ${++at}.`)
}
const AHEAD = (letters: string) =>
  [...letters].map((one) => `## ${one}\n- [ ] Write tests\n- [ ] Build ${one}`).join("\n")
test.each([
  { what: "phases that change places", before: OWN("AB"), after: OWN("BA"), others: [1, 2] },
  { what: "the last two of three", before: OWN("ABC"), after: OWN("ACB"), others: [1, 2, 3] },
  {
    what: "the last two of three, tests first",
    before: AHEAD("ABC"),
    after: AHEAD("ACB"),
    others: [2, 3],
  },
  { what: "one above for one below", before: OWN("AB"), after: OWN("0A"), others: [1, 2] },
  { what: "one behind for the first", before: OWN("ABC"), after: OWN("BCD"), others: [1, 2, 3] },
  { what: "a phase in the midst", before: AHEAD("AC"), after: AHEAD("ABC"), others: [2] },
  { what: "a phase behind all others", before: OWN("AB"), after: OWN("ABC"), others: [] },
  {
    what: "a row between, and one reworded",
    before: OWN("AB"),
    after: OWN("AB")
      .replace("Build A\n", "Build A\n- [ ] Document A\n")
      .replace("Build B", "Make B"),
    others: [1],
  },
  { what: "phases renumbered", before: NUMBERED("AB"), after: NUMBERED("BA"), others: [1, 2] },
])("a key of one of the rows of a title names none behind $what", ({ before, after, others }) => {
  const [told, plan] = [parsePlan(before).tasks, parsePlan(after)]
  const alike = told.filter(({ title }) => title === "Write tests")
  const named = alike.filter((task) => namesAnother(told, plan, task, () => true))
  expect(named.map((task) => alike.indexOf(task) + 1)).toEqual([...others])
})

test("a label tells rows of one title apart, however many there are", () => {
  const [told, plan] = [planOf("1. A|2. A").tasks, planOf("1. A|2. A|3. A")]
  expect(plan.tasks.filter((task) => namesAnother(told, plan, task))).toEqual([])
})

test("a told key whose title nobody has kept names its row", () => {
  const plan = planOf("1. X|2. A")
  expect(movedSince([{ key: "todo:1", titleHash: null }], plan)).toEqual([])
})

test("doubled ids of a final wave keep their keys, as other doubled ids do, and what was kept by a hash is found again", () => {
  const rows = ["F1. Look", "F1. Test", "F2. Count", "F2. Ship"]
  const { tasks, warnings } = parsePlan(
    `## TODOs\n- [ ] 1. A\n## Final Verification Wave\n${rows.map((row) => `- [ ] ${row}\n`).join("")}`,
  )
  const wave = tasks.filter(({ section }) => section === "final-wave")
  expect(wave.map(({ key }) => key)).toEqual(
    ["f1", "f1#2", "f2", "f2#2"].map((id) => `final-wave:${id}`),
  )
  expect(warnings.map(({ rule }) => rule)).toEqual(["duplicate-label", "duplicate-label"])
  const kept = wave.map(({ titleHash }) => ({ key: `task:~${titleHash}`, titleHash }))
  const found = matchTasks(kept, { tasks }).map((one) => [one.kind, "task" in one && one.task.key])
  expect(found).toEqual(wave.map(({ key }) => ["moved", key]))
})

const anew = (...lists: string[]) =>
  parsePlan(`## Tasks\n${lists.map((rows, at) => `### L${at}\n${rows}`).join("\n")}`)
const list = (...titles: string[]) =>
  titles.map((title, at) => `${at + 1}. [ ] ${title}\n`).join("")

test("a list's own numbers that count anew are no ids: its rows keep their keys where a list is put in front", () => {
  const { tasks, warnings } = anew(list("A", "B"), list("C", "D", "E"))
  const hashes = tasks.map(({ titleHash }) => titleHash)
  expect(tasks.map(({ key }) => key)).toEqual([
    "task:1",
    "task:2",
    `task:~${hashes[2]}`,
    `task:~${hashes[3]}`,
    "task:3",
  ])
  expect([tasks.map(({ label }) => label), warnings]).toEqual([["1", "2", "1", "2", "3"], []])
  const stored = ["task:1", "task:2", "task:1#2", "task:2#2", "task:3"].map((key, at) => ({
    key,
    titleHash: hashes[at] ?? "",
  }))
  const kinds = matchTasks(stored, { tasks }).map(({ kind }) => kind)
  expect(kinds).toEqual(["same", "same", "moved", "moved", "same"])
  const after = anew(list("X"), list("A", "B"), list("C", "D", "E"))
  expect(after.tasks.slice(-3).map(({ key }) => key)).toEqual(tasks.slice(-3).map(({ key }) => key))
})

test.each([
  { name: "a slip in a list", text: "1. [ ] A\n2. [ ] B\n2. [ ] C\n", warned: [3] },
  { name: "a slip at a list's end", text: "1. [ ] A\n2. [ ] B\n3. [ ] C\n1. [ ] D\n", warned: [4] },
  {
    name: "a second list of a heading",
    text: "1. [ ] A\n2. [ ] B\n\nMore:\n\n1. [ ] C\n2. [ ] D\n",
    warned: [],
  },
  {
    name: "one title in two lists",
    text: "## X\n1. [ ] A\n## Y\n1. [ ] A\n## Z\n1. [ ] A\n",
    warned: [6],
  },
  { name: "ids with letters", text: "## X\n- [ ] T1: A\n## Y\n- [ ] T1: B\n", warned: [4] },
])("$name: $warned have a label or title of another", ({ text, warned }) => {
  const { warnings, tasks } = parsePlan(text)
  expect(warnings.map(({ line, rule }) => (rule === "duplicate-label" ? line : rule))).toEqual([
    ...warned,
  ])
  expect(new Set(tasks.map(({ key }) => key)).size).toBe(tasks.length)
})
