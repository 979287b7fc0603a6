// Subagents whose provider refuses them: the pause that this leads to says why, and so does the journal.
import { expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { ours, refusedChild } from "../support/our-turns.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const WORDS = "invalid x-api-key"

/** A refused `task` call; the host has told of its session. */
async function refused(plugin: PluginInProcess, key: string, child: string) {
  const info = { id: child, parentID: LEAD }
  await plugin.hooks.event?.({ event: { type: "session.created", properties: { info } } as never })
  await refusedChild(plugin, { key, child }, { message: WORDS, statusCode: 401 })
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
