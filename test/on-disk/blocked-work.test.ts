import { describe, expect, test } from "bun:test"
import { readdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { StoreError } from "../../src/store/disk/store-error.ts"
import { openPlanFiles } from "../../src/store/plans/plan-files.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { waitUntil } from "../support/host-wait.ts"
import { inSections, LEAD, PLAN, started, ticked } from "../support/long-run-project.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const STUCK = "I tried.\nBLOCKED: no key for the cloud. Unblock: the key is in .env"

async function handoffsIn(root: string): Promise<Record<string, unknown>[]> {
  const folder = join(root, ".boulder/handoffs")
  const names = (await readdir(folder)).filter((name) => name.startsWith("hnd_"))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  return texts.map((text) => JSON.parse(text))
}

/** Calls the tool as the lead's agent does. */
async function saved(plugin: PluginInProcess, args: object): Promise<string> {
  const context = { sessionID: LEAD, agent: "build" } as never
  return String(await plugin.hooks.tool?.["save_task_progress"]?.execute(args as never, context))
}

describe("a subagent's BLOCKED line", () => {
  test("blocks its task: a note in the plan, a record of who, why and when, and the window moves on", () =>
    withFolder(async (root) => {
      const { plugin, work, text, plan } = await started(root, inSections(12))
      expect(text).toContain("Ask the user with `question`: words alone stop nothing.")
      const call = { lead: LEAD, key: "todo:2", child: "ses_two" }
      const said = await plugin.delegate({ ...call, output: STUCK })
      expect(said).toContain(
        "<boulder>\ntodo:2 is recorded as blocked (0/12 settled): no key for the cloud. Unblock: the key is in .env. Continue with other tasks.\n",
      )
      const [handoff] = await handoffsIn(root)
      expect(await plan()).toContain(
        `- [~] 2. Build part 2\n  Details-2: as the drawing has it\n  - BLOCKED: no key for the cloud. Unblock: the key is in .env (${handoff?.["id"]})\n`,
      )
      expect(handoff).toMatchObject({
        status: "blocked",
        session_id: "ses_two",
        agent: "general",
        attempts: 1,
        blocked_reason: "no key for the cloud. Unblock: the key is in .env",
        unblock: "the key is in .env",
        task_key: "todo:2",
      })
      expect(await work()).toMatchObject({
        blocked_count: 1,
        blocked: { "todo:2": handoff?.["id"] },
        current_window: ["todo:1", "todo:3", "todo:4"],
      })
      expect((await work()).task_sessions["todo:2"]?.attempts).toBe(1)
    }))

  test("once: the same task said to be blocked again keeps its one record", () =>
    withFolder(async (root) => {
      const { plugin, plan } = await started(root, inSections(12))
      const call = { lead: LEAD, key: "todo:2", child: "ses_two", output: STUCK }
      await plugin.delegate(call)
      const before = await plan()
      await plugin.delegate(call)
      expect(await plan()).toBe(before)
      expect(await handoffsIn(root)).toHaveLength(1)
    }))

  test("blocks its task also where the plan is gone for a moment, as while an editor saves it", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, inSections(12))
      const call = { tool: "task", sessionID: LEAD, callID: "call_gap" }
      const args = { description: "todo:2", prompt: "do it", subagent_type: "general" }
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      await rename(join(root, PLAN), join(root, "saved.md"))
      const metadata = { sessionId: "ses_two" }
      const result = { title: "", output: STUCK, metadata }
      const back = plugin.hooks["tool.execute.after"]?.({ ...call, args }, result)
      await Bun.sleep(50)
      await rename(join(root, "saved.md"), join(root, PLAN))
      await back
      expect(result.output).toContain("todo:2 is recorded as blocked (0/12 settled)")
      expect(Object.keys((await work()).blocked)).toEqual(["todo:2"])
    }))

  test("is told, and its result counts, also where the disk takes no mark", () =>
    withFolder(async (root) => {
      const plans = openPlanFiles({ root, now: Date.now })
      const mark = async () => {
        throw new StoreError({ code: "io", expected: "to mark", found: "EROFS", todo: "Mount it." })
      }
      const readOnly = { plans: { ...plans, mark } }
      const { plugin, work } = await started(root, inSections(12), {}, {}, readOnly)
      const call = { lead: LEAD, key: "todo:2", child: "ses_two" }
      const said = await plugin.delegate({ ...call, output: STUCK })
      expect(said).toContain("Save it as `blocked`, then continue with other tasks.")
      expect((await work()).task_sessions["todo:2"]).toMatchObject({ attempts: 1, results: 1 })
      expect((await work()).dispatches).toEqual({})
      const save = {
        summary: "I tried.",
        status: "blocked",
        blocked_reason: "no key",
        task: "todo:2",
      }
      expect(await saved(plugin, save)).toContain("EROFS")
    }))

  test("of a task that is settled, or of a result that is not recorded, blocks nothing", () =>
    withFolder(async (root) => {
      const all = inSections(12)
      const { plugin, edit, plan } = await started(root, all)
      await edit(ticked(all, 2))
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_two", output: STUCK })
      await plugin.delegate({ lead: "ses_other", key: "todo:3", child: "ses_3", output: STUCK })
      expect(await plan()).toBe(ticked(all, 2))
    }))

  test("what depends on it waits too", () =>
    withFolder(async (root) => {
      const all = inSections(12).replace("Details-3: as", "Depends on: 2\n  Details-3: as")
      const { plugin, work } = await started(root, all)
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_two", output: STUCK })
      expect((await work()).current_window).toEqual(["todo:1", "todo:4", "todo:5"])
    }))
})

