// What was written down, or is remembered, of a task by its key, and is told once a row was inserted above it: it is told
// under the number that the task has by then, and of a task that was reworded as of none.
import { describe, expect, test } from "bun:test"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { LEAD, PLAN, started } from "../support/long-run-project.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const plan = (...rows: readonly string[]) => `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
const ONE = "- [ ] 1. Write the parser"
const CHECKED = "Write the printer\n  Verify: `npm test`"
const BEFORE = plan(ONE, "- [ ] 2. Write the printer")
const RENUMBERED = plan(ONE, "- [ ] 2. Write the scanner", "- [ ] 3. Write the printer")
const REWORDED = plan(ONE, "- [ ] 2. Write the scanner")
const CHILD = "ses_printer"

/** The row of a task in the table of a report. */
const rowOf = (page: string, title: string): string =>
  page.split("<tr").find((row) => row.includes(title) && row.includes("<code>")) ?? ""

const tell = (plugin: PluginInProcess, type: string, properties: object) =>
  plugin.hooks.event?.({ event: { type, properties } as never })

describe("what the journal has of a task", () => {
  const delegated = (shown: (root: string) => Promise<void>) =>
    withFolder(async (root) => {
      const { plugin, edit } = await started(root, BEFORE)
      const save = () =>
        plugin.hooks.tool?.["save_task_progress"]?.execute(
          { summary: "The printer prints", status: "in_progress" } as never,
          { sessionID: CHILD, agent: "general" } as never,
        )
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD, during: async () => save() })
      await edit(RENUMBERED)
      await shown(root)
    })
  test("is told by `report` of the same task", () =>
    delegated(async (root) => {
      const { out } = await runInFolder(root, "report")
      expect(rowOf(out, "todo:2 Write the scanner")).toMatch(/<\/td><td><\/td><td class="short">/)
      expect(rowOf(out, "todo:3 Write the printer")).not.toMatch(/<td><\/td><td class="short">/)
      expect(out).toContain("Delegated todo:3 &quot;Write the printer&quot;")
    }))
  test("and so is what its session has saved", () =>
    delegated(async (root) => {
      const { out } = await runInFolder(root, "report")
      expect(rowOf(out, "todo:2 Write the scanner")).not.toContain("The printer prints")
      expect(rowOf(out, "todo:3 Write the printer")).toContain("The printer prints")
    }))
  test("is told by `why` of the same task", () =>
    delegated(async (root) => {
      const { out } = await runInFolder(root, "why")
      expect(out).toContain('Delegated todo:3 "Write the printer"')
    }))
})

test("a block is not written down again by another process, once its task is renumbered", () =>
  withFolder(async (root) => {
    const three = plan(ONE, "- [ ] 2. Write the printer", "- [ ] 3. Write the docs")
    const { plugin, edit, plan: text } = await started(root, three)
    const output = "BLOCKED: no key for the cloud"
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD, output })
    await plugin.hooks.dispose?.()
    const marked = await text()
    await Bun.sleep(150)
    await edit(
      marked
        .replace("[ ] 3. Write the docs", "[!] 4. Write the docs")
        .replace("2. Write the printer", "3. Write the printer")
        .replace(ONE, `${ONE}\n- [ ] 2. Write the scanner`),
    )
    const next = openPlugin(root, readOptions({ continuation: { cooldown_seconds: 0 } }))
    await next.fallIdle(LEAD)
    await next.hooks.dispose?.()
    const { entries } = await openJournal({ root }).readLast(50)
    const blocked = entries.filter(({ decision }) => decision === "task-blocked")
    expect(blocked.map(({ facts }) => facts["task"])).toEqual(["todo:2", "todo:4"])
  }))

test("`proof` names the tick that is held by the number that it has now", () =>
  withFolder(async (root) => {
    const before = plan(ONE, `- [ ] 2. ${CHECKED}`)
    const { plugin, edit } = await started(root, before, { ticks: "require" })
    await edit(before.replace("[ ] 2", "[x] 2"))
    await plugin.use(LEAD, "edit", { filePath: PLAN })
    await plugin.hooks.dispose?.()
    await edit(plan(ONE, "- [ ] 2. Write the scanner", `- [x] 3. ${CHECKED}`))
    const { out } = await runInFolder(root, "proof")
    expect(out.replaceAll(/\s+/g, " ")).toContain("or run: opencode-boulder approve todo:3")
  }))

describe("a call that was lost", () => {
  /** The text under the lead's next result, behind an edit of the plan. */
  const toldBehind = (edited: string) =>
    withFolder(async (root) => {
      const { plugin, edit } = await started(root, BEFORE)
      const call = { tool: "task", sessionID: LEAD, callID: "call_printer" }
      const args = { description: "todo:2", prompt: "do it", subagent_type: "general" }
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      const part = (state: object) => {
        const told = { status: "running", input: args, metadata: { sessionId: CHILD }, ...state }
        return tell(plugin, "message.part.updated", {
          part: { type: "tool", ...call, state: told },
        })
      }
      await part({})
      const responseBody = JSON.stringify({
        error: { type: "usage_limit_reached", resets_in_seconds: 3_600 },
      })
      const data = { message: "used up", statusCode: 429, responseBody }
      await tell(plugin, "session.error", { sessionID: CHILD, error: { name: "APIError", data } })
      await part({ status: "error", error: "used up" })
      await edit(edited)
      return plugin.use(LEAD, "bash")
    })
  test("is told under the number that its task has now", async () =>
    expect(await toldBehind(RENUMBERED)).toContain("The subagent of todo:3 reached its"))
  test("is none of the task that took its number", async () =>
    expect(await toldBehind(REWORDED)).toContain("\nA subagent reached its provider's limit"))
})

