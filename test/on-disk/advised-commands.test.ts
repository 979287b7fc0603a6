import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { putWork } from "../../src/boulder/change-work.ts"
import { runCommandLine } from "../../src/panel/run-command-line.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { at, aWork } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const ALPHA = {
  work_id: "alpha-11111111",
  plan_name: "alpha",
  active_plan: ".boulder/plans/alpha.md",
}
const BETA = {
  work_id: "beta-22222222",
  plan_name: "beta",
  active_plan: ".boulder/plans/beta.md",
  lead_session_id: "ses_e02a05cf0ffeiVkhL7Rr1pXXXX",
}
const BLOCKED = "## TODOs\n\n- [ ] 1. One\n- [!] 2. Two\n  BLOCKED: no key\n"
const TICKED = "## TODOs\n\n- [x] 1. One\n  Verify: `npm test`\n- [ ] 2. Two\n"
const WAVE = "## TODOs\n\n- [x] 1. One\n\n## Final Verification Wave\n\n- [ ] F1. Review\n"

const hashOf = (text: string, key: string): string =>
  parsePlan(text).tasks.find((task) => task.key === key)?.titleHash ?? ""
const held = (times: number) => ({
  "todo:1": {
    title_hash: hashOf(TICKED, "todo:1"),
    why: "`npm test` has not been run",
    times,
    at: at(-60),
  },
})

async function put(root: string, plan: string, ...works: readonly Partial<Work>[]): Promise<void> {
  for (const given of works) {
    const path = join(root, given.active_plan ?? "")
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, plan)
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, aWork(given)))
  }
}

/** Every line of a command that is advised in a text, as one would type it. */
const advised = (text: string, name: string): readonly string[] =>
  [...text.matchAll(new RegExp(`opencode-boulder (${name}(?: [^\\s.,;)]\\S*)*)`, "g"))].map(
    ([, line = ""]) => line.replace(/[.,;)]$/, ""),
  )

describe("a command that is advised runs as it is printed", () => {
  test("two plans, each with a blocked task of one key: each is unblocked by its own line", () =>
    withFolder(async (root) => {
      await put(root, BLOCKED, ALPHA, BETA)
      const { out } = await runInFolder(root, "status", { columns: 200 })
      const lines = advised(out, "unblock")
      expect(lines.toSorted()).toEqual(["unblock todo:2 alpha", "unblock todo:2 beta"])
      for (const line of lines) expect((await runInFolder(root, line)).out).toContain("Unblocked:")
    }))
  test.each([
    { pause_reason: "only-blocked-left" as const },
    { pause_reason: "task-blocked" as const },
  ])(
    "paused for $pause_reason: what resumes it has nothing to be filled in, and unblocks it, of one plan or two",
    ({ pause_reason }) =>
      withFolder(async (root) => {
        const paused = { status: "paused" as const, pause_reason }
        await put(root, BLOCKED, { ...ALPHA, ...paused }, { ...BETA, ...paused })
        const { out } = await runInFolder(root, "status", { columns: 400 })
        expect(out).not.toMatch(/<[a-z]+>/)
        expect(out.replaceAll(/\s+/g, " ")).toContain(
          "or run opencode-boulder unblock alpha) next:",
        )
        const { out: said } = await runInFolder(root, "unblock alpha")
        expect(said).toContain('Unblocked: todo:2 "Two"')
        // No plan is called so: it is the key of a task.
        expect((await runInFolder(root, "unblock todo:2")).out).toContain("Unblocked:")
      }),
  )
  test("unblock without a task, where a ticked one is held alone, says what approves it", () =>
    withFolder(async (root) => {
      await put(root, TICKED, { ...ALPHA, held: held(5) })
      const said = await runInFolder(root, "unblock").catch((error: unknown) => String(error))
      expect(String(said)).toContain("opencode-boulder approve todo:1")
    }))
  test("resume of a work that nobody is at says what sets it going", () =>
    withFolder(async (root) => {
      await put(root, BLOCKED, ALPHA)
      const { out } = await runInFolder(root, "resume")
      expect(out.replaceAll(/\s+/g, " ")).toContain(
        "alpha is not paused: idle: no opencode is working on it (one that starts here and has its session resumes it after half a minute). To resume: type /start-work alpha in opencode, or run: opencode-boulder run alpha",
      )
    }))
  test("one plan: its blocked task is named alone", () =>
    withFolder(async (root) => {
      await put(root, BLOCKED, ALPHA)
      const { out } = await runInFolder(root, "status", { columns: 200 })
      expect(advised(out, "unblock")).toEqual(["unblock todo:2"])
    }))
  test("two final waves that wait: each is approved by its own line", () =>
    withFolder(async (root) => {
      const waits = {
        awaiting_approval: { fingerprint: "0", since: at(-60) },
        final_wave: {
          "final-wave:f1": {
            title_hash: hashOf(WAVE, "final-wave:f1"),
            verdict: "pass",
            session_id: "ses_x",
            at: at(-70),
          },
        },
      } as const
      await put(root, WAVE, { ...ALPHA, ...waits }, { ...BETA, ...waits })
      const { out } = await runInFolder(root, "status", { columns: 200 })
      const lines = advised(out, "approve")
      expect(lines.toSorted()).toEqual(["approve alpha", "approve beta"])
      for (const line of lines) expect((await runInFolder(root, line)).out).toContain("Approved:")
    }))
  test("two plans of one name: what is stopped by its path is resumed by it", () =>
    withFolder(async (root) => {
      await put(root, BLOCKED, ALPHA, { ...BETA, plan_name: "alpha", active_plan: "docs/alpha.md" })
      const { out } = await runInFolder(root, "stop docs/alpha.md", { columns: 200 })
      const [line = ""] = advised(out, "resume")
      expect((await runInFolder(root, line)).out).toContain("Resumed: alpha")
    }))
  test("two plans that hold a task of one key: each is approved by its own line", () =>
    withFolder(async (root) => {
      await put(root, TICKED, { ...ALPHA, held: held(3) }, { ...BETA, held: held(3) })
      const { out } = await runInFolder(root, "status", { columns: 200 })
      const lines = advised(out, "approve")
      expect(lines.toSorted()).toEqual(["approve todo:1 alpha", "approve todo:1 beta"])
      await expect(runInFolder(root, "approve todo:1")).rejects.toThrow(
        "found todo:1 in 2 plans: name the plan too. Held tasks: todo:1 alpha, todo:1 beta",
      )
      await expect(runInFolder(root, "approve todo:9 alpha")).rejects.toThrow(
        "found todo:9, which is not held. Held tasks: todo:1 alpha",
      )
      const { out: proof } = await runInFolder(root, "proof alpha", { columns: 200 })
      expect(advised(proof, "approve")).toEqual(["approve todo:1 alpha"])
      for (const line of lines)
        expect((await runInFolder(root, line)).out).toContain("counts as done")
    }))
})

