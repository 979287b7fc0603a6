import { describe, expect, test } from "bun:test"
import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Boulder, Work } from "../../src/boulder/boulder.ts"
import { putWork } from "../../src/boulder/change-work.ts"
import { NO_WORK_COST, workCostJson } from "../../src/boulder/cost.ts"
import { UsageError } from "../../src/cli/terminal/cli-error.ts"
import { columnsOf } from "../../src/cli/views/columns.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { pruneWorks } from "../../src/store/records/archive-departed.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aTaskSession, at, aWork, CHILD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { planOf } from "../support/plans.ts"
import { withFolder } from "../support/store-folder.ts"

const DAY_S = 86_400

describe("works", () => {
  test("open works first, then finished ones, the last changed first", () =>
    withWorks(async ({ cli }) => {
      const { out } = await cli("works")
      expect(out).toBe(`work         state     settled  last change
rewrite      paused    2/9      1 h ago
audit        idle      1/4      24 h ago
done         complete  5/5      2 days ago
old-release  archived  3/3      10 days ago
ancient      archived  8/8      40 days ago
`)
    }))

  test("no line is longer than the terminal is wide, whatever a plan is called", () =>
    withWorks(async ({ root, cli }) => {
      const long = work("x", { plan_name: `${"很长的名字".repeat(20)}\u001b[31m` })
      await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, long))
      for (const columns of [40, 80]) {
        const { out } = await cli("works", { columns })
        for (const line of out.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(columns)
        expect(out).not.toContain("\u001b")
      }
    }))

  test("--json gives one object", () =>
    withWorks(async ({ cli }) => {
      const { works } = JSON.parse((await cli("works --json")).out)
      expect(works.map((one: Work) => [one.work_id, one.status])).toEqual([
        ["rewrite", "paused"],
        ["audit", "active"],
        ["done", "completed"],
        ["old", "archived"],
        ["ancient", "archived"],
      ])
      expect(works[3]).toEqual({
        work_id: "old",
        plan_name: "old-release",
        active_plan: ".boulder/plans/old.md",
        started_at: at(-11 * DAY_S),
        updated_at: at(-10 * DAY_S),
        completed_count: 3,
        total_count: 3,
        cost: workCostJson(NO_WORK_COST),
        status: "archived",
        pause_reason: null,
        state: "archived",
      })
    }))

  test("one work: its tasks and their sessions, the archived ones first, a torn line passed over", () =>
    withWorks(async ({ root, cli }) => {
      await appendFile(join(root, ".boulder/works/audit/settled.jsonl"), '\n{"kind":"task","ta')
      const { out } = await cli("works audit")
      expect(out).toBe(`audit: idle, 1/4 settled
No opencode is working on it (one that starts here and has its session resumes
it after half a minute). To resume: type /start-work audit in opencode, or run:
opencode-boulder run audit
plan: .boulder/plans/audit.md
started 1 h ago, last change 24 h ago
files: .boulder/works/audit/

delegated   todo:1 Task 1
            general, 1 attempt, ${CHILD}
delegated   todo:2 Task 2
            general, 3 attempts, ${CHILD}
`)
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      const rows = "- [x] 2. Task 2\n- [!] 3. Three\n- [ ] 4. Four (depends on 3)\n- [ ] 5. Five\n"
      await writeFile(join(root, ".boulder/plans/audit.md"), `## TODOs\n\n${rows}`)
      const planned = (await cli("works audit", { columns: 40 })).out
      expect(planned.split("\n\n")[1]).toBe(`done        todo:2 Task 2
    general, 3 attempts,
    ${CHILD}
blocked     todo:3 Three
waits       todo:4 Four (depends on 3)
open        todo:5 Five
not in plan todo:1 Task 1
    general, 1 attempt,
    ${CHILD}
`)
      const { tasks } = JSON.parse((await cli("works old --json")).out)
      expect(tasks).toMatchObject([{ task_key: "todo:3", session_id: CHILD }])
    }))

  test("nothing was started, no such work, and a record that cannot be read", () =>
    withFolder(async (root) => {
      expect((await runInFolder(root, "works")).out).toContain("No work was started here yet.")
      await expect(runInFolder(root, "works nope")).rejects.toThrow("found none of that name")
      await mkdir(join(root, ".boulder/works/broken"), { recursive: true })
      await writeFile(join(root, ".boulder/works/.DS_Store"), "")
      await writeFile(join(root, ".boulder/works/broken/work.json"), "{")
      expect((await runInFolder(root, "works")).err).toBe(
        "Note: .boulder/works/broken/work.json cannot be read and was skipped.\n",
      )
    }))
})

