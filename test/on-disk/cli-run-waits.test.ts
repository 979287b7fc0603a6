import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { putWork } from "../../src/boulder/change-work.ts"
import { runCli } from "../../src/cli/run-cli.ts"
import { waveStatus } from "../../src/decide/final-wave.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { at, aWork } from "../support/builders.ts"
import { aTerminal } from "../support/cli-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PATH = ".boulder/plans/demo.md"
const TICKED = `# Demo

## TODOs

- [x] 1. Write the greeting

## Final Verification Wave

- [x] F1. Read it
`

/** `run demo` where no opencode can be started: what it says, and its exit code. */
async function runDemo(root: string, given: Partial<Work> | null): Promise<string> {
  await mkdir(join(root, ".boulder", "plans"), { recursive: true })
  await writeFile(join(root, PATH), TICKED)
  if (given !== null) {
    const work = aWork({ plan_name: "demo", active_plan: PATH, ...given })
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
  }
  return run(root, "demo")
}

async function run(root: string, plan?: string): Promise<string> {
  let said = ""
  const write = (text: string) => {
    said += text
  }
  const env = { OPENCODE_BIN: join(root, "none") }
  const terminal = aTerminal({ out: write, err: write, cwd: root, env })
  const code = await runCli(plan === undefined ? ["run"] : ["run", plan], terminal).catch(String)
  return `${code} ${said}`
}

const verdict = (of: "pass" | "reject"): Pick<Work, "final_wave"> => {
  const { tasks } = parsePlan(TICKED, { path: PATH, siblings: [] })
  const row = tasks.find((task) => task.section === "final-wave")
  if (row === undefined) throw new Error("no wave")
  const { key, titleHash } = row
  return {
    final_wave: { [key]: { title_hash: titleHash, verdict: of, session_id: null, at: at(0) } },
  }
}

describe("the plan that run means", () => {
  test.each([
    { plan: "@fix_plan.md", path: "@fix_plan.md", tasks: 1 },
    { plan: "fix_plan.md", path: "fix_plan.md", tasks: 2 },
    { plan: "@prd.md", path: "prd.md", tasks: 3 },
    { plan: "x.plan.md", path: ".cursor/plans/x.plan.md", tasks: 4 },
  ])("$plan", ({ plan, path, tasks }) =>
    withFolder(async (root) => {
      const files = ["@fix_plan.md", "fix_plan.md", "prd.md", ".cursor/plans/x.plan.md"]
      await mkdir(join(root, ".cursor/plans"), { recursive: true })
      for (const [index, file] of files.entries())
        await writeFile(join(root, file), "- [x] Done\n".repeat(index + 1))
      expect(await run(root, plan)).toContain(
        `0 Complete: ${tasks}/${tasks} tasks of ${path} settled`,
      )
    }),
  )
})

describe("without a name, before an opencode is started", () => {
  const put = async (root: string, path: string, text: string) => {
    await mkdir(join(root, path, ".."), { recursive: true })
    await writeFile(join(root, path), text)
  }

  test("the only plan is complete as it is with its name", () =>
    withFolder(async (root) => {
      const complete = "0 Complete: 2/2 tasks of .boulder/plans/demo.md settled; nothing to run."
      expect(await runDemo(root, { status: "completed" })).toStartWith(complete)
      expect(await run(root)).toStartWith(complete)
    }))

  test("of a complete plan it is said what is not run", () =>
    withFolder(async (root) => {
      await put(root, ".boulder/plans/demo.md", "- [x] a\n\n## Next steps\n\n- one\n- two\n")
      expect(await run(root)).toContain(
        'settled; nothing to run.\nline 5: 2 bullets have no box and are not run ("one", "two")',
      )
    }))

  test("one of several plans, or a first one, is asked for as it is typed in a shell", () =>
    withFolder(async (root) => {
      expect(await run(root)).toStartWith("Refusal: Expected a plan; found none. Write one to")
      for (const name of ["a", "b"]) await put(root, `.boulder/plans/${name}.md`, "- [ ] 1. One")
      const said = await run(root)
      expect(said).toStartWith("Refusal: Expected the name of one of 2 plans; found no name.")
      expect(said).not.toContain("/start-work")
      await put(root, ".boulder/plans/a.md", "- [x] 1. One")
      expect(await run(root)).not.toContain("name of one of")
    }))

  test("the open work is taken, and one of several is asked for", () =>
    withFolder(async (root) => {
      await put(root, ".boulder/plans/other.md", "- [ ] 1. One")
      expect(await runDemo(root, { status: "paused", ...verdict("reject") })).toContain("\nNeeds")
      expect(await run(root)).toContain("\nNeeds you (rejected-row)")
      const other = aWork({ work_id: "other", active_plan: ".boulder/plans/other.md" })
      await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, other))
      expect(await run(root)).toStartWith("Refusal: Expected the name of one of 2 plans")
    }))

  test("a state of an older plugin is left to the one that takes it over", () =>
    withFolder(async (root) => {
      for (const name of ["a", "b"]) await put(root, `.omo/plans/${name}.md`, "- [ ] 1. One")
      const plan = join(root, ".omo/plans/a.md")
      const older = { active_plan: plan, started_at: at(0), session_ids: [], plan_name: "a" }
      await put(root, ".omo/boulder.json", JSON.stringify(older))
      expect(await run(root)).toContain("none")
      expect(await run(root)).not.toContain("name of one of")
    }))
})

