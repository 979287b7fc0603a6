import { describe, expect, test } from "bun:test"
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { UsageError } from "../../src/cli/terminal/cli-error.ts"
import { columnsOf } from "../../src/cli/views/columns.ts"
import { planJson } from "../../src/cli/views/plan-json.ts"
import { planText } from "../../src/cli/views/plan-text.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aWork } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = parsePlan(
  `# Plan

## TODOs

- [x] 1. Set up the package
- [!] 2. Ask for the key
- [ ] 3. 日本語のとても長い題名がここにあって、八十桁の端末では最後まで表示できないはずの見出し
- [?] 4. A marker that nobody knows

## Final Verification Wave

- [ ] F1. Look at it all

## Definition of Done

- [ ] every test passes
`,
  { path: ".boulder/plans/demo.md" },
)
const reading = {
  kind: "read",
  plan: PLAN,
  lines: [],
  fingerprint: { size: 0, mtime_ms: 0, hash: "" },
} as const

describe("plan, for a person", () => {
  const text = planText("demo.md", PLAN, 80)

  test.each([
    ["- [x] 1. A", "complete"],
    ["- [!] 1. A", "only blocked tasks left"],
    ["Only words", "no task found"],
  ])("says the state of %j in words", (rows, words) => {
    const [head] = planText("a.md", parsePlan(`## TODOs\n\n${rows}\n`), 80).split("\n")
    expect(head).toEndWith(`, ${words}`)
  })
  test("shows dialect, counts, every task with its key and line, what was skipped and why", () => {
    expect(text.split("\n").slice(0, 1)).toEqual([
      "demo.md: omo format (a heading that only omo plans have), open",
    ])
    expect(text).toContain("████░░░░░░░░░░░░░░░░ 1/5 settled (5 tasks, 3 open, 1 blocked, 1 done)")
    expect(text).toContain("x todo:1           5  Set up the package")
    expect(text).toContain("! todo:2           6  Ask for the key")
    expect(text).toContain("A marker that nobody knows (not runnable)")
    expect(text).toContain("· final-wave:f1   12  Look at it all")
    expect(text).toContain(
      "1 line was skipped:\n  below a heading that names no work, or work that is left out: line 16\n",
    )
    expect(text).toContain("Warning, line 8: ")
  })

  test.each([40, 60, 80, 120])("no line is wider than %d columns", (columns) => {
    const widths = planText("demo.md", PLAN, columns).split("\n").map(columnsOf)
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
  })

  test("at 40 columns the counts of a plan of which all was read stand whole", () => {
    const text = planText("demo.md", parsePlan("- [ ] 1. One\n- [x] 2. Two\n"), 40)
    expect(Math.max(...text.split("\n").map(columnsOf))).toBeLessThanOrEqual(40)
    expect(text.replaceAll(/\s+/g, " ")).toContain("1/2 settled (2 tasks, 1 open, 1 done)")
  })

  test.each([40, 80])("a long title cuts no note away at %d columns", (columns) => {
    const title = "a long title ".repeat(10)
    const notes = planText(
      "a.md",
      parsePlan(
        `## TODOs\n- [?] 1. ${title}\n- [ ] 2. ${title} (depends on 1)\n- [x] 3. ${title} VERDICT: REJECT`,
      ),
      columns,
    )
    for (const note of ["(not runnable)", "(waits for others)", "(rejected)"]) {
      expect(notes).toContain(note)
    }
  })

  test("a warning about many rows stands there once, with their lines", () => {
    const rows = Array.from({ length: 20 }, () => "- [ ] Write tests\n").join("")
    const text = planText("a.md", parsePlan(rows), 200)
    expect(text.match(/duplicate-label/g)).toHaveLength(1)
    expect(text).toContain(
      "Warning, line 2: Another task has this title: this one is task:~63edf339#2. (duplicate-label; 18 more like it: lines 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, …)",
    )
  })

  test("the next task that is a heading is shown with its first open step", () => {
    const steps = parsePlan("### Task 1: A\n- [x] Step 1: b\n- [ ] Step 2: c")
    expect(planText("a.md", steps, 80)).toContain("Next: task:1 (line 1): Step 2: c (line 3)\n")
    expect(planJson("a.md", { ...reading, plan: steps })["next"]).toEqual({
      ...{ key: "task:1", label: "1", title: "A", line: 1 },
      step: { title: "Step 2: c", line: 3 },
    })
  })

  test("a plan without a task says how one is written", () => {
    const empty = planText("empty.md", parsePlan("# Nothing\n"), 80)
    expect(empty).toContain("empty.md: ")
    expect(empty).toContain("- [ ] 1. Add the login route")
  })

  test("a title cannot talk to the terminal", () => {
    const evil = parsePlan("- [ ] 1. \u001b]0;gotcha\u0007 \u001b[2Jx\n")
    expect(planText("evil\u001b[31m.md", evil, 80)).not.toContain("\u001b")
  })
})

