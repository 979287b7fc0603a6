import { expect, test } from "bun:test"
import { runInFolder } from "../support/cli-in-process.ts"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

test.each([
  { by: "/start-work", pause: "stop-work", message: false },
  { by: "a message", pause: "interrupt", message: true },
])("why tells that a paused work was resumed by $by", ({ pause, message }) =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, inSections(2))
    if (pause === "stop-work") await plugin.command(LEAD, "stop-work", "")
    else {
      const error = { name: "MessageAbortedError", data: { message: "stopped" } }
      const event = { type: "session.error", properties: { sessionID: LEAD, error } }
      await plugin.hooks.event?.({ event: event as never })
      await plugin.fallIdle(LEAD)
    }
    expect((await work()).status).toBe("paused")
    if (message) await plugin.say(LEAD, "on with it")
    else await plugin.startWork(LEAD, "")
    expect((await work()).status).toBe("active")
    expect((await runInFolder(root, "why")).out).toMatch(/Resumed: you resumed it\.\n$/)
  }),
)
