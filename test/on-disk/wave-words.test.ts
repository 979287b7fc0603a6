// What is said of the rows of a final wave, in the states that the plugin really sends.

import { describe, expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { edited, WAVE, withHeldRow } from "../support/held-row.ts"
import { LEAD, started } from "../support/long-run-project.ts"
import { limitedChild, ours } from "../support/our-turns.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

test("a row whose review REJECTED is not called 'back without a verdict' by the next continuation or start", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, WAVE, {}, ours())
    await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f1",
      child: "ses_f1",
      output: "VERDICT: APPROVE",
    })
    const told = await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f2",
      child: "ses_f2",
      output: "No tests.\nVERDICT: REJECT",
    })
    expect(told).toContain("REJECTED")
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).not.toContain("without a verdict")
    expect(await plugin.startWork(LEAD, "")).not.toContain("without a verdict")
  }))

test("behind a turn without progress no text orders a row of the wave settled before the approval", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, WAVE, {}, ours())
    await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f1",
      child: "ses_f1",
      output: "Looks fine.",
    })
    await plugin.fallIdle(LEAD)
    await plugin.fallIdle(LEAD)
    const text = plugin.prompts.at(-1) ?? ""
    expect(text).toContain("Leave the boxes as they are")
    expect(text).not.toMatch(/Settle final-wave:f1 now/)
  }))

test("nor orders it saved as blocked, which marks its box", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, WAVE, {}, ours())
    await plugin.fallIdle(LEAD)
    await plugin.fallIdle(LEAD)
    const text = plugin.prompts.at(-1) ?? ""
    expect(text).toContain("Leave the boxes as they are")
    expect(text).not.toContain("save it as `blocked`")
  }))

test("where one row waits for its provider's limit and the others are reviewed, the work waits; it is not prompted with nothing to do until it pauses for no progress", () =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, WAVE, {}, ours())
    await limitedChild(plugin, "final-wave:f1", "ses_f1", 3_600)
    const told = await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f2",
      child: "ses_f2",
      output: "VERDICT: APPROVE",
    })
    for (let i = 0; i < 4; i++) await plugin.fallIdle(LEAD)
    await plugin.hooks.dispose?.()
    expect((await work()).pause_reason).toBe("usage-limited")
    expect(plugin.prompts).toEqual([])
    expect(told).toContain("waits for its provider's limit until")
  }))

test("a held row of an approved wave: one instruction that can be followed", () =>
  withFolder(async (root) => {
    const plugin = await withHeldRow(root)
    for (let i = 0; i < 4; i++) await plugin.fallIdle(LEAD)
    const both = plugin.prompts.filter(
      (text) =>
        text.includes("save each as `complete`") &&
        text.includes("counts once its check exits with 0"),
    )
    expect(both).toEqual([])
  }))

test("a row that is reviewed, and is to be left, is neither offered its session nor given as the key to begin with", () =>
  withFolder(async (root) => {
    const { plugin } = await started(
      root,
      WAVE.replace("- [ ] F2", "- [ ] F3. Run it\n- [ ] F2"),
      {},
      ours(),
    )
    await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f1",
      child: "ses_f1",
      output: "VERDICT: APPROVE",
    })
    const blocked = await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f2",
      child: "ses_f2",
      output: "BLOCKED: no key",
    })
    const unnamed = await plugin.delegate({
      lead: LEAD,
      key: "Look around",
      child: "ses_x",
      output: "ok",
    })
    expect(blocked).not.toContain("Preferred reuse session for final-wave:f1")
    expect(unnamed).not.toContain("such as final-wave:f1")
  }))

const DONE = "- [x] 1. Build it\n"
const ADDED = `${DONE}- [ ] 2. Delete the users table\n`

test("an approval is of the tasks that were there: with one that was added and done behind it, the user is asked anew", () =>
  withFolder(async (root) => {
    const { plugin, plan, edit } = await started(root, WAVE, {}, ours())
    const reviewed = async (row: string) =>
      plugin.delegate({
        lead: LEAD,
        key: `final-wave:${row}`,
        child: `ses_${row}`,
        output: "VERDICT: APPROVE",
      })
    await reviewed("f1")
    const first = await reviewed("f2")
    expect(first).toContain("ell the user the final wave's verdicts and ask")
    await plugin.fallIdle(LEAD)
    await runInFolder(root, "approve")
    await edit((await plan()).replace(DONE, ADDED))
    await plugin.fallIdle(LEAD)
    await edit((await plan()).replace("[ ] 2.", "[x] 2."))
    const told = await plugin.use(LEAD, "edit", { filePath: `${root}/.boulder/plans/demo.md` })
    expect(told).toContain("verdicts, that the plan has changed since their approval, and ask")
    const before = plugin.prompts.length
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toHaveLength(before)
    expect(plugin.toasts.at(-1)).toContain("waits for your approval")
    await runInFolder(root, "approve")
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).toContain("The user has approved the final wave")
  }))