describe("plan --json", () => {
  test("a plan that was read", () => {
    const json = planJson("demo.md", reading)
    expect(Object.keys(json)).toEqual([
      "file",
      "dialect",
      "evidence",
      "state",
      "counts",
      "next",
      "tasks",
      "ignored",
      "warnings",
    ])
    expect(json).toMatchObject({
      file: "demo.md",
      dialect: "omo",
      state: "open",
      counts: { total: 5, done: 1, open: 3, in_progress: 0, blocked: 1, cancelled: 0, optional: 0 },
      next: { key: "todo:3", label: "3", line: 7 },
      ignored: [{ line: 16, reason: "ignored-heading" }],
    })
    expect(json["tasks"]).toContainEqual({
      key: "todo:1",
      label: "1",
      title: "Set up the package",
      section: "todo",
      state: "done",
      line: 5,
      optional: false,
      runnable: false,
      depends_on: [],
    })
  })

  test("a task with its checks, each on its line", () => {
    const checked = parsePlan("- [ ] 1. A\n  Verify: `npm  test`\n- [ ] 2. B\n")
    const json = planJson("a.md", { ...reading, plan: checked })
    expect(json["tasks"]).toMatchObject([
      { key: "task:1", checks: [{ command: "npm test", line: 2 }] },
      { key: "task:2" },
    ])
    expect(JSON.stringify(json).split('"checks"')).toHaveLength(2)
  })

  test("no file: unavailable, with the reason", () => {
    const json = planJson("gone.md", { kind: "unavailable", message: "no file is there" })
    expect(json).toMatchObject({
      file: "gone.md",
      state: "unavailable",
      message: "no file is there",
      next: null,
      tasks: [],
    })
  })
})

describe("a plan without lines", () => {
  const json = parsePlan(
    '{"userStories":[{"id":"US-1","title":"Add","passes":true},{"id":"US-2","title":"Show","passes":false},{"id":"US-2","title":"Hide","passes":false}]}',
    { path: "prd.json" },
  )

  test("says no line, to a person", () => {
    expect(
      planText("prd.json", json, 80),
    ).toBe(`prd.json: prd-json format (a list \`userStories\`), open
██████░░░░░░░░░░░░░░ 1/3 settled (3 tasks, 2 open, 1 done)
Next: task:us-2

  key          title
x task:us-1    Add
· task:us-2    Show
· task:us-2#2  Hide

Warning: Another task has this id: this one is task:us-2#2. (duplicate-label)
`)
  })
  test("nor to a program", () => {
    const printed = planJson("prd.json", { ...reading, plan: json })
    expect(printed).toMatchObject({ next: { key: "task:us-2", line: null } })
    expect(printed).toMatchObject({ tasks: [{ line: null }, { line: null }, { line: null }] })
    expect(printed).toMatchObject({ warnings: [{ line: null, rule: "duplicate-label" }] })
  })
})