describe("a block by the tool", () => {
  test("is one like every other: note, record, window, and what depends on it", () =>
    withFolder(async (root) => {
      const all = inSections(12).replace("Details-5: as", "Depends on: 4\n  Details-5: as")
      const { plugin, work, plan } = await started(root, all)
      const args = { summary: "Tried.", status: "blocked", blocked_reason: "no paint", task: "4" }
      expect(await saved(plugin, args)).toContain("todo:4 is marked blocked in the plan.")
      await plugin.use(LEAD, "save_task_progress")
      const [handoff] = await handoffsIn(root)
      expect(await plan()).toBe(
        all.replace(
          "- [ ] 4. Build part 4\n  Details-4: as the drawing has it\n",
          `- [~] 4. Build part 4\n  Details-4: as the drawing has it\n  - BLOCKED: no paint (${handoff?.["id"]})\n`,
        ),
      )
      expect(await work()).toMatchObject({
        blocked_count: 1,
        current_window: ["todo:1", "todo:2", "todo:3"],
      })
      const settled = ticked(await plan(), 1, 2, 3)
      await writeFile(join(root, PLAN), settled)
      await plugin.use(LEAD, "bash")
      expect((await work()).current_window).toEqual(["todo:6", "todo:7", "todo:8"])
    }))

  test("a subagent that has saved its task as blocked is told of like one whose result says so", () =>
    withFolder(async (root) => {
      const { plugin } = await started(root, inSections(12))
      const child = { sessionID: "ses_two", agent: "general" } as never
      const save = { summary: "half", status: "blocked", blocked_reason: "no key for the cloud" }
      const call = { lead: LEAD, key: "todo:2", child: "ses_two", output: "Saved what I have." }
      const during = () =>
        plugin.hooks.tool?.["save_task_progress"]?.execute(save as never, child) ??
        Promise.resolve()
      const text = await plugin.delegate({ ...call, during })
      expect(text).toContain(
        "todo:2 is recorded as blocked (0/12 settled): no key for the cloud. Continue with other tasks.",
      )
      expect(text).not.toContain("Preferred reuse session")
      // Called for once more, it is to be verified: `complete` unblocks it.
      expect(await plugin.delegate(call)).toContain("Result for todo:2. Verify:")
    }))

  test("where the plan is the agent's to mark, it is told to", () =>
    withFolder(async (root) => {
      const options = { long_run: { partial_plan_updates: false } }
      const { plugin, plan } = await started(root, inSections(12), options)
      const call = { lead: LEAD, key: "todo:2", child: "ses_two" }
      expect(await plugin.delegate({ ...call, output: STUCK })).toContain(
        "Write `BLOCKED: why` below its row in the plan, then continue with other tasks.",
      )
      expect(await plan()).toBe(inSections(12))
    }))
})

