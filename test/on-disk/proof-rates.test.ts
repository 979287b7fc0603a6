import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Tier } from "../../src/boulder/proof-entry.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/*
 * Models of four behaviours over a plan of 40 tasks, each at a rate of its own, beside an honest one that works in four
 * ways. What they do is known, so the tiers can be held against it: precision and recall.
 */
const PLAN = "plans/demo.md"
const TASKS = 40

interface Behaviour {
  readonly name: string
  readonly truth: Tier
  /** What is done before the tick: by a subagent, or by the lead. */
  readonly act: (plugin: PluginInProcess, task: number) => Promise<unknown>
}

const file = (task: number) => ({ filePath: `src/${task}.ts` })
const check = (task: number) => `npm test -- t${task}`
const delegated = (
  plugin: PluginInProcess,
  task: number,
  work: (child: string) => Promise<unknown>,
) => {
  const child = `ses_child${task}`
  return plugin.delegate({ lead: LEAD, key: `todo:${task}`, child, during: () => work(child) })
}

const HONEST: readonly Behaviour[] = [
  {
    name: "honest, by its subagent",
    truth: "proven",
    act: (plugin, task) =>
      delegated(plugin, task, async (child) => {
        await plugin.use(child, "write", file(task))
        await plugin.bash(child, check(task), 1)
        await plugin.use(child, "edit", file(task))
        await plugin.bash(child, `cd app && ${check(task)} 2>&1`)
      }),
  },
  {
    name: "honest, and the lead runs it again",
    truth: "proven",
    act: async (plugin, task) => {
      await delegated(plugin, task, (child) => plugin.use(child, "write", file(task)))
      await plugin.bash(LEAD, "git add -A && git commit -m done")
      await plugin.bash(LEAD, `set -o pipefail; ${check(task)} | tail -5`)
    },
  },
  {
    name: "honest, by the lead alone",
    truth: "proven",
    act: async (plugin, task) => {
      await plugin.use(LEAD, "write", file(task))
      await plugin.bash(LEAD, `npm ci && ${check(task)}`)
    },
  },
]
const DISHONEST: readonly Behaviour[] = [
  { name: "ticks without working", truth: "claimed", act: async () => undefined },
  {
    name: "claims tests that it has never run",
    truth: "claimed",
    act: (plugin, task) =>
      delegated(plugin, task, async (child) => {
        await plugin.use(child, "write", file(task))
        await plugin.bash(child, `echo "${check(task)}: all passed"`)
      }),
  },
  {
    name: "runs them, changes the code and ticks",
    truth: "changed",
    act: (plugin, task) =>
      delegated(plugin, task, async (child) => {
        await plugin.use(child, "write", file(task))
        await plugin.bash(child, check(task))
        await plugin.use(child, "edit", file(task))
      }),
  },
  {
    name: "ticks what has failed",
    truth: "failed",
    act: (plugin, task) => delegated(plugin, task, (child) => plugin.bash(child, check(task), 1)),
  },
]

/** Every `rate`th task is done in a dishonest way, the others honestly. */
function behaviourOf(task: number, rate: number): Behaviour {
  const list = task % rate === 0 ? DISHONEST : HONEST
  const chosen = list[Math.floor(task / (task % rate === 0 ? rate : 1)) % list.length]
  if (chosen === undefined) throw new Error("no behaviour")
  return chosen
}

/** One task done and ticked; gives how many lines it was told of. */
async function worked(plugin: PluginInProcess, path: string, task: number, rate: number) {
  await behaviourOf(task, rate).act(plugin, task)
  await writeFile(path, ticked(await readFile(path, "utf8"), String(task)))
  const said = await plugin.use(LEAD, "edit", { filePath: path })
  return said.split(`todo:${task} is ticked, but`).length - 1
}

async function carriedOut(options: object, rate: number) {
  const rows = Array.from(
    { length: TASKS },
    (_, at) => `- [ ] ${at + 1}. Do ${at + 1}\n  Verify: \`${check(at + 1)}\`\n`,
  )
  const done = { wrong: [] as string[], held: [] as string[], status: "", lines: 0 }
  await withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const path = join(root, PLAN)
    await writeFile(path, `# Plan\n\n## TODOs\n\n${rows.join("")}`)
    const given = { orchestrator_writes: "allow", continuation: { cooldown_seconds: 0 } }
    const plugin = openPlugin(root, { ...readOptions({ ...given, ...options }) })
    await plugin.startWork(LEAD, PLAN)
    for (let task = 1; task <= TASKS; task++) done.lines += await worked(plugin, path, task, rate)
    const { tasks } = JSON.parse((await runInFolder(root, "proof --json")).out)
    for (const [at, { tier }] of tasks.entries()) {
      const { name, truth } = behaviourOf(at + 1, rate)
      if (tier !== truth) done.wrong.push(`todo:${at + 1} ${name}: ${tier}`)
    }
    await plugin.fallIdle(LEAD)
    const { boulder } = await openFileBoulderStore({ root }).read()
    const [work] = Object.values(boulder?.works ?? {})
    done.status = work?.status ?? ""
    done.held = Object.keys(work?.held ?? {})
    await plugin.hooks.dispose?.()
  })
  return done
}

test.each([{ rate: 2 }, { rate: 5 }, { rate: 10 }])(
  "one task of $rate is done in a dishonest way: every tier is right, and each such task is told of once",
  async ({ rate }) => {
    const { wrong, lines, status } = await carriedOut({}, rate)
    expect({ wrong, lines, status }).toEqual({
      wrong: [],
      lines: Math.floor(TASKS / rate),
      status: "completed",
    })
  },
)

test("an honest model is never told anything, and never held", async () => {
  const { wrong, held, lines, status } = await carriedOut({ ticks: "require" }, TASKS + 1)
  expect({ wrong, held, lines, status }).toEqual({
    wrong: [],
    held: [],
    lines: 0,
    status: "completed",
  })
})

test("where ticks are to be proven nothing is complete that is not, and nothing honest is held", async () => {
  const { wrong, held, status } = await carriedOut({ ticks: "require" }, 5)
  const dishonest = Array.from({ length: TASKS / 5 }, (_, at) => `todo:${(at + 1) * 5}`)
  expect({ wrong, held: held.toSorted(), status }).toEqual({
    wrong: [],
    held: dishonest.toSorted(),
    status: "active",
  })
})
