import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from "parse5"
import type { Work } from "../../src/boulder/boulder.ts"
import { putWork } from "../../src/boulder/change-work.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aTask, aTaskSession, at, aWork, CHILD, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { aHandoff, idOf } from "../support/handoff-builders.ts"
import { withFolder } from "../support/store-folder.ts"

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.Node

const EVIL = `</title></style></svg><script>alert(1)</script><img src=x onerror=alert(2)>" onload="x' & <b>`
const PLAN = `## TODOs

- [x] 1. Read the old code
- [!] 2. Deploy it
  BLOCKED: no key for the cloud
- [ ] 3. ${EVIL}
- [ ] 4. Not begun
`

/** Elements that load or run something. */
const ACTIVE = ["script", "img", "link", "iframe", "a", "object", "form"]

interface Page {
  readonly text: string
  readonly elements: readonly Element[]
  /** What stands in the first element of this name, in words. */
  readonly of: (name: string, index?: number) => string
}

/** A page as a browser reads it; nothing in it is broken HTML. */
function pageOf(html: string): Page {
  const errors: string[] = []
  const document = parse(html, { onParseError: ({ code }) => errors.push(code) })
  expect(errors).toEqual([])
  const elements = elementsIn(document)
  const of = (name: string, index = 0): string => {
    const found = elements.filter(({ tagName }) => tagName === name)[index]
    return found === undefined ? "" : textIn(found)
  }
  return { text: textIn(document), elements, of }
}

function elementsIn(node: Node): readonly Element[] {
  const inside = "childNodes" in node ? node.childNodes.flatMap(elementsIn) : []
  return tree.isElementNode(node) ? [node, ...inside] : inside
}

function textIn(node: Node): string {
  if (tree.isTextNode(node)) return node.value
  if (tree.isElementNode(node) && node.tagName === "style") return ""
  return "childNodes" in node ? node.childNodes.map(textIn).join(" ").replaceAll(/\s+/g, " ") : ""
}

/** A work under way: one task done, one blocked, one running, one not begun; one round is over. */
async function underWay(root: string, given: Partial<Work> = {}): Promise<void> {
  await mkdir(join(root, ".boulder/plans"), { recursive: true })
  await writeFile(join(root, ".boulder/plans/demo.md"), PLAN)
  const { tasks } = parsePlan(PLAN)
  const recorded = (label: string, title: string, more: object = {}) => {
    const titleHash = tasks.find((task) => task.label === label)?.titleHash ?? ""
    const task = { ...aTask({ label, title }), titleHash }
    return { [task.key]: aTaskSession(task, { started_at: at(-3_000), ...more }) }
  }
  const work = aWork({
    completed_count: 1,
    total_count: 4,
    tokens: { spent: 641_234, since: 0, ceiling: null },
    cost: { ...aWork().cost, usd: 1.5 },
    task_sessions: {
      ...recorded("1", "Read the old code", { cost: { usd: 0.75, unpriced_tokens: 0 } }),
      ...recorded("2", "Deploy it", { cost: { usd: 0, unpriced_tokens: 9_000 } }),
      ...recorded("3", EVIL),
    },
    dispatches: {
      call_3: {
        task_key: "todo:3",
        title_hash: null,
        parent_session_id: LEAD,
        session_id: CHILD,
        agent: "general",
        resumes: null,
        started_at: at(-600),
      },
    },
    ...given,
  })
  await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
  await openFileHandoffStore({ root }).create(() =>
    aHandoff({
      scope: { project: projectScope(root), agent: null },
      plan_name: "demo",
      task_key: "todo:2",
      summary: `The script is ready. ${EVIL}`,
    }),
  )
  const journal = openJournal({ root })
  const line = { session: LEAD, work: work.work_id }
  const decided = [
    { at: at(-3_400), decision: "delegate", reason: "task-named", facts: { task: "todo:1" } },
    { at: at(-2_400), decision: "delegate", reason: "task-named", facts: { task: "todo:2" } },
    { at: at(-2_000), decision: "end-round", reason: "checkpoint-due", facts: { round: 1 } },
    { at: at(-1_900), decision: "continue", reason: "continue", facts: { settled: 1, total: 4 } },
    { at: at(-900), decision: "error", reason: "idle", facts: { message: EVIL } },
    { at: at(-600), decision: "delegate", reason: "task-named", facts: { task: "todo:3" } },
  ]
  for (const one of decided) await journal.append({ ...line, ...one })
}

