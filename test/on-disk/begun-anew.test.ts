// A plan that is finished, has left `boulder.json`, and is begun anew: its second work is another one.
import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { CHILD, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { planOf, ticked } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const OTHER = "ses_e02a05cf0ffeiVkhL7Rr1p5COT"
const HOUR_MS = 3_600_000

function inTurns(
  run: (scene: {
    /** Carries a plan of one task to its end, by a subagent that costs so much. */
    readonly carry: (name: string, usd: number, lead?: string) => Promise<void>
    readonly cli: (line: string) => Promise<{ out: string; err: string }>
    /** The ids of the works of plan `p`, the newest first. */
    readonly ids: () => Promise<readonly string[]>
  }) => Promise<void>,
) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    let now = Date.now()
    const given = readOptions({ continuation: { cooldown_seconds: 0 } })
    const plugin = openPlugin(root, { ...given, now: () => now })
    const cli = (line: string) => runInFolder(root, line, { now: () => now })
    await run({
      async carry(name, usd, lead = LEAD) {
        const path = join(root, `plans/${name}.md`)
        await writeFile(path, planOf("Write it"))
        await plugin.startWork(lead, `plans/${name}.md`)
        const during = () => plugin.tellTokens(CHILD, 1_000, usd)
        await plugin.delegate({ lead, key: "todo:1", child: CHILD, during })
        await writeFile(path, ticked(await readFile(path, "utf8"), "1"))
        now += 3_000
        await plugin.fallIdle(lead)
        now += HOUR_MS
      },
      cli,
      ids: async () =>
        JSON.parse((await cli("works --json")).out)
          .works.filter((one: { plan_name: string }) => one.plan_name === "p")
          .map((one: { work_id: string }) => one.work_id),
    })
    await plugin.hooks.dispose?.()
  })
}

test("what it costs and reports is its own, and so is what the first one has cost", () =>
  inTurns(async ({ carry, cli, ids }) => {
    const costsOf = async (name: string) => {
      const [work] = JSON.parse((await cli(`cost ${name} --json`)).out).works
      return [work.usd, ...work.tasks.map(({ usd }: { usd: number }) => usd)]
    }
    await carry("p", 1)
    await carry("q", 0.1, OTHER)
    await carry("r", 0.1, OTHER)
    await carry("p", 0.5)
    const [second = "", first = ""] = await ids()
    expect(await costsOf("p")).toEqual([0.5, 0.5])
    expect(await costsOf(second)).toEqual([0.5, 0.5])
    expect(await costsOf(first)).toEqual([1, 1])
    await carry("q", 0.1, OTHER)
    await carry("r", 0.1, OTHER)
    expect(await costsOf("p")).toEqual([0.5, 0.5])
    expect(await costsOf(first)).toEqual([1, 1])
    expect((await cli("works")).out).toContain(first)
    expect((await cli("works p")).out).toContain(`works/${second}/`)
    expect((await cli("cost plans/p.md")).out).toContain("$0.50")
  }))

test("a run behind its end proves no task of its second work", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const text = planOf("Do it").concat("  Verify: `npm test`\n- [ ] 2. Do more\n")
    const done = text.replaceAll("[ ]", "[x]")
    let now = Date.now()
    const given = readOptions({ ticks: "require", continuation: { cooldown_seconds: 0 } })
    const plugin = openPlugin(root, { ...given, tree: async () => "a tree", now: () => now })
    const put = async (name: string, to: string) => {
      await writeFile(join(root, `plans/${name}.md`), to)
      await Bun.sleep(15)
    }
    const edit = (name: string, to: string, lead: string) =>
      plugin.use(lead, "edit", { filePath: join(root, `plans/${name}.md`) }, () => put(name, to))
    for (const [name, lead] of [
      ["p", LEAD],
      ["q", OTHER],
      ["r", OTHER],
    ] as const) {
      await put(name, text)
      await plugin.startWork(lead, `plans/${name}.md`)
      await plugin.bash(lead, "npm test")
      await edit(name, done, lead)
      now += 3_000
      await plugin.fallIdle(lead)
      now += HOUR_MS
    }
    await plugin.bash(LEAD, "npm test")
    await put("p", text)
    await plugin.startWork(LEAD, "plans/p.md")
    expect(await edit("p", ticked(text, "1"), LEAD)).toContain(
      "todo:1 is ticked, but `npm test` has not been run",
    )
    await plugin.hooks.dispose?.()
  }))
