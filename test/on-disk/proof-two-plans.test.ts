import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { LEAD } from "../support/builders.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/* One session leads two plans, one after the other. What was seen for the first is its own. */
const TEXT = "## TODOs\n\n- [ ] 1. Do it\n  Verify: `npm test`\n- [ ] 2. Do more\n"

function inPlans(
  run: (scene: {
    readonly start: (name: string) => Promise<void>
    readonly bash: (command: string) => Promise<string>
    /** Ticks the first task; gives what the lead reads. */
    readonly tick: (name: string) => Promise<string>
    readonly tree: { now: string }
  }) => Promise<void>,
) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    for (const name of ["a", "b"]) await writeFile(join(root, `plans/${name}.md`), TEXT)
    const tree = { now: "first" }
    const plugin = openPlugin(root, {
      ...readOptions({ ticks: "require", continuation: { cooldown_seconds: 0 } }),
      tree: async () => tree.now,
    })
    await run({
      start: async (name) => plugin.say(LEAD, await plugin.startWork(LEAD, `plans/${name}.md`)),
      bash: (command) => plugin.bash(LEAD, command),
      tick: async (name) => {
        const filePath = join(root, `plans/${name}.md`)
        await writeFile(filePath, ticked(await readFile(filePath, "utf8"), "1"))
        await Bun.sleep(15)
        return plugin.use(LEAD, "edit", { filePath })
      },
      tree,
    })
    await plugin.hooks.dispose?.()
  })
}

test("a run in one plan proves no task of the next, and its own when that is resumed", () =>
  inPlans(async ({ start, bash, tick }) => {
    await start("a")
    await bash("npm test")
    await start("b")
    expect(await tick("b")).toContain("todo:1 is ticked, but `npm test` has not been run")
    await start("a")
    expect(await tick("a")).not.toContain("is ticked, but")
  }))

test("what another plan's work has changed since a run is seen when that plan is resumed", () =>
  inPlans(async ({ start, bash, tick, tree }) => {
    await start("a")
    await bash("npm test")
    await start("b")
    tree.now = "second"
    await bash("npm test")
    await start("a")
    expect(await tick("a")).toContain("has not been run since the work tree was changed")
  }))
