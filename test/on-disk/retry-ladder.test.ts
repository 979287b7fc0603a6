import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const CHECK = "npm test -- login"
const TWO = `# Plan\n\n## TODOs\n\n- [ ] 1. Log in\n  Verify: \`${CHECK}\`\n- [ ] 2. Log out\n`
const BARE = "# Plan\n\n## TODOs\n\n- [ ] 1. Log in\n- [ ] 2. Log out\n"

interface Scene {
  readonly plugin: PluginInProcess
  readonly root: string
  /** A subagent's result for a task, under the id of its attempt; gives what stands below it. */
  readonly back: (attempt: number, output?: string, key?: string) => Promise<string>
  readonly edit: (change: (text: string) => string) => Promise<string>
  readonly work: () => Promise<Work>
  /** Each result that was turned down, as the journal has it. */
  readonly told: () => Promise<readonly string[]>
}

function inWork(
  plan: string,
  run: (scene: Scene) => Promise<void>,
  options: object = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), plan)
    const given = { orchestrator_writes: "allow", continuation: { cooldown_seconds: 0 } }
    const plugin = openPlugin(root, { ...readOptions({ ...given, ...options }) })
    await plugin.startWork(LEAD, PLAN)
    const edit = async (change: (text: string) => string) => {
      await writeFile(join(root, PLAN), change(await readFile(join(root, PLAN), "utf8")))
      await Bun.sleep(20)
      return plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    }
    const work = async () => {
      const { boulder } = await openFileBoulderStore({ root }).read()
      const [only] = Object.values(boulder?.works ?? {})
      if (only === undefined) throw new Error("no work")
      return only
    }
    const told = async () => {
      const isIts = ({ decision }: { decision: string }) => decision === "turn-down"
      const { entries } = await openJournal({ root }).readLast(100, isIts)
      return entries.map(
        ({ reason, facts }) => `${facts["task"]} ${reason} ${facts["times"]} ${facts["step"]}`,
      )
    }
    const back = (attempt: number, output = `Try ${attempt} of the login`, key = "todo:1") =>
      plugin.delegate({ lead: LEAD, key, child: `ses_child${attempt}`, output })
    await run({ plugin, root, back, edit, work, told })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

const untick = (text: string) => text.replace("- [x] 1.", "- [ ] 1.")
const tickOne = (text: string) => ticked(text, "1")

