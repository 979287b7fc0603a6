// A wait of the host for one subagent, once all beside it are over: the whole work waits, and a person is told.
import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { hostWaitEnd } from "../../src/boulder/usage-limit.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { CHILD } from "../support/builders.ts"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const HOUR = 3_600_000
const tell = (plugin: PluginInProcess, type: string, properties: object) =>
  plugin.hooks.event?.({ event: { type, properties } as never })

async function begun(plugin: PluginInProcess, key: string, child: string) {
  const call = { tool: "task", sessionID: LEAD, callID: `call_${key}` }
  const args = { description: key, prompt: "do it", subagent_type: "general" }
  await tell(plugin, "session.created", { info: { id: child, parentID: LEAD } })
  await plugin.hooks["tool.execute.before"]?.(call, { args })
  const state = { status: "running", input: args, metadata: { sessionId: child } }
  await tell(plugin, "message.part.updated", { part: { type: "tool", ...call, state } })
  await tell(plugin, "session.status", { sessionID: child, status: { type: "busy" } })
  return async (how: "comes back" | "fails") => {
    await tell(plugin, "session.status", { sessionID: child, status: { type: "idle" } })
    await tell(plugin, "session.idle", { sessionID: child })
    const result = { title: key, output: "did it", metadata: { sessionId: child } }
    if (how === "fails") {
      const state = {
        status: "error",
        input: args,
        error: "Task cancelled",
        metadata: { sessionId: child },
      }
      await tell(plugin, "message.part.updated", { part: { type: "tool", ...call, state } })
      return
    }
    await plugin.hooks["tool.execute.after"]?.({ ...call, args }, result)
    const state = {
      status: "completed",
      input: args,
      output: "did it",
      metadata: { sessionId: child },
    }
    await tell(plugin, "message.part.updated", { part: { type: "tool", ...call, state } })
  }
}

const TELL = ["sh", "-c", "cat >> told"]

for (const how of ["comes back", "fails"] as const)
  test(
    `the last other subagent ${how} beside one that the host waits for: the work waits, and that is told`,
    () =>
      withFolder(async (root) => {
        const { plugin, work } = await started(root, inSections(3), { notify: { command: TELL } })
        await begun(plugin, "todo:1", CHILD)
        const back = await begun(plugin, "todo:2", "ses_two")
        const next = Date.now() + 5 * HOUR
        await tell(plugin, "session.status", {
          sessionID: CHILD,
          status: { type: "retry", attempt: 1, message: "limit", next },
        })
        expect(hostWaitEnd(await work(), Date.now())).toBeNull()
        await back(how)
        // Nothing goes on any more, and the disk knows it.
        expect(hostWaitEnd(await work(), Date.now())).not.toBeNull()
        await Bun.sleep(1_500)
        const { entries } = await openJournal({ root }).readLast(50)
        const waits = entries.filter(({ reason }) => reason === "provider-wait")
        const told = await readFile(join(root, "told"), "utf8").catch(() => "")
        await plugin.hooks.dispose?.()
        expect(waits.map(({ decision }) => decision)).toContain("rest")
        expect(told).toContain('"event":"limit"')
      }),
    60_000,
  )
