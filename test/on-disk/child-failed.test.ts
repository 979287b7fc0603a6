// Subagents whose provider refuses them: the pause that this leads to says why, and so does the journal.
import { expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { ours } from "../support/our-turns.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const WORDS = "invalid x-api-key"

/** A `task` call whose subagent's provider refuses its request; the host tells as 1.18.33 does. */
async function refused(plugin: PluginInProcess, key: string, child: string) {
  const call = { tool: "task", sessionID: LEAD, callID: `call_${child}` }
  const args = { description: key, prompt: "do it", subagent_type: "general" }
  await plugin.hooks["tool.execute.before"]?.(call, { args })
  const tell = (type: string, properties: object) =>
    plugin.hooks.event?.({ event: { type, properties } as never })
  const part = (state: object) =>
    tell("message.part.updated", {
      part: { type: "tool", tool: "task", sessionID: LEAD, callID: call.callID, state },
    })
  const metadata = { sessionId: child }
  await tell("session.created", { info: { id: child, parentID: LEAD } })
  await part({ status: "running", input: args, metadata })
  await tell("session.error", {
    sessionID: child,
    error: { name: "APIError", data: { message: WORDS, statusCode: 401 } },
  })
  await part({ status: "error", error: WORDS, input: args, metadata })
}

test("a key that the subagents' provider refuses is named by the pause and the journal", () =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, inSections(2), {}, ours())
    for (const turn of [1, 2, 3, 4]) {
      await refused(plugin, "todo:1", `ses_child${turn}`)
      await plugin.fallIdle(LEAD)
    }
    expect(await work()).toMatchObject({ status: "paused", pause_reason: "no-progress" })
    expect(plugin.toasts.at(-1)).toContain(
      `its last turns changed nothing (a subagent failed: ${WORDS}). To resume: `,
    )
    const said = async (line: string) => (await runInFolder(root, line)).out.replace(/\s+/g, " ")
    expect(await said("status")).toContain(`changed nothing (a subagent failed: ${WORDS})`)
    expect(await said("why")).toContain(
      `Failed todo:1 "Build part 1": its subagent failed (${WORDS}).`,
    )
  }))
