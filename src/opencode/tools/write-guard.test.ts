import { describe, expect, test } from "bun:test"
import { mkdir, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { findPlans } from "../../store/plans/find-plans.ts"
import { readOptions } from "../host/options.ts"

const LEAD = "ses_lead"
const CHILD = "ses_child"
const BOX = { oldString: "- [ ] 1.", newString: "- [x] 1." }

/** A work on the plan whose folder is reached through a link, with a subagent below its lead. */
function withLinkedPlans(
  folder: (root: string) => string,
  started: string,
  run: (plugin: PluginInProcess, root: string) => Promise<void>,
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(folder(root), { recursive: true })
    await mkdir(join(root, ".boulder"))
    await symlink(folder(root), join(root, ".boulder/plans"))
    await writeFile(join(folder(root), "demo.md"), planOf("Write one", "Write two"))
    const plugin = openPlugin(root, {
      ...readOptions({ orchestrator_writes: "block" }),
      planPaths: (boulder) => findPlans(root, boulder),
    })
    await plugin.startWork(LEAD, started)
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
    await run(plugin, root)
    await plugin.hooks.dispose?.()
  })
}

describe("a plan whose folder stands behind a link", () => {
  const NAMES = [".boulder/plans/demo.md", "docs/plans/demo.md"]
  const STARTED = ["demo", ...NAMES]
  test.each(STARTED.flatMap((started) => NAMES.map((filePath) => ({ started, filePath }))))(
    "started as $started the lead ticks it as $filePath, at the hard limit too, and a subagent does not",
    ({ started, filePath }) =>
      withLinkedPlans(
        (root) => join(root, "docs/plans"),
        started,
        async (plugin) => {
          expect(await plugin.use(LEAD, "edit", { filePath, ...BOX })).toStartWith("done")
          expect(await plugin.use(CHILD, "edit", { filePath, ...BOX })).toContain(
            "The plan is ticked by the orchestrator",
          )
          expect(await plugin.use(LEAD, "write", { filePath: "src/a.ts" })).toContain("refused")
          await plugin.tellTokens(LEAD, 1_000_000)
          expect(await plugin.use(LEAD, "edit", { filePath, ...BOX })).toStartWith("done")
          expect(await plugin.use(LEAD, "write", { filePath: "src/a.ts" })).toContain("refused")
        },
      ),
  )
})

describe("our state is written by nobody, however it is named", () => {
  const patched = (...lines: readonly string[]) => ({
    patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
  })
  test.each(
    [
      { tool: "write", args: { filePath: ".boulder/boulder.json" } },
      { tool: "write", args: { filePath: "./src/../.boulder/boulder.json" } },
      { tool: "write", args: { filePath: ".BOULDER/boulder.json" } },
      { tool: "write", args: { filePath: "src/state.json" } },
      { tool: "edit", args: { filePath: "src/state/boulder.json", ...BOX } },
      { tool: "multiedit", args: { filePath: ".boulder/boulder.json", edits: [BOX] } },
      { tool: "patch", args: patched("*** Delete File: .boulder/boulder.json") },
      { tool: "apply_patch", args: patched("*** Update File:.boulder/boulder.json", "@@", "-a") },
      { tool: "apply_patch", args: patched("*** Update File:\t.boulder/boulder.json\r", "@@\r") },
      { tool: "apply_patch", args: patched("*** Update File: a.ts", "*** Move to:.boulder/x") },
      { tool: "apply_patch", args: patched("*** Rename: a.ts -> .boulder/x") },
      { tool: "apply_patch", args: { patchText: "+++ b/.boulder/boulder.json" } },
      { tool: "apply_patch", args: patched("*** Delete File:.boulder") },
    ].map((call) => ({ ...call, name: `${call.tool} ${JSON.stringify(call.args)}` })),
  )("$name", ({ tool, args }) =>
    withLinkedPlans(
      (root) => join(root, "docs/plans"),
      "demo",
      async (plugin, root) => {
        await mkdir(join(root, "src"))
        await symlink("../.boulder", join(root, "src/state"))
        await symlink("../.boulder/new.json", join(root, "src/state.json"))
        for (const session of [LEAD, CHILD])
          expect(await plugin.use(session, tool, args)).toContain("It is the plugin's own state")
      },
    ),
  )
})
