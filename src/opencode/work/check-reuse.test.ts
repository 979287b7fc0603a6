import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { readOptions } from "../host/options.ts"

test("what several tasks of a text want to know of the host, it is asked once", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b", "Write c"))
    const asked: string[] = []
    const identity = { agent: "build", model: null, variant: null }
    const none = { lastTurn: null, failure: null, identity, model: null, to: null }
    const plugin = openPlugin(root, readOptions({ continuation: { cooldown_seconds: 0 } }), {
      busySessions: async () => {
        asked.push("busy")
        return new Set<string>()
      },
      lastTurn: async (id) => {
        asked.push(`last turn of ${id}`)
        return none
      },
    })
    await plugin.say(LEAD, await plugin.startWork(LEAD, "plans/demo.md"))
    for (const [key, child] of [
      ["todo:1", "ses_one"],
      ["todo:2", "ses_two"],
    ] as const)
      await plugin.delegate({ lead: LEAD, key, child })
    asked.length = 0
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).toContain("ses_two")
    expect(asked.toSorted()).toEqual([
      ...["busy", "busy", `last turn of ${LEAD}`, "last turn of ses_one", "last turn of ses_two"],
    ])
    await plugin.hooks.dispose?.()
  }))
