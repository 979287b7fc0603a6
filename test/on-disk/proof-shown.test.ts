import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { joinViews } from "../../src/boulder/live-view.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { panelOf } from "../../src/panel/panel-view.ts"
import { openProcessLife } from "../../src/store/disk/process-life.ts"
import { openLiveFiles } from "../../src/store/records/live-files.ts"
import { LEAD } from "../support/builders.ts"
import { BY_NAME } from "../support/by-name.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const TIERS = ["proven", "checked, then changed", "claimed", "failed", "unavailable"]
const rows = TIERS.map((_, at) => `- [ ] ${at + 1}. Do ${at + 1}\n  Verify: \`check ${at + 1}\`\n`)
const TEXT = `# Plan\n\n## TODOs\n\n${rows.join("")}- [ ] 6. Do 6\n`

/** A work with a ticked task of each tier, the first one proven; a round ends with the last tick. */
function withAllTiers(
  run: (scene: { plugin: PluginInProcess; root: string }) => Promise<void>,
  ticks: "observe" | "require" = "observe",
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), TEXT)
    // Held tasks are not settled: where they are held, the round ends with the one that is proven.
    const every = ticks === "require" ? 1 : 5
    const options = { ticks, orchestrator_writes: "allow", long_run: { checkpoint_every: every } }
    const process = await openProcessLife()
    const plugin = openPlugin(root, { ...readOptions(options), process })
    await plugin.startWork(LEAD, PLAN)
    const tick = async (label: string) => {
      await writeFile(join(root, PLAN), ticked(await readFile(join(root, PLAN), "utf8"), label))
      await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    }
    await plugin.use(LEAD, "write", { filePath: "src/2.ts" })
    await plugin.bash(LEAD, "check 2")
    await plugin.use(LEAD, "edit", { filePath: "src/2.ts" })
    await tick("2")
    await tick("3")
    await plugin.bash(LEAD, "check 4", 1)
    await tick("4")
    await plugin.bash(LEAD, "check 5", 127)
    await tick("5")
    await plugin.bash(LEAD, "check 1")
    await tick("1")
    await run({ plugin, root })
    await plugin.hooks.dispose?.()
  })
}

const MODES = [{ ticks: "observe" }, { ticks: "require" }] as const
const UNPROVEN = [
  { key: "todo:2", tier: "changed" },
  { key: "todo:3", tier: "claimed" },
  { key: "todo:4", tier: "failed" },
  { key: "todo:5", tier: "unavailable" },
]

test.each(MODES)("a checkpoint has the count, and what is not proven, under $ticks", ({ ticks }) =>
  withAllTiers(async ({ root }) => {
    const [work = ""] = readdirSync(join(root, ".boulder/works"))
    const folder = join(root, ".boulder/works", work, "checkpoints")
    const [file = ""] = readdirSync(folder)
    const { proof } = JSON.parse(readFileSync(join(folder, file), "utf8"))
    expect(proof).toEqual({ ticked: 5, proven: 1, unproven: UNPROVEN })
  }, ticks),
)

test.each(MODES)(
  "what a session keeps over a compaction names each ticked task that is not proven, under $ticks",
  ({ ticks }) =>
    withAllTiers(async ({ plugin }) => {
      const output: { context: string[]; prompt?: string } = { context: [] }
      await plugin.hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, output)
      const kept = TIERS.slice(1).map((tier, at) => `- todo:${at + 2}: ${tier}`)
      expect(output.prompt).toContain(
        ["Ticked, but not proven by their checks:", ...kept.slice(0, 3), "- and 1 more"].join("\n"),
      )
      expect(output.prompt).not.toContain("- todo:1: proven")
    }, ticks),
)

test.each(MODES)(
  "the view that the panel reads has them, and the panel shows three and a count, under $ticks",
  ({ ticks }) =>
    withAllTiers(async ({ root, plugin }) => {
      await plugin.say(LEAD, "how far is it?")
      const live = openLiveFiles({ root })
      const shown = async () => joinViews(await live.readAll(Date.now()))
      const end = Date.now() + 100_000
      while ((await shown())[0]?.proof?.ticked !== 5 && Date.now() < end) await Bun.sleep(50)
      const works = await shown()
      expect(works[0]?.proof).toEqual({
        ticked: 5,
        proven: 1,
        unproven: TIERS.slice(1).map((tier, at) => ({ key: `todo:${at + 2}`, tier })),
      })
      const { sidebar } = panelOf({
        works,
        problems: [],
        session: LEAD,
        columns: 80,
        now: Date.now(),
        timeOf: (iso) => iso,
        typed: BY_NAME,
      })
      const lines = sidebar.map(({ text }) => text)
      const from = lines.findIndex((line) => line.includes("ticks proven"))
      expect(lines.slice(from, from + 5)).toEqual([
        "1/5 ticks proven",
        "  todo:2: checked, then changed",
        "  todo:3: claimed",
        "  todo:4: failed",
        "  and 1 more",
      ])
    }, ticks),
)

test("`status --json` has the held ones under require too", () =>
  withAllTiers(async ({ root }) => {
    const { out } = await runInFolder(root, "status --json")
    expect(JSON.parse(out).works[0].proof).toEqual({ ticked: 5, proven: 1, unproven: UNPROVEN })
  }, "require"))

test.each(MODES)("status, works, plan, report and proof say the same, under $ticks", ({ ticks }) =>
  withAllTiers(async ({ root }) => {
    const out = async (line: string) => (await runInFolder(root, line)).out
    const [work] = JSON.parse(await out("status --json")).works
    expect(work.proof).toEqual({ ticked: 5, proven: 1, unproven: UNPROVEN })
    const tiers = ["proven", ...UNPROVEN.map(({ tier }) => tier), null]
    const tierOf = ({ tier = null }: { tier?: string | null }) => tier
    expect(JSON.parse(await out("works demo --json")).plan_tasks.map(tierOf)).toEqual(tiers)
    expect(JSON.parse(await out(`plan ${PLAN} --json`)).tasks.map(tierOf)).toEqual(tiers)
    expect(JSON.parse(await out("proof --json")).tasks.map(tierOf)).toEqual(tiers)
    const page = await out("report")
    const text = await out("works demo")
    for (const tier of TIERS) {
      expect(page).toMatch(new RegExp(`<td>(?:done|in progress|blocked), ${tier}</td>`))
      expect(text).toContain(`(${tier})`)
    }
  }, ticks),
)
