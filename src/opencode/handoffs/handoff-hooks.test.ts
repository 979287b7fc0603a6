import { describe, expect, test } from "bun:test"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Hooks } from "@opencode-ai/plugin"
import { NOW } from "../../../test/support/builders.ts"
import { idIn } from "../../../test/support/handoff-tools.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openFileHandoffStore } from "../../store/handoffs/handoff-file-store.ts"
import { readOptions } from "../host/options.ts"

const MINUTE_MS = 60_000
const PLAN = ".boulder/plans/demo.md"
const blocked = { summary: "half", status: "blocked", blocked_reason: "no key", task: "importer" }
const working = { summary: "on it", status: "in_progress", task: "importer" }

interface Scene {
  readonly root: string
  readonly hooks: Hooks
  readonly plugin: ReturnType<typeof openPlugin>
  /** A process of opencode that was started anew. */
  restarted(): Hooks
  wait(minutes: number): void
}

function scene(
  run: (given: Scene) => Promise<void>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return withFolder(async (root) => {
    let nowMs = NOW
    const given = { ...readOptions(options), now: () => nowMs }
    const plugin = openPlugin(root, given)
    await run({
      root,
      plugin,
      hooks: plugin.hooks,
      restarted: () => openPlugin(root, given).hooks,
      wait: (minutes) => {
        nowMs += minutes * MINUTE_MS
      },
    })
    expect(plugin.logs).toEqual([])
  })
}

let calls = 0

/** A tool call as the host makes it. For a tool that is not ours, only the hooks see it. */
async function use(
  hooks: Hooks,
  sessionID: string,
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
  agent = "build",
): Promise<string> {
  calls += 1
  const call = { tool, sessionID, callID: `call_${calls}` }
  await hooks["tool.execute.before"]?.(call, { args })
  const said = await hooks.tool?.[tool]?.execute(args, {
    sessionID,
    messageID: "msg_1",
    agent,
    directory: "/",
    worktree: "/",
    abort: new AbortController().signal,
    metadata: () => undefined,
    ask: async () => undefined,
  })
  const output = { title: tool, output: typeof said === "string" ? said : "", metadata: {} }
  await hooks["tool.execute.after"]?.({ ...call, args }, output)
  return output.output
}

/** A user's message. Gives all its texts as the model will read them. */
async function say(
  hooks: Hooks,
  sessionID: string,
  agent = "build",
  text = "go on",
): Promise<readonly string[]> {
  calls += 1
  const messageID = `msg_${calls}`
  const model = { providerID: "lab", modelID: "m" }
  const time = { created: NOW }
  const message = { id: messageID, sessionID, role: "user" as const, time, agent, model }
  const part = { id: `prt_${calls}`, sessionID, messageID, type: "text" as const, text }
  const output: Parameters<NonNullable<Hooks["chat.message"]>>[1] = { message, parts: [part] }
  await hooks["chat.message"]?.({ sessionID }, output)
  return output.parts.map((one) => (one.type === "text" ? one.text : ""))
}

const born = (hooks: Hooks, id: string, parentID: string) =>
  hooks.event?.({
    event: {
      type: "session.created",
      properties: {
        info: {
          id,
          parentID,
          projectID: "p",
          directory: "/",
          title: "",
          version: "1",
          time: { created: NOW, updated: NOW },
        },
      },
    },
  })

describe("a lease lasts while its session works", () => {
  const lasts = (what: string, act: (given: Scene) => Promise<unknown>) =>
    test(what, () =>
      scene(async (given) => {
        const { hooks, wait, root } = given
        const id = idIn(await use(hooks, "ses_a", "save_task_progress", blocked))
        await use(hooks, "ses_b", "get_blocked_task", { id })
        const store = openFileHandoffStore({ root })
        const lease = async () => (await store.read(id))?.claim?.lease_until
        const before = await lease()
        wait(25)
        await act(given)
        // A tool does not wait for the lease to be written.
        while ((await lease()) === before) await Bun.sleep(2)
        wait(29)
        expect(await use(hooks, "ses_c", "list_blocked_tasks")).toContain("No blocked")
        wait(1)
        expect(await use(hooks, "ses_c", "list_blocked_tasks")).toContain(
          `${id} "importer": blocked`,
        )
      }),
    )
  lasts("by any tool", ({ hooks }) => use(hooks, "ses_b", "bash"))
  lasts("by a message", ({ hooks }) => say(hooks, "ses_b"))
  lasts("by a tool of its subagent", async ({ hooks }) => {
    await born(hooks, "ses_child", "ses_b")
    await use(hooks, "ses_child", "bash")
  })
  lasts("by a message after opencode was started anew", ({ restarted }) =>
    say(restarted(), "ses_b"),
  )
  lasts("by a tool after opencode was started anew", ({ restarted }) =>
    use(restarted(), "ses_b", "bash"),
  )

  test("not by what others do", () =>
    scene(async ({ hooks, wait }) => {
      const id = idIn(await use(hooks, "ses_a", "save_task_progress", blocked))
      await use(hooks, "ses_b", "get_blocked_task", { id })
      wait(25)
      await use(hooks, "ses_a", "bash")
      await use(hooks, "ses_c", "bash")
      wait(5)
      expect(await use(hooks, "ses_c", "get_blocked_task", { id })).toContain("Claimed by you")
    }))

  test("handoff.lease_minutes says how long without a word", () =>
    scene(
      async ({ hooks, wait }) => {
        const id = idIn(await use(hooks, "ses_a", "save_task_progress", blocked))
        await use(hooks, "ses_b", "get_blocked_task", { id })
        wait(4.9)
        expect(await use(hooks, "ses_c", "get_blocked_task", { id })).toContain("in the hands of")
        wait(0.1)
        expect(await use(hooks, "ses_c", "get_blocked_task", { id })).toContain("Claimed by you")
      },
      { handoff: { lease_minutes: 5 } },
    ))
})

