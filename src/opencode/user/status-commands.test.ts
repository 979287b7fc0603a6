import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"

test("/stop-work books what the work's sessions have spent so far", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, "plans/demo.md")
    await plugin.tellTokens(LEAD, 700)
    const command = { command: "stop-work", sessionID: LEAD, arguments: "" }
    await plugin.hooks["command.execute.before"]?.(command, { parts: [] })
    const { boulder } = await openFileBoulderStore({ root }).read()
    expect(Object.values(boulder?.works ?? {})).toMatchObject([
      { status: "paused", pause_reason: "stopped-by-user", tokens: { spent: 700 } },
    ])
    await plugin.hooks.dispose?.()
  }))