describe("plan without a name", () => {
  test("shows the plan of the only open work, as the text of a start advises", () =>
    withFolder(async (root) => {
      await mkdir(join(root, ".git"))
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      await writeFile(join(root, ".boulder/plans/demo.md"), "## TODOs\n\n- [ ] 1. One\n")
      await openFileBoulderStore({ root }).update((boulder) => ({
        ...boulder,
        works: { demo: aWork({ work_id: "demo", active_plan: ".boulder/plans/demo.md" }) },
      }))
      expect((await runInFolder(root, "plan")).out).toContain("todo:1")
    }))

  test("names the open works where there are several", () =>
    withFolder(async (root) => {
      await mkdir(join(root, ".git"))
      await openFileBoulderStore({ root }).update((boulder) => ({
        ...boulder,
        works: {
          one: aWork({ work_id: "one", plan_name: "one", active_plan: "one.md" }),
          two: aWork({ work_id: "two", plan_name: "two", active_plan: "two.md" }),
        },
      }))
      await expect(runInFolder(root, "plan")).rejects.toThrow(
        "Expected the name of one of 2 plans; found no name. Name one of: one (one.md), two (two.md).",
      )
    }))
})

test.each([
  { what: "has nothing to do any more", asked: null, shown: "todo:2" },
  {
    what: "waits for the user's approval",
    asked: { fingerprint: "a".repeat(16), since: "2026-01-01T00:00:00.000Z" },
    shown: "todo:1",
  },
])("plan without a name, where a complete plan $what", ({ asked, shown }) =>
  withFolder(async (root) => {
    await mkdir(join(root, ".git"))
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(join(root, ".boulder/plans/old.md"), "## TODOs\n\n- [x] 1. One\n")
    await writeFile(join(root, ".boulder/plans/new.md"), "## TODOs\n\n- [ ] 2. Two\n")
    const work = { active_plan: ".boulder/plans/old.md", awaiting_approval: asked }
    await openFileBoulderStore({ root }).update((boulder) => ({
      ...boulder,
      works: { old: aWork({ work_id: "old", ...work }) },
    }))
    expect((await runInFolder(root, "plan")).out).toContain(shown)
  }),
)