describe("in the panel", () => {
  test("what is said of a blocked task can be typed, at any width of its words", () =>
    withFolder(async (root) => {
      for (let chars = 1; chars < 45; chars++) {
        const plan = `## TODOs\n\n- [ ] 1. One\n- [!] 2. ${"a".repeat(chars)}\n  BLOCKED: key\n`
        await put(root, plan, ALPHA)
        const { text } = await runCommandLine(["status"], { cwd: root, columns: 60 })
        expect(text).toMatch(/Unblock:\s+\/boulder-unblock$/m)
      }
    }))
  test("what is said of a held and blocked task can be done there", () =>
    withFolder(async (root) => {
      const paused = { status: "paused", pause_reason: "task-blocked" } as const
      await put(root, TICKED, { ...ALPHA, ...paused, held: held(3) })
      const inPanel = { cwd: root, columns: 1_000 }
      const status = await runCommandLine(["status"], inPanel)
      expect(status.text).toContain("or you approve it: /boulder-approve\n")
      const refused = await runCommandLine(["unblock", "todo:1", ALPHA.active_plan], inPanel)
      expect(refused.text).toEndWith("count it as done: /boulder-approve")
      const done = await runCommandLine(["approve", "todo:1", ALPHA.active_plan], inPanel)
      expect(done).toEqual({ isDone: true, text: "todo:1 of alpha counts as done." })
    }))
})

test("what `plan` warns of names the command as it is called here", () =>
  withFolder(async (root) => {
    await put(root, "## TODOs\n\n1. One\n2. Two\n", ALPHA)
    const { out } = await runInFolder(root, "plan", { columns: 200, call: "npx opencode-boulder" })
    expect(out).toContain(
      `To write boxes:\n  npx opencode-boulder plan ${ALPHA.active_plan} --add-boxes 3-4\n`,
    )
  }))

test("so does a start that is refused for want of boxes, with the plan's own path", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "my plans"))
    await writeFile(join(root, "my plans/b.md"), "## TODOs\n\n1. One\n2. Two\n")
    const plugin = openPlugin(root)
    expect(await plugin.startWork("ses_lead", "my plans/b.md")).toContain(
      "opencode-boulder plan 'my plans/b.md'",
    )
    await plugin.hooks.dispose?.()
  }))
