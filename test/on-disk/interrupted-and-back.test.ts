import { expect, test } from "bun:test"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const HOUR_MS = 3_600_000
const LIMIT = JSON.stringify({ error: { type: "usage_limit_reached", resets_in_seconds: 3_600 } })
const WAVE =
  "# Plan\n\n## TODOs\n\n- [x] 1. One\n\n## Final Verification Wave\n\n- [ ] F1. Review it\n- [ ] F2. Review more\n"

test.each([
  { of: "a task, before the limit ends", key: "todo:1", plan: inSections(2), ahead: 0 },
  { of: "a task, behind the limit", key: "todo:1", plan: inSections(2), ahead: 2 * HOUR_MS },
  { of: "a review, behind the limit", key: "final-wave:F1", plan: WAVE, ahead: 2 * HOUR_MS },
])(
  "a subagent that its provider's limit has interrupted has no result: $of",
  ({ key, plan, ahead }) =>
    withFolder(async (root) => {
      const clock = { ahead: 0 }
      const session = async (id: string) => {
        const parentId = id === LEAD ? null : LEAD
        return { id, agent: null, title: id, parentId }
      }
      const now = () => Date.now() + clock.ahead
      const { plugin, work } = await started(root, plan, {}, { session }, { now })
      const tell = (type: string, properties: object) =>
        plugin.hooks.event?.({ event: { type, properties } as never })
      const call = { tool: "task", sessionID: LEAD, callID: "call_1" }
      const input = { description: key, prompt: "do it", subagent_type: "general" }
      const part = (state: object) =>
        tell("message.part.updated", {
          part: {
            type: "tool",
            ...call,
            state: { input, metadata: { sessionId: "ses_a" }, ...state },
          },
        })
      await plugin.hooks["tool.execute.before"]?.(call, { args: input })
      await part({ status: "running" })
      const data = { message: "usage limit", statusCode: 429, responseBody: LIMIT }
      await tell("session.error", { sessionID: "ses_a", error: { name: "APIError", data } })
      await part({ status: "error", error: "usage limit" })
      const [kept] = Object.values((await work()).task_sessions)
      expect(kept).toMatchObject({ session_id: "ses_a", status: "interrupted" })
      clock.ahead = ahead
      await plugin.fallIdle(LEAD)
      await plugin.hooks.dispose?.()
      const [prompt = ""] = plugin.prompts
      expect(prompt).toContain(key.toLowerCase())
      expect(prompt).not.toMatch(/(It|A result) is back/)
    }),
)
