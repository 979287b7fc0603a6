import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const NOBODY = { agent: null, model: null, variant: null }
const FULL = {
  lastTurn: {
    messageId: "msg_old",
    error: null,
    createdAt: 1,
    ended: true,
    ours: false,
    isSummary: false,
    isUnanswered: false,
    contextTokens: 150_000,
  },
  failure: null,
  identity: NOBODY,
  model: null,
}

/** What a tool says behind an idle whose question for the last turn was answered, with `during` before the answer. */
async function saidBehind(during: "session.compacted" | null): Promise<string> {
  let said = ""
  await withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Write a", "Write b"))
    const told: string[] = during === null ? [] : [during]
    const plugin = openPlugin(root, readOptions({ continuation: { cooldown_seconds: 0 } }), {
      lastTurn: async () => {
        for (const type of told.splice(0))
          await plugin.hooks.event?.({
            event: { type, properties: { sessionID: LEAD } } as never,
          })
        return FULL
      },
    })
    await plugin.startWork(LEAD, PLAN)
    await plugin.fallIdle(LEAD)
    await plugin.say(LEAD, await plugin.startWork(LEAD, PLAN))
    said = await plugin.use(LEAD, "bash")
    await plugin.hooks.dispose?.()
  })
  return said
}

test("an answer of before a compaction fills no context behind it", async () => {
  expect(await saidBehind("session.compacted")).not.toContain("hard limit")
})

test("the same answer without a compaction does", async () => {
  expect(await saidBehind(null)).toContain("hard limit")
})