test("a session in progress that goes silent past its lease is offered as interrupted", () =>
  scene(async ({ hooks, wait }) => {
    const id = idIn(await use(hooks, "ses_a", "save_task_progress", working))
    wait(29)
    expect(await say(hooks, "ses_b")).toEqual(["go on"])
    wait(1)
    expect(await say(hooks, "ses_c")).toEqual([
      "go on",
      `<boulder>\nA note, not the user's words: task ${id} was left unfinished just now. If the user's request is that task, take it with get_blocked_task.\n</boulder>`,
    ])
    wait(10)
    expect(await use(hooks, "ses_c", "list_blocked_tasks")).toContain(
      `- ${id} "importer": interrupted 10 min ago; 1 attempt`,
    )
    expect(await use(hooks, "ses_c", "get_blocked_task", { id })).toContain(
      "ses_a silent 10 min ago",
    )
  }))

test("several that wait for one reason are told of as such, in the line and in the list", () =>
  scene(async ({ hooks, wait }) => {
    for (const task of ["one", "two", "three"]) {
      wait(1)
      await use(hooks, `ses_${task}`, "save_task_progress", { ...blocked, task })
    }
    wait(1)
    const other = { ...blocked, task: "four", blocked_reason: "no rights" }
    await use(hooks, "ses_a", "save_task_progress", other)
    expect((await say(hooks, "ses_b")).at(-1)).toContain(
      "4 tasks (3 for the same reason) were left unfinished, the last just now: task hnd_",
    )
    expect((await use(hooks, "ses_b", "list_blocked_tasks")).split("\n")).toEqual([
      "<boulder>",
      "Take one with get_blocked_task before you start it. Titles, reasons and conditions are other agents' words.",
      expect.stringContaining('"four": blocked just now; 1 attempt; reason: no rights'),
      "3 wait for the same reason: no key.",
      expect.stringContaining('"three": blocked 1 min ago; 1 attempt'),
      expect.stringContaining('"two": blocked 2 min ago; 1 attempt'),
      expect.stringContaining('"one": blocked 3 min ago; 1 attempt'),
      "</boulder>",
    ])
  }))

test("handoff.scope by agent keeps other agents' tasks out, of the line, the list and the hands", () =>
  scene(
    async ({ hooks }) => {
      const id = idIn(await use(hooks, "ses_a", "save_task_progress", blocked, "plan"))
      expect(await say(hooks, "ses_b", "build")).toEqual(["go on"])
      expect(await use(hooks, "ses_b", "list_blocked_tasks")).toContain("No blocked")
      expect(await use(hooks, "ses_b", "get_blocked_task", { id })).toContain("no such handoff")
      expect((await say(hooks, "ses_c", "plan")).at(-1)).toContain(id)
      expect(await use(hooks, "ses_c", "get_blocked_task", { id }, "plan")).toContain("Claimed")
    },
    { handoff: { scope: "agent" } },
  ))

test("a session id gives that session's last record, without a claim unless asked for", () =>
  scene(async ({ hooks }) => {
    const id = idIn(await use(hooks, "ses_a", "save_task_progress", blocked))
    const read = await use(hooks, "ses_b", "get_blocked_task", { id: "ses_a" })
    expect(read).toContain(id)
    expect(read).toContain("Only read, not claimed.")
    expect(await use(hooks, "ses_b", "get_blocked_task", { id, claim: false })).toContain(
      "Only read, not claimed.",
    )
    expect(await use(hooks, "ses_b", "get_blocked_task", { id: "ses_a", claim: true })).toContain(
      "Claimed by you until",
    )
  }))

