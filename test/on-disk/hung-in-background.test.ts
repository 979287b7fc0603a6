// A subagent in the background that hangs: it holds the plan up, so it is watched like any other.
import { expect, test } from "bun:test"
import { CHILD } from "../support/builders.ts"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

test(
  "a hung subagent in the background does not hold the plan up for ever",
  () =>
    withFolder(async (root) => {
      const aborted: string[] = []
      const busy = new Set([CHILD])
      const { plugin } = await started(
        root,
        inSections(3),
        { continuation: { cooldown_seconds: 1, child_silence_minutes: 0.02 } },
        {
          session: async (id) => ({
            id,
            agent: null,
            title: id,
            parentId: id === CHILD ? LEAD : null,
          }),
          busySessions: async () => busy,
          abort: async (id) => {
            aborted.push(id)
            busy.delete(id)
          },
        },
      )
      const tell = (type: string, properties: object) =>
        plugin.hooks.event?.({ event: { type, properties } as never })
      const call = { tool: "task", sessionID: LEAD, callID: "call_1" }
      const args = {
        description: "todo:1",
        prompt: "do it",
        subagent_type: "general",
        background: true,
      }
      await tell("session.created", { info: { id: CHILD, parentID: LEAD } })
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      const metadata = { sessionId: CHILD, background: true }
      const state = { status: "running", input: args, metadata }
      await tell("message.part.updated", { part: { type: "tool", ...call, state } })
      await tell("session.status", { sessionID: CHILD, status: { type: "busy" } })
      await plugin.hooks["tool.execute.after"]?.(
        { ...call, args },
        { title: "", output: "begun", metadata },
      )
      await plugin.fallIdle(LEAD)
      await Bun.sleep(8_000)
      const { prompts, toasts } = plugin
      await plugin.hooks.dispose?.()
      expect(
        aborted.length + prompts.length + toasts.filter((one) => /silent/.test(one)).length,
      ).toBeGreaterThan(0)
    }),
  60_000,
)
