import { expect, test } from "bun:test"
import { readOptions } from "../../src/opencode/host/options.ts"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const HOUR_MS = 3_600_000
const responseBody = JSON.stringify({
  error: { type: "usage_limit_reached", resets_in_seconds: 3_600 },
})

const fails = async (plugin: PluginInProcess, name: string, data: object) => {
  const properties = { sessionID: LEAD, error: { name, data } }
  await plugin.hooks.event?.({ event: { type: "session.error", properties } as never })
  await plugin.fallIdle(LEAD)
}

test("ESC while a limit is waited for is on disk: nothing resumes behind it, also in an opencode that begins anew", () =>
  withFolder(async (root) => {
    const clock = { ahead: 0 }
    const now = () => Date.now() + clock.ahead
    const { plugin, work } = await started(root, inSections(2), {}, {}, { now })
    await fails(plugin, "APIError", { message: "used up", statusCode: 429, responseBody })
    expect(await work()).toMatchObject({ pause_reason: "usage-limited" })
    await fails(plugin, "MessageAbortedError", { message: "" })
    expect(await work()).toMatchObject({ status: "paused", pause_reason: "aborted", limited: null })
    await plugin.hooks.dispose?.()
    const again = openPlugin(root, { ...readOptions({}), now })
    clock.ahead = 2 * HOUR_MS
    await again.fallIdle(LEAD)
    expect(again.prompts).toEqual([])
    // A word of the user's resumes it, as any that they have stopped.
    await again.say(LEAD, "go on")
    await again.fallIdle(LEAD)
    expect(await work()).toMatchObject({ status: "active", pause_reason: null })
    expect(again.prompts).toHaveLength(1)
    await again.hooks.dispose?.()
  }))