test("what a save settles and blocks is in the checkpoint that follows", () =>
  scene(
    async ({ hooks, plugin, root }) => {
      await mkdir(dirname(join(root, PLAN)), { recursive: true })
      await writeFile(join(root, PLAN), planOf("One", "Two", "Three"))
      await plugin.startWork("ses_lead", PLAN)
      const id = idIn(
        await use(hooks, "ses_lead", "save_task_progress", { ...blocked, task: "todo:1" }),
      )
      const done = { summary: "done", status: "complete", task: "todo:2" }
      expect(await use(hooks, "ses_lead", "save_task_progress", done)).toContain("End this turn: ")
      const [work = ""] = await readdir(join(root, ".boulder/works"))
      const folder = join(root, ".boulder/works", work, "checkpoints")
      const [first = ""] = await readdir(folder)
      expect(JSON.parse(await readFile(join(folder, first), "utf8"))).toMatchObject({
        counts: { total: 3, done: 1, blocked: 1 },
        blocked: { "todo:1": id },
        window: ["todo:3"],
      })
    },
    { long_run: { checkpoint_every: 1 } },
  ))

test("a work that is finished leaves nothing to be offered, whoever ticked its boxes", () =>
  scene(async ({ hooks, plugin, root }) => {
    await mkdir(dirname(join(root, PLAN)), { recursive: true })
    const plan = planOf("One", "Two")
    await writeFile(join(root, PLAN), plan)
    await plugin.startWork("ses_lead", PLAN)
    const milestone = { summary: "half", status: "in_progress" }
    const whole = await use(hooks, "ses_lead", "save_task_progress", milestone)
    const one = { ...milestone, task: "todo:1" }
    const first = await use(hooks, "ses_lead", "save_task_progress", one)
    const other = await use(hooks, "ses_a", "save_task_progress", blocked)
    await writeFile(join(root, PLAN), ticked(ticked(plan, "1"), "2"))
    await plugin.fallIdle("ses_lead")
    const settled = [whole, first].map((text) => `${idIn(text)}.json`).sort()
    expect((await readdir(join(root, ".boulder/handoffs/settled"))).sort()).toEqual(settled)
    expect(await use(hooks, "ses_b", "list_blocked_tasks")).toContain(idIn(other))
  }))

test("records stay in the project: ignored by git, and nothing outside is written", () =>
  scene(async ({ hooks, root }) => {
    const id = idIn(await use(hooks, "ses_a", "save_task_progress", blocked))
    expect(await readFile(join(root, ".boulder/.gitignore"), "utf8")).toContain("/*\n!/plans/\n")
    expect(await readdir(join(root, ".boulder/handoffs"))).toEqual([`${id}.1.json`])
    expect(await readdir(root)).toEqual([".boulder"])
    expect(id).toMatch(/^hnd_[0-9A-Za-z]{12,}$/)
    const again = await use(hooks, "ses_b", "save_task_progress", { ...blocked, task: "other" })
    expect(idIn(again).slice(0, 8)).not.toBe(id.slice(0, 8))
  }))

test("a store that fails is said in words, and the host goes on", () =>
  withFolder(async (root) => {
    const handoffs = openFileHandoffStore({ root })
    const open = () => Promise.reject(new Error("Expected a disk, found none."))
    const { hooks, logs } = openPlugin(root, { handoffs: { ...handoffs, open } })
    expect(await use(hooks, "ses_a", "save_task_progress", blocked)).toBe(
      "<boulder>\nsave_task_progress failed: Expected a disk, found none.\n</boulder>",
    )
    expect(await say(hooks, "ses_b")).toEqual(["go on"])
    // The look at what each session holds fails too. That is said once.
    await use(hooks, "ses_a", "bash")
    await use(hooks, "ses_b", "bash")
    expect(logs).toHaveLength(3)
  }))

test("what a command of ours has made offers nothing: it has an answer of its own", () =>
  scene(async ({ hooks }) => {
    await use(hooks, "ses_a", "save_task_progress", blocked)
    const output: { parts: { type: "text"; text: string }[] } = { parts: [] }
    const command = { command: "stop-work", sessionID: "ses_b", arguments: "" }
    await hooks["command.execute.before"]?.(command, output as never)
    const [answer] = output.parts
    expect(await say(hooks, "ses_b", "build", answer?.text)).toEqual([answer?.text ?? "none"])
    expect(await say(hooks, "ses_c")).toHaveLength(2)
  }))
