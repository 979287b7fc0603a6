import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../test/support/builders.ts"
import { planOf } from "../../test/support/plans.ts"
import { openPlugin } from "../../test/support/plugin-in-process.ts"
import { withFolder } from "../../test/support/store-folder.ts"
import { newWriteId, ownIdentity } from "../store/disk/writer-identity.ts"
import { openLiveFiles } from "../store/records/live-files.ts"
import { occupantOf } from "./follow-views.ts"

const OWN = await ownIdentity()

test.each([
  { of: "one of another container, of this one's number", writer: { ...OWN, machine: "0badcafe" } },
  { of: "this very process", writer: OWN },
])("who works on a plan elsewhere: $of", ({ writer }) =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    const process = { id: newWriteId(writer), isElsewhere: async () => false }
    const plugin = openPlugin(root, { process })
    await plugin.startWork(LEAD, "plans/demo.md")
    await plugin.say(LEAD, "go")
    const live = openLiveFiles({ root })
    while ((await live.readAll(Date.now())).length === 0) await Bun.sleep(20)
    const found = await occupantOf(root, "plans/demo.md")
    expect(found?.plan_name).toBe(writer === OWN ? undefined : "demo")
    await plugin.hooks.dispose?.()
  }),
)