test("and ticking what was there, or its rows, asks nobody anew", () =>
  withFolder(async (root) => {
    const { plugin, plan, edit } = await started(root, WAVE, {}, ours())
    for (const row of ["f1", "f2"])
      await plugin.delegate({
        lead: LEAD,
        key: `final-wave:${row}`,
        child: `ses_${row}`,
        output: "VERDICT: APPROVE",
      })
    await runInFolder(root, "approve")
    await edit((await plan()).replace("[x] 1.", "[ ] 1."))
    await edit((await plan()).replace("[ ] 1.", "[x] 1.").replace("[ ] F1", "[x] F1"))
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).toContain("The user has approved the final wave")
  }))

test.each([
  { what: "the other review is made again and REJECTED", isAdded: false },
  { what: "the plan gets another review", isAdded: true },
])(
  "behind an approval, where $what, a row that passed is not called back without a verdict",
  ({ isAdded }) =>
    withFolder(async (root) => {
      const { plugin, plan, edit } = await started(root, WAVE, {}, ours())
      const review = (row: string, output: string) =>
        plugin.delegate({ lead: LEAD, key: `final-wave:${row}`, child: `ses_${row}`, output })
      await review("f1", "VERDICT: APPROVE")
      await review("f2", "VERDICT: APPROVE")
      await runInFolder(root, "approve")
      if (isAdded) await edit(`${(await plan()).trimEnd()}\n- [ ] F3. Run it\n`)
      else await review("f2", "No.\nVERDICT: REJECT")
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts.at(-1)).toContain("final-wave:")
      expect(plugin.prompts.at(-1)).not.toContain("back without a verdict")
    }),
)

/** A wave whose rows are back without an objection, and that the user has approved. */
async function approved(root: string, started: Started): Promise<void> {
  for (const row of ["f1", "f2"]) await reviewed(started.plugin, row)
  await started.plugin.fallIdle(LEAD)
  await runInFolder(root, "approve")
}

type Started = Awaited<ReturnType<typeof started>>

const reviewed = (plugin: PluginInProcess, row: string, output = "VERDICT: APPROVE") =>
  plugin.delegate({ lead: LEAD, key: `final-wave:${row}`, child: `ses_${row}`, output })

/** Saves a task as complete, as the texts say; gives the tool's answer with what stands under it. */
async function saved(plugin: PluginInProcess, root: string, task: string): Promise<string> {
  const context = { sessionID: LEAD, agent: "build", directory: root, worktree: root }
  const tool = plugin.hooks.tool?.["save_task_progress"]
  const abort = new AbortController().signal
  const given = { ...context, abort, metadata() {}, messageID: "msg_1" }
  const args = { summary: "done", status: "complete", task }
  const answer = await tool?.execute(args as never, given as never)
  return `${answer}\n${await plugin.use(LEAD, "save_task_progress")}`
}

test("where the last task is settled by the tool, the user is asked for the approval, once; before it nobody is", () =>
  withFolder(async (root) => {
    const plan = WAVE.replace("- [x] 1.", "- [ ] 1.").replace(
      "\n\n## F",
      "\n- [ ] 2. Ship it\n\n## F",
    )
    const { plugin, edit, plan: read } = await started(root, plan, {}, ours())
    for (const row of ["f1", "f2"]) await reviewed(plugin, row)
    expect(await saved(plugin, root, "todo:1")).not.toContain("ask with")
    expect(await saved(plugin, root, "todo:2")).toContain(
      "Tell the user the final wave's verdicts and ask with `question`",
    )
    await edit(`${await read()}\nA note.\n`)
    expect(await plugin.use(LEAD, "read")).not.toContain("ask with")
  }))

test("the same where the plan was another when its reviews came back, approved then or not", () =>
  withFolder(async (root) => {
    const scene = await started(root, WAVE, {}, ours())
    const { plugin, plan, edit } = scene
    for (const row of ["f1", "f2"]) await reviewed(plugin, row)
    await edit((await plan()).replace(DONE, ADDED.replace("[ ]", "[x]")))
    const told = await plugin.use(LEAD, "edit", { filePath: `${root}/.boulder/plans/demo.md` })
    expect(told).toContain("verdicts, that the plan has changed since, and ask")
  }))

