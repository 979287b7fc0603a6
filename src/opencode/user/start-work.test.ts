import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"

test("a work whose lead works on it right now is not taken over", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    let busy = new Set([LEAD])
    const { startWork, hooks } = openPlugin(root, {}, { busySessions: async () => busy })
    await startWork(LEAD, "demo")
    const begun = await startWork(LEAD, "plans/demo.md")
    expect(begun).not.toContain("to be free")
    expect(await startWork("ses_other", "plans/demo.md")).toContain(
      `Expected demo to be free, found session ${LEAD} working on it right now. Stop it there first, or wait.`,
    )
    busy = new Set()
    expect(await startWork("ses_other", "plans/demo.md")).not.toContain("to be free")
    await hooks.dispose?.()
  }))
