import { describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { runInFolder } from "../support/cli-in-process.ts"
import { waitUntil } from "../support/host-wait.ts"
import { inSections, LEAD, PLAN, started, ticked } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const CEILING = { continuation: { cooldown_seconds: 0, max_tokens_per_work: 100_000 } }
const plan = inSections(12)

describe("the tokens of a work", () => {
  test("are those of its lead session and its subagents, each answer once, from the start on", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await plugin.tellTokens(LEAD, 10_000)
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
      await plugin.tellTokens("ses_child", 4_000)
      await plugin.tellTokens("ses_stranger", 50_000)
      await plugin.fallIdle(LEAD)
      expect((await work()).tokens).toEqual({ spent: 14_000, since: 0, ceiling: null })
      await plugin.fallIdle(LEAD)
      expect((await work()).tokens.spent).toBe(14_000)
      await plugin.startWork("ses_stranger", PLAN)
      await plugin.fallIdle("ses_stranger")
      expect((await work()).tokens.spent).toBe(14_000)
    }))

  test("are no change that wakes anybody: neither in a paused work nor after its end", () =>
    withFolder(async (root) => {
      const { plugin, edit, work } = await started(root, inSections(1))
      await runInFolder(root, "stop")
      const { updated_at } = await work()
      await plugin.tellTokens(LEAD, 10_000)
      await plugin.fallIdle(LEAD)
      expect(await work()).toMatchObject({ updated_at, tokens: { spent: 10_000 } })
      await plugin.startWork(LEAD, PLAN)
      await edit(ticked(inSections(1), 1))
      await plugin.fallIdle(LEAD)
      await plugin.tellTokens(LEAD, 10_000)
      await plugin.fallIdle(LEAD)
      expect(await work()).toMatchObject({ status: "completed", tokens: { spent: 10_000 } })
    }))

  test("survive a restart", () =>
    withFolder(async (root) => {
      const { plugin } = await started(root, plan)
      await plugin.tellTokens(LEAD, 10_000)
      await plugin.fallIdle(LEAD)
      const later = await started(root, plan)
      await later.plugin.tellTokens(LEAD, 5_000)
      await later.plugin.fallIdle(LEAD)
      expect((await later.work()).tokens.spent).toBe(15_000)
    }))

  test("are written down at a round's end too: a crash forgets no round", () =>
    withFolder(async (root) => {
      const { plugin, edit, work } = await started(root, plan)
      await plugin.tellTokens(LEAD, 30_000)
      await edit(ticked(plan, 1, 2, 3))
      await plugin.use(LEAD, "bash")
      expect((await work()).tokens.spent).toBe(30_000)
    }))
})

describe("the ceiling", () => {
  test("pauses the work with the figures, and a start gives a fresh budget", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan, CEILING)
      await plugin.tellTokens(LEAD, 58_000)
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
      await plugin.tellTokens(LEAD, 59_500)
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
      expect(await work()).toMatchObject({
        status: "paused",
        pause_reason: "budget-spent",
        spent_budget: { of: "tokens", used: 117_500, limit: 100_000 },
      })
      expect(plugin.toasts).toEqual([
        "Plan demo paused: its budget is spent (117,500 of 100,000 tokens). To resume: type /start-work (with a fresh budget).",
      ])
      const { out } = await runInFolder(root, "status")
      expect(out).toContain("Its budget is spent (117,500 of 100,000 tokens).")
      expect(out).toContain("  tokens: 117,500 in all, ceiling 100,000\n")
      const why = await runInFolder(root, "why")
      expect(why.out).toContain("Paused: its budget is spent (117,500 of 100,000 tokens).")
      const text = await plugin.startWork(LEAD, PLAN)
      expect(text).toContain(
        "Note: its budget was spent (117,500 of 100,000 tokens) and is fresh again",
      )
      expect(await work()).toMatchObject({
        status: "active",
        spent_budget: null,
        tokens: { spent: 117_500, since: 117_500, ceiling: 100_000 },
      })
      await plugin.tellTokens(LEAD, 40_000)
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(2)
    }))

  test("so does resume, and no message of the user", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan, CEILING)
      await plugin.tellTokens(LEAD, 100_000)
      await plugin.fallIdle(LEAD)
      await plugin.say(LEAD, "go on")
      expect((await work()).pause_reason).toBe("budget-spent")
      const { out } = await runInFolder(root, "resume")
      expect(out).toContain("with a fresh budget")
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
    }))

  test("a resume that comes while the pause is still being told is not missed", () =>
    withFolder(async (root) => {
      const toast = async () => {
        await runInFolder(root, "resume")
      }
      const { plugin } = await started(root, plan, CEILING, { toast })
      await plugin.tellTokens(LEAD, 100_000)
      await plugin.fallIdle(LEAD)
      await waitUntil(
        () => plugin.prompts.length === 1,
        () => "",
      )
    }))

  test("there is none unless it is set", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await plugin.tellTokens(LEAD, 50_000_000)
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("active")
      expect(plugin.prompts).toHaveLength(1)
      const journal = await readFile(join(root, ".boulder/journal.jsonl"), "utf8")
      expect(journal).toContain('"tokens":50000000')
    }))
})
