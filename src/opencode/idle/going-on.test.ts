import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { readOptions } from "../host/options.ts"

const ONE = planOf("Write a")

const compacted = async ({ hooks }: PluginInProcess) => {
  const event = { type: "session.compacted" as const, properties: { sessionID: LEAD } }
  await hooks.event?.({ event })
}

/** Whether the host may go on after a compaction of the lead session, once `before` has happened. */
async function hostGoesOn(
  before: (plugin: PluginInProcess, write: (plan: string) => Promise<void>) => Promise<unknown>,
  { options = {}, agent = "build" }: { options?: object; agent?: string } = {},
): Promise<boolean> {
  const output = { enabled: true }
  await withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const write = (plan: string) => writeFile(join(root, "plans/demo.md"), plan)
    await write(ONE)
    const identity = { agent, model: null, variant: null }
    const lastTurn = async () => ({ lastTurn: null, failure: null, identity, model: null })
    const plugin = openPlugin(root, readOptions(options), { lastTurn })
    await plugin.say(LEAD, await plugin.startWork(LEAD, "plans/demo.md"))
    await before(plugin, write)
    type Input = Parameters<
      NonNullable<PluginInProcess["hooks"]["experimental.compaction.autocontinue"]>
    >[0]
    await plugin.hooks["experimental.compaction.autocontinue"]?.(
      { sessionID: LEAD } as Input,
      output,
    )
    await plugin.hooks.dispose?.()
  })
  return output.enabled
}

const nothing = async () => undefined
const blocked = ONE.replace("[ ]", "[!]")

test.each<{
  name: string
  before: Parameters<typeof hostGoesOn>[0]
  options?: object
  agent?: string
  host: boolean
}>([
  { name: "a work with open tasks", before: nothing, host: false },
  { name: "one that is cooling down", before: (plugin) => plugin.fallIdle(LEAD), host: false },
  { name: "one in its second compaction in a row", before: compacted, host: false },
  {
    name: "that, in the user's own turn",
    before: async (plugin) => {
      await compacted(plugin)
      await compacted(plugin)
      await plugin.say(LEAD, "What is in the config?")
    },
    host: true,
  },
  {
    name: "one that has spent its budget",
    before: (plugin) => plugin.fallIdle(LEAD),
    options: { continuation: { max_per_work: 1 } },
    host: false,
  },
  {
    name: "one whose tasks are all settled",
    before: (_, write) => write(ticked(ONE, "1")),
    host: true,
  },
  { name: "a turn of another agent", before: nothing, agent: "plan", host: true },
  { name: "one with blocked tasks alone", before: (_, write) => write(blocked), host: true },
  { name: "one whose plan is gone", before: (_, write) => write("nothing"), host: true },
])("$name", async ({ before, host, ...given }) => {
  expect(await hostGoesOn(before, given)).toBe(host)
})