test.each([
  {
    text: "Only words.\n",
    says: "found none.\nRead as: generic format, 0 tasks, 0 settled.\nWrite each",
  },
  { text: "## 1. A\n\n## 2. B\n", says: "`opencode-boulder plan PLAN.md` shows what may be tasks" },
  { text: "\0", says: "it is not text" },
  { text: null, says: "Expected a plan at PLAN.md; no file is there: check the path" },
])("a plan without tasks is refused before an opencode is started: $says", ({ text, says }) =>
  withFolder(async (root) => {
    if (text !== null) await writeFile(join(root, "PLAN.md"), text)
    const said = await run(root, "PLAN.md")
    expect(said).toStartWith("Refusal: Expected ")
    expect(said).toContain(says)
  }),
)

describe("a plan whose every box is ticked", () => {
  test("is refused where open rows stand outside its sections, with their number and the first", () =>
    withFolder(async (root) => {
      const outside = "## Notes\n- [ ] Dig\n- [ ] Fill\n"
      const plan = `## Phase 1: A\n- [x] a\n- [x] b\n- [x] c\n\n${outside}`
      await writeFile(join(root, "PLAN.md"), plan)
      const said =
        'Refusal: Nothing to do in PLAN.md: generic format, 3 tasks, 3 settled; 2 lines look like tasks and are not counted (why: opencode-boulder plan).\nline 7: 2 open rows are outside the task sections and are not counted; the first: "Dig".'
      expect(await run(root, "PLAN.md")).toStartWith(said)
      await writeFile(join(root, "PLAN.md"), plan.replaceAll("[ ]", "[x]"))
      expect(await run(root, "PLAN.md")).toStartWith("0 Complete: 3/3")
    }))

  test("is complete where nothing was started, and where its work is complete", () =>
    withFolder(async (root) => {
      expect(await runDemo(root, null)).toStartWith("0 Complete: 2/2")
      expect(await runDemo(root, { status: "completed" })).toStartWith("0 Complete: 2/2")
    }))

  test("13f: needs its user while the wave waits for approval", () =>
    withFolder(async (root) => {
      const work = aWork({ active_plan: PATH, ...verdict("pass") })
      const plan = parsePlan(TICKED, { path: PATH, siblings: [] })
      const waiting = { fingerprint: waveStatus(plan, work).fingerprint, since: at(0) }
      const said = await runDemo(root, { ...verdict("pass"), awaiting_approval: waiting })
      expect(said).toContain("\nNeeds you (awaiting-approval)")
    }))

  test("13f: needs its user where the wave is back and its turn has not ended", () =>
    withFolder(async (root) => {
      expect(await runDemo(root, verdict("pass"))).toContain("\nNeeds you (awaiting-approval)")
    }))

  test("13f: needs its user where a ticked row was rejected", () =>
    withFolder(async (root) => {
      const said = await runDemo(root, verdict("reject"))
      expect(said).toContain("\nNeeds you (rejected-row)")
      expect(said).toContain("final-wave:f1")
    }))

  test("is started where its work was stopped or approved before it ended: only opencode ends it", () =>
    withFolder(async (root) => {
      const work = aWork({ active_plan: PATH, ...verdict("pass") })
      const plan = parsePlan(TICKED, { path: PATH, siblings: [] })
      const approved_wave = waveStatus(plan, work).fingerprint
      const ofWave = { ...verdict("pass"), approved_wave }
      expect(await runDemo(root, ofWave)).toContain("none serve to start")
      const paused = { status: "paused", pause_reason: "stopped-by-user" } as const
      expect(await runDemo(root, { ...ofWave, ...paused })).toContain("none serve to start")
    }))
})
