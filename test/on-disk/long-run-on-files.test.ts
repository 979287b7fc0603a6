import { describe, expect, test } from "bun:test"
import { mkdir, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { inSections, LEAD, PLAN, started, ticked } from "../support/long-run-project.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

describe("shards", () => {
  test("the active one is written at the start, with its tasks as the plan has them", () =>
    withFolder(async (root) => {
      const plan = inSections(11, 13)
      const { text, shards, shard, work } = await started(root, plan)
      const { work_id, active_shard } = await work()
      expect(active_shard).toBe(1)
      expect(await shards()).toEqual(["001.md"])
      expect(text).toContain(`Next (lines of .boulder/works/${work_id}/shards/001.md):`)
      expect(text).toContain("  Details-1: as the drawing has it")
      expect(text).not.toContain("Part 4")
      const file = await shard(1)
      expect(file).toContain("- [ ] 11. Build part 11\n  Details-11: as the drawing has it\n")
      expect(file).not.toContain("Build part 12")
    }))

  test("one follows each tick, also the last, and the next is written when it becomes active", () =>
    withFolder(async (root) => {
      const plan = inSections(11, 13)
      const { plugin, edit, shards, shard, work } = await started(root, plan)
      await edit(ticked(plan, 1))
      await plugin.use(LEAD, "bash")
      expect(await shard(1)).toContain("- [x] 1. Build part 1\n")
      const first = Array.from({ length: 9 }, (_, at) => at + 1)
      await edit(ticked(plan, ...first))
      await plugin.use(LEAD, "bash")
      expect((await work()).current_window).toEqual(["todo:10", "todo:11", "todo:12"])
      expect(await shards()).toEqual(["001.md", "002.md"])
      await edit(ticked(plan, ...first, 10, 11))
      await plugin.use(LEAD, "bash")
      expect((await work()).active_shard).toBe(2)
      expect(await shard(1)).not.toContain("- [ ]")
    }))

  test("is not touched while its part of the plan stays", () =>
    withFolder(async (root) => {
      const plan = inSections(12, 12)
      const { plugin, edit, shardPath } = await started(root, plan)
      const before = await stat(shardPath(1))
      await edit(plan.replace("Details-20: as", "Details-20: not as"))
      await plugin.use(LEAD, "bash")
      await plugin.fallIdle(LEAD)
      expect((await stat(shardPath(1))).ino).toBe(before.ino)
    }))

  test("a write to one is refused with a word on where to tick; reading the plan is not", () =>
    withFolder(async (root) => {
      const { plugin, work, shardPath } = await started(root, inSections(12))
      const path = `.boulder/works/${(await work()).work_id}/shards/001.md`
      const args = { filePath: shardPath(1), oldString: "[ ]", newString: "[x]" }
      expect(await plugin.use(LEAD, "edit", args)).toBe(
        `boulder: refused to write ${path}. It only shows a part of the plan: a task is settled by its box in ${PLAN}.`,
      )
      expect(await plugin.use(LEAD, "read", { filePath: join(root, PLAN) })).toBe("done")
    }))

  test("tasks put in between keep the keys and marks of all others", () =>
    withFolder(async (root) => {
      const plan = inSections(12, 12)
      const { plugin, edit, shard, work } = await started(root, plan)
      const done = ticked(plan, 1, 2)
      await edit(done.replace("- [ ] 3.", "- [ ] 2a. Between\n- [ ] 2b. Between too\n- [ ] 3."))
      await plugin.use(LEAD, "bash")
      expect(await work()).toMatchObject({
        completed_count: 2,
        total_count: 26,
        current_window: ["todo:2a", "todo:2b", "todo:3"],
      })
      const file = await shard(1)
      expect(file).toContain('{ key: "todo:2b"')
      expect(file).toContain("- [x] 2. Build part 2\n")
      expect(file).toContain("- [ ] 12. Build part 12\n")
    }))

  test("another cut of the same plan changes no key and no count, only the files", () =>
    withFolder(async (root) => {
      const plan = ticked(inSections(30), 1, 2)
      const before = await started(root, plan, { long_run: { shard_size: 15 } })
      const { current_window, completed_count, total_count } = await before.work()
      const after = await started(root, plan, { long_run: { shard_size: 10 } })
      expect(await after.work()).toMatchObject({ current_window, completed_count, total_count })
      const keysIn = (file: string) => [...file.matchAll(/key: "(.*?)"/g)].map(([, key]) => key)
      const keys = Array.from({ length: 10 }, (_, at) => `todo:${at + 1}`)
      expect(keysIn(await after.shard(1))).toEqual(keys)
      expect(await after.shard(1)).toContain("- [x] 2. Build part 2\n")
    }))

  test("they and the checkpoints are kept when the work is complete, until it is pruned", () =>
    withFolder(async (root) => {
      const plan = inSections(3)
      const { plugin, edit, work, shards, checkpoints } = await started(root, plan)
      await edit(ticked(plan, 1, 2, 3))
      await plugin.use(LEAD, "bash")
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("completed")
      expect(await shards()).toEqual(["001.md"])
      expect(await checkpoints()).toEqual(["000001.json"])
      await runInFolder(root, "prune demo --yes")
      await expect(shards()).rejects.toThrow("ENOENT")
      expect(await checkpoints()).toEqual([])
    }))

  test("without the long-run mode there are none", () =>
    withFolder(async (root) => {
      const { text, shards } = await started(root, inSections(12), { long_run: { enabled: false } })
      expect(text).toContain("\nNext (lines of the plan):\n- todo:1")
      await expect(shards()).rejects.toThrow("ENOENT")
    }))
})

describe("the window's text", () => {
  test("is the same bytes while nothing has changed", () =>
    withFolder(async (root) => {
      const plan = inSections(12)
      const { plugin, edit } = await started(root, plan)
      await plugin.fallIdle(LEAD)
      await plugin.use(LEAD, "bash")
      await plugin.fallIdle(LEAD)
      const [one, same] = plugin.prompts
      expect(same).toBe(one ?? "")
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_one" })
      await edit(ticked(plan, 12))
      await plugin.fallIdle(LEAD)
      const changed = plugin.prompts[2] ?? ""
      expect(changed).toContain("): 1 of 12 settled.\n")
      expect(changed).toContain(
        "Preferred reuse session for todo:1: ses_one (pass it as task_id)\n",
      )
      expect(changed.endsWith(one?.slice(one.indexOf("- todo:2")) ?? "?")).toBe(true)
    }))
})

describe("rounds", () => {
  test("K settled tasks write a checkpoint and end the round, once", () =>
    withFolder(async (root) => {
      const plan = inSections(12)
      const { plugin, edit, work, checkpoints, checkpoint } = await started(root, plan)
      await edit(ticked(plan, 1, 2))
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      expect(await checkpoints()).toEqual([])
      await edit(ticked(plan, 1, 2, 3))
      expect(await plugin.use(LEAD, "bash")).toContain(
        "<boulder>\nEnd this turn: the round is over; checkpoint 1 is written (3/12 settled).",
      )
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      expect(await work()).toMatchObject({
        checkpoint_seq: 1,
        completed_count: 3,
        round: { number: 1, settled_at_checkpoint: 3, ended: "checkpoint-due" },
      })
      expect(await checkpoint(1)).toMatchObject({
        counts: { total: 12, done: 3 },
        active_shard: 1,
        window: ["todo:4", "todo:5", "todo:6"],
      })
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
      expect((await work()).round).toMatchObject({ number: 2, ended: null })
      expect(await checkpoints()).toEqual(["000001.json"])
    }))

  test.each([
    {
      name: "taken out of the plan",
      edit: (plan: string) => plan.replace(/- \[x\].*\n.*\n/g, ""),
    },
    { name: "opened again", edit: (plan: string) => plan.replaceAll("[x]", "[ ]") },
  ])("settled rows that are $name hold up no checkpoint: the next K end a round", ({ edit: cut }) =>
    withFolder(async (root) => {
      const plan = inSections(12, 12)
      const done = Array.from({ length: 12 }, (_, at) => at + 1)
      const { plugin, edit } = await started(root, plan)
      await edit(ticked(plan, ...done))
      expect(await plugin.use(LEAD, "bash")).toContain("checkpoint 1 is written (12/24 settled)")
      await plugin.fallIdle(LEAD)
      const left = cut(ticked(plan, ...done))
      await edit(left)
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      await edit(ticked(left, 13, 14))
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      await edit(ticked(left, 13, 14, 15))
      expect(await plugin.use(LEAD, "bash")).toContain("checkpoint 2 is written (3/")
    }),
  )

  test("a checkpoint tells of the shard and the window that follow it", () =>
    withFolder(async (root) => {
      const plan = inSections(11, 13)
      const { plugin, edit, checkpoint } = await started(root, plan)
      await edit(ticked(plan, ...Array.from({ length: 11 }, (_, at) => at + 1)))
      await plugin.use(LEAD, "bash")
      expect(await checkpoint(1)).toMatchObject({
        active_shard: 2,
        window: ["todo:12", "todo:13", "todo:14"],
      })
    }))

  test("a tool that changes nothing costs the plan's stat, and no look into boulder.json", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      let reads = 0
      const read: typeof store.read = () => {
        reads += 1
        return store.read()
      }
      await mkdir(join(root, ".boulder/plans"), { recursive: true })
      const past = new Date(Date.now() - 60_000)
      const edit = async (plan: string, at = past) => {
        await writeFile(join(root, PLAN), plan)
        await utimes(join(root, PLAN), at, at)
      }
      const plan = inSections(12)
      await edit(plan)
      const plugin = openPlugin(root, { store: { ...store, read } })
      await plugin.startWork(LEAD, PLAN)
      await plugin.use(LEAD, "bash")
      reads = 0
      for (const tool of ["bash", "read", "grep"]) await plugin.use(LEAD, tool)
      expect(reads).toBe(0)
      await plugin.tellTokens(LEAD, 61_000)
      expect(await plugin.use(LEAD, "bash")).toContain("soft limit")
      await edit(ticked(plan, 1, 2, 3), new Date(past.getTime() + 5_000))
      expect(await plugin.use(LEAD, "bash")).toContain("checkpoint 2 is written (3/12 settled)")
    }))

  test("parallel tools of one message end a round once", () =>
    withFolder(async (root) => {
      const plan = inSections(12)
      const { plugin, edit, checkpoints } = await started(root, plan)
      await edit(ticked(plan, 1, 2, 3))
      const results = await Promise.all([1, 2, 3, 4].map(() => plugin.use(LEAD, "bash")))
      expect(results.filter((result) => result.includes("nd this turn"))).toHaveLength(1)
      expect(await checkpoints()).toEqual(["000001.json"])
    }))

  test("what was settled before the start is not counted, nor what another session does", () =>
    withFolder(async (root) => {
      const plan = ticked(inSections(12), 1, 2, 3, 4)
      const { plugin, edit } = await started(root, plan)
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      await edit(ticked(plan, 5, 6, 7))
      expect(await plugin.use("ses_other", "bash")).toBe("done")
      expect(await plugin.use(LEAD, "bash")).toContain("checkpoint 1 is written (7/12 settled)")
    }))

  test("it ends early between two tasks once it has filled a quarter of the soft limit", () =>
    withFolder(async (root) => {
      const plan = inSections(12)
      const { plugin, edit, checkpoint } = await started(root, plan)
      await plugin.tellTokens(LEAD, 9_000)
      await edit(ticked(plan, 1))
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      await plugin.tellTokens(LEAD, 24_000)
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      await edit(ticked(plan, 1, 2))
      expect(await plugin.use(LEAD, "bash")).toContain(
        "End this turn: the round is over; checkpoint 1 is written (2/12 settled).",
      )
      expect(await checkpoint(1)).toMatchObject({ reason: "context-grown" })
    }))

  test("at the soft limit the round ends early, with one notice", () =>
    withFolder(async (root) => {
      const { plugin, checkpoint } = await started(root, inSections(12))
      await plugin.tellTokens(LEAD, 59_999)
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      await plugin.tellTokens(LEAD, 61_000)
      expect(await plugin.use(LEAD, "bash")).toContain(
        "End this turn: your context has reached its soft limit; checkpoint 1",
      )
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      expect(await checkpoint(1)).toMatchObject({ reason: "soft-limit", context_tokens: 61_000 })
    }))

  test("at the hard limit tools are refused in the lead session only, but for ours and what marks the plan", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, inSections(12))
      await plugin.tellTokens(LEAD, 90_500)
      const refusal =
        "boulder: refused, your context is at its hard limit (90500 of 90000 tokens). Settle what you have verified, leave the rest, and end this turn; the next round starts automatically."
      for (const tool of ["bash", "read", "task", "mcp_deploy"])
        expect(await plugin.use(LEAD, tool)).toBe(refusal)
      expect((await work()).round.ended).toBe("hard-limit")
      expect((await work()).dispatches).toEqual({})
      const tick = { filePath: join(root, PLAN), oldString: "- [ ] 1.", newString: "- [x] 1." }
      const row = "- [ ] 2. Build part 2"
      const block = { ...tick, oldString: row, newString: `${row}\n  BLOCKED: no key` }
      const source = { ...tick, filePath: join(root, "src/a.ts") }
      expect(await plugin.use(LEAD, "edit", tick)).not.toContain("refused")
      expect(await plugin.use(LEAD, "edit", block)).not.toContain("refused")
      expect(await plugin.use(LEAD, "edit", source)).toContain("refused")
      expect(await plugin.use(LEAD, "save_task_progress")).not.toContain("refused")
      expect(await plugin.use("ses_child", "bash")).toBe("done")
      const event = { type: "session.compacted", properties: { sessionID: LEAD } }
      await plugin.hooks.event?.({ event: event as never })
      expect(await plugin.use(LEAD, "bash")).toBe("done")
    }))

  test("at the hard limit a session that leads no longer is not refused", () =>
    withFolder(async (root) => {
      const { plugin } = await started(root, inSections(12))
      await plugin.tellTokens(LEAD, 95_000)
      expect(await plugin.use(LEAD, "bash")).toContain("boulder: refused")
      await plugin.startWork("ses_new", PLAN)
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      await plugin.tellTokens("ses_new", 95_000)
      expect(await plugin.use("ses_new", "bash")).toContain("boulder: refused")
    }))

  test("nor is the user in a session whose work is paused", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, inSections(12))
      await plugin.tellTokens(LEAD, 95_000)
      const call = { command: "stop-work", sessionID: LEAD, arguments: "" }
      await plugin.hooks["command.execute.before"]?.(call, { parts: [] })
      expect((await work()).status).toBe("paused")
      expect(await plugin.use(LEAD, "bash")).toBe("done")
    }))

  test("a start behind an ended round begins the next one", () =>
    withFolder(async (root) => {
      const plan = inSections(12)
      const { plugin, edit, work } = await started(root, plan)
      await edit(ticked(plan, 1, 2, 3))
      expect(await plugin.use(LEAD, "bash")).toContain("checkpoint 1 is written")
      const again = openPlugin(root, readOptions({ continuation: { cooldown_seconds: 0 } }))
      await again.startWork(LEAD, PLAN)
      expect((await work()).round).toMatchObject({ number: 2, ended: null })
      await again.tellTokens(LEAD, 61_000)
      expect(await again.use(LEAD, "bash")).toContain("End this turn: your context has reached")
    }))

  test("limits that do not fit the model are scaled down, and said once", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, inSections(12))
      const model = { limit: { context: 32_000, output: 2_000 } }
      const input = { sessionID: LEAD, agent: "build", model, provider: {}, message: {} }
      await plugin.hooks["chat.params"]?.(input as never, {} as never)
      await plugin.tellTokens(LEAD, 21_000)
      expect(await plugin.use(LEAD, "bash")).toContain("soft limit")
      await plugin.use(LEAD, "bash")
      expect(plugin.toasts.filter((toast) => toast.includes("token limits"))).toEqual([
        "The token limits do not fit this model's context of 32000 tokens, which opencode compacts at 30000: 20250 (soft) and 27000 (hard) are in force.",
      ])
      expect((await work()).context).toMatchObject({
        soft_limit: 20_250,
        hard_limit: 27_000,
        scaled: true,
      })
    }))

  test("without the long-run mode there are neither rounds nor limits", () =>
    withFolder(async (root) => {
      const plan = inSections(12)
      const off = { long_run: { enabled: false } }
      const { plugin, edit, work } = await started(root, plan, off)
      await edit(ticked(plan, 1, 2, 3))
      await plugin.tellTokens(LEAD, 95_000)
      expect(await plugin.use(LEAD, "bash")).toBe("done")
      expect((await work()).checkpoint_seq).toBe(0)
    }))
})

