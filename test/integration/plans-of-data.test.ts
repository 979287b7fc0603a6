import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { ModelRequest } from "../support/host-model-request.ts"
import { toolUsesOf } from "../support/host-transcript.ts"
import { type OpencodeHost, startHost } from "../support/opencode-host.ts"
import { keyInPrompt } from "../support/orchestrator.ts"
import { delegate, roles } from "../support/plans.ts"
import { untilCompleted, workOn } from "../support/work-on-disk.ts"

const STORIES = `{
  "branchName": "ralph/tides",
  "userStories": [
    { "id": "US-002", "title": "Show the tides", "priority": 2, "passes": false, "notes": "" },
    {
      "id": "US-001",
      "title": "Read the harbour list",
      "acceptanceCriteria": ["The list is sorted by name"],
      "priority": 1,
      "passes": false
    },
    { "id": "US-003", "title": "Print them", "priority": 3, "passes": true }
  ]
}
`
const TODOS = `---
name: Repair the clock
todos:
  - id: take-apart
    content: Take the clock apart
    status: completed
  - id: find-slip
    content: "Find the wheel: the third, most likely"
    status: pending
  - id: oil
    content: Oil what squeaks # not the bell
    status: in_progress
isProject: false
---

# Repair the clock
`

let host: OpencodeHost
beforeAll(async () => {
  host = await startHost({
    files: { "prd.json": STORIES, ".cursor/plans/repair_clock.plan.md": TODOS },
    pluginOptions: { continuation: { cooldown_seconds: 0 } },
    script: roles({ lead, child }),
  })
})
afterAll(() => host.stop())

/** Delegates each task of the window by its key, and settles it by our tool: it edits no file. */
function lead(request: ModelRequest) {
  const keys = [...request.lastUserText.matchAll(/^- (task:\S+) "/gm)].map(([, key = ""]) => key)
  const since = request.messages.findLastIndex(({ role }) => role === "user") + 1
  const uses = toolUsesOf(request.messages.slice(since))
  const isDone = (name: string, key: string) =>
    uses.some((use) => use.name === name && JSON.stringify(use.args).includes(key))
  for (const key of keys) {
    if (!isDone("task", key))
      return { toolCalls: [delegate(`${key} now`, { prompt: `Task ${key}: do it` })] }
    if (!isDone("save_task_progress", key)) {
      const args = { task: key, summary: "Done and verified.", status: "complete" }
      return { toolCalls: [{ name: "save_task_progress", args }] }
    }
  }
  return { text: "over" }
}

/** The subagent of the first story writes the plan itself, which is refused. */
function child(request: ModelRequest) {
  if (keyInPrompt(request) !== "task:us-001" || request.stepOfTurn > 0) return undefined
  const args = { filePath: `${host.project}/prd.json`, content: "{}" }
  return { toolCalls: [{ name: "write", args }] }
}

describe("a plan of data is carried to its end", () => {
  test.each([
    {
      name: "prd",
      path: "prd.json",
      before: STORIES,
      first:
        '- task:us-001 "Read the harbour list" (lines 11-12)\n  - The list is sorted by name\n',
      after: STORIES.replaceAll('"passes": false', '"passes": true'),
      keys: ["task:us-001", "task:us-002"],
    },
    {
      name: "repair_clock",
      path: ".cursor/plans/repair_clock.plan.md",
      before: TODOS,
      first: '- task:find-slip "Find the wheel: the third, most likely" (lines 15-17)\n',
      after: TODOS.replace("status: pending", "status: completed").replace(
        "status: in_progress",
        "status: completed",
      ),
      keys: ["task:find-slip", "task:oil"],
    },
  ])("$path", async ({ name, path, before, first, after, keys }) => {
    expect(host.readFile(path)).toBe(before)
    const session = await host.createSession()
    await host.command(session, "start-work", name)
    await untilCompleted(host, name)
    expect(host.readFile(path)).toBe(after)
    const asked = host.model.mainRequests(session)
    expect(asked[0]?.lastUserText).toContain(`Start the plan ${name} (${path}):`)
    expect(asked[0]?.lastUserText).toContain("`save_task_progress` as `complete`")
    expect(asked[0]?.lastUserText).toContain(first)
    const delegated = host
      .journal()
      .filter((line) => line["session"] === session && line["decision"] === "delegate")
    expect(delegated).toMatchObject(keys.map((task) => ({ facts: { task } })))
    expect(delegated).toHaveLength(keys.length)
    expect(workOn(host, name)).toMatchObject({ status: "completed", active_plan: path })
  })

  test("no subagent has written the plan", async () => {
    const texts = host.model.requests.map((request) => request.allText())
    expect(texts.some((text) => text.includes("refused to write prd.json"))).toBe(true)
  })
})
