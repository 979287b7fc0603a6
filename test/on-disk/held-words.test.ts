// What is said of a task that is ticked and held, and of results that were turned down.

import { expect, test } from "bun:test"
import { cli, edited, withHeldRow } from "../support/held-row.ts"
import { LEAD, started } from "../support/long-run-project.ts"
import { ours } from "../support/our-turns.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const CHECKED = "# P\n\n## TODOs\n\n- [ ] 1. Build\n  Verify: `npm test -- login`\n- [ ] 2. Paint\n"

const BUILD = "# P\n\n## TODOs\n\n- [ ] 1. Build\n  Verify: `check 1`\n"

/** A plan whose first task its lead has ticked without a run of its check, and what it reads under that. */
async function withHeldTask(
  root: string,
  text = BUILD,
  before: (plugin: PluginInProcess) => Promise<unknown> = async () => undefined,
) {
  const { plugin, plan, edit } = await started(root, text, { ticks: "require" }, ours())
  await before(plugin)
  await edit((await plan()).replace("[ ] 1", "[x] 1"))
  return { plugin, told: await edited(plugin, root) }
}

/** What the command line says, however its lines are broken. */
const shown = async (root: string, line: string) => (await cli(root, line)).replace(/\s+/g, " ")

test("the toast of a held task prints a command that is whole", () =>
  withFolder(async (root) => {
    const plugin = await withHeldRow(root)
    for (let i = 0; i < 6; i++) await plugin.fallIdle(LEAD)
    expect(plugin.toasts.at(-1)).toContain("opencode-boulder approve final-wave:f1")
  }))

test("what a toast prints to resume a work that waits for a held task is possible: its mark can be removed, or `unblock` takes it", () =>
  withFolder(async (root) => {
    const { plugin } = await withHeldTask(root)
    for (let i = 0; i < 5; i++) await plugin.fallIdle(LEAD)
    const held = "If it is already ticked, see"
    expect(plugin.toasts.at(-1)).toContain(`${held} /work-status.`)
    expect(await plugin.command(LEAD, "work-status")).toContain("opencode-boulder approve todo:1")
    for (const command of ["why", "resume"])
      expect(await shown(root, command)).toContain(`${held} opencode-boulder status`)
    expect(await cli(root, "approve todo:1")).not.toMatch(/Refusal|UsageError/)
  }))

test("of a ticked task nothing is said where only such are blocked that the plan marks", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, "# P\n\n## TODOs\n\n- [!] 1. Build\n", {}, ours())
    await plugin.fallIdle(LEAD)
    for (const command of ["why", "resume", "status", "works demo"]) {
      const text = await shown(root, command)
      expect(text).toContain("unblock a task")
      expect(text).not.toContain("ticked")
    }
  }))

test("a held task is neither to be settled nor to be delegated: it is ticked, and waits for its check", () =>
  withFolder(async (root) => {
    const { plugin } = await withHeldTask(root, BUILD, (lead) =>
      lead.delegate({
        lead: LEAD,
        key: "todo:1",
        child: "ses_1",
        during: () => lead.use("ses_1", "write", { filePath: "src/a.ts" }),
      }),
    )
    await plugin.fallIdle(LEAD)
    await plugin.fallIdle(LEAD)
    const text = plugin.prompts.at(-1) ?? ""
    expect(text).toContain("It is ticked, but")
    expect(text).not.toMatch(/(?:Settle|Delegate) todo:1 now/)
  }))

test("a check is printed as it must be run: what counts as its run is held to it word for word", () =>
  withFolder(async (root) => {
    const check = 'grep -q "<title>" index.html'
    const plan = `# P\n\n## TODOs\n\n- [ ] 1. A\n  Verify: \`${check}\`\n- [ ] 2. B\n`
    const { plugin, told } = await withHeldTask(root, plan)
    await plugin.fallIdle(LEAD)
    expect(told).toContain("is ticked, but its check (lines 5-6 of the plan) has not been run")
    const shown = `${told}${plugin.prompts.at(-1)}`
    expect(shown).toContain('- todo:1 "A" (lines 14-15)')
    expect(shown).not.toContain("grep")
  }))

test("a result whose session may not be sent it again is not to be 'sent back'", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, CHECKED, {}, ours())
    let told = ""
    for (let i = 1; i <= 4; i++) {
      told = await plugin.delegate({ lead: LEAD, key: "todo:1", child: `ses_${i}` })
      await plugin.bash(LEAD, "npm test -- login", 1)
    }
    expect(told).toContain("none, start fresh")
    expect(told).not.toContain("send it back")
  }))

test("a task that the ladder has blocked is said to be blocked, and no more than is so", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, CHECKED, {}, ours())
    let told = ""
    for (let i = 1; i <= 5; i++) {
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: `ses_${i}` })
      told = await plugin.bash(LEAD, "npm test -- login", 1)
    }
    expect(told).toContain("todo:1 is blocked: 5 failed verifications.\n")
    expect(plugin.toasts).toEqual([])
  }))

test("a held task that is saved as complete once more is said to wait for its check", () =>
  withFolder(async (root) => {
    const { plugin } = await withHeldTask(root)
    await plugin.fallIdle(LEAD)
    const args = { summary: "did it", status: "complete", task: "todo:1" }
    const context = { sessionID: LEAD, agent: "build" }
    const said = await plugin.hooks.tool?.["save_task_progress"]?.execute(
      args as never,
      context as never,
    )
    expect(said).toContain(
      "todo:1 is ticked, but 'check 1' has not been run: it counts once its check exits with 0.",
    )
  }))
