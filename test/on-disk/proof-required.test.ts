import { describe, expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { runCli } from "../../src/cli/run-cli.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { aTerminal, runInFolder } from "../support/cli-in-process.ts"
import { ours } from "../support/our-turns.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const CHILD = "ses_child"

interface Scene {
  readonly plugin: PluginInProcess
  readonly root: string
  readonly tick: (...labels: readonly string[]) => Promise<string>
  /** An edit of the plan by no tool. */
  readonly byHand: (change: (text: string) => string) => Promise<void>
  readonly untick: (label: string) => Promise<void>
  readonly work: () => Promise<Work>
  /** The end of a turn; the host tells of it twice. */
  readonly idle: () => Promise<void>
}

/** A work of tasks whose checks are `check 1`, `check 2` …, where ticks are to be proven; `rest` ends its plan. */
function inWork(
  count: number,
  run: (scene: Scene) => Promise<void>,
  rest = "",
  more: object = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const rows = Array.from(
      { length: count },
      (_, at) => `- [ ] ${at + 1}. Do ${at + 1}\n  Verify: \`check ${at + 1}\`\n`,
    )
    await writeFile(join(root, PLAN), `# Plan\n\n## TODOs\n\n${rows.join("")}${rest}`)
    const options = {
      ticks: "require",
      orchestrator_writes: "allow",
      continuation: { cooldown_seconds: 0 },
      ...more,
    }
    const plugin = openPlugin(root, { ...readOptions(options) }, ours())
    await plugin.startWork(LEAD, PLAN)
    const byHand = async (change: (text: string) => string) =>
      writeFile(join(root, PLAN), change(await readFile(join(root, PLAN), "utf8")))
    const edit = async (change: (text: string) => string) => {
      await byHand(change)
      return plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    }
    const work = async () => {
      const { boulder } = await openFileBoulderStore({ root }).read()
      const [only] = Object.values(boulder?.works ?? {})
      if (only === undefined) throw new Error("no work")
      return only
    }
    await run({
      plugin,
      root,
      byHand,
      tick: (...labels) => edit((text) => labels.reduce(ticked, text)),
      untick: async (label) => {
        await edit((text) => text.replace(`- [x] ${label}.`, `- [ ] ${label}.`))
      },
      work,
      idle: () => plugin.fallIdle(LEAD),
    })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

describe("where ticks are to be proven", () => {
  test("an honest model is never held: it runs each check behind its last change", () =>
    inWork(3, async ({ plugin, tick, work, idle }) => {
      for (const label of ["1", "2", "3"]) {
        const child = `${CHILD}${label}`
        const during = async () => {
          await plugin.use(child, "write", { filePath: `src/${label}.ts` })
          await plugin.bash(child, `check ${label}`)
        }
        await plugin.delegate({ lead: LEAD, key: `todo:${label}`, child, during })
        expect(await tick(label)).not.toContain("is ticked")
        expect((await work()).held).toEqual({})
      }
      await idle()
      expect((await work()).status).toBe("completed")
    }))

  test("a tick without a run stays to be done, its box as it is, and the window says why", () =>
    inWork(2, async ({ plugin, root, tick, work, idle }) => {
      expect(await tick("1", "2")).toContain("todo:1 is ticked, but `check 1` has not been run.")
      expect(await work()).toMatchObject({
        completed_count: 0,
        current_window: ["todo:1", "todo:2"],
        held: { "todo:1": { why: "`check 1` has not been run", times: 1 }, "todo:2": { times: 1 } },
      })
      expect(await readFile(join(root, PLAN), "utf8")).toContain("- [x] 1. Do 1")
      await idle()
      expect((await work()).status).toBe("active")
      expect(plugin.prompts.at(-1)).toContain(
        "It is ticked, but 'check 1' has not been run: it counts once its check exits with 0.",
      )
    }))

  test("what waits for it waits on: beside it in the window, and once it is blocked nothing is left", () =>
    inWork(
      1,
      async ({ plugin, tick, work, idle }) => {
        await tick("1")
        expect((await work()).current_window).toEqual(["todo:1"])
        for (const held of [1, 2]) {
          await idle()
          expect(plugin.prompts.at(-1)).toContain("Waiting: todo:2 for todo:1.")
          expect((await work()).held["todo:1"]?.times).toBe(held)
        }
        await idle()
        expect(await work()).toMatchObject({ pause_reason: "only-blocked-left" })
        await plugin.bash(LEAD, "check 1")
        await idle()
        expect((await work()).current_window).toEqual(["todo:2"])
      },
      "- [ ] 2. Do 2 (depends on: 1)\n",
    ))

  test("its subagent that says BLOCKED blocks it, as it blocks an open task: plan, record and window say so", () =>
    inWork(2, async ({ plugin, root, tick, work, idle }) => {
      await tick("1")
      const call = { lead: LEAD, key: "todo:1", child: CHILD, output: "BLOCKED: no key" }
      const told = await plugin.delegate(call)
      expect(told).toContain(
        "todo:1 is recorded as blocked (0/2 settled): no key. Continue with other tasks.",
      )
      expect(await readFile(join(root, PLAN), "utf8")).toMatch(
        /- \[~\] 1\. Do 1\n.*\n {2}- BLOCKED: no key/,
      )
      expect((await work()).blocked).toHaveProperty(["todo:1"])
      await idle()
      expect((await work()).current_window).toEqual(["todo:2"])
    }))

  test("and where the lead marks the plan it is told to, in its window too, in words that block a ticked task", () =>
    inWork(
      1,
      async ({ plugin, tick, byHand, work, idle }) => {
        await tick("1")
        const call = { lead: LEAD, key: "todo:1", child: CHILD, output: "BLOCKED: no key" }
        const act = "untick its box and write `BLOCKED: why` below its row in the plan"
        const told = await plugin.delegate(call)
        expect(told).toContain("todo:1 is blocked (0/1 settled): no key.")
        expect(told.toLowerCase()).toContain(act.toLowerCase())
        await idle()
        expect(plugin.prompts.at(-1)).toContain(
          `Its last result was BLOCKED: if that still holds, ${act}`,
        )
        await idle()
        expect(plugin.prompts.at(-1)).toContain(`Delegate todo:1 now, or ${act}.`)
        await byHand((text) => text.replace("[x] 1. Do 1", "[ ] 1. Do 1\n  BLOCKED: no key"))
        await idle()
        expect(await work()).toMatchObject({ pause_reason: "only-blocked-left" })
      },
      "",
      { long_run: { partial_plan_updates: false } },
    ))

  test("its session stays at hand, also where no other box is open", () =>
    inWork(1, async ({ plugin, tick, work }) => {
      await tick("1")
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      expect((await work()).task_sessions).toHaveProperty(["todo:1", "session_id"], CHILD)
    }))

  test("it counts as soon as its check has ended with 0, without another tick", () =>
    inWork(1, async ({ plugin, tick, work, idle }) => {
      await tick("1")
      await plugin.bash(LEAD, "check 1", 1)
      expect((await work()).held["todo:1"]?.why).toBe("`check 1` last ended with 1")
      await plugin.bash(LEAD, "check 1")
      expect((await work()).held).toEqual({})
      await idle()
      expect((await work()).status).toBe("completed")
    }))

  test("what was proven at its tick is not held again for a later change of its files", () =>
    inWork(2, async ({ plugin, tick, work }) => {
      await plugin.use(LEAD, "write", { filePath: "src/a.ts" })
      await plugin.bash(LEAD, "check 1")
      await tick("1")
      await plugin.use(LEAD, "edit", { filePath: "src/a.ts" })
      await plugin.bash(LEAD, "check 2")
      await tick("2")
      expect((await work()).held).toEqual({})
    }))

  test("a third hold makes a block with its reason; the work pauses, and does not loop", () =>
    inWork(1, async ({ plugin, tick, work, idle }) => {
      await tick("1")
      for (let turn = 0; turn < 6; turn++) await idle()
      expect(await work()).toMatchObject({ status: "paused", pause_reason: "only-blocked-left" })
      expect(plugin.prompts).toHaveLength(2)
      expect(plugin.toasts.at(-1)).toContain("'check 1' has not been run")
    }))

  test("ticked and unticked in turns it is held three times, no more", () =>
    inWork(1, async ({ tick, untick, work }) => {
      for (let round = 0; round < 4; round++) {
        await tick("1")
        await untick("1")
      }
      await tick("1")
      expect((await work()).held["todo:1"]?.times).toBe(3)
      expect((await work()).blocked_count).toBe(1)
    }))

  test.each([{ exit: 127 }, { exit: null }])(
    "a check that cannot run ($exit) is a block at once",
    ({ exit }) =>
      inWork(2, async ({ plugin, tick, work }) => {
        await plugin.bash(LEAD, "check 1", exit)
        await tick("1")
        expect(await work()).toMatchObject({ blocked_count: 1, held: { "todo:1": { times: 3 } } })
      }),
  )

  test.each([
    { times: "held", turns: 0 },
    { times: "blocked", turns: 6 },
  ])(
    "`unblock` of a task that is ticked and $times changes nothing, and names the two ways",
    ({ turns }) =>
      inWork(2, async ({ root, plugin, tick, work, idle }) => {
        await plugin.bash(LEAD, "check 2")
        await tick("1", "2")
        for (let turn = 0; turn < turns; turn++) await idle()
        const before = { plan: await readFile(join(root, PLAN), "utf8"), work: await work() }
        const err = String(await runInFolder(root, "unblock todo:1").catch((error) => error))
        expect(err).toContain("found todo:1 ticked and held: `check 1` has not been run")
        expect(err).toContain(
          "Nothing was changed. Have the session run its check, or count it as done: opencode-boulder approve todo:1",
        )
        expect({ plan: await readFile(join(root, PLAN), "utf8"), work: await work() }).toEqual(
          before,
        )
      }),
  )

  test("where the work pauses for it, toast and status say how to count it", () =>
    inWork(1, async ({ root, plugin, tick, idle }) => {
      await tick("1")
      for (let turn = 0; turn < 6; turn++) await idle()
      const how =
        "the agent runs its check in the session and it exits with 0, or you approve it: opencode-boulder approve todo:1"
      expect(plugin.toasts.at(-1)).toContain(`unblock when: ${how}`)
      const { out } = await runInFolder(root, "status")
      expect(out.replace(/\s+/g, " ")).toContain(`Unblock when: ${how}`)
    }))

  test("a person's approve settles it, and sets the work going", () =>
    inWork(1, async ({ root, plugin, tick, work, idle }) => {
      await plugin.bash(LEAD, "check 1", 127)
      await tick("1")
      await idle()
      expect((await work()).pause_reason).toBe("only-blocked-left")
      expect((await runInFolder(root, "status")).out).toContain("could not be run (exit code 127)")
      expect((await runInFolder(root, "approve todo:1")).out).toBe(
        "todo:1 of demo counts as done.\n",
      )
      expect((await work()).status).toBe("active")
      await idle()
      expect((await work()).status).toBe("completed")
    }))
})

/** Nobody but the plan's text says that the second task is done: it is held, and has another number in `moved`. */
describe("a held task is still to be done for whoever asks, renumbered or not", () => {
  const ROWS = "\n## Final Verification Wave\n\n- [ ] F1. Read the code\n"
  const moved = (text: string) =>
    text.replace(/- \[x\] 1\. Do 1\n.*\n/, "").replace("2. Do 2", "1. Do 2")
  const said = ({ root }: Scene, line: string) =>
    runInFolder(root, line).then(({ out, err }) => `${out}${err}`, String)
  /** `held` is the task that waits for its check; null where all are proven. */
  const CASES = [
    { held: "todo:2", isMoved: false },
    { held: "todo:1", isMoved: true },
    { held: null, isMoved: false },
    { held: null, isMoved: true },
  ] as const
  type Case = (typeof CASES)[number]
  const inCase = async ({ held, isMoved }: Case, run: (scene: Scene) => Promise<void>, rest = "") =>
    inWork(
      2,
      async (scene) => {
        await scene.plugin.bash(LEAD, "check 1")
        if (held === null) await scene.plugin.bash(LEAD, "check 2")
        await scene.tick("1", "2")
        if (rest !== "")
          await scene.plugin.delegate({
            lead: LEAD,
            key: "final-wave:f1",
            child: "ses_review",
            output: "VERDICT: APPROVE",
          })
        if (isMoved) await scene.byHand(moved)
        await run(scene)
      },
      rest,
    )
  const approved = async ({ work }: Scene) => ((await work()).approved_wave ?? null) !== null
  const tickWave = async ({ tick, idle }: Scene) => {
    await tick("F1")
    await idle()
  }

  test.each(CASES)("an idle does not end the work: $held, $isMoved", (given) =>
    inCase(given, async ({ idle, work }) => {
      await idle()
      expect((await work()).status).toBe(given.held === null ? "completed" : "active")
    }),
  )

  test.each(CASES)("a message is an answer to a wave that is due alone: $held, $isMoved", (given) =>
    inCase(
      given,
      async (scene) => {
        await scene.plugin.say(LEAD, "what about the tests?")
        expect((await scene.work()).spoken_wave !== null).toBe(given.held === null)
        await scene.plugin.bash(LEAD, "check 2")
        await tickWave(scene)
        const { status, awaiting_approval: waits } = await scene.work()
        expect([status, waits !== null]).toEqual(
          given.held === null ? ["completed", false] : ["active", true],
        )
      },
      ROWS,
    ),
  )

  test.each(CASES)("`/start-work` approves a wave that is due alone: $held, $isMoved", (given) =>
    inCase(
      given,
      async (scene) => {
        await scene.plugin.startWork(LEAD, PLAN)
        expect(await approved(scene)).toBe(given.held === null)
      },
      ROWS,
    ),
  )

  test.each(CASES)("`/start-work` sets a stopped work going again: $held, $isMoved", (given) =>
    inCase(given, async (scene) => {
      await said(scene, "stop demo")
      const text = await scene.plugin.startWork(LEAD, PLAN)
      expect(text.includes("Nothing is left to do")).toBe(given.held === null)
      expect((await scene.work()).status).toBe("active")
    }),
  )

  test.each(CASES)("`approve` takes a wave that is due alone: $held, $isMoved", (given) =>
    inCase(
      given,
      async (scene) => {
        const text = await said(scene, "approve demo")
        expect(text.includes("found none")).toBe(given.held !== null)
        expect(await approved(scene)).toBe(given.held === null)
      },
      ROWS,
    ),
  )

  test.each(CASES)("`status` and `run` count it as open: $held, $isMoved", (given) =>
    inCase(given, async (scene) => {
      const { out } = await runInFolder(scene.root, "status demo --json")
      const [{ counts }] = JSON.parse(out).works
      expect(counts.total - counts.settled).toBe(given.held === null ? 0 : 1)
      const env = { OPENCODE_BIN: join(scene.root, "none") }
      const terminal = aTerminal({ cwd: scene.root, env })
      await runCli(["run", "demo"], terminal).catch(String)
      expect(terminal.said.out).toContain(`${counts.settled}/${counts.total} tasks settled`)
    }),
  )

  test.each(CASES.filter(({ held }) => held !== null))(
    "`approve $held` makes it done for all of them: $isMoved",
    (given) =>
      inCase(
        given,
        async (scene) => {
          expect(await said(scene, `approve ${given.held}`)).toContain("counts as done")
          await scene.plugin.say(LEAD, "what about the tests?")
          expect((await scene.work()).spoken_wave).not.toBeNull()
          expect(await said(scene, "approve demo")).not.toContain("found none")
          expect(await approved(scene)).toBe(true)
          await tickWave(scene)
          expect((await scene.work()).status).toBe("completed")
        },
        ROWS,
      ),
  )

  test("one that a person has approved stays done under its new number", () =>
    inCase(CASES[0], async (scene) => {
      await said(scene, "approve todo:2")
      await scene.byHand(moved)
      await scene.idle()
      expect((await scene.work()).status).toBe("completed")
    }))

  test("one that is held is held no anew for its new number", () =>
    inCase(CASES[0], async (scene) => {
      await scene.idle()
      const before = (await scene.work()).held["todo:2"]?.times
      await scene.byHand(moved)
      await scene.plugin.bash(LEAD, "ls")
      expect((await scene.work()).held).toMatchObject({ "todo:1": { times: before } })
    }))
})
