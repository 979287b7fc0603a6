import { describe, expect, test } from "bun:test"
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { LEAD } from "../support/long-run-project.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const STORIES = JSON.stringify(
  {
    userStories: Array.from({ length: 12 }, (_, at) => ({
      id: `US-${at + 1}`,
      title: `Build part ${at + 1}`,
      acceptanceCriteria: [`Part ${at + 1} holds`],
      passes: false,
      notes: "",
    })),
  },
  null,
  2,
)
const TODOS = `---
todos:
${Array.from({ length: 12 }, (_, at) => `  - id: us-${at + 1}\n    content: Build part ${at + 1}\n    status: pending\n`).join("")}---
# Body
`
const STUCK = "I tried.\nBLOCKED: no key. Unblock: the key is in .env"
const QUIET = { continuation: { cooldown_seconds: 0 } }

describe.each([
  {
    path: "prd.json",
    text: STORIES,
    blocked: (text: string, id: string) =>
      text.replace(
        '"Part 2 holds"\n      ],\n      "passes": false,\n      "notes": ""',
        `"Part 2 holds"\n      ],\n      "passes": false,\n      "notes": "BLOCKED: no key. Unblock: the key is in .env (${id})\\n"`,
      ),
    shard: "- [ ] US-1: Build part 1\n  - Part 1 holds\n\n- [!] US-2: Build part 2\n",
  },
  {
    path: ".cursor/plans/parts.plan.md",
    text: TODOS,
    blocked: (text: string, id: string) =>
      text.replace(
        "Build part 2\n    status: pending",
        `Build part 2\n    status: pending # BLOCKED: no key. Unblock: the key is in .env (${id})`,
      ),
    shard: "  - id: us-1\n    content: Build part 1\n    status: pending\n\n  - id: us-2\n",
  },
])("a plan of data through the hooks: $path", ({ path, text, blocked, shard }) => {
  test("a block is written into it, told of with its reason, shown by the shard, and taken away", () =>
    withFolder(async (root) => {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
      const plan = () => readFile(join(root, path), "utf8")
      const plugin = openPlugin(root, readOptions(QUIET), {})
      const started = await plugin.startWork(LEAD, path)
      expect(started).toContain('- task:us-1 "Build part 1"')
      expect(started).not.toContain("line 0")

      const call = { lead: LEAD, key: "task:us-2", child: "ses_two", output: STUCK }
      expect(await plugin.delegate(call)).toContain(
        "task:us-2 is recorded as blocked (0/12 settled): no key.",
      )
      const names = await readdir(join(root, ".boulder/handoffs"))
      const id = /hnd_\w+/.exec(names.join(" "))?.[0] ?? ""
      expect(await plan()).toBe(blocked(text, id))

      const { out } = await runInFolder(root, "status")
      expect(out).toContain("no key")
      const folder = join(root, ".boulder/works")
      const [work = ""] = await readdir(folder)
      const shown = await readFile(join(folder, work, "shards/001.md"), "utf8")
      expect(shown).toContain(shard)

      await runInFolder(root, "unblock us-2")
      expect(await plan()).toBe(text)
    }))
})

test.each([
  "mobile-desktop-flutter-automation",
  "sdet-mobile-desktop-001",
  "ece032c91b9352e5eb8",
  "qzwkhtmljwtqzqzjwtxqqzwkxqzjwtqzqzjwtqzxqwzk",
])("a task whose id is %s is shown by a key that can be given back", (id) =>
  withFolder(async (root) => {
    const story = { id, title: "Build it", passes: false }
    await writeFile(join(root, "prd.json"), JSON.stringify({ userStories: [story] }))
    const plugin = openPlugin(root, readOptions(QUIET), {})
    const started = await plugin.startWork(LEAD, "prd.json")
    const [, key = ""] = /^- (\S+) "Build it"/m.exec(started) ?? []
    const call = { lead: LEAD, key, child: "ses_one" }
    expect(await plugin.delegate(call)).toContain(`Result for ${key}.`)
    await plugin.hooks.dispose?.()
  }),
)

test("a plan that is no JSON any more pauses with what is wrong with it", () =>
  withFolder(async (root) => {
    await writeFile(join(root, "prd.json"), STORIES)
    const plugin = openPlugin(root, readOptions(QUIET), {})
    await plugin.startWork(LEAD, "prd.json")
    await writeFile(join(root, "prd.json"), STORIES.slice(0, -4))
    await plugin.fallIdle(LEAD)
    expect(plugin.toasts.at(-1)).toContain(
      "Plan prd paused: the plan cannot be read or marked (Expected a plan at prd.json; it is not valid JSON: fix it, or let the tool that wrote it write it again).",
    )
    await plugin.hooks.dispose?.()
  }))

test("a plan of GSD ends once the file that says it is done lies beside it, whenever that is written", () =>
  withFolder(async (root) => {
    const folder = join(root, ".planning/phases/01-layout")
    await mkdir(folder, { recursive: true })
    const file = join(folder, "01-02-PLAN.md")
    const tasks = [1, 2, 3, 4, 5].map(
      (n) => `<task type="auto">\n<name>Task ${n}: Lay out part ${n}</name>\n</task>\n`,
    )
    await writeFile(file, `---\nphase: 01-layout\nplan: 02\n---\n${tasks.join("\n")}`)
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(file, longAgo, longAgo)
    const plugin = openPlugin(root, readOptions(QUIET), {})
    const started = await plugin.startWork(LEAD, ".planning/phases/01-layout/01-02-PLAN.md")
    // None of them ever makes room for the next.
    expect(started.match(/^- task:\d/gm)).toHaveLength(5)
    expect(started).toContain(
      "Verify the result yourself, then write `01-02-SUMMARY.md` next to the plan once all its tasks are done.",
    )
    expect(started).not.toContain("ticks its box")
    const call = { lead: LEAD, key: "task:1", child: "ses_one" }
    expect(await plugin.delegate(call)).toContain(
      "if finished and right, write `01-02-SUMMARY.md` next to the plan once all its tasks are done",
    )
    const save = { task: "task:1", status: "complete", summary: "done" }
    const context = { sessionID: LEAD, messageID: "m", agent: "build", callID: "c" }
    const saved = await plugin.hooks.tool?.["save_task_progress"]?.execute(
      save as never,
      context as never,
    )
    expect(String(saved)).toContain(
      "a file 01-02-SUMMARY.md next to the plan settles all its tasks at once",
    )
    const { out } = await runInFolder(root, "plan .planning/phases/01-layout/01-02-PLAN.md")
    expect(out).toContain("01-02-SUMMARY.md next to the plan. (needs-summary)")
    const write = () => writeFile(join(folder, "01-02-SUMMARY.md"), "# Laid out\n")
    await plugin.use(LEAD, "bash", {}, write)
    await plugin.fallIdle(LEAD)
    expect(plugin.toasts.join()).toContain("complete: 5/5 tasks")
    expect(plugin.prompts).toEqual([])
    await plugin.hooks.dispose?.()
  }))