describe("prune", () => {
  test("shows what would go and removes nothing", () =>
    withWorks(async ({ root, cli }) => {
      const before = await readFile(join(root, ".boulder/boulder.json"), "utf8")
      const { out } = await cli("prune")
      expect(out).toBe(`work         state     settled  last change
done         complete  5/5      2 days ago
old-release  archived  3/3      10 days ago
ancient      archived  8/8      40 days ago
Nothing was removed. Add --yes to remove what is kept of these works.
`)
      expect(await folders(root)).toEqual(["ancient", "audit", "done", "old"])
      expect(await readFile(join(root, ".boulder/boulder.json"), "utf8")).toBe(before)
    }))

  test.each([
    ["prune --yes", ["audit"], ["audit", "rewrite"]],
    ["prune --older-than 30d --yes", ["audit", "done", "old"], ["audit", "done", "rewrite"]],
    [
      "prune --older-than 100 --yes",
      ["ancient", "audit", "done", "old"],
      ["audit", "done", "rewrite"],
    ],
    ["prune done --yes", ["ancient", "audit", "old"], ["audit", "rewrite"]],
    [
      "prune .boulder/plans/old.md --yes",
      ["ancient", "audit", "done"],
      ["audit", "done", "rewrite"],
    ],
  ])("%s", (line, left, works) =>
    withWorks(async ({ root, cli }) => {
      await cli(line)
      expect(await folders(root)).toEqual(left)
      const { boulder } = await openFileBoulderStore({ root }).read()
      expect(Object.keys(boulder?.works ?? {}).sort()).toEqual(works)
    }),
  )

  test("says what it has removed", () =>
    withWorks(async ({ cli }) => {
      expect((await cli("prune anc --yes")).out).toBe("Removed: ancient (.boulder/works/ancient)\n")
      expect((await cli("prune --older-than 30d --yes")).out).toBe("No finished work to remove.\n")
    }))

  test("a work that goes on is refused, also one whose plan was finished once before", () =>
    withWorks(async ({ root, cli }) => {
      for (const name of ["audit", "rewrite"])
        await expect(cli(`prune ${name} --yes`)).rejects.toThrow("Nothing was removed.")
      const again = work("old", { status: "active" })
      await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, again))
      await expect(cli("prune old --yes")).rejects.toThrow("found old active. Nothing was removed.")
      await cli("prune --yes")
      expect(await folders(root)).toEqual(["audit", "old"])
    }))

  test.each<{ named: string; shown: string[] }>([
    { named: "thrice", shown: ["thrice", "thrice-20", "thrice-30"] },
    { named: "plans/thrice.md", shown: ["thrice", "thrice-20", "thrice-30"] },
    { named: "thrice-20", shown: ["thrice-20"] },
    { named: "thrice-10", shown: ["thrice"] },
  ])("$named means the works $shown, each shown by its own name", ({ named, shown }) =>
    withWorks(async ({ root, cli }) => {
      const works = [10, 20, 30].map((days) =>
        work(`thrice-${days}`, {
          ...{ status: "completed" as const, updated_at: at(-days * DAY_S) },
          ...{ plan_name: "thrice", active_plan: "plans/thrice.md" },
        }),
      )
      await openWorkArchive(openRecordFiles({ root })).keep({ works, parts: [] })
      const before = await folders(root)
      const rows = (await cli(`prune ${named}`)).out.split("\n").slice(1, -2)
      expect(rows.map((row) => row.split(" ")[0] ?? "")).toEqual(shown)
      await cli(`prune ${named} --yes`)
      const gone = shown.map((name) => (name === "thrice" ? "thrice-10" : name))
      expect(await folders(root)).toEqual(before.filter((folder) => !gone.includes(folder)))
    }),
  )

  test("one that is set going again while it is looked at stays whole", () =>
    withWorks(async ({ root }) => {
      const store = openFileBoulderStore({ root })
      const archive = openWorkArchive(openRecordFiles({ root }))
      const keep = async (departure: Parameters<typeof archive.keep>[0]) => {
        await archive.keep(departure)
        const again = work("done", { status: "active", updated_at: at(0) })
        await store.update((boulder) => putWork(boulder, again))
      }
      const workIds = ["done", "old"]
      expect(await pruneWorks({ store, archive: { ...archive, keep }, workIds })).toEqual(["old"])
      expect((await store.read()).boulder?.works["done"]?.status).toBe("active")
      expect(await folders(root)).toContain("done")
    }))

  test("a name and an age together, and an age that is none, are usage", () =>
    withWorks(async ({ cli }) => {
      await expect(cli("prune old --older-than 1d")).rejects.toThrow(UsageError)
      for (const age of ["soon", "-1", "1w", ""])
        await expect(cli(`prune --older-than=${age}`)).rejects.toThrow("an age such as 30d or 12h")
    }))
})