test("a limit that comes once more is told so of a task that was renumbered while its subagent ran", () =>
  withFolder(async (root) => {
    let ahead = 0
    const now = () => Date.now() + ahead
    const { plugin, edit, work } = await started(root, BEFORE, {}, {}, { now })
    for (const key of ["todo:2", "todo:2", "todo:2", "todo:2"]) {
      const call = { tool: "task", sessionID: LEAD, callID: `call_${ahead}` }
      const args = { description: key, prompt: "do it", subagent_type: "general" }
      await plugin.hooks["tool.execute.before"]?.(call, { args })
      const isLast = (await work()).task_sessions["todo:2"]?.interrupted?.attempts === 3
      if (isLast) {
        await edit(RENUMBERED)
        await plugin.use(LEAD, "bash")
      }
      const metadata = { sessionId: CHILD }
      const part = (state: object) =>
        tell(plugin, "message.part.updated", {
          part: {
            type: "tool",
            ...call,
            state: { status: "running", input: args, metadata, ...state },
          },
        })
      await part({})
      const responseBody = JSON.stringify({
        error: { type: "usage_limit_reached", resets_in_seconds: 60 },
      })
      const data = { message: "used up", statusCode: 429, responseBody }
      await tell(plugin, "session.error", { sessionID: CHILD, error: { name: "APIError", data } })
      await part({ status: "error", error: "used up" })
      ahead += 7_200_000
      const told = await plugin.use(LEAD, "bash")
      if (isLast)
        return expect(told).toContain(
          "The subagent of todo:3 reached its provider's limit once more",
        )
    }
    throw new Error(JSON.stringify((await work()).task_sessions))
  }))

describe("what is said of a task that was reworded", () => {
  const whileGone = (shown: (root: string, plugin: PluginInProcess) => Promise<void>) =>
    withFolder(async (root) => {
      const { plugin, edit } = await started(root, BEFORE)
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD })
      const during = async () => {
        await edit(REWORDED)
        await shown(root, plugin)
      }
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD, during })
    })
  test("the prompt of a compaction names neither its session nor its call for the row that stands there", () =>
    whileGone(async (_, plugin) => {
      const output: { context: string[]; prompt?: string } = { context: [] }
      await plugin.hooks["experimental.session.compacting"]?.({ sessionID: LEAD }, output)
      expect(output.prompt).toContain("todo:2")
      expect(output.prompt).not.toContain(`todo:2: ${CHILD}`)
      expect(output.prompt).not.toContain("- todo:2 (general)")
    }))
  test("`status` and `run` show its call as none of that row", () =>
    whileGone(async (root) => {
      const { out } = await runInFolder(root, "status --json")
      expect(JSON.parse(out).works[0].running).toEqual([null])
    }))
})

describe("a subagent that has fallen silent", () => {
  const saidBehind = (edited: string) =>
    withFolder(async (root) => {
      const options = { continuation: { cooldown_seconds: 0, child_silence_minutes: 0.01 } }
      const { plugin, edit } = await started(root, BEFORE, options)
      const during = async () => {
        await edit(edited)
        await tell(plugin, "session.status", { sessionID: CHILD, status: { type: "busy" } })
        for (const until = Date.now() + 20_000; Date.now() < until; await Bun.sleep(50))
          if (plugin.toasts.some((one) => one.includes("silent"))) break
      }
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD, during })
      await plugin.hooks.dispose?.()
      return plugin.toasts.find((one) => one.includes("silent")) ?? ""
    })
  test("is said to be the one of its task's number", async () =>
    expect(await saidBehind(RENUMBERED)).toContain("todo:3"))
  test("is said to be no other task's", async () =>
    expect(await saidBehind(REWORDED)).not.toContain("todo:2"))
})

test("a call in flight for a task that is gone does not take the one that has its number", () =>
  withFolder(async (root) => {
    const { plugin, edit, work } = await started(root, BEFORE)
    const during = async () => {
      await edit(REWORDED)
      await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_scanner" })
      expect((await work()).task_sessions["todo:2"]?.session_id).toBe("ses_scanner")
    }
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: CHILD, during })
    expect((await work()).task_sessions["todo:2"]?.session_id).toBe("ses_scanner")
  }))

/** Two tasks have its title: which it is, the work knows of the other one, that has stayed. */
test("the result of a task that was renumbered beside one of the same title is its own", () =>
  withFolder(async (root) => {
    const rows = (...titles: string[]) =>
      plan(...titles.map((one, at) => `- [ ] ${at + 1}. ${one}`))
    const four = rows("Write the parser", "Run the tests", "Write the docs", "Run the tests")
    const { plugin, edit, work } = await started(root, four)
    const during = () =>
      edit(rows("Write the parser", "Run the tests", "Review", "Write the docs", "Run the tests"))
    const said = await plugin.delegate({ lead: LEAD, key: "todo:4", child: CHILD, during })
    expect(said).toContain("Result for todo:5")
    const { task_label: label } = (await work()).task_sessions["todo:5"] ?? {}
    expect(label).toBe("5")
  }))
