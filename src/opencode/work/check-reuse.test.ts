import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { readOptions } from "../host/options.ts"

const identity = { agent: "build", model: null, variant: null }
const NO_TURN = { lastTurn: null, failure: null, identity, model: null, to: null }

/** A lead of three tasks, and what its host was asked since `asked` was emptied. */
async function withLead(run: (plugin: PluginInProcess, asked: string[]) => Promise<void>) {
  await withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b", "Write c"))
    const asked: string[] = []
    const plugin = openPlugin(root, readOptions({ continuation: { cooldown_seconds: 0 } }), {
      busySessions: async () => {
        asked.push("busy")
        return new Set<string>()
      },
      lastTurn: async (id) => {
        asked.push(`last turn of ${id}`)
        return NO_TURN
      },
    })
    await plugin.say(LEAD, await plugin.startWork(LEAD, "plans/demo.md"))
    await run(plugin, asked)
    await plugin.hooks.dispose?.()
  })
}

test("what several tasks of a text want to know of the host, it is asked once", () =>
  withLead(async (plugin, asked) => {
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_one" })
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_two" })
    asked.length = 0
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).toContain("ses_two")
    expect(asked.toSorted()).toEqual([
      ...["busy", "busy", `last turn of ${LEAD}`, "last turn of ses_one", "last turn of ses_two"],
    ])
  }))

test("the text under a result asks for no turn that was asked for as the result came", () =>
  withLead(async (plugin, asked) => {
    const result = await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_one" })
    expect(result).toContain("ses_one")
    expect(asked).toEqual(["last turn of ses_one", "busy"])
  }))

test("a session that this process does not know is asked for once", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const asked: string[] = []
    const open = () =>
      openPlugin(root, readOptions({ reuse: "auto" }), {
        session: async (id) => {
          asked.push(id)
          return { id, parentId: id === LEAD ? null : LEAD, agent: "general", title: id }
        },
      })
    const before = open()
    await before.startWork(LEAD, "plans/demo.md")
    await before.delegate({ lead: LEAD, key: "todo:1", child: "ses_one" })
    await before.hooks.dispose?.()
    asked.length = 0
    const plugin = open()
    await plugin.say(LEAD, "go on")
    await plugin.use(LEAD, "task", { description: "todo:1", prompt: "", subagent_type: "general" })
    expect(asked.filter((id) => id === "ses_one")).toEqual(["ses_one"])
    await plugin.hooks.dispose?.()
  }))