test("a user who has spoken while the wave waits is not asked again behind each tool of the turn that they began", () =>
  withFolder(async (root) => {
    const { plugin, plan, edit } = await started(root, WAVE, {}, ours())
    for (const row of ["f1", "f2"]) await reviewed(plugin, row)
    await plugin.fallIdle(LEAD)
    await plugin.say(LEAD, "The wave is fine: tick its rows.")
    await edit((await plan()).replace("[ ] F1", "[x] F1"))
    expect(await plugin.use(LEAD, "edit")).not.toContain("ask with")
  }))

test("where a review is made again behind an approval, no text says that the plan has changed", () =>
  withFolder(async (root) => {
    const scene = await started(root, WAVE, {}, ours())
    await approved(root, scene)
    const told = await reviewed(scene.plugin, "f2", "Read it again.\nVERDICT: APPROVE")
    expect(told).toContain(
      "ell the user the final wave's verdicts, that their approval has lapsed, and ask",
    )
  }))

test.each([
  { row: "- [x] 1. Build it ✅" },
  { row: "- [x] 1. Build it (done)" },
  { row: "- [x] 1. Build it — DONE" },
  { row: "- [x] 1. Build it." },
  { row: "- [x] 1. ~~Build it~~ ✅ Done (2026-11-22)" },
])("an approval outlives that its done task's row becomes $row", ({ row }) =>
  withFolder(async (root) => {
    const scene = await started(root, WAVE, {}, ours())
    await approved(root, scene)
    await scene.edit((await scene.plan()).replace("- [x] 1. Build it", row))
    await scene.plugin.fallIdle(LEAD)
    expect(scene.plugin.prompts.at(-1)).toContain("The user has approved the final wave")
  }),
)

test.each([{ row: "- [x] 1. Build it all" }, { row: "- [x] 1. Build it (done, but untested)" }])(
  "and ends where that becomes $row",
  ({ row }) =>
    withFolder(async (root) => {
      const scene = await started(root, WAVE, {}, ours())
      await approved(root, scene)
      await scene.edit((await scene.plan()).replace("- [x] 1. Build it", row))
      await scene.plugin.fallIdle(LEAD)
      expect(scene.plugin.prompts).toEqual([])
      expect(scene.plugin.toasts.at(-1)).toContain("waits for your approval")
    }),
)

test("a review of an approved wave that is ticked with its verdict beside it stays a review that passed", () =>
  withFolder(async (root) => {
    const scene = await started(root, WAVE, {}, ours())
    await approved(root, scene)
    const noted = (await scene.plan()).replace(
      "- [ ] F1. Review it",
      "- [x] F1. Review it — APPROVED",
    )
    await scene.edit(noted)
    await scene.plugin.fallIdle(LEAD)
    expect(scene.plugin.prompts.at(-1)).toContain("The user has approved the final wave")
  }))

/** A wave that is back, with the acts of its lead and its user. */
const inWave = (
  run: (
    scene: Started & {
      readonly root: string
      readonly review: (row: string, output?: string) => Promise<string>
      readonly work1: (output?: string) => Promise<string>
      readonly idle: () => Promise<string>
      readonly change: (from: string, to: string) => Promise<string>
    },
  ) => Promise<void>,
) =>
  withFolder(async (root) => {
    const scene = await started(root, WAVE, {}, ours())
    const { plugin } = scene
    await run({
      ...scene,
      root,
      review: (row, output) => reviewed(plugin, row, output),
      work1: (output) =>
        plugin.delegate({
          lead: LEAD,
          key: "todo:1",
          child: "ses_1",
          ...(output === undefined ? {} : { output }),
        }),
      async idle() {
        const before = plugin.prompts.length
        await plugin.fallIdle(LEAD)
        return plugin.prompts.slice(before).join("\n")
      },
      async change(from, to) {
        await scene.edit((await scene.plan()).replace(from, to))
        return edited(plugin, root)
      },
    })
  })

const OLD = "The work may have changed since this review: run it again."
const ASKS = "ask with `question`"

