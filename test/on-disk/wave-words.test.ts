// What is said of the rows of a final wave, in the states that the plugin really sends.

import { expect, test } from "bun:test"
import { WAVE, withHeldRow } from "../support/held-row.ts"
import { LEAD, started } from "../support/long-run-project.ts"
import { ours } from "../support/our-turns.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

async function limited(plugin: PluginInProcess, key: string, child: string, resetsIn: number) {
  const call = { tool: "task", sessionID: LEAD, callID: `call_${key}_${Math.random()}` }
  const args = { description: key, prompt: "do it", subagent_type: "general" }
  await plugin.hooks["tool.execute.before"]?.(call, { args })
  const tell = (type: string, properties: object) =>
    plugin.hooks.event?.({ event: { type, properties } as never })
  const part = (state: object) =>
    tell("message.part.updated", {
      part: { type: "tool", tool: "task", sessionID: LEAD, callID: call.callID, state },
    })
  const metadata = { sessionId: child }
  await part({ status: "running", input: args, metadata })
  const error = { type: "usage_limit_reached", resets_in_seconds: resetsIn }
  await tell("session.error", {
    sessionID: child,
    error: {
      name: "APIError",
      data: { message: "used up", statusCode: 429, responseBody: JSON.stringify({ error }) },
    },
  })
  await part({ status: "error", error: "used up", input: args, metadata })
}

test("a row whose review REJECTED is not called 'back without a verdict' by the next continuation or start", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, WAVE, {}, ours())
    await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f1",
      child: "ses_f1",
      output: "VERDICT: APPROVE",
    })
    const told = await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f2",
      child: "ses_f2",
      output: "No tests.\nVERDICT: REJECT",
    })
    expect(told).toContain("REJECTED")
    await plugin.fallIdle(LEAD)
    expect(plugin.prompts.at(-1)).not.toContain("without a verdict")
    expect(await plugin.startWork(LEAD, "")).not.toContain("without a verdict")
  }))

test("behind a turn without progress no text orders a row of the wave settled before the approval", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, WAVE, {}, ours())
    await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f1",
      child: "ses_f1",
      output: "Looks fine.",
    })
    await plugin.fallIdle(LEAD)
    await plugin.fallIdle(LEAD)
    const text = plugin.prompts.at(-1) ?? ""
    expect(text).toContain("Leave the boxes as they are")
    expect(text).not.toMatch(/Settle final-wave:f1 now/)
  }))

test("nor orders it saved as blocked, which marks its box", () =>
  withFolder(async (root) => {
    const { plugin } = await started(root, WAVE, {}, ours())
    await plugin.fallIdle(LEAD)
    await plugin.fallIdle(LEAD)
    const text = plugin.prompts.at(-1) ?? ""
    expect(text).toContain("Leave the boxes as they are")
    expect(text).not.toContain("save it as `blocked`")
  }))

test("where one row waits for its provider's limit and the others are reviewed, the work waits; it is not prompted with nothing to do until it pauses for no progress", () =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, WAVE, {}, ours())
    await limited(plugin, "final-wave:f1", "ses_f1", 3_600)
    const told = await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f2",
      child: "ses_f2",
      output: "VERDICT: APPROVE",
    })
    for (let i = 0; i < 4; i++) await plugin.fallIdle(LEAD)
    await plugin.hooks.dispose?.()
    expect((await work()).pause_reason).toBe("usage-limited")
    expect(plugin.prompts).toEqual([])
    expect(told).toContain("waits for its provider's limit until")
  }))

test("a held row of an approved wave: one instruction that can be followed", () =>
  withFolder(async (root) => {
    const plugin = await withHeldRow(root)
    for (let i = 0; i < 4; i++) await plugin.fallIdle(LEAD)
    const both = plugin.prompts.filter(
      (text) =>
        text.includes("save each as `complete`") &&
        text.includes("counts once its check ends with 0"),
    )
    expect(both).toEqual([])
  }))

test("a row that is reviewed, and is to be left, is neither offered its session nor given as the key to begin with", () =>
  withFolder(async (root) => {
    const { plugin } = await started(
      root,
      WAVE.replace("- [ ] F2", "- [ ] F3. Run it\n- [ ] F2"),
      {},
      ours(),
    )
    await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f1",
      child: "ses_f1",
      output: "VERDICT: APPROVE",
    })
    const blocked = await plugin.delegate({
      lead: LEAD,
      key: "final-wave:f2",
      child: "ses_f2",
      output: "BLOCKED: no key",
    })
    const unnamed = await plugin.delegate({
      lead: LEAD,
      key: "Look around",
      child: "ses_x",
      output: "ok",
    })
    expect(blocked).not.toContain("Preferred reuse session for final-wave:f1")
    expect(unnamed).not.toContain("such as final-wave:f1")
  }))
