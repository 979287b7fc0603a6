import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isAdapted } from "../../src/plan/formats.ts"
import { markTask } from "../../src/plan/mark-task.ts"
import { isSettled, type Plan, type Task } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"

/** Real plans, as found: they lie beside the repository, where they lie at all. */
const CORPUS = join(import.meta.dir, "../../../shared/corpus")

interface Expected {
  readonly file: string
  readonly source: string
  readonly total: number
  readonly done: number
  readonly blocked: number
  readonly in_progress: number
  readonly cancelled: number
  readonly unknown: number
  readonly todo: number
  readonly optional: number
  readonly optional_sub: number
  readonly not_tasks: number
  readonly rows_without_id?: number
  readonly first_task_line?: number
  readonly next: { label: string | null; title: string | null; line: number | null } | null
}

/** Where we read otherwise on purpose: `[v]` is done, as the label's own proposed rule has it; what only looks like a row. */
const OTHERWISE: Readonly<Record<string, Partial<Expected>>> = {
  "30-orch.md": { not_tasks: 1 },
  "34-todo.md": { done: 19, unknown: 0 },
}

const file = join(CORPUS, "expected.json")
const corpus: readonly Expected[] = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []
/** What has lines; JSON has a test of its own. */
const plans = corpus
  .filter((each) => each.file.endsWith(".md"))
  .map((each) => ({ ...each, ...OTHERWISE[each.file] }))
const textOf = (name: string) => readFileSync(join(CORPUS, name), "utf8")
/** The name in the corpus says nothing of the place; the source does: `owner/repo path @commit`. */
const placeOf = ({ source }: Expected) => source.replace(/^\S+ (.*?)(?: @\w+)?$/, "$1")

describe.if(corpus.length > 0)("real plans are read as a person reads them", () => {
  test.each(plans)("$file", (expected) => {
    expect(shown(parsePlan(textOf(expected.file), { path: expected.file }))).toMatchObject(
      wanted(expected),
    )
  })

  test.each(plans)("$file, where it lay", (expected) => {
    const reading = parsePlan(textOf(expected.file), { path: placeOf(expected) })
    expect(shown(reading)).toMatchObject(wanted(expected))
  })
})

describe.if(corpus.length > 0)(
  "a mark in a real plan changes what it is for and nothing else",
  () => {
    test.each(plans)("$file: the next task is done", ({ file: name, source }) => {
      const path = source.split(" ")[1] ?? name
      const text = textOf(name)
      const { next } = parsePlan(text, { path })
      if (next === null || isKeptElsewhere(next)) return
      const written = marked(text, next, "done")
      if (isAdapted(next.dialect ?? "")) expect(differing(text, written)).toHaveLength(1)
      else expect(changedLines(text, written)).toEqual(ticked(next))
      expectOnly(parsePlan(text, { path }), parsePlan(written, { path }), next, "done")
    })

    test.each(plans)("$file: a done task is opened again", ({ file: name, source }) => {
      const path = source.split(" ")[1] ?? name
      const text = textOf(name)
      const done = parsePlan(text, { path }).tasks.find(({ state }) => state === "done")
      if (done === undefined || isKeptElsewhere(done)) return
      const written = marked(text, done, "open")
      const lines = done.steps?.filter(({ state }) => state === "done").map(({ line }) => line)
      expect(changedLines(text, written)).toEqual(lines ?? [done.line])
      expectOnly(parsePlan(text, { path }), parsePlan(written, { path }), done, "open")
      const again = parsePlan(written, { path }).tasks.find(({ key }) => key === done.key)
      if (again !== undefined && done.marker.trim() === "x") {
        expect(marked(written, again, "done")).toBe(text)
      }
    })
  },
)

function wanted(expected: Expected) {
  const { next } = expected
  return {
    total: expected.total,
    done: expected.done,
    blocked: expected.blocked,
    in_progress: expected.in_progress,
    cancelled: expected.cancelled,
    unknown: expected.unknown,
    todo: expected.todo,
    optional: expected.optional,
    not_tasks: expected.not_tasks,
    rows_without_id: expected.rows_without_id ?? 0,
    ...(expected.total === 0 ? {} : { first_task_line: expected.first_task_line }),
    next: next === null ? null : { label: next.label, line: next.line },
    isTitleOf: next?.title == null ? true : plain(next.title),
  }
}

function shown(plan: Plan) {
  const unknown = plan.warnings.filter(({ rule, line }) => {
    return rule === "unknown-marker" && plan.tasks.some((task) => task.line === line)
  }).length
  const { next } = plan
  return {
    ...plan.counts,
    unknown,
    todo: plan.counts.open - unknown,
    not_tasks:
      plan.subItems.length + plan.ignored.filter(({ reason }) => reason !== "not-a-marker").length,
    rows_without_id: plan.tasks.filter(({ label }) => label === null).length,
    first_task_line: plan.tasks[0]?.line,
    next: next === null ? null : { label: next.label, line: next.line },
    isTitleOf: next === null ? true : plain(next.title),
  }
}

/** Enough of a title to know it: labels and marks stand before some, remarks behind others. */
function plain(title: string): string {
  return title.replace(/^[\s—–:-]+/, "").slice(0, 40)
}

/** The state of these is said by another file. */
function isKeptElsewhere({ dialect, marker, steps }: Task): boolean {
  return dialect === "gsd" && marker === "" && steps === undefined
}

function marked(text: string, task: Task, state: "done" | "open"): string {
  const result = markTask(text, task, state)
  if (!result.ok) throw new Error(result.message)
  return result.text
}

function ticked({ line, steps }: Task): readonly number[] {
  if (steps === undefined || steps.length === 0) return [line]
  return steps.filter((step) => !isSettled(step) && !step.optional).map((step) => step.line)
}

/** The numbers of the lines that differ; each by no more than what stands between brackets. */
function changedLines(before: string, after: string): readonly number[] {
  const [old, now] = [before.split("\n"), after.split("\n")]
  const changed = differing(before, after)
  const bare = (line = "") => line.replace(/\[[^\]]*\]/, "[]")
  for (const at of changed) expect(bare(now[at])).toBe(bare(old[at]))
  return changed.map((at) => at + 1)
}

function differing(before: string, after: string): readonly number[] {
  const [old, now] = [before.split("\n"), after.split("\n")]
  expect(now.length).toBe(old.length)
  return old.flatMap((line, at) => (line === now[at] ? [] : [at]))
}

function expectOnly(before: Plan, after: Plan, { key }: Task, state: Task["state"]): void {
  const others = (plan: Plan) =>
    plan.tasks
      .filter((task) => task.key !== key)
      .map((task) => [task.key, task.state, task.line, task.endLine])
  expect(others(after)).toEqual(others(before))
  expect(after.tasks.find((task) => task.key === key)?.state).toBe(state)
  expect(after.ignored).toEqual(before.ignored)
  expect(after.dialect).toBe(before.dialect)
}
