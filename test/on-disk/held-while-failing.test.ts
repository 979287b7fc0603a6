// A held task while the provider is down: no model has read the prompts that fail, and none of them holds it once more.
import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { HostCallError } from "../../src/opencode/host/session-api.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { waitUntil } from "../support/host-wait.ts"
import { ticked } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const ROWS = "# Plan\n\n## TODOs\n\n- [ ] 1. Do 1\n  Verify: `check 1`\n"
const OPTIONS = {
  ticks: "require",
  orchestrator_writes: "allow",
  continuation: { cooldown_seconds: 0, backoff_seconds: 0 },
}

for (const how of ["fails with HTTP 500", "is refused by the host"] as const)
  test(
    `a held task is not held once more by a prompt that ${how}: no model has read it`,
    () =>
      withFolder(async (root) => {
        await mkdir(join(root, "plans"))
        await writeFile(join(root, PLAN), ROWS)
        const host = {
          turn: null as object | null,
          failure: null as object | null,
          down: false,
          n: 0,
        }
        const sent: string[] = []
        const identity = { agent: null, model: null, variant: null }
        const plugin = openPlugin(root, readOptions(OPTIONS), {
          lastTurn: async () =>
            ({ lastTurn: host.turn, failure: host.failure, identity, model: null }) as never,
          prompt: async (_, text) => {
            if (host.down && how === "is refused by the host")
              throw new HostCallError("session.prompt: 500")
            sent.push(text)
            host.n += 1
            const at = Date.now()
            host.turn = {
              ...{ messageId: `msg_${host.n}`, createdAt: at, ours: true, ended: true },
              ...{ error: host.down ? "APIError" : null, contextTokens: 0 },
              ...{ isSummary: false, isUnanswered: false },
            }
            host.failure = host.down ? { kind: "transient", words: "Internal error", at } : null
          },
        })
        await plugin.startWork(LEAD, PLAN)
        await writeFile(join(root, PLAN), ticked(await readFile(join(root, PLAN), "utf8"), "1"))
        await plugin.use(LEAD, "edit", { filePath: join(root, PLAN) })
        const work = async () => {
          const [only] = Object.values(
            (await openFileBoulderStore({ root }).read()).boulder?.works ?? {},
          )
          return only
        }
        const times = async () => (await work())?.held?.["todo:1"]?.times
        expect(await times()).toBe(1)
        host.down = true
        for (const _ of [1, 2]) {
          await plugin.fallIdle(LEAD)
          await Bun.sleep(20)
        }
        // The provider is back.
        host.down = false
        const before = sent.length
        // What was reserved for the prompt is given back behind it.
        await waitUntil(
          async () => (await times()) === 1,
          async () => JSON.stringify(await work()),
        )
        await plugin.fallIdle(LEAD)
        await plugin.hooks.dispose?.()
        expect(sent.length).toBeGreaterThan(before)
      }),
    60_000,
  )