function work(name: string, given: Partial<Work> = {}): Work {
  return aWork({
    work_id: name,
    plan_name: name,
    active_plan: `.boulder/plans/${name}.md`,
    ...given,
  })
}

interface Place {
  readonly root: string
  readonly cli: (
    line: string,
    given?: { columns?: number },
  ) => Promise<{ out: string; err: string }>
}

/** Two open works, a finished one at hand, and two that were archived. */
function withWorks(use: (place: Place) => Promise<void>): Promise<void> {
  return withFolder(async (root) => {
    const [one, two, three] = parsePlan(planOf("Task 1", "Task 2", "Task 3")).tasks
    if (one === undefined || two === undefined || three === undefined) throw new Error("No tasks")
    const counts = (settled: number, total: number) => ({
      completed_count: settled,
      total_count: total,
    })
    const days = (age: number) => ({ updated_at: at(-age * DAY_S) })
    const finished = { status: "completed" as const }
    const atHand = [
      work("audit", {
        ...counts(1, 4),
        ...days(1),
        task_sessions: { "todo:2": aTaskSession(two, { attempts: 3 }) },
      }),
      work("rewrite", {
        ...counts(2, 9),
        updated_at: at(-3_600),
        status: "paused",
        pause_reason: "no-progress",
      }),
      work("done", { ...finished, ...counts(5, 5), ...days(2) }),
    ]
    const boulder = (works: readonly Work[]): Boulder["works"] =>
      Object.fromEntries(works.map((each) => [each.work_id, each]))
    await openFileBoulderStore({ root }).update((empty) => ({ ...empty, works: boulder(atHand) }))
    const archive = openWorkArchive(openRecordFiles({ root }))
    const none = { sessionIds: [], waveRows: [] }
    await archive.keep({
      works: [
        work("ancient", { ...finished, ...counts(8, 8), ...days(40) }),
        work("old", {
          ...finished,
          ...counts(3, 3),
          ...days(10),
          plan_name: "old-release",
          started_at: at(-11 * DAY_S),
          task_sessions: { "todo:3": aTaskSession(three) },
        }),
      ],
      parts: [
        { workId: "audit", taskSessions: [aTaskSession(one)], ...none },
        { workId: "done", taskSessions: [aTaskSession(one)], ...none },
      ],
    })
    await use({ root, cli: (line, given) => runInFolder(root, line, given) })
  })
}

async function folders(root: string): Promise<readonly string[]> {
  return (await readdir(join(root, ".boulder/works"))).sort()
}
