// A lead that names a task by the number which it has read, and by its title, once a row was inserted above it.
import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const MOVED = planOf("New", "Write a", "Write b")

function scene(run: (plugin: PluginInProcess, root: string) => Promise<void>) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Write a", "Write b"))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    await writeFile(join(root, PLAN), MOVED)
    await run(plugin, root)
    expect(await readFile(join(root, PLAN), "utf8")).toBe(MOVED)
  })
}

test("its call is for none: no session is kept, and no block reaches the row that has the number now", () =>
  scene(async (plugin, root) => {
    const [key, output] = ["todo:2 Write b", "BLOCKED: no key for the cloud"]
    const said = await plugin.delegate({ lead: LEAD, key, child: "ses_c", output })
    expect(said).toContain("the call named none, several, or one by its old key")
    const { boulder } = await openFileBoulderStore({ root }).read()
    expect(Object.values(boulder?.works ?? {})).toMatchObject([{ task_sessions: {}, blocked: {} }])
  }))

test("its save is refused, with both tasks by their numbers of now", () =>
  scene(async (plugin) => {
    const said = await plugin.hooks.tool?.["save_task_progress"]?.execute(
      { summary: "b is written", status: "complete", task: 'todo:2 "Write b"' } as never,
      { sessionID: LEAD, agent: "build" } as never,
    )
    expect(String(said)).toContain(
      '(todo:2 "Write a", todo:3 "Write b"). Name one by its key and title, or say in words what the task is.',
    )
  }))
