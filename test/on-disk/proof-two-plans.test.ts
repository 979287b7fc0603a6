import { expect, test } from "bun:test"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/* One session leads two plans, one after the other. What was seen for the first is its own. */
const OTHER = "ses_e02a05cf0ffeiVkhL7Rr1p5COT"
const TEXT = "## TODOs\n\n- [ ] 1. Do it\n  Verify: `npm test`\n- [ ] 2. Do more\n"

interface Plans {
  readonly start: (name: string, lead?: string) => Promise<void>
  readonly bash: (command: string) => Promise<string>
  /** Ticks the first task; gives what the lead reads. */
  readonly tick: (name: string, lead?: string) => Promise<string>
  readonly tree: { now: string }
  readonly root: string
  readonly plugin: PluginInProcess
  readonly cli: (line: string) => Promise<{ readonly out: string }>
  readonly edit: (name: string, change: (text: string) => string) => Promise<void>
}

function inPlans(run: (scene: Plans) => Promise<void>) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    for (const name of ["a", "b"]) await writeFile(join(root, `plans/${name}.md`), TEXT)
    const tree = { now: "first" }
    const plugin = openPlugin(root, {
      ...readOptions({ ticks: "require", continuation: { cooldown_seconds: 0 } }),
      tree: async () => tree.now,
    })
    const edit = async (name: string, change: (text: string) => string) => {
      const path = join(root, `plans/${name}.md`)
      await writeFile(path, change(await readFile(path, "utf8")))
      await Bun.sleep(15)
    }
    await run({
      root,
      plugin,
      edit,
      cli: (line) => runInFolder(root, line, { now: Date.now }),
      start: async (name, lead = LEAD) =>
        plugin.say(lead, await plugin.startWork(lead, `plans/${name}.md`)),
      bash: (command) => plugin.bash(LEAD, command),
      tick: (name, lead = LEAD) =>
        plugin.use(lead, "edit", { filePath: join(root, `plans/${name}.md`) }, () =>
          edit(name, (text) => ticked(text, "1")),
        ),
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

test.each([
  { what: "while it is idle", isIdle: true },
  { what: "in the middle of a turn", isIdle: false },
])("nor of one that is resumed by command: $what", ({ isIdle }) =>
  inPlans(async ({ start, bash, tick, edit, cli, plugin }) => {
    await start("a")
    await cli("stop a")
    await start("b")
    await bash("npm test")
    await cli("resume a")
    if (isIdle) await plugin.fallIdle(LEAD)
    await edit("a", (text) => ticked(text, "1"))
    await plugin.fallIdle(LEAD)
    expect((await cli("status a")).out).toContain("todo:1 claimed")
    await start("b")
    expect(await tick("b")).not.toContain("is ticked, but")
  }),
)

/** The lead has stopped a and begun b, whose checks are read. */
async function beginBehindA({ start, cli, bash }: Pick<Plans, "start" | "cli" | "bash">) {
  await start("a")
  await cli("stop a")
  await start("b")
  // From here on a `stat` of b tells that it has not changed.
  await Bun.sleep(150)
  await bash("true")
}

test.each([
  { what: "in the middle of a turn", isSaid: false },
  { what: "behind a word of the user", isSaid: true },
])("a run behind a resume by command proves the plan that was resumed: $what", ({ isSaid }) =>
  inPlans(async ({ start, bash, tick, cli, plugin }) => {
    await beginBehindA({ start, cli, bash })
    await cli("resume a")
    if (isSaid) await plugin.say(LEAD, "go on with a")
    await bash("npm test")
    expect(await tick("a")).not.toContain("is ticked, but")
    expect((await cli("status a")).out).not.toContain("todo:1 claimed")
    await start("b")
    expect(await tick("b")).toContain("todo:1 is ticked, but `npm test` has not been run")
  }),
)

test("a run of a subagent of the plan before proves no other that was resumed meanwhile", () =>
  inPlans(async ({ start, bash, tick, cli, plugin }) => {
    await beginBehindA({ start, cli, bash })
    const during = async () => {
      await cli("resume a")
      await plugin.bash("ses_child", "npm test")
    }
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", during })
    expect(await tick("a")).toContain("todo:1 is ticked, but `npm test` has not been run")
  }))

test("what nobody was told of one plan is said of no other", () =>
  inPlans(async ({ start, bash, edit, plugin }) => {
    await start("a")
    const asked = { id: "que_1", sessionID: LEAD, questions: [] }
    await plugin.hooks.event?.({ event: { type: "question.asked", properties: asked } as never })
    await edit("a", (text) => text.replace("npm test", "npm run check"))
    await plugin.fallIdle(LEAD)
    await start("b")
    expect(await bash("true")).not.toContain("The check of todo:1")
  }))

test("nor of one that the session has led before and that another leads by now", () =>
  inPlans(async ({ start, bash, tick }) => {
    await start("a")
    await start("a", OTHER)
    await start("b")
    await bash("npm test")
    expect(await tick("a", OTHER)).toContain("todo:1 is ticked, but `npm test` has not been run")
    expect(await tick("b")).not.toContain("is ticked, but")
  }))

test("a plan that has moved is the same work: its tick is no change behind its check", () =>
  inPlans(async ({ start, bash, tick, plugin, root }) => {
    await start("a")
    await plugin.fallIdle(LEAD)
    await rename(join(root, "plans/a.md"), join(root, "plans/c.md"))
    await start("c")
    await bash("npm test")
    expect(await tick("c")).not.toContain("is ticked, but")
  }))
