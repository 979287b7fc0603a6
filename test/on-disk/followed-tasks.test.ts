import { describe, expect, test } from "bun:test"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { PLAN, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const LEAD = "ses_lead"
const plan = (...rows: readonly string[]) => `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
const ONE = "- [ ] 1. Write the parser"
const TWO = "- [ ] 2. Write the printer"
const BEFORE = plan(ONE, TWO)
const RENUMBERED = plan(ONE, "- [ ] 2. Write the scanner", "- [ ] 3. Write the printer")
const MOVED = plan("- [ ] 1. Write the printer", "- [ ] 2. Write the parser")

const delegated = (given: Partial<{ key: string; child: string; output: string }> = {}) => ({
  lead: LEAD,
  key: "todo:2",
  child: "ses_printer",
  ...given,
})

describe("a task that was renumbered or moved", () => {
  test.each([
    { name: "renumbered behind an inserted row", edited: RENUMBERED, key: "todo:3" },
    { name: "moved to the place of another", edited: MOVED, key: "todo:1" },
  ])("$name keeps its session, behind any tool", ({ edited, key }) =>
    withFolder(async (root) => {
      const { plugin, edit, work } = await started(root, BEFORE)
      await plugin.delegate(delegated())
      await plugin.delegate(delegated({ key: "todo:1", child: "ses_parser" }))
      await edit(edited)
      await plugin.use(LEAD, "bash")
      // The keys of now count from the model's next message on: it was told of them in this one.
      await Bun.sleep(2)
      await plugin.tellTokens(LEAD, 1_000)
      const sessions = (await work()).task_sessions
      expect(sessions[key]).toMatchObject({
        task_key: key,
        session_id: "ses_printer",
        attempts: 1,
      })
      const parser = Object.values(sessions).find((one) => one.session_id === "ses_parser")
      expect(parser?.task_title).toBe("Write the parser")
      expect(Object.keys(sessions)).toHaveLength(2)
      const said = await plugin.delegate(delegated({ key, child: "ses_printer" }))
      expect(said).toContain(`Preferred reuse session for ${key}: ses_printer`)
      expect((await work()).task_sessions[key]?.attempts).toBe(2)
    }),
  )

  test("keeps its block, with the record behind it", () =>
    withFolder(async (root) => {
      const { plugin, edit, work, plan: text } = await started(root, BEFORE)
      await plugin.delegate(delegated({ output: "BLOCKED: no key for the cloud" }))
      const marked = await text()
      const [id = ""] = Object.values((await work()).blocked)
      expect(id).toStartWith("hnd_")
      await edit(marked.replace("2. Write the printer", "5. Write the printer"))
      await plugin.use(LEAD, "bash")
      expect((await work()).blocked).toEqual({ "todo:5": id })
      await plugin.use(LEAD, "bash")
      const saved = { summary: "It is there.", status: "complete", task: id }
      const context = { sessionID: LEAD, agent: "build" } as never
      await plugin.hooks.tool?.["save_task_progress"]?.execute(saved, context)
      expect(await text()).toContain("- [x] 5. Write the printer")
    }))

  test("keeps its verdict", () =>
    withFolder(async (root) => {
      const wave = "\n## Final verification wave\n\n- [ ] F1. Audit the plan\n"
      const { plugin, edit, work } = await started(root, `${plan(ONE)}${wave}`)
      await plugin.delegate(delegated({ key: "final-wave:f1", output: "VERDICT: APPROVE" }))
      await edit(`${plan(ONE)}${wave.replace("F1.", "F1. Run the tests\n- [ ] F2.")}`)
      await plugin.use(LEAD, "bash")
      expect(Object.keys((await work()).final_wave)).toEqual(["final-wave:f2"])
    }))

  test("while its call is in flight, is recorded under its new key", () =>
    withFolder(async (root) => {
      const { plugin, edit, work } = await started(root, BEFORE)
      const call = { tool: "task", sessionID: LEAD, callID: "call_1" }
      const args = { description: "todo:2", prompt: "do it", subagent_type: "general" }
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      await edit(RENUMBERED)
      const result = { title: "", output: "did it", metadata: { sessionId: "ses_printer" } }
      await plugin.hooks["tool.execute.after"]?.({ ...call, args }, result)
      expect(result.output).toContain("Result for todo:3")
      expect(Object.keys((await work()).task_sessions)).toEqual(["todo:3"])
    }))
})

describe("what a run has stored", () => {
  const ANEW = "# Pond\n\n## Tasks\n\n### Bed\n1. [ ] Dig\n2. [ ] Line\n\n### Water\n1. [ ] Fill\n"
  const [, , fill] = parsePlan(ANEW, { path: PLAN }).tasks

  test("under the key of a number that counts anew, `task:1#2`, is its task's by the title", () =>
    withFolder(async (root) => {
      const key = fill?.key ?? ""
      const { plugin } = await started(root, ANEW)
      await plugin.delegate(delegated({ key, child: "ses_fill" }))
      const file = join(root, ".boulder/boulder.json")
      const stored = await readFile(file, "utf8")
      expect(stored).toContain(`"${key}"`)
      await writeFile(file, stored.replaceAll(key, "task:1#2"))
      const again = await started(root, ANEW)
      await again.plugin.use(LEAD, "bash")
      expect((await again.work()).task_sessions[key]).toMatchObject({ session_id: "ses_fill" })
      const said = await again.plugin.delegate(delegated({ key, child: "ses_fill" }))
      expect(said).toContain(`Preferred reuse session for ${key}: ses_fill`)
    }))

  test.each(["- [x] b12cdef Task: Dig", "- [x] Task: Dig [b12cdef]", "- [~] Task: Dig b12cdef"])(
    "of a task of Conductor stays its own once its commit stands in its row: %s",
    (row) =>
      withFolder(async (root) => {
        const before = "# Pond\n\n## Phase 1: Bed\n\n- [ ] Task: Dig\n- [ ] Task: Fill\n"
        const key = parsePlan(before).tasks[0]?.key ?? ""
        const { plugin, edit, work } = await started(root, before)
        await plugin.delegate(delegated({ key, child: "ses_dig" }))
        await edit(before.replace("- [ ] Task: Dig", row))
        await plugin.use(LEAD, "bash")
        expect((await work()).task_sessions).toMatchObject({ [key]: { session_id: "ses_dig" } })
        const said = await plugin.delegate(delegated({ key, child: "ses_dig" }))
        expect(said).toContain(`Result for ${key}`)
      }),
  )
})

describe("another task", () => {
  test.each([
    { name: "a reworded one", edited: plan(ONE, "- [ ] 2. Write the scanner"), key: "todo:2" },
    { name: "an inserted one", edited: RENUMBERED, key: "todo:2" },
  ])("$name is offered no session", ({ edited, key }) =>
    withFolder(async (root) => {
      const { plugin, edit } = await started(root, BEFORE)
      await plugin.delegate(delegated())
      await edit(edited)
      const output = "said nothing of use"
      const said = await plugin.delegate(delegated({ key: "todo:1", child: "ses_parser", output }))
      expect(said).toContain("Result for todo:1")
      const text = await plugin.startWork(LEAD, ".boulder/plans/demo.md")
      expect(text).not.toContain(`${key}: ses_printer`)
    }),
  )
})
