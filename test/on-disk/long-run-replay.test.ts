import { expect, test } from "bun:test"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import fc from "fast-check"
import type { Boulder } from "../../src/boulder/boulder.ts"
import { heldReading } from "../../src/boulder/held-plan.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { ToolRefusal } from "../../src/opencode/host/tool-refusal.ts"
import { isSettled } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { inSections, LEAD, PLAN, ticked } from "../support/long-run-project.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/** Tasks that events reach; the ones behind them stay, so that no run completes. */
const REACHED = 10
const TASKS = REACHED + 4
const OPTIONS = readOptions({
  continuation: { cooldown_seconds: 0, max_per_hour: 1_000 },
  long_run: { checkpoint_every: 2 },
})

interface Scene {
  readonly root: string
  plugin: PluginInProcess
  readonly edit: (change: (plan: string) => string) => Promise<void>
  /** The process starts anew. */
  readonly restart: () => void
}

const EVENTS: Readonly<Record<string, (scene: Scene, label: number) => Promise<unknown>>> = {
  "the shell ticks": async ({ plugin, edit }, label) => {
    await edit((plan) => ticked(plan, label))
    await plugin.use(LEAD, "bash")
  },
  "an edit ticks": async ({ root, plugin, edit }, label) => {
    await edit((plan) => ticked(plan, label))
    await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
  },
  "the user ticks": ({ edit }, label) => edit((plan) => ticked(plan, label)),
  "the tool ticks": ({ plugin }, label) => saved(plugin, { status: "complete", task: `${label}` }),
  "the tool blocks": ({ plugin }, label) =>
    saved(plugin, { status: "blocked", task: `${label}`, blocked_reason: "no paint" }),
  "a result blocks": ({ plugin }, label) => delegated(plugin, label, "BLOCKED: no key"),
  "a result is back": ({ plugin }, label) => delegated(plugin, label, "It is built."),
  "a mark blocks": ({ edit }, label) =>
    edit((plan) => plan.replace(`- [ ] ${label}.`, `- [~] ${label}.`)),
  "a mark unblocks": ({ edit }, label) =>
    edit((plan) => plan.replace(`- [~] ${label}.`, `- [ ] ${label}.`)),
  "a command unblocks": ({ root }, label) =>
    runInFolder(root, `unblock todo:${label}`).catch((refusal: Error) => refusal.message),
  "a task comes between": ({ edit }, label) =>
    edit((plan) => plan.replace(/- \[.\] (\d+)\./, `- [ ] ${label}a. Between\n$&`)),
  "the context grows": ({ plugin }, label) => plugin.tellTokens(LEAD, label * 10_000),
  "a turn ends": ({ plugin }) => plugin.fallIdle(LEAD),
  "the process starts anew": async ({ restart }) => restart(),
}

/** At the hard limit it is refused: that is a thing that happens, too. */
async function delegated(plugin: PluginInProcess, label: number, output: string): Promise<string> {
  const call = { lead: LEAD, key: `todo:${label}`, child: `ses_child${label}`, output }
  return plugin.delegate(call).catch((refusal: unknown) => {
    if (refusal instanceof ToolRefusal) return refusal.message
    throw refusal
  })
}

async function saved(plugin: PluginInProcess, args: object): Promise<void> {
  const context = { sessionID: LEAD, agent: "build" } as never
  const given = { summary: "As far as it went.", ...args } as never
  await plugin.hooks.tool?.["save_task_progress"]?.execute(given, context)
  await plugin.use(LEAD, "save_task_progress")
}

type Step = readonly [name: string, label: number]

/** Plays a run; gives what is on the disk behind it, times apart, and what was prompted. */
async function play(root: string, steps: readonly Step[]) {
  await mkdir(join(root, ".boulder/plans"), { recursive: true })
  await writeFile(join(root, PLAN), inSections(TASKS))
  const prompts: string[] = []
  const open = () => openPlugin(root, OPTIONS)
  const scene: Scene = {
    root,
    plugin: open(),
    edit: async (change) => {
      const plan = await readFile(join(root, PLAN), "utf8")
      await writeFile(join(root, PLAN), change(plan))
    },
    restart: () => {
      prompts.push(...scene.plugin.prompts)
      scene.plugin = open()
    },
  }
  await scene.plugin.startWork(LEAD, PLAN)
  for (const [name, label] of steps) await EVENTS[name]?.(scene, label)
  await scene.plugin.startWork(LEAD, PLAN)
  const boulder: Boulder = JSON.parse(await readFile(join(root, ".boulder/boulder.json"), "utf8"))
  const [work] = Object.values(boulder.works)
  if (work === undefined) throw new Error("The work is gone")
  const folder = join(root, ".boulder/works", work.work_id, "checkpoints")
  const names = (await readdir(folder).catch(() => [])).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  return {
    work,
    plan: await readFile(join(root, PLAN), "utf8"),
    checkpoints: texts.map((text) => text.replace(/^ "at": .*$/m, "")),
    prompts: [...prompts, ...scene.plugin.prompts],
  }
}

const steps = fc.array(
  fc.tuple(fc.constantFrom(...Object.keys(EVENTS)), fc.integer({ min: 1, max: REACHED })),
  { minLength: 6, maxLength: 24 },
)

test("the same events through the hooks give the same checkpoints, plan and prompts, and the counts of a fresh reading", async () => {
  let written = 0
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const [one, again] = await Promise.all([
        withFolder((root) => play(root, all)),
        withFolder((root) => play(root, all)),
      ])
      expect(again.checkpoints).toEqual(one.checkpoints)
      expect(again.plan).toBe(one.plan)
      expect(again.prompts).toEqual(one.prompts)
      // A ticked task whose rework could not be made counts as open.
      const fresh = { kind: "read", plan: parsePlan(one.plan) } as const
      const { counts, tasks } = heldReading(fresh, one.work).plan
      expect(one.work).toMatchObject({
        completed_count: counts.done + counts.cancelled,
        blocked_count: counts.blocked,
        total_count: counts.total,
      })
      const settled = tasks.filter(isSettled).map(({ key }) => key)
      const open = [...one.work.current_window, ...Object.keys(one.work.blocked)]
      expect(open.filter((key) => settled.includes(key))).toEqual([])
      written += one.checkpoints.length
    }),
    { numRuns: 30 },
  )
  expect(written).toBeGreaterThan(0)
}, 60_000)