describe("each block is written down once, whoever makes it", () => {
  const toldIn = async (root: string) =>
    (await readFile(join(root, ".boulder/journal.jsonl"), "utf8"))
      .split("\n")
      .filter((line) => line.includes('"task-blocked"'))
      .map((line) => JSON.parse(line))

  test("by a mark in the plan", () =>
    withFolder(async (root) => {
      const all = inSections(12)
      const { plugin, edit, work } = await started(root, all)
      const marked = all.replace(
        "- [ ] 4. Build part 4\n",
        "- [~] 4. Build part 4\n  - BLOCKED: no paint. Unblock when it is bought\n",
      )
      for (const text of [marked, ticked(marked, 1), marked]) {
        await edit(text)
        await plugin.use(LEAD, "bash")
      }
      expect(await toldIn(root)).toMatchObject([
        {
          session: LEAD,
          work: (await work()).work_id,
          reason: "by-mark",
          facts: { task: "todo:4", why: "no paint", unblock: "it is bought", attempts: 0 },
        },
      ])
    }))

  test("by a mark whose note is a newer one than the record", () =>
    withFolder(async (root) => {
      const all = inSections(12)
      const { plugin, edit } = await started(root, all)
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_two", output: STUCK })
      await edit(all)
      await plugin.use(LEAD, "bash")
      await edit(
        all.replace("- [ ] 2. Build part 2\n", "- [~] 2. Build part 2\n  - BLOCKED: no paint\n"),
      )
      await plugin.use(LEAD, "bash")
      const told = await toldIn(root)
      expect(told.map(({ facts }) => facts.why)).toEqual(["no key for the cloud", "no paint"])
      expect(told[1]).toMatchObject({ reason: "by-mark", facts: { handoff: null } })
    }))

  test("by a subagent, with its session and attempts", () =>
    withFolder(async (root) => {
      const { plugin } = await started(root, inSections(12))
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_two" })
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_two", output: STUCK })
      expect(await toldIn(root)).toMatchObject([
        { reason: "by-record", facts: { task: "todo:2", attempts: 2, task_session: "ses_two" } },
      ])
    }))
})