describe("verdicts that are older than the work", () => {
  test.each([
    { by: "a message of the user's", isSaid: true },
    { by: "an answer to the question", isSaid: false },
  ])(
    "rework asked for by $by has the rows run again, and no approval is asked for or taken",
    ({ isSaid }) =>
      inWave(async ({ root, review, work1, idle, plugin, work }) => {
        await review("f1")
        await review("f2")
        if (isSaid) {
          await idle()
          await plugin.say(LEAD, "fix the typo in task 1")
        }
        const told = await work1()
        expect(told).toContain(
          "Verify: if it is not right, send it back, else leave it settled and delegate final-wave:f1 and final-wave:f2 again: the work may have changed since.",
        )
        expect(told).toContain(", for todo:1: ses_1 (pass it as task_id)")
        await runInFolder(root, "approve").catch(String)
        expect((await work()).approved_wave).toBeNull()
        expect((await idle()).split(OLD)).toHaveLength(3)
        const again = await idle()
        expect(again).toContain("Delegate final-wave:f1 now.")
        expect(again).not.toContain("without a verdict")
        const half = await review("f1")
        expect(half).toContain(
          "Leave its box as it is, and delegate final-wave:f2 again: the work may have changed since.",
        )
        expect(await review("f2")).toContain(ASKS)
      }),
  )

  test("the same at /start-work, which approves nothing then", () =>
    inWave(async ({ review, work1, plugin, work }) => {
      await review("f1")
      await review("f2")
      await work1()
      const text = await plugin.startWork(LEAD, "")
      expect(text.split(OLD)).toHaveLength(3)
      expect((await work()).approved_wave).toBeNull()
    }))

  test("a task that is added and done behind the reviews", () =>
    inWave(async ({ review, idle, change, plugin }) => {
      await review("f1")
      await review("f2")
      await idle()
      await plugin.say(LEAD, "No, add logging first")
      await change(DONE, ADDED)
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_2" })
      expect(await idle()).not.toContain("final-wave:")
      expect(await change("- [ ] 2.", "- [x] 2.")).toContain(
        "Delegate final-wave:f1 and final-wave:f2 again: the work may have changed since.",
      )
      expect((await idle()).split(OLD)).toHaveLength(3)
    }))

  test("an approval ends where a task that it was of is opened and worked on again, its rows ticked or not", () =>
    inWave(async ({ root, review, work1, idle, change }) => {
      await review("f1")
      await review("f2")
      await runInFolder(root, "approve")
      await change("- [ ] F1.", "- [x] F1.")
      await change("- [x] 1.", "- [ ] 1.")
      await work1()
      await change("- [ ] 1.", "- [x] 1.")
      const text = await idle()
      expect(text.split(OLD)).toHaveLength(3)
      expect(text).not.toMatch(/has approved|REJECTED/)
      await review("f1")
      expect(await review("f2")).toContain(ASKS)
    }))

  test.each([
    { behind: "the tool that settles it", how: "tool" },
    { behind: "an idle", how: "idle" },
    { behind: "/start-work", how: "start" },
  ])("that the approval has lapsed is said once, in the text behind $behind", ({ how }) =>
    inWave(async ({ root, review, work1, idle, change, plugin }) => {
      await review("f1")
      await review("f2")
      await runInFolder(root, "approve")
      await change("- [x] 1.", "- [ ] 1.")
      expect(await work1()).not.toContain("lapsed")
      const settled = await change("- [ ] 1.", "- [x] 1.")
      expect(settled).toContain(
        "Delegate final-wave:f1 and final-wave:f2 again: the work may have changed since; the user's approval has lapsed: ask again when told.",
      )
      const text = { tool: settled, idle: await idle(), start: await plugin.startWork(LEAD, "") }[
        how
      ]
      expect(text?.match(/lapsed/g)).toHaveLength(1)
      expect(await review("f1")).not.toContain("lapsed")
      expect(await review("f2")).toContain(
        "Tell the user the final wave's verdicts, that their approval has lapsed, and ask with `question`",
      )
      await runInFolder(root, "approve")
      expect(await idle()).not.toContain("lapsed")
    }),
  )

  test("an approval that was never given has not lapsed", () =>
    inWave(async ({ root, review, work1, idle, plugin }) => {
      await review("f1")
      await review("f2")
      const texts = [
        await work1(),
        await idle(),
        await plugin.startWork(LEAD, ""),
        await review("f1"),
        await review("f2"),
      ]
      expect(texts.join("\n")).not.toContain("lapsed")
      await runInFolder(root, "approve")
      expect(await idle()).not.toContain("lapsed")
    }))

  test("and not where something is delegated at its end, named or not, that nothing is left to do of", () =>
    inWave(async ({ root, review, work1, idle, plugin }) => {
      await review("f1")
      await review("f2")
      await runInFolder(root, "approve")
      await plugin.delegate({ lead: LEAD, key: "Commit it", child: "ses_c" })
      expect(await work1()).toContain("else leave it settled and continue with the next task")
      expect(await idle()).toContain("The user has approved the final wave")
    }))

  test("a call that names no task leaves the reviews of a wave that is not back as they are", () =>
    inWave(async ({ review, plugin }) => {
      await review("f1")
      await plugin.delegate({ lead: LEAD, key: "Look around", child: "ses_x" })
      expect(await review("f2")).toContain(ASKS)
    }))

  test("a review that is run again and gives no verdict has none", () =>
    inWave(async ({ review, work1, idle }) => {
      await review("f1")
      await review("f2")
      await work1()
      await review("f1", "I have looked at it.")
      const text = await idle()
      expect(text.split(OLD)).toHaveLength(2)
      expect(text).toContain("It is back without a verdict")
    }))
})