describe("checkpoints are deterministic", () => {
  /** A session that settles, blocks, fills its context and falls idle, always in the same order. */
  async function play(root: string): Promise<readonly string[]> {
    const plan = inSections(11, 13)
    const { plugin, edit, checkpoints, checkpoint } = await started(root, plan)
    await plugin.delegate({ lead: LEAD, key: "todo:4", child: "ses_four" })
    await edit(ticked(plan, 1, 2, 3))
    await plugin.use(LEAD, "bash")
    await plugin.fallIdle(LEAD)
    await plugin.tellTokens(LEAD, 61_234)
    await plugin.use(LEAD, "bash")
    await plugin.fallIdle(LEAD)
    await edit(ticked(plan, 1, 2, 3, 6, 7, 8).replace("- [ ] 5.", "- [!] 5."))
    await plugin.use(LEAD, "bash")
    const names = await checkpoints()
    const all = await Promise.all(names.map((_, at) => checkpoint(at + 1)))
    return all.map(({ at, ...said }) => {
      expect(at).toMatch(/^\d{4}-/)
      return JSON.stringify(said)
    })
  }

  test("the same plan and the same events give the same bytes, times apart", async () => {
    const [first, second] = await Promise.all([withFolder(play), withFolder(play)])
    expect(first).toHaveLength(3)
    expect(first.map((said) => JSON.parse(said).reason)).toEqual([
      "checkpoint-due",
      "soft-limit",
      "checkpoint-due",
    ])
    expect(second).toEqual(first)
  })
})
