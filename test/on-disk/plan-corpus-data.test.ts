import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { MarkState } from "../../src/plan/check-marked.ts"
import { markTask } from "../../src/plan/mark-task.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

/** Real plans, as found: they lie beside the repository, where they lie at all. */
const CORPUS = join(import.meta.dir, "../../../shared/corpus")
const isThere = existsSync(join(CORPUS, "expected.json"))

interface Expected {
  readonly file: string
  readonly total: number
  readonly done: number
  readonly in_progress: number
  readonly todo: number
  readonly next: { readonly label: string } | null
}

const all: readonly Expected[] = isThere
  ? JSON.parse(readFileSync(join(CORPUS, "expected.json"), "utf8"))
  : []
const plans = all.filter(({ file }) => file.endsWith(".json"))
const textOf = (file: string) => readFileSync(join(CORPUS, file), "utf8")

describe.if(isThere)("real plans of data are read as a person reads them", () => {
  test.each(plans)("$file", ({ file, total, done, in_progress, todo, next }) => {
    const plan = parsePlan(textOf(file), { path: file })
    expect(plan.counts).toMatchObject({ total, done, in_progress, open: todo })
    expect(plan.next?.label ?? null).toBe(next?.label ?? null)
    expect(plan.warnings).toEqual([])
  })
})

/** The bytes that are to differ: the first `from` behind `behind` becomes `to`. */
const MARKS: readonly {
  file: string
  label: string
  state: MarkState
  behind: string
  from: string
  to: string
}[] = [
  {
    file: "40-task-master.json",
    label: "10",
    state: "open",
    behind: '"id": 10,',
    from: '"status": "done"',
    to: '"status": "pending"',
  },
  {
    file: "41-prd-json.json",
    label: "STORY-004",
    state: "done",
    behind: '"id": "STORY-004"',
    from: '"passes": false',
    to: '"passes": true',
  },
  {
    file: "41-prd-json.json",
    label: "VEO3-001",
    state: "open",
    behind: '"id": "VEO3-001"',
    from: '"passes": true',
    to: '"passes": false',
  },
  {
    file: "42-prd-json.json",
    label: "US-008",
    state: "done",
    behind: '"id": "US-008"',
    from: '"passes": false',
    to: '"passes": true',
  },
  {
    file: "42-prd-json.json",
    label: "US-008",
    state: "blocked",
    behind: '"id": "US-008"',
    from: '"notes": "',
    to: '"notes": "BLOCKED: no key (hnd_1)\\n',
  },
  {
    file: "42-prd-json.json",
    label: "US-001",
    state: "open",
    behind: '"id": "US-001"',
    from: '"passes": true',
    to: '"passes": false',
  },
  {
    file: "48-cursor.plan.md",
    label: "fix-robots",
    state: "done",
    behind: "- id: fix-robots",
    from: "status: pending",
    to: "status: completed",
  },
  {
    file: "48-cursor.plan.md",
    label: "clippy",
    state: "in_progress",
    behind: "- id: clippy",
    from: "status: pending",
    to: "status: in_progress",
  },
  {
    file: "52-backlog-md.md",
    label: "#4",
    state: "open",
    behind: "<!-- AC:BEGIN -->",
    from: "- [x] #4 ",
    to: "- [ ] #4 ",
  },
  {
    file: "56-feature-list.json",
    label: "28",
    state: "done",
    behind: '"id": 28,',
    from: '"status": "pending"',
    to: '"status": "done"',
  },
  {
    file: "56-feature-list.json",
    label: "1",
    state: "open",
    behind: '"id": 1,',
    from: '"status": "done"',
    to: '"status": "pending"',
  },
  {
    file: "56-feature-list.json",
    label: "35",
    state: "blocked",
    behind: '"id": 35,',
    from: '"status": "in_progress"',
    to: '"status": "blocked"',
  },
]

describe.if(isThere)("a mark in a real plan of data changes exactly the bytes of one value", () => {
  test.each(MARKS)("$file: $label is $state", ({ file, label, state, behind, from, to }) => {
    const text = textOf(file)
    const task = parsePlan(text, { path: file }).tasks.find((one) => one.label === label)
    if (task === undefined) throw new Error(`no ${label}`)
    const marked = markTask(text, task, state, state === "blocked" ? "no key (hnd_1)" : undefined)
    const at = text.indexOf(from, text.indexOf(behind))
    expect(marked).toEqual({
      ok: true,
      text: text.slice(0, at) + to + text.slice(at + from.length),
    })
  })

  test("48-cursor.plan.md: what is done is opened again, byte for byte as it was", () => {
    const file = "48-cursor.plan.md"
    const text = textOf(file)
    const marked = (from: string, state: MarkState) => {
      const [task] = parsePlan(from, { path: file }).tasks
      const result = task === undefined ? null : markTask(from, task, state)
      if (!result?.ok) throw new Error(result?.message ?? "no task")
      return result.text
    }
    const done = marked(text, "done")
    expect(done).not.toBe(text)
    expect(marked(done, "open")).toBe(text)
  })
})
