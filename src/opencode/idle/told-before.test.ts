import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CHILD, LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Change } from "../../boulder/boulder.ts"
import { WAVE_HEADER } from "../../decide/final-wave.ts"
import { WAVE_APPROVED } from "../../prompts/approval-words.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"

const TWO = planOf("Write a", "Write b")
const READY = "# D\n\n## TODOs\n\n- [x] 1. Write\n\n## Final Verification Wave\n\n- [ ] F1. Audit\n"
const HOUR_MS = 3_600_000
/** How long the next write takes: longer than a look that waits for nothing. */
const SLOW_MS = 150

const told = ({ hooks }: PluginInProcess, type: string, properties: object) =>
  hooks.event?.({ event: { type, properties } as never })

interface Scene {
  readonly plan: string
  readonly before: (plugin: PluginInProcess) => Promise<unknown>
  /** What the host reports just before the idle. The host waits for no event. */
  readonly last: (plugin: PluginInProcess) => Promise<unknown> | undefined
}

/** What is prompted at an idle that comes while a slow disk still writes what the previous event reported. */
function promptedBehind({ plan, before, last }: Scene): Promise<readonly string[]> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), plan)
    const store = openFileBoulderStore({ root })
    const disk = { slow: 0 }
    const update = async (change: Change) => {
      disk.slow -= 1
      if (disk.slow === 0) await Bun.sleep(SLOW_MS)
      return store.update(change)
    }
    const quick = readOptions({ continuation: { cooldown_seconds: 0 } })
    const plugin = openPlugin(root, { ...quick, store: { ...store, update } })
    await plugin.say(LEAD, await plugin.startWork(LEAD, "plans/demo.md"))
    await before(plugin)
    disk.slow = 1
    const written = last(plugin)
    await plugin.fallIdle(LEAD)
    await written
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
    return plugin.prompts
  })
}

const CALL = { tool: "task", sessionID: LEAD, callID: "call_1" }
const ARGS = { description: "todo:1", prompt: "do it", subagent_type: "general" }
const METADATA = { sessionId: CHILD }
const part = (plugin: PluginInProcess, state: object) =>
  told(plugin, "message.part.updated", {
    part: { type: "tool", ...CALL, state: { input: ARGS, metadata: METADATA, ...state } },
  })

async function delegated(plugin: PluginInProcess): Promise<void> {
  await plugin.hooks["tool.execute.before"]?.(CALL, { args: ARGS })
  await part(plugin, { status: "running" })
}

describe("an idle is decided on all that the host has told before it", () => {
  test("a call that its provider's limit has ended", async () => {
    const [prompt] = await promptedBehind({
      plan: TWO,
      before: async (plugin) => {
        await delegated(plugin)
        const error = { type: "usage_limit_reached", resets_in_seconds: 3_600 }
        const responseBody = JSON.stringify({ error })
        const data = { message: "used up", statusCode: 429, responseBody }
        await told(plugin, "session.error", { sessionID: CHILD, error: { name: "APIError", data } })
      },
      last: (plugin) => part(plugin, { status: "error", error: "used up" }),
    })
    expect(prompt).toContain("leave it until then")
  })

  test("a wait of the host for a subagent", async () => {
    const [prompt] = await promptedBehind({
      plan: TWO,
      before: delegated,
      last: (plugin) => {
        const status = { type: "retry", attempt: 1, message: "slow", next: Date.now() + HOUR_MS }
        return told(plugin, "session.status", { sessionID: CHILD, status })
      },
    })
    expect(prompt).toContain("leave it until then")
  })

  test("an approval", async () => {
    const [prompt] = await promptedBehind({
      plan: READY,
      before: async (plugin) => {
        const output = "VERDICT: APPROVE"
        await plugin.delegate({ lead: LEAD, key: "final-wave:f1", child: CHILD, output })
        const options = ["Approve", "Not yet"].map((label) => ({ label, description: "" }))
        const questions = [{ question: "Is it done?", header: WAVE_HEADER, options }]
        await told(plugin, "question.asked", { id: "que_1", sessionID: LEAD, questions })
      },
      last: (plugin) =>
        told(plugin, "question.replied", {
          sessionID: LEAD,
          requestID: "que_1",
          answers: [["Approve"]],
        }),
    })
    expect(prompt).toContain(WAVE_APPROVED)
  })
})