describe("a task whose results fail their verification", () => {
  test("its session is offered twice, then a fresh one with what was tried; at five it is blocked", () =>
    inWork(TWO, async ({ plugin, root, back, work, told }) => {
      const under: string[] = []
      const behind: string[] = []
      for (let attempt = 1; attempt <= 5; attempt++) {
        under.push(await back(attempt))
        behind.push(await plugin.bash(LEAD, CHECK, 1))
      }
      expect(under.map((text) => /ses_child\d|start fresh/.exec(text)?.[0])).toEqual([
        "ses_child1",
        "ses_child2",
        "ses_child3",
        "start fresh",
        "start fresh",
      ])
      expect(behind.slice(0, 2)).toEqual(["done", "done"])
      expect(behind[2]).toContain(
        "Preferred reuse session for todo:1: none, start fresh (3 failed verifications; last tried: Try 3 of the login; 'npm test -- login' ended with 1).",
      )
      expect(behind[3]).toContain("4 failed verifications; last tried: Try 4")
      expect(behind[4]).toContain("todo:1 is blocked: 5 failed verifications.")
      expect(await work()).toMatchObject({ blocked_count: 1, current_window: ["todo:2"] })
      const status = (await runInFolder(root, "status")).out
      expect(status.replace(/\s+/g, " ")).toContain(
        "5 failed verifications: `npm test -- login` ended with 1 (5 times). Last tried: Try 5 of the login",
      )
      expect(await told()).toEqual([
        "todo:1 check-failed 1 reuse",
        "todo:1 check-failed 2 reuse",
        "todo:1 check-failed 3 fresh",
        "todo:1 check-failed 4 fresh",
        "todo:1 check-failed 5 block",
      ])
      const why = (await runInFolder(root, "why -n 500")).out
      expect(why).toContain("five results of a task failed their verification")
      expect(await readFile(join(root, PLAN), "utf8")).toBe(TWO)
    }))

  test("ticks that are taken back count in a plan without a check, and so they do where nothing is proven", () =>
    inWork(
      BARE,
      async ({ back, edit, told, work }) => {
        for (let attempt = 1; attempt <= 5; attempt++) {
          await back(attempt)
          await edit(tickOne)
          const said = await edit(untick)
          if (attempt === 3) expect(said).toContain("start fresh (3 failed verifications")
          if (attempt === 3) expect(said).toContain("its tick was taken back")
        }
        expect((await told()).at(-1)).toBe("todo:1 tick-taken-back 5 block")
        expect((await work()).blocked_count).toBe(1)
      },
      { ticks: "trust" },
    ))

  test("a review's REJECT counts for its row", () =>
    inWork(
      "# Plan\n\n## TODOs\n\n- [x] 1. Log in\n\n## Final Verification Wave\n\n- [ ] F1. Review it\n- [ ] F2. Test it\n",
      async ({ back, told }) => {
        const said: string[] = []
        const again: string[] = []
        for (let attempt = 1; attempt <= 5; attempt++) {
          said.push(await back(attempt, "It leaks.\nVERDICT: REJECT", "final-wave:f1"))
          if (attempt < 4) again.push(await back(attempt + 5, "It is fixed.", "todo:1"))
        }
        expect(said[2]).toContain(
          "REJECTED. Delegate the fix under the key of the task that it concerns, ticked or not; then you will be told which reviews to run again.\n</boulder>",
        )
        expect(again[1]).toContain("Preferred reuse session for final-wave:f1: ses_child2")
        expect(again[2]).toContain(
          "Preferred reuse session for final-wave:f1: none, start fresh (3 failed verifications; last tried: It leaks.; it was a REJECT).",
        )
        expect(said[4]).toContain(
          "final-wave:f1 is recorded as blocked (1/3 settled): 5 failed verifications: it was a REJECT (5 times). Last tried: It leak…",
        )
        expect(await told()).toHaveLength(5)
      },
    ))

  test("what its subagent runs before its result is its own trial; a result fails once", () =>
    inWork(TWO, async ({ plugin, back, edit, told }) => {
      const during = async () => {
        await plugin.bash("ses_childx", CHECK, 1)
        // Another result comes meanwhile, and the lead is looked at.
        await back(7, "done", "todo:2")
      }
      for (let attempt = 0; attempt < 2; attempt++)
        await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_childx", during })
      await plugin.bash(LEAD, "ls")
      expect(await told()).toEqual([])
      await plugin.bash(LEAD, CHECK, 1)
      await plugin.bash(LEAD, CHECK, 1)
      await edit(tickOne)
      await edit(untick)
      expect(await told()).toEqual(["todo:1 check-failed 1 reuse"])
      await back(2)
      await plugin.bash(LEAD, CHECK)
      await edit(tickOne)
      await edit(untick)
      await edit(tickOne)
      await edit(untick)
      expect(await told()).toEqual([
        "todo:1 check-failed 1 reuse",
        "todo:1 tick-taken-back 2 reuse",
      ])
    }))

  test("a check before the first result, one that could not run, and another task's count for nothing", () =>
    inWork(TWO, async ({ plugin, back, edit, told }) => {
      await back(9, "done", "todo:2")
      await Bun.sleep(5)
      await plugin.bash(LEAD, CHECK, 1)
      await Bun.sleep(5)
      await back(1)
      await plugin.bash(LEAD, CHECK, 127)
      await plugin.bash(LEAD, `${CHECK} | tail`, 1)
      await edit(tickOne)
      await plugin.fallIdle(LEAD)
      expect(await told()).toEqual([])
    }))

  test("a check that failed before this task's result, or for the task that it was before, counts for nothing", () =>
    inWork(
      TWO.replace("2. Log out\n", "2. Log out\n  Verify: `npm test -- logout`\n"),
      async ({ plugin, back, edit, told }) => {
        await back(9, "done", "todo:2")
        await Bun.sleep(5)
        await plugin.bash(LEAD, CHECK, 1)
        await Bun.sleep(5)
        await back(1)
        await plugin.bash(LEAD, "ls")
        await edit((text) => text.replace("1. Log in", "1. Sign in"))
        await plugin.bash(LEAD, CHECK, 1)
        await edit((text) => ticked(text, "2"))
        expect(await told()).toEqual([])
      },
    ))

  test("a check of two tasks counts for the one whose result came last", () =>
    inWork(
      `# Plan\n\n## Validation Commands\n- \`${CHECK}\`\n\n## TODOs\n\n- [ ] 1. Log in\n- [ ] 2. Log out\n`,
      async ({ plugin, back, told, edit }) => {
        await back(1)
        await Bun.sleep(5)
        await back(2, "done", "todo:2")
        await plugin.bash(LEAD, CHECK, 1)
        await edit((text) => ticked(text, "2"))
        expect(await told()).toEqual(["todo:2 check-failed 1 reuse"])
      },
    ))

  test("`escalate_agent` is named with the fresh session, `reuse: auto` resumes none, and `off` says nothing", async () => {
    const third = async ({ plugin, back }: Scene) => {
      for (const attempt of [1, 2]) {
        await back(attempt)
        await plugin.bash(LEAD, CHECK, 1)
      }
      await back(3)
      return plugin.bash(LEAD, CHECK, 1)
    }
    const said = async (options: object) => {
      const made = { text: "" }
      await inWork(
        TWO,
        async (scene) => {
          made.text = await third(scene)
        },
        options,
      )
      return made.text
    }
    expect(await said({ escalate_agent: "deep" })).toContain("none, start fresh as deep (3 failed")
    expect(await said({ reuse: "auto" })).toContain("none, start fresh (3 failed")
    expect(await said({ reuse: "off" })).toBe("done")
  })

  test("the count outlives the process, and a person who unblocks the task begins it anew", () =>
    inWork(TWO, async ({ plugin, root, back, work }) => {
      for (let attempt = 1; attempt <= 4; attempt++) {
        await back(attempt)
        await plugin.bash(LEAD, CHECK, 1)
      }
      await plugin.hooks.dispose?.()
      const next = openPlugin(root, { ...readOptions({ continuation: { cooldown_seconds: 0 } }) })
      await next.startWork(LEAD, PLAN)
      await next.delegate({ lead: LEAD, key: "todo:1", child: "ses_child5" })
      expect(await next.bash(LEAD, CHECK, 1)).toContain("todo:1 is blocked: 5 failed")
      await writeFile(join(root, PLAN), ticked(await readFile(join(root, PLAN), "utf8"), "2"))
      await next.fallIdle(LEAD)
      expect((await work()).pause_reason).toBe("only-blocked-left")
      const { out } = await runInFolder(root, "unblock todo:1")
      expect(out).toContain('Unblocked: todo:1 "Log in".')
      expect(await work()).toMatchObject({
        status: "active",
        task_sessions: { "todo:1": { setbacks: [] } },
      })
      await next.fallIdle(LEAD)
      expect(next.prompts.at(-1)).toContain("todo:1")
      await next.hooks.dispose?.()
    }))

  test("a tick that becomes a block, a skipped box or another task is none that was taken back", () =>
    inWork(BARE, async ({ back, edit, told }) => {
      for (const marker of ["!", "-"]) {
        await back(1)
        await edit(tickOne)
        await edit((text) => text.replace("- [x] 1.", `- [${marker}] 1.`))
        await edit((text) => text.replace(`- [${marker}] 1.`, "- [ ] 1."))
      }
      await edit(tickOne)
      await edit((text) => text.replace("- [x] 1. Log in", "- [ ] 1. Sign in"))
      expect(await told()).toEqual([])
    }))

  test("ticked all the same it counts as done, and reworded it is another task that nobody has failed", () =>
    inWork(TWO, async ({ plugin, back, edit, work }) => {
      for (let attempt = 1; attempt <= 5; attempt++) {
        await back(attempt)
        await plugin.bash(LEAD, CHECK, 1)
      }
      expect(await work()).toMatchObject({ completed_count: 0, blocked_count: 1 })
      await edit(tickOne)
      expect(await work()).toMatchObject({ completed_count: 1, blocked_count: 0 })
      await edit((text) => text.replace("- [x] 1. Log in", "- [ ] 1. Sign in"))
      expect(await work()).toMatchObject({ completed_count: 0, blocked_count: 0 })
    }))

  test("a count that changes nothing yet is written with the next delegation", () =>
    inWork(TWO, async ({ plugin, back, work }) => {
      await back(1)
      const { updated_at: before } = await work()
      await plugin.bash(LEAD, CHECK, 1)
      expect((await work()).updated_at).toBe(before)
      const during = async () => {
        expect((await work()).task_sessions["todo:1"]?.setbacks).toEqual([
          { kind: "check", check: CHECK, exit: 1, attempt: 1 },
        ])
      }
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child2", during })
    }))
})
