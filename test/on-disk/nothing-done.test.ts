import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { LEAD } from "../support/builders.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const TEXT =
  "# Plan\n\n## TODOs\n\n- [ ] 1. Log in\n  Verify: `npm test -- one`\n- [ ] 2. Write it down\n- [ ] 3. Log out\n  Verify: `npm test -- three`\n"
const WORD = "is ticked, but nothing was changed and no check was run."

interface Scene {
  readonly plugin: PluginInProcess
  /** What git says of the work tree; it is changed by what programs write. */
  readonly tree: { now: string | null; asked: number }
  /** Delegates a task, ticks it, and gives what the plugin says behind both. */
  readonly done: (label: string, during?: () => Promise<unknown>) => Promise<string>
  readonly edit: (change: (text: string) => string) => Promise<string>
}

function inWork(text: string, run: (scene: Scene) => Promise<void>, options = {}): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), text)
    const tree: Scene["tree"] = { now: "a", asked: 0 }
    const given = { orchestrator_writes: "allow", continuation: { cooldown_seconds: 0 } }
    const plugin = openPlugin(root, {
      ...readOptions({ ...given, ...options }),
      tree: async () => {
        tree.asked += 1
        return tree.now
      },
    })
    await plugin.startWork(LEAD, PLAN)
    const edit = async (change: (text: string) => string) => {
      await writeFile(join(root, PLAN), change(await readFile(join(root, PLAN), "utf8")))
      return plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
    }
    const done: Scene["done"] = async (label, during = async () => undefined) => {
      const child = `ses_child${label}`
      const below = await plugin.delegate({ lead: LEAD, key: `todo:${label}`, child, during })
      return below + (await edit((plan) => ticked(plan, label)))
    }
    await run({ plugin, tree, done, edit })
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

test("a task that was delegated and ticked, and for which nothing was done, is one line, once", () =>
  inWork(TEXT, async ({ plugin, done, edit }) => {
    const said = [await done("1"), await done("2"), await plugin.use(LEAD, "bash")]
    expect(said[0]).toContain(`todo:1 ${WORD}`)
    expect(said[0]).not.toContain("has not been run")
    expect(said[1]).toContain(`todo:2 ${WORD}`)
    expect(said[1]).not.toContain("todo:1")
    expect(said[2]).not.toContain(WORD)
    expect(await edit((plan) => ticked(plan, "3"))).not.toContain(WORD)
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.join()).not.toContain(WORD)
  }))

test.each([
  {
    what: "its subagent has written a file",
    act: ({ plugin }: Scene) => plugin.use("ses_child2", "write", { filePath: "src/a.ts" }),
  },
  {
    what: "a program has changed the tree",
    act: async ({ tree }: Scene) => {
      tree.now = "b"
    },
  },
  {
    what: "git does not tell by then",
    act: async ({ tree }: Scene) => {
      tree.now = null
    },
  },
  {
    what: "its subagent has run a check",
    act: ({ plugin }: Scene) => plugin.bash("ses_child2", "npm test -- one"),
  },
])("nothing is said where $what", ({ act }) =>
  inWork(TEXT, async (scene) => {
    expect(await scene.done("2", async () => void (await act(scene)))).not.toContain(WORD)
  }),
)

test.each([
  { what: "checks", act: (plugin: PluginInProcess) => plugin.bash(LEAD, "npm test -- one", 1) },
  {
    what: "edits",
    act: (plugin: PluginInProcess) => plugin.use(LEAD, "edit", { filePath: "src/a.ts" }),
  },
])("nor where the lead $what behind the result", ({ act }) =>
  inWork(TEXT, async ({ plugin, edit }) => {
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child1" })
    await act(plugin)
    expect(await edit((plan) => ticked(plan, "1"))).not.toContain(WORD)
  }),
)

test("a second delegation that changes nothing takes nothing from the first, and one that was lost says nothing", () =>
  inWork(TEXT, async ({ plugin, tree, done }) => {
    const during = async () => {
      tree.now = "b"
    }
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_child2", during })
    expect(await done("2")).not.toContain(WORD)
  }))

test("git is asked twice a delegation, once where a write was seen, once more before nothing is said to be done, and never in a plan without checks or under `trust`", async () => {
  const bare = TEXT.replaceAll(/ {2}Verify: .*\n/g, "")
  await inWork(bare, async ({ tree, done }) => {
    expect(await done("1")).not.toContain(WORD)
    expect(tree.asked).toBe(0)
  })
  await inWork(
    TEXT,
    async ({ tree, done }) => {
      expect(await done("1")).not.toContain(WORD)
      expect(tree.asked).toBe(0)
    },
    { ticks: "trust" },
  )
  await inWork(TEXT, async ({ plugin, tree, done }) => {
    await done("1")
    expect(tree.asked).toBe(3)
    await done("2", () => plugin.use("ses_child2", "write", { filePath: "src/a.ts" }))
    expect(tree.asked).toBe(4)
  })
})

test("taken back and ticked again it is not said once more: at most once a task", () =>
  inWork(TEXT, async ({ done, edit }) => {
    expect(await done("2")).toContain(`todo:2 ${WORD}`)
    await edit((plan) => plan.replace("- [x] 2.", "- [ ] 2."))
    expect(await edit((plan) => ticked(plan, "2"))).not.toContain(`todo:2 ${WORD}`)
  }))
