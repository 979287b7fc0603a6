import { afterAll, beforeAll, expect, test } from "bun:test"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { planOf, roles } from "../support/plans.ts"
import { type ScriptedModel, startScriptedModel } from "../support/scripted-model.ts"
import { untilWork } from "../support/work-on-disk.ts"

let model: ScriptedModel
let host: OpencodeHost
beforeAll(async () => {
  model = await startScriptedModel(roles({ lead: () => ({ text: "over" }) }))
  const one = { tool_call: true, limit: { context: 100_000, output: 8_000 } }
  const models = {
    m: one,
    other: { ...one, reasoning: true, variants: { high: { reasoningEffort: "high" } } },
  }
  const options = { baseURL: model.url, apiKey: "none" }
  host = await startHost({
    model,
    files: { ".boulder/plans/demo.md": planOf("Write a.txt") },
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    config: {
      provider: { lab: { npm: "@ai-sdk/openai-compatible", options, models } },
      agent: { driver: { mode: "primary", prompt: "You drive." } },
    },
  })
})
afterAll(async () => {
  await host.stop()
  await model.stop()
})

test("a continuation runs as the agent, model and variant of the last real turn (omo#2721, omo#2875)", async () => {
  const session = await host.createSession()
  await host.post(`/session/${session}/command`, {
    command: "start-work",
    arguments: "demo",
    agent: "driver",
    model: "lab/other",
    variant: "high",
  })
  await untilWork(host, "demo", "no-progress")
  const users = (await host.messages(session))
    .map(({ info }) => info)
    .filter(({ role }) => role === "user")
  expect(users).toHaveLength(3)
  for (const info of users)
    expect(info).toMatchObject({
      agent: "driver",
      model: { providerID: "lab", modelID: "other", variant: "high" },
    })
})