describe("plan --add-boxes", () => {
  const PROSE = "# Cache\n\n## Steps\n\n1. Add it\r\n2. Use it\n"
  const inProject = (text: string, use: (root: string, file: string) => Promise<void>) =>
    withFolder(async (root) => {
      await mkdir(join(root, ".git"))
      await mkdir(join(root, ".opencode/plans"), { recursive: true })
      const file = join(root, ".opencode/plans/cache.md")
      await writeFile(file, text, { mode: 0o640 })
      await use(root, file)
    })

  test("without it the lines are shown, and nothing is written", () =>
    inProject(PROSE, async (root, file) => {
      const { out } = await runInFolder(root, "plan cache")
      expect(out).toContain('  5-6  2 numbered rows below "Steps"\n')
      expect(out).toContain("To write boxes:\n  opencode-boulder plan cache --add-boxes 5-6\n")
      expect(await readFile(file, "utf8")).toBe(PROSE)
    }))
  test("with it they are written, and nothing else; a second time there is nothing to do", () =>
    inProject(PROSE, async (root, file) => {
      const { out } = await runInFolder(root, "plan cache --add-boxes 5-6")
      expect(out).toContain("Boxes were written before 2 lines:\n     5  1. [ ] Add it\n")
      expect(out).toContain("Nothing else was changed: to undo it, delete these boxes.\n")
      expect(out).toContain("0/2 settled (2 tasks, 2 open)")
      const boxed = PROSE.replace("1. A", "1. [ ] A").replace("2. U", "2. [ ] U")
      expect(await readFile(file, "utf8")).toBe(boxed)
      expect((await stat(file)).mode & 0o777).toBe(0o640)
      expect(await readdir(join(root, ".opencode/plans"))).toEqual(["cache.md"])
      await expect(runInFolder(root, "plan cache --add-boxes 5-6")).rejects.toThrow(
        'Expected lines that have no box yet; line 5 has one already: "1. [ ] Add it". Leave it out. Nothing was written.',
      )
      expect(await readFile(file, "utf8")).toBe(boxed)
    }))
  test("each line is shown as it stands in the file then", () =>
    inProject("# P\n\n## Phase **1**\n\nDig.\n\n## Phase 2 ✅\n\nFill.\n", async (root, file) => {
      const { out } = await runInFolder(root, "plan cache --add-boxes 3-7")
      const [, shown = ""] = /a tick, .*\n.*:\n((?: +\d+ .*\n)+)/.exec(out) ?? []
      const lines = (await readFile(file, "utf8")).split("\n")
      expect(shown).toBe(`     3  ${lines[2]}\n     7  ${lines[6]}\n`)
    }))
  test.each([
    { name: "beside the project", at: "../cache.md" },
    { name: "in another one", at: "../other/plans/cache.md" },
    { name: "in one within", at: "vendor/cache.md" },
    { name: "in the project", at: "docs/cache.md" },
  ])("a start is advised where one is taken: of a plan $name", ({ at }) =>
    withFolder(async (folder) => {
      const root = join(folder, "project")
      for (const repository of ["project", "other", "project/vendor"])
        await mkdir(join(folder, repository, ".git"), { recursive: true })
      await mkdir(dirname(join(root, at)), { recursive: true })
      await writeFile(join(root, at), PROSE)
      const { out } = await runInFolder(root, `plan ${at} --add-boxes 5-6`)
      const env = { HOME: root, OPENCODE_BIN: "/nonexistent", PATH: "/usr/bin:/bin" }
      const started = await runInFolder(root, `run ${at}`, { env }).catch(String)
      const isTaken = JSON.stringify(started).includes("/nonexistent")
      const said = out.replaceAll(/\n +/g, " ").replaceAll("\n", " ")
      expect(said.endsWith(`in opencode, or run: opencode-boulder run ${at} `)).toBe(isTaken)
      expect(said.includes("put it into the project, at .boulder/plans/<name>.md")).toBe(!isTaken)
    }),
  )
  test("of several choices each is shown with its lines, and none is advised", () =>
    inProject("# P\n\n## A\n\n- One\n- Two\n\n## B\n\nWords.\n", async (root) => {
      const { out } = await runInFolder(root, "plan cache", { columns: 80 })
      expect(out).toEndWith(
        `No task has a box yet. (no-boxes)
No task was found. A task is a checkbox at the start of a line:
  - [ ] 1. Add the login route

These lines may be the tasks, the best guess first. 3-8 is line 3 and each
  line like it down to line 8; several can be given, separated by commas:
  3-8  2 headings: A to B
  5-6  2 bullets below "A"
To write boxes:
  opencode-boulder plan cache --add-boxes LINES
`,
      )
    }))
  test.each([
    {
      text: "# P\n\nWords.\n",
      why: "No lines are offered for boxes: `--add-boxes` takes headings below the title and rows of lists.",
    },
    { text: "\n", why: "The file is empty." },
  ])("why no lines are offered is said: $why", ({ text, why }) =>
    inProject(text, async (root) => {
      const { out } = await runInFolder(root, "plan cache", { columns: 120 })
      expect(out).toEndWith(`  - [ ] 1. Add the login route\n${why}\n`)
    }),
  )
  test("of a plan with tasks the first lists that are not run are shown, and all as JSON", () => {
    const lists = ["A", "B", "C", "D", "E"].map((name) => `## ${name}\n\n- One\n- Two\n`)
    return inProject(`# P\n\n## Tasks\n\n- [ ] Dig\n\n${lists.join("\n")}`, async (root) => {
      const { out } = await runInFolder(root, "plan cache", { columns: 80 })
      expect(out).toEndWith(
        `
These lines have no box, so they are not run. 7-27 is line 7 and each line
  like it down to line 27; several can be given, separated by commas:
  7-27   5 headings: A to E
  9-30   10 bullets: One to Two
  9-10   2 bullets below "A"
  14-15  2 bullets below "B"
  19-20  2 bullets below "C"
  and 2 more (--json lists all)
To write boxes where they are tasks too:
  opencode-boulder plan cache --add-boxes LINES
`,
      )
      const json = JSON.parse((await runInFolder(root, "plan cache --json")).out)
      expect(json.offers).toHaveLength(7)
    })
  })
  test("lines that nobody types are in no warning, and are shown whole where they are chosen from", () => {
    const unit = "## A\n\n### Steps\n\n1. Dig\n2. Fill\n\n### Risks\n\n1. Wet\n2. Dry\n\n"
    return inProject(unit.repeat(9), async (root) => {
      const { out } = await runInFolder(root, "plan cache", { columns: 40 })
      const steps = "5-6,17-18,29-30,41-42,53-54,65-66,77-78,89-90,101-102"
      expect(out).toMatch(new RegExp(`^ *${steps}$`, "m"))
      expect(out).not.toContain(`--add-boxes ${steps}`)
      expect(out.replace(/\n +/g, " ")).toContain('…, "Fill"). (no-boxes)')
    })
  })
  test("as JSON: which lines may be meant", () =>
    inProject(PROSE, async (root) => {
      const { out } = await runInFolder(root, "plan cache --json")
      expect(JSON.parse(out)).toMatchObject({
        offers: [
          { lines: "5-6", kind: "numbered rows", count: 2, first: "Add it", below: "Steps" },
        ],
      })
    }))
  test("as JSON: which lines got one", () =>
    inProject(PROSE, async (root) => {
      const { out } = await runInFolder(root, "plan cache --add-boxes 5-6 --json")
      expect(JSON.parse(out)).toMatchObject({ added: [5, 6], state: "open", counts: { total: 2 } })
    }))
  test.each([
    { lines: "", told: 'Expected lines such as 20-140 or 12,15; found "".' },
    {
      lines: "6-5",
      told: 'Expected each range from its first line to its last, 5-6; found "6-5".',
    },
  ])("a line that is typed wrong, $lines, is an error of usage", ({ lines, told }) =>
    inProject("# Plan\n\n## Tasks\n\n- Dig\n- Fill\n", async (root) => {
      const run = runInFolder(root, `plan cache --add-boxes ${lines}`)
      await expect(run).rejects.toThrow(new UsageError(told))
    }),
  )
  test("a table of states and an issue list are named, and left as they are", () =>
    inProject("| Phase | Status |\n|---|---|\n| Dig | open |\n| Fill | open |\n", async (root) => {
      const table = await runInFolder(root, "plan cache")
      expect(table.out.replace(/\n +/g, " ")).toContain(
        'Rows of a table cannot be ticked and are not run: "Phase | Status" (2 rows).',
      )
      await expect(runInFolder(root, "plan cache --add-boxes 3")).rejects.toThrow(
        "a row of a list at the margin on line 3; found a row of a table,",
      )
      await mkdir(join(root, ".beads"))
      await writeFile(join(root, ".beads/issues.jsonl"), '{"id":"a-1","status":"open"}\n')
      const issues = await runInFolder(root, "plan .beads/issues.jsonl")
      expect(issues.out.replace(/\n +/g, " ")).toContain("Found a list of 1 issues (1 open)")
    }))
})