describe("when only blocked tasks are left", () => {
  const last = ticked(inSections(3), 1, 3)
  /** A work of which only `todo:2` is left, and that is blocked. */
  async function stuck(root: string) {
    const project = await started(root, last)
    await project.plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_2", output: STUCK })
    await project.plugin.fallIdle(LEAD)
    return project
  }

  test("the work pauses, says so, and lists them with what would unblock each", () =>
    withFolder(async (root) => {
      const { plugin, work } = await stuck(root)
      expect((await work()).pause_reason).toBe("only-blocked-left")
      expect(plugin.prompts).toEqual([])
      expect(plugin.toasts).toEqual([
        "Plan demo paused: only blocked tasks are left (todo:2: no key for the cloud, unblock when: the key is in .env). To resume: unblock a task (take its mark and BLOCKED line out of the plan, or run opencode-boulder unblock).",
      ])
      const { out } = await runInFolder(root, "status")
      expect(out.replace(/\s+/g, " ")).toMatch(
        /blocked: todo:2 Build part 2: no key for the cloud \(hnd_\w+, 1 attempt, \d+ s ago\)\. Unblock when: the key is in \.env/,
      )
      const again = await plugin.startWork(LEAD, PLAN)
      expect(again).toContain("has only blocked tasks left: ")
      expect(again).toContain('- todo:2 "Build part 2": no key for the cloud.')
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toEqual([])
    }))

  test("unblocking by the mark sets it going", () =>
    withFolder(async (root) => {
      const { plugin, edit, work } = await stuck(root)
      await edit(last)
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("active")
      expect(plugin.prompts).toHaveLength(1)
      expect(plugin.prompts[0]).toContain("- todo:2")
    }))

  test("the mark alone does, whatever our line below it says, until the task is blocked again", () =>
    withFolder(async (root) => {
      const { plugin, edit, work, plan } = await stuck(root)
      await edit((await plan()).replace("- [~] 2.", "- [ ] 2."))
      expect(await plan()).toContain("BLOCKED: no key")
      await plugin.fallIdle(LEAD)
      expect(await work()).toMatchObject({ status: "active", blocked_count: 0 })
      expect(plugin.prompts[0]).toContain("- todo:2")
      const output = "BLOCKED: still no key"
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_2", output })
      expect((await plan()).match(/BLOCKED: .*(?= \(hnd)/g)).toEqual(["BLOCKED: still no key"])
      expect(await work()).toMatchObject({ blocked_count: 1 })
    }))

  test("also where the edit comes while the pause is still being told", () =>
    withFolder(async (root) => {
      const toast = () => writeFile(join(root, PLAN), last)
      const { plugin } = await started(root, last, {}, { toast })
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_2", output: STUCK })
      await plugin.fallIdle(LEAD)
      await waitUntil(
        () => plugin.prompts.length === 1,
        () => "",
      )
    }))

  test("so does the command line", () =>
    withFolder(async (root) => {
      const { plugin, plan, work } = await stuck(root)
      const { out } = await runInFolder(root, "unblock todo:2")
      expect(out).toBe(
        'Unblocked: todo:2 "Build part 2". A running opencode continues it within seconds; if not: opencode-boulder run demo\n',
      )
      expect(await plan()).toBe(last)
      expect(await work()).toMatchObject({ status: "active", blocked: {} })
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
      // Its user has just said that the block is over: the lead is not asked whether it still holds.
      expect(plugin.prompts[0]).toContain('- todo:2 "Build part 2"')
      expect(plugin.prompts[0]).not.toContain("BLOCKED")
      const refused = runInFolder(root, "unblock 2")
      await expect(refused).rejects.toThrow("found todo:2 open. Blocked tasks: none.")
      await expect(runInFolder(root, "unblock")).rejects.toThrow("found none. Blocked tasks: none.")
    }))
})

test("where only a marker that nobody knows is left, its row is named, and what to do", () =>
  withFolder(async (root) => {
    const plan = "# P\n\n## TODOs\n\n- [x] 1. A\n- [?] 2. B\n"
    const { plugin, text, work, edit } = await started(root, plan)
    expect(text).toContain(
      `Tell the user what would unblock them, and how to unblock one then: take its mark and BLOCKED line out of the plan, or run opencode-boulder unblock. The work then resumes by itself. Then end your turn.\n- todo:2 "B": unknown marker "?". Unblock when: its box is empty or has an x`,
    )
    await plugin.fallIdle(LEAD)
    expect(plugin.toasts.at(-1)).toContain(
      '(todo:2: unknown marker "?", unblock when: its box is empty or has an x)',
    )
    const { out } = await runInFolder(root, "status", { columns: 200 })
    expect(out).toContain(
      'blocked: todo:2 B: unknown marker "?". Unblock when: its box is empty or has an x',
    )
    await edit(plan.replace("[?]", "[ ]"))
    await plugin.fallIdle(LEAD)
    expect((await work()).status).toBe("active")
  }))

describe("without blocker_skip", () => {
  test("the first blocked task pauses the work until it is unblocked", () =>
    withFolder(async (root) => {
      const all = inSections(12)
      const options = { long_run: { blocker_skip: false } }
      const { plugin, edit, work } = await started(root, all, options)
      const call = { lead: LEAD, key: "todo:2", child: "ses_2", output: STUCK }
      expect(await plugin.delegate(call)).toContain(
        "End this turn: the work waits until a task is unblocked.",
      )
      await plugin.fallIdle(LEAD)
      expect((await work()).pause_reason).toBe("task-blocked")
      expect(plugin.toasts[0]).toContain(
        "a task is blocked, and the options say to wait for it (todo:2: no key for the cloud",
      )
      await edit(ticked(all, 1))
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("active")
      expect(plugin.prompts).toHaveLength(1)
    }))
})
