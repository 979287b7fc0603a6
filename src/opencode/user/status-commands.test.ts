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

/** What `/stop-work` says to a session, where each of the others leads a work. */
const stopped = (sessionID: string, leads: readonly string[], given = "") =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const plugin = openPlugin(root)
    for (const [at, lead] of leads.entries()) {
      await writeFile(join(root, `plans/p${at}.md`), planOf("Write a"))
      await plugin.startWork(lead, `plans/p${at}.md`)
    }
    const output = { parts: [] }
    const command = { command: "stop-work", sessionID, arguments: given }
    await plugin.hooks["command.execute.before"]?.(command, output)
    await plugin.hooks.dispose?.()
    return String(Reflect.get(output.parts[0] ?? {}, "text"))
  })

test("/stop-work means the session's own work, or the only one", async () => {
  expect(await stopped("ses_b", ["ses_a", "ses_b"])).toContain("Plan p1 stopped.")
  expect(await stopped("ses_c", ["ses_a"])).toContain("Plan p0 stopped.")
  const unclear = await stopped("ses_c", ["ses_a", "ses_b"])
  expect(unclear).toContain("Which work? Name one:")
  expect(unclear).toContain("/stop-work p0")
  expect(await stopped("ses_c", ["ses_a", "ses_b"], "none")).toContain("No open work")
})