describe("a row that is rejected", () => {
  test("has its fix ordered first; the fix is verified, and its row and those before it are run again", () =>
    inWave(async ({ review, work1, idle }) => {
      await review("f1")
      await review("f2", "src/a.ts: no error handling.\nVERDICT: REJECT")
      const first = await idle()
      expect(first).toContain(
        '"Read it" (line 21) REJECTED: first delegate the fix under the key of the task that it concerns, then this row',
      )
      expect(await idle()).toContain("Delegate the fix for final-wave:f2 now.")
      expect(await work1()).toContain(
        "Verify: if it is not right, send it back, else leave it settled and delegate",
      )
      const behind = await idle()
      expect(behind.split(OLD)).toHaveLength(3)
      expect(behind).not.toContain("REJECTED")
    }))

  test("beside another, has its fix awaited before either is run again", () =>
    inWave(async ({ review, work1, idle }) => {
      expect(await review("f1", "No tests.\nVERDICT: REJECT")).toContain(
        "REJECTED. Delegate the fix under the key of the task that it concerns, ticked or not; then you will be told which reviews to run again.",
      )
      await review("f2", "No error handling.\nVERDICT: REJECT")
      expect(await work1()).toContain(
        "else leave it settled and delegate final-wave:f1 and final-wave:f2 again once every rejection is fixed: the work may have changed since.",
      )
      expect((await idle()).split(OLD)).toHaveLength(3)
    }))

  test("and the fix that could not be made is not taken for made", () =>
    inWave(async ({ review, work1 }) => {
      await review("f1")
      await review("f2", "VERDICT: REJECT")
      expect(await work1("BLOCKED: no key")).toContain(
        "The rework of todo:1 was not finished, and it is open again (0/3 settled): no key. Solve that, then send it back;",
      )
    }))

  test("a task that its own subagent has ticked is settled, and no rework", () =>
    withFolder(async (root) => {
      const { plugin, plan, edit } = await started(
        root,
        WAVE.replace("[x] 1.", "[ ] 1."),
        {},
        ours(),
      )
      const told = await plugin.delegate({
        lead: LEAD,
        key: "todo:1",
        child: "ses_1",
        during: async () => edit((await plan()).replace("[ ] 1.", "[x] 1.")),
      })
      expect(told).toContain("it is settled already. Continue with the next task.")
    }))
})

test("the toast of a wave that waits names no question: none is open where it is said", () =>
  inWave(async ({ review, idle, plugin }) => {
    await review("f1")
    await review("f2")
    await idle()
    await plugin.say(LEAD, "what did F1 say?")
    await idle()
    expect(plugin.toasts.at(-1)).toBe(
      "Plan demo waits for your approval. To approve: type /start-work, or run opencode-boulder approve.",
    )
  }))

const LONG =
  "Build the part of the interface that shows each of the sessions of a user with the device, the place and the time of its last request, so that one can be revoked by a click, with a question before it, and tell the others"
test.each([{ many: 1 }, { many: 2 }])(
  "that $many result(s) are back, with their sessions, outlives the end of a long title",
  ({ many }) =>
    withFolder(async (root) => {
      const rows = [1, 2, 3].map((label) => `- [ ] ${label}. ${label} ${LONG}\n`).join("")
      const { plugin } = await started(root, `# Plan\n\n## TODOs\n\n${rows}`, {}, ours())
      for (let label = 1; label <= many; label++)
        await plugin.delegate({
          lead: LEAD,
          key: `todo:${label}`,
          child: `ses_0a1b2c3d4e5fQ7xJ9zK3vW5qX${label}`,
        })
      await plugin.fallIdle(LEAD)
      const text = plugin.prompts.at(-1) ?? ""
      expect(text.match(/A result is back: settle it/g)).toHaveLength(many)
      expect(text.match(/Preferred reuse session/g)).toHaveLength(many)
    }),
)