test("where a plan lies tells its format outside of any project too", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "conductor/tracks/pond"), { recursive: true })
    await writeFile(join(root, "conductor/tracks/pond/plan.md"), "- [~] Task: Dig\n")
    const { out } = await runInFolder(root, "plan conductor/tracks/pond/plan.md --json")
    expect(JSON.parse(out)).toMatchObject({ dialect: "conductor", counts: { in_progress: 1 } })
  }))

test("two plans of one name are both named, and it is not said that none is there", () =>
  withFolder(async (root) => {
    await mkdir(join(root, ".git"))
    for (const name of ["fix_plan.md", "@fix_plan.md"])
      await writeFile(join(root, name), "- [ ] 1. One\n")
    await expect(runInFolder(root, "plan fix_plan")).rejects.toThrow(
      /found several that could be meant\. Name one of: (?=.*(?<!@)fix_plan\.md).*@fix_plan\.md/,
    )
    expect((await runInFolder(root, "plan fix_plan.md")).out).toContain("1 task")
  }))

test.each(["nope", "nope --json"])(
  "plan %s says what `run nope` says: the plans that there are",
  (line) =>
    withFolder(async (root) => {
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      await writeFile(join(root, ".boulder/plans/demo.md"), "- [ ] 1. One\n")
      const said =
        "Expected a plan called nope; found none. Name one of: demo (.boulder/plans/demo.md)."
      await expect(runInFolder(root, `plan ${line}`)).rejects.toThrow(said)
      await expect(runInFolder(root, "run nope")).rejects.toThrow(said)
      await expect(runInFolder(root, "plan nope.md")).rejects.toThrow("no file is there")
      await expect(runInFolder(root, "plan nope.md --add-boxes 3")).rejects.toThrow(
        "Expected a plan at nope.md; no file is there: check the path, or put the plan back. Nothing",
      )
    }),
)
