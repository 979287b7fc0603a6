import { expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { WAVE } from "../support/held-row.ts"
import { LEAD, started } from "../support/long-run-project.ts"
import { ours } from "../support/our-turns.ts"
import { withFolder } from "../support/store-folder.ts"

/** The wave as omo's planner writes it: one row more than the window has. */
const FOUR = `${WAVE}- [ ] F3. Try it out\n- [ ] F4. Hold it against its scope\n`
const APPROVED = "VERDICT: APPROVE"
const REJECTED = "src/b.ts is none of the plan's.\nVERDICT: REJECT"

function scene(
  plan: string,
  run: (
    s: Awaited<ReturnType<typeof started>> & {
      call: (key: string, output: string) => Promise<string>
      idle: () => Promise<string>
      status: () => Promise<string>
    },
  ) => Promise<void>,
): Promise<void> {
  return withFolder(async (root) => {
    const s = await started(root, plan, {}, ours())
    const { plugin } = s
    await run({
      ...s,
      status: async () => (await runInFolder(root, "status")).out.replace(/\s+/g, " "),
      call: (key, output) =>
        plugin.delegate({ lead: LEAD, key, child: `ses_${key.replace(/\W/g, "")}`, output }),
      async idle() {
        const before = plugin.prompts.length
        await plugin.fallIdle(LEAD)
        return plugin.prompts.slice(before).join("\n")
      },
    })
  })
}

test("a wave of four rows goes to its approval over continuations alone: each names a row to delegate first", () =>
  scene(FOUR, async ({ call, idle, plugin }) => {
    const said: string[] = []
    for (let turn = 0; turn < 4; turn++) {
      const [, first = ""] = (await idle()).split("\n- ")
      said.push(/^final-wave:f\d/.exec(first)?.[0] ?? first)
      await call(said.at(-1) ?? "", APPROVED)
    }
    expect(said).toEqual(["final-wave:f1", "final-wave:f2", "final-wave:f3", "final-wave:f4"])
    await idle()
    expect(plugin.toasts.join("\n")).toContain("waits for your approval")
  }))

test("a fourth row that is REJECTED stands first in the next continuations and at /start-work", () =>
  scene(FOUR, async ({ call, idle, plugin }) => {
    for (const row of ["f1", "f2", "f3"]) await call(`final-wave:${row}`, APPROVED)
    await call("final-wave:f4", REJECTED)
    for (const text of [await idle(), await idle(), await plugin.startWork(LEAD, "")])
      expect(text.split("\n- ")[1]).toMatch(/^final-wave:f4 .* REJECTED: first delegate the fix/)
  }))

test("beside a review to run again, a REJECTED row's fix is what a turn without progress is told to delegate", () =>
  scene(WAVE, async ({ call, idle }) => {
    await call("final-wave:f1", APPROVED)
    await call("final-wave:f2", REJECTED)
    await call("todo:1", "fixed")
    await call("final-wave:f2", REJECTED)
    await idle()
    const text = await idle()
    expect(text).toContain("Delegate the fix for final-wave:f2 now.")
    expect(text.split("\n- ")[1]).toContain("final-wave:f2")
  }))

test("a row that was ticked without a review does not keep the others from their approval, and whoever is asked is told", () =>
  scene(WAVE.replace("- [ ] F1.", "- [x] F1."), async ({ call, idle, plugin, status }) => {
    const unreviewed = "final-wave:f1 was ticked without a review"
    expect(await call("final-wave:f2", APPROVED)).toContain(
      "Tell the user the final wave's verdicts, that 1 of its rows had no review, and ask with",
    )
    await idle()
    expect(plugin.toasts.join("\n")).toContain(
      `Plan demo waits for your approval (${unreviewed}). To approve:`,
    )
    expect(await status()).toContain(
      `The reviews of the final wave are back (${unreviewed}). Answer`,
    )
  }))

test("rows without an id are reviewed once and wait for the approval", () =>
  scene(WAVE.replace(/- \[ \] F\d\. /g, "- [ ] "), async ({ call, idle, plugin }) => {
    const rows = [...(await idle()).matchAll(/^- (final-wave:~\w+)/gm)].map(([, key]) => key ?? "")
    expect(rows).toHaveLength(2)
    for (const row of rows) await call(row, APPROVED)
    expect(await idle()).toBe("")
    expect(plugin.toasts.join("\n")).toContain("waits for your approval")
  }))

test("a row that is BLOCKED beside reviewed ones stops the work at once and says so: nothing is left to do", () =>
  scene(WAVE, async ({ call, idle, work }) => {
    await call("final-wave:f1", "BLOCKED: no browser on this machine")
    const told = await call("final-wave:f2", APPROVED)
    expect(told).toContain("End this turn")
    expect(await idle()).toBe("")
    expect(await work()).toMatchObject({ status: "paused", pause_reason: "only-blocked-left" })
  }))

const CHAIN = WAVE.replace("F2. Read it", "F2. Read it (depends on: F1)")

test("a row that waits for another is run as soon as that is reviewed, long before its box is ticked", () =>
  scene(CHAIN, async ({ call, idle, plugin, work }) => {
    const first = await idle()
    expect(first).toContain("\n- final-wave:f1 ")
    expect(first).not.toContain("\n- final-wave:f2 ")
    await call("final-wave:f1", APPROVED)
    const text = await idle()
    expect(text.split("\n- ")[1]).toMatch(/^final-wave:f2 /)
    expect(text).not.toContain("wait for")
    await call("final-wave:f2", APPROVED)
    await idle()
    expect(plugin.toasts.join("\n")).toContain("waits for your approval")
    expect((await work()).status).toBe("active")
  }))

test("a row waits for one that is REJECTED, or is to be run again, ticked or not", () =>
  scene(CHAIN, async ({ call, idle, plan, edit }) => {
    await call("final-wave:f1", REJECTED)
    expect(await idle()).not.toContain("\n- final-wave:f2 ")
    await edit((await plan()).replace("[ ] F1", "[x] F1"))
    expect(await idle()).not.toContain("\n- final-wave:f2 ")
    await call("todo:1", "fixed")
    expect(await idle()).not.toContain("\n- final-wave:f2 ")
    await call("final-wave:f1", APPROVED)
    expect((await idle()).split("\n- ")[1]).toMatch(/^final-wave:f2 /)
  }))
