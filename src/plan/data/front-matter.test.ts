import { afterEach, expect, test } from "bun:test"
import { parsePlan } from "../parse-plan.ts"

const PLAN = "\n## TODOs\n- [ ] 1. A\n"
const CODE = "globalThis.planRan = true"

/** Every door by which gray-matter can be led to run what a plan says. */
const attacks: [string][] = [
  [`---js\n{ a: (${CODE}) }\n---`],
  [`---javascript\n{ a: (${CODE}) }\n---`],
  [`--- js\n{ a: (${CODE}) }\n---`],
  [`---JS\n{ a: (${CODE}) }\n---`],
  [`---js \n${CODE}\n---`],
  [`---js\r\n${CODE}\r\n---`],
  [`\ufeff---js\n${CODE}\n---`],
  [`---coffee\n${CODE}\n---`],
  [`---coffeescript\n${CODE}\n---`],
  [`---cson\n${CODE}\n---`],
  [`---json\n{ "dialect": "kiro" }\n---`],
  ["---toml\na = 1\n---"],
  [`---constructor\n${CODE}\n---`],
  [`---__proto__\n${CODE}\n---`],
  [`---toString\n${CODE}\n---`],
  [`---\nlanguage: js\na: !!js/function 'function () { ${CODE} }'\n---`],
  [`---\na: !!js/regexp /x/\n---`],
  [`---\nengines: { yaml: js }\n---js\n${CODE}\n---`],
  ["---\na: [1\n---"],
  ["---\njust words\n---"],
  [`---yaml\n--- js\n${CODE}\n---`],
]

afterEach(() => {
  expect("planRan" in globalThis).toBe(false)
})

test.each(attacks)("runs nothing and reads on after %j", (block) => {
  const plan = parsePlan(block + PLAN)
  expect(plan.tasks.map(({ key }) => key)).toEqual(["todo:1"])
  expect(plan.dialect).toBe("omo")
})

test("other languages than YAML are passed over with a warning", () => {
  const rules = parsePlan(`---js\n${CODE}\n---${PLAN}`).warnings.map(({ line, rule }) => [
    line,
    rule,
  ])
  expect(rules).toEqual([[1, "front-matter"]])
})

test("line numbers stay those of the file", () => {
  const plan = parsePlan(`---\ndialect: kiro\nnotes: |\n  - [ ] no task\n---${PLAN}`)
  expect([plan.dialect, plan.tasks[0]?.line]).toEqual(["kiro", 7])
  expect(plan.ignored).toEqual([{ line: 4, reason: "front-matter" }])
})

test("rows between two breaks are tasks, not front matter", () => {
  const plan = parsePlan("---\n## TODOs\n- [ ] 1. A\n---\n- [ ] 2. B")
  expect(plan.tasks.map(({ line }) => line)).toEqual([3, 5])
  expect(plan.warnings.map(({ rule, message }) => [rule, message])).toEqual([
    [
      "front-matter",
      "The block after the first --- is read as plain text, since it looks like a plan (it holds headings).",
    ],
  ])
})

test("headings between two breaks are headings, one with a single # is a comment", () => {
  const plan = parsePlan("---\n## TODOs\nNote: x\n---\n- [ ] 1. A")
  expect(plan.tasks.map(({ key }) => key)).toEqual(["todo:1"])
  expect(plan.warnings.map(({ line, rule }) => [line, rule])).toEqual([[1, "front-matter"]])
  expect(parsePlan(`---\n# a comment\ndialect: kiro\n---${PLAN}`).dialect).toBe("kiro")
})

test("what the front matter names wins over path and content, an option over it", () => {
  const text = `---\ndialect: kiro\n---${PLAN}`
  expect(parsePlan(text, { path: ".omo/plans/a.md" }).dialect).toBe("kiro")
  expect(parsePlan(text, { dialect: "swarm" }).dialect).toBe("swarm")
})

test("a huge block, aliases without end and prototype keys do no harm", () => {
  const bomb = Array.from({ length: 20 }, (_, at) => `a${at + 1}: [*a${at}, *a${at}]`)
  bomb.unshift("a0: &a0 [x]")
  const anchored = bomb.map((line, at) => (at === 0 ? line : line.replace(": ", `: &a${at} `)))
  for (const yaml of [anchored.join("\n"), "a".repeat(100_000), "__proto__: { dialect: kiro }"]) {
    const plan = parsePlan(`---\n${yaml}\n---${PLAN}`)
    expect([plan.dialect, plan.tasks.length]).toEqual(["omo", 1])
  }
})

test("front matter over its limit is skipped, and both sizes are said", () => {
  const { warnings, tasks } = parsePlan(`---\na: ${"x".repeat(70_000)}\n---\n${PLAN}`)
  expect(warnings.map(({ message }) => message)).toEqual([
    "The front matter is skipped: it has 70003 characters, at most 65536 are read.",
  ])
  expect(tasks.length).toBe(1)
})

test("front matter that repeats itself by names is not read, and the same words without are", () => {
  const todos = (after: string) =>
    `---\nd: &list [b]\ntodos:\n- {id: a, content: a, status: pending, dependencies: ${after}}\n---\n`
  const repeating = parsePlan(todos("*list"), { path: ".cursor/plans/a.md" })
  expect(repeating.tasks).toEqual([])
  expect(repeating.warnings.map(({ message }) => message)).toContain(
    "The front matter is skipped: it repeats parts of itself (&name, *name), which is not read.",
  )
  for (const after of ["[b]", "[R&D, '*list*']"])
    expect(parsePlan(todos(after), { path: ".cursor/plans/a.md" }).tasks).toHaveLength(1)
})