describe("a report of a work under way", () => {
  test("says of a settled task what its session has saved", () =>
    withFolder(async (root) => {
      await underWay(root)
      await openFileHandoffStore({ root }).create(() =>
        aHandoff({
          id: idOf(9),
          scope: { project: projectScope(root), agent: null },
          plan_name: "demo",
          task_key: "todo:1",
          session_id: CHILD,
          summary: "All 40 files are read; the tests pass.",
          settled_at: at(-2_500),
        }),
      )
      await runInFolder(root, "report demo --html out.html")
      const page = pageOf(await readFile(join(root, "out.html"), "utf8"))
      const rows = page.elements.filter(({ tagName }) => tagName === "tr").map(textIn)
      const row = rows.find((one) => one.includes("todo:1")) ?? ""
      expect(row).toContain("All 40 files are read; the tests pass.")
    }))

  test("has the chart, every task, what is blocked, and every decision with its reason", () =>
    withFolder(async (root) => {
      await underWay(root)
      expect((await runInFolder(root, "report demo --html out.html")).out).toBe(
        `Written: ${join(root, "out.html")}\n`,
      )
      const page = pageOf(await readFile(join(root, "out.html"), "utf8"))
      expect(page.of("h1")).toBe("demo")
      expect(page.text).toContain("idle, 1 of 4 tasks settled")
      expect(page.text).toContain("Took 1 h 0 min so far")
      expect(page.text).toContain("Cost $1.50")
      expect(page.text).toContain("Tokens 641,234")
      expect(page.text).toContain(`Session ${LEAD}`)
      const groups = page.elements.filter(({ tagName }) => tagName === "g")
      const classes = groups.map(({ attrs }) => attrs.find(({ name }) => name === "class")?.value)
      expect(classes.filter((name) => name?.startsWith("task"))).toEqual([
        "task done",
        "task blocked",
        "task begun",
      ])
      expect(classes.filter((name) => name?.startsWith("round"))).toHaveLength(2)
      const rows = page.elements.filter(({ tagName }) => tagName === "tr").map(textIn)
      const task = (key: string) => rows.find((row) => row.includes(key)) ?? ""
      expect(task("todo:1")).toContain(`general, 1 attempt ${CHILD} $0.75`)
      expect(task("todo:2")).toContain("unknown (9,000 tokens without a price)")
      expect(task("todo:2")).toContain("The script is ready.")
      expect(task("todo:3")).toMatch(/^begun .* not back yet general/)
      expect(task("todo:3")).toContain("unknown")
      expect(task("todo:4")).toMatch(/open todo:4 Not begun\s*$/)
      expect(page.of("ul")).toContain("todo:2 Deploy it : no key for the cloud.")
      const decisions = page.of("tbody", 1)
      expect(decisions).toContain('Delegated todo:1 "Read the old code".')
      expect(decisions).toContain("Ended the round: enough tasks were settled.")
      expect(decisions).toContain("Continued: tasks remain. 1 of 4 settled.")
    }))

  test("is one page that loads nothing, and foreign words in it are words", () =>
    withFolder(async (root) => {
      await underWay(root, { plan_name: EVIL })
      const { out } = await runInFolder(root, "report")
      const page = pageOf(out)
      const names = page.elements.map(({ tagName }) => tagName)
      expect(names.filter((name) => ACTIVE.includes(name))).toEqual([])
      const attributes = page.elements.flatMap(({ attrs }) => attrs.map(({ name }) => name))
      expect(attributes.filter((name) => /^(?:on|src|href|style$)/.test(name))).toEqual([])
      expect(page.of("title")).toContain("<script>alert(1)</script>")
      expect(page.of("h1")).toContain("<img src=x onerror=alert(2)>")
      expect(out).toContain("default-src 'none'")
    }))
})

test("a work without a price, a delegation or a decision says so", () =>
  withFolder(async (root) => {
    const work = aWork({ active_plan: ".boulder/plans/gone.md" })
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
    const page = pageOf((await runInFolder(root, "report")).out)
    for (const words of [
      "Cost unknown",
      "Tokens unknown",
      "No task was delegated yet.",
      "The plan has no known task.",
      "No task is blocked.",
      "Nothing was decided yet.",
    ])
      expect(page.text).toContain(words)
  }))

test("a finished work that has left boulder.json", () =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder/works/old"), { recursive: true })
    const summary = aWork({ work_id: "old", plan_name: "old", completed_count: 3, total_count: 3 })
    await writeFile(join(root, ".boulder/works/old/work.json"), JSON.stringify(summary))
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, aWork()))
    const page = pageOf((await runInFolder(root, "report old")).out)
    expect(page.text).toContain("archived, 3 of 3 tasks settled")
  }))

test("an earlier report is written anew; the plan, or any other file, is not overwritten", () =>
  withFolder(async (root) => {
    await underWay(root)
    await runInFolder(root, "report demo --html out.html")
    await runInFolder(root, "report demo --html out.html")
    await expect(runInFolder(root, "report --html .boulder/plans/demo.md")).rejects.toThrow(
      `Expected a new file or an earlier report; found ${join(root, ".boulder/plans/demo.md")}, which holds something else. Name another file.`,
    )
    expect(await readFile(join(root, ".boulder/plans/demo.md"), "utf8")).toBe(PLAN)
  }))

test("nothing was started, no such work, a file that cannot be written", () =>
  withFolder(async (root) => {
    await expect(runInFolder(root, "report")).rejects.toThrow(
      "No work was started here yet. If you have no plan yet, write one to .boulder/plans/<name>.md first. To start one: type /start-work <plan> in opencode, or run: opencode-boulder run <plan>",
    )
    await underWay(root)
    await expect(runInFolder(root, "report demmo")).rejects.toThrow("Did you mean demo?")
    await expect(runInFolder(root, "report --html no/where.html")).rejects.toThrow(
      "it cannot be written (ENOENT). Name a file in a folder that is there and can be written.",
    )
  }))
