import { expect, test } from "bun:test"
import fc from "fast-check"
import type { MarkState } from "../../src/plan/check-marked.ts"
import { markTask } from "../../src/plan/mark-task.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

const STATES: readonly MarkState[] = ["open", "in_progress", "blocked", "done"]
const words = fc.constantFrom(
  "A",
  "b c",
  'say "hi"',
  "ü — 漢",
  "{",
  "[ ]",
  "status: done",
  "",
  "\\",
)

const item = fc.dictionary(
  fc.constantFrom(
    "id",
    "title",
    "name",
    "description",
    "passes",
    "status",
    "notes",
    "priority",
    "x",
  ),
  fc.oneof(
    words,
    fc.constantFrom("pending", "In Progress", "done", "not-started", "BLOCKED: why", "odd"),
    fc.boolean(),
    fc.integer({ min: 0, max: 3 }),
    fc.constant(null),
    fc.array(words, { maxLength: 2 }),
  ),
)
const json = fc
  .tuple(
    fc.array(item, { minLength: 1, maxLength: 5 }),
    fc.constantFrom("userStories", "features", "tasks", null),
    fc.constantFrom(undefined, 2, "\t"),
    fc.constantFrom("", "\ufeff"),
  )
  .map(([items, key, indent, start]) => {
    const plan =
      key === null ? items : { rules: { valid_status: ["open"] }, [key]: items, z: items }
    return start + JSON.stringify(plan, null, indent)
  })

/** What differs between two values, as paths. */
function differing(one: unknown, other: unknown, path = ""): readonly string[] {
  if (Object.is(one, other)) return []
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return [path]
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) =>
    differing(Reflect.get(one, key), Reflect.get(other, key), `${path}/${key}`),
  )
}

const bare = (text: string): unknown => JSON.parse(text.replace(/^\ufeff/, ""))

test("a mark in JSON changes the keys that say the state of one entry, and no other byte of meaning", () => {
  fc.assert(
    fc.property(json, fc.nat(), fc.constantFrom(...STATES), (text, nth, state) => {
      const { tasks } = parsePlan(text, { path: "prd.json" })
      const task = tasks[nth % Math.max(1, tasks.length)]
      if (task === undefined) return
      const marked = markTask(text, task, state, "why")
      if (!marked.ok) return
      // An entry of notes that are a list is the value of their key.
      const paths = differing(bare(text), bare(marked.text)).map((path) =>
        path.replace(/(\/notes)\/\d+$/, "$1"),
      )
      const entries = new Set(paths.map((path) => path.replace(/\/[^/]+$/, "")))
      const keys = paths.map((path) => path.split("/").at(-1))
      expect(entries.size).toBeLessThanOrEqual(1)
      expect(keys.every((key) => ["passes", "status", "notes"].includes(key ?? ""))).toBe(true)
      const after = parsePlan(marked.text, { path: "prd.json" }).tasks
      const states = (all: typeof tasks) =>
        all.filter(({ key }) => key !== task.key).map((one) => `${one.key} ${one.state}`)
      expect(states(after)).toEqual(states(tasks))
    }),
    { numRuns: 500 },
  )
})

const todo = fc
  .record({
    id: fc.constantFrom("a", "b.1", '"c d"', "7"),
    content: fc.constantFrom(
      "First",
      '"With: a colon"',
      "It's # one",
      ">-\n      folded\n      text",
    ),
    status: fc.constantFrom("pending", '"completed"', "in_progress # soon", "odd", null),
    last: fc.boolean(),
  })
  .map(({ id, content, status, last }) => {
    const rows = [`content: ${content}`, ...(status === null ? [] : [`status: ${status}`])]
    const keys = last ? [...rows, `id: ${id}`] : [`id: ${id}`, ...rows]
    return `  - ${keys.join("\n    ")}\n`
  })
const todos = fc
  .tuple(fc.array(todo, { minLength: 1, maxLength: 4 }), fc.constantFrom("\n", "\r\n"))
  .map(([entries, eol]) =>
    `---\nname: x\ntodos:\n${entries.join("")}done: false\n---\n- [ ] a\n`.replaceAll("\n", eol),
  )

test("a mark in front matter changes one line, and reads back", () => {
  fc.assert(
    fc.property(todos, fc.nat(), fc.constantFrom(...STATES), (text, nth, state) => {
      const { tasks } = parsePlan(text)
      const task = tasks[nth % Math.max(1, tasks.length)]
      if (task === undefined) return
      const marked = markTask(text, task, state, "why")
      if (!marked.ok) throw new Error(marked.message)
      const before = text.split("\n")
      const after = marked.text.split("\n")
      const added = after.length - before.length
      expect(added === 0 || added === 1).toBe(true)
      const rest = after.filter((line) => !before.includes(line))
      expect(rest.length).toBeLessThanOrEqual(1)
      expect(rest.every((line) => line.trimStart().replace("- ", "").startsWith("status:"))).toBe(
        true,
      )
      const now = parsePlan(marked.text).tasks.find(({ key }) => key === task.key)
      expect(now?.state).toBe(state)
    }),
    { numRuns: 500 },
  )
})
