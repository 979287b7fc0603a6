import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { refusedTurn } from "../../../test/support/our-turns.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Work } from "../../boulder/boulder.ts"
import { nodeFilePort } from "../../store/disk/file-port.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import type { SessionApi } from "../host/session-api.ts"

const LEAD = "ses_lead"
const HOUR = 3_600_000

async function workIn(root: string): Promise<Work | undefined> {
  const { boulder } = await openFileBoulderStore({ root }).read()
  return Object.values(boulder?.works ?? {})[0]
}

const before = ({ hooks }: PluginInProcess) =>
  hooks["tool.execute.before"]?.(
    { tool: "task", sessionID: LEAD, callID: "call_0" },
    { args: { description: "todo:1", prompt: "do it", subagent_type: "general" } },
  )
const after = async ({ hooks }: PluginInProcess) => {
  const result = { title: "", output: "did it", metadata: { sessionId: "ses_child" } }
  const call = { tool: "task", sessionID: LEAD, callID: "call_0", args: {} }
  await hooks["tool.execute.after"]?.(call, result)
  return result.output
}

interface Disk {
  sync(): Promise<boolean>
}
const works = async () => true
const fails = async () => {
  throw new Error("no power")
}
const placing = (
  run: (plugin: PluginInProcess, root: string, disk: Disk) => Promise<void>,
  answers: Partial<SessionApi> = {},
) =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/a.md"), planOf("Write one", "Write two"))
    const disk: Disk = { sync: works }
    const files = { ...nodeFilePort(), syncFolder: () => disk.sync() }
    const plugin = openPlugin(root, { store: openFileBoulderStore({ root, files }) }, answers)
    await plugin.startWork(LEAD, "plans/a.md")
    await run(plugin, root, disk)
    await plugin.hooks.dispose?.()
  })
const journal = (root: string) =>
  readFile(join(root, ".boulder/journal.jsonl"), "utf8").catch(() => "")
/** Waits until it is true. A test that waits in vain ends by its own limit. */
const until = async (is: () => Promise<boolean>): Promise<void> => {
  while (!(await is())) await new Promise((resolve) => setImmediate(resolve))
}

test("a hook goes on while the disk is at work on what it has placed, and its host waits", () =>
  placing(async (plugin, root, disk) => {
    const told: string[] = []
    const [first, second] = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
    disk.sync = () => first.promise
    const begun = before(plugin)?.then(() => told.push("begins"))
    await until(async () => Object.keys((await workIn(root))?.dispatches ?? {}).length === 1)
    await plugin.use("ses_other", "read")
    expect(told).toEqual([])
    expect(await journal(root)).not.toContain('"delegate"')
    first.resolve(true)
    await begun
    expect(await journal(root)).toContain('"delegate"')
    disk.sync = () => second.promise
    const ended = after(plugin).then(() => told.push("ends"))
    await until(async () => Object.keys((await workIn(root))?.dispatches ?? {}).length === 0)
    await plugin.use("ses_other", "read")
    expect(told).toEqual(["begins"])
    second.resolve(true)
    await ended
    expect(told).toEqual(["begins", "ends"])
  }))

test("so does a look behind a tick", () =>
  placing(async (plugin, root, disk) => {
    const sync = Promise.withResolvers<boolean>()
    disk.sync = () => sync.promise
    let isOver = false
    const tick = () =>
      writeFile(join(root, "plans/a.md"), ticked(planOf("Write one", "Write two"), "1"))
    const used = plugin.use(LEAD, "edit", {}, tick).then(() => (isOver = true))
    await until(async () => (await workIn(root))?.current_window[0] === "todo:2")
    expect(isOver).toBe(false)
    sync.resolve(true)
    await used
  }))

test("a call whose intent a power cut may undo is not begun", () =>
  placing(async (plugin, root, disk) => {
    disk.sync = fails
    await expect(before(plugin)).rejects.toThrow(/not delegated.*could not be recorded/s)
    expect(await journal(root)).not.toContain('"delegate"')
    disk.sync = works
    const part = { tool: "task", sessionID: LEAD, callID: "call_0", state: { status: "error" } }
    const properties = { part }
    await plugin.hooks.event?.({ event: { type: "message.part.updated", properties } as never })
    expect((await workIn(root))?.dispatches).toEqual({})
  }))

test("a result is recorded once all the same, and it is told that a power cut may undo that", () =>
  placing(async (plugin, root, disk) => {
    await before(plugin)
    disk.sync = fails
    await after(plugin)
    const { task_sessions: sessions, dispatches } = (await workIn(root)) ?? {}
    expect(sessions?.["todo:1"]).toMatchObject({ attempts: 1, results: 1 })
    expect(dispatches).toEqual({})
    expect(plugin.logs.join()).toContain("a power cut may undo it")
  }))

test("nor is its user told before of a limit that has ended a subagent", () => {
  const failure = {
    kind: "limited",
    until: Date.now() + 5 * HOUR,
    words: "",
    at: Date.now(),
  } as const
  const identity = { agent: null, model: null, variant: null }
  const lastTurn = refusedTurn(Date.now())
  const run = async (plugin: PluginInProcess, root: string, disk: Disk) => {
    await before(plugin)
    const sync = Promise.withResolvers<boolean>()
    disk.sync = () => sync.promise
    const ended = after(plugin)
    await until(
      async () => (await workIn(root))?.task_sessions["todo:1"]?.interrupted !== undefined,
    )
    await plugin.use("ses_other", "read")
    expect(plugin.toasts).toEqual([])
    expect(await journal(root)).not.toContain('"subagent-limited"')
    sync.resolve(true)
    await ended
    expect(plugin.toasts.join()).toContain("todo:1")
    expect(await journal(root)).toContain('"subagent-limited"')
  }
  return placing(run, { lastTurn: async () => ({ lastTurn, failure, identity, model: null }) })
})
