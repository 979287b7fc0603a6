import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { projectScope } from "../../src/store/handoff-scope.ts"
import { openMemoryBoulderStore } from "../../src/store/memory-boulder-store.ts"
import { openMemoryHandoffStore } from "../../src/store/memory-handoff-store.ts"
import { openRecordFiles } from "../../src/store/record-files.ts"
import { StoreError } from "../../src/store/store-error.ts"
import { openTaskStateFiles } from "../../src/store/task-state-files.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/** What the plugin keeps as long as the process lives: any map or set that it makes while it is opened. */
type Kept = Map<unknown, unknown> | Set<unknown>

const MAX_SESSIONS = 1_000
const SESSIONS = MAX_SESSIONS + 200
const PLAN = "plans/demo.md"

test("every map in memory is bounded, and forgets the sessions that are deleted", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), "# Plan\n\n## TODOs\n\n- [ ] 1. One\n- [ ] 2. Two\n")
    const { plugin, kept } = opened(root)
    const ids = Array.from({ length: SESSIONS }, (_, index) => `ses_lead${index}`)
    const used = new Set<Kept>()
    for (const id of ids) {
      await live(plugin, id)
      for (const one of kept.filter(({ size }) => size > 0)) used.add(one)
    }
    const expected = /The journal is full|to hold a task state/
    expect(plugin.logs.filter((line) => !expected.test(line))).toEqual([])
    // A map that was not used here would be proven by nothing. The one of looks under way is empty after each.
    expect(kept.length - used.size).toBe(1)
    expect(kept.filter(({ size }) => size > 200).length).toBe(8)
    for (const { size } of kept) expect(size).toBeLessThanOrEqual(MAX_SESSIONS)

    for (const id of ids.flatMap((lead) => [childOf(lead), lead]))
      await told(plugin, "session.deleted", { info: { id } })
    expect(kept.map(({ size }) => size)).toEqual(kept.map(() => 0))
  }))

/** What a session leaves behind at most: a call that never came back, a lease, a retry, a rejection, a compaction. */
async function live(plugin: PluginInProcess, id: string): Promise<void> {
  const { hooks } = plugin
  await told(plugin, "session.created", { info: { id, parentID: null } })
  await plugin.startWork(id, PLAN)
  const message = { agent: "build" } as never
  await hooks["chat.message"]?.({ sessionID: id }, { message, parts: [] })
  const call = { tool: "task", sessionID: id, callID: `call_${id}` }
  await hooks["tool.execute.before"]?.(call, { args: { description: "todo:1" } })
  const state = { status: "running", metadata: { sessionId: childOf(id) } }
  const part = { type: "tool", tool: "task", callID: call.callID, sessionID: id, state }
  await told(plugin, "message.part.updated", { part })
  await told(plugin, "session.created", { info: { id: childOf(id), parentID: id } })
  const context = { sessionID: id, agent: "build" } as never
  await hooks.tool?.["save_task_progress"]?.execute(
    { summary: "half", status: "in_progress", task: `of ${id}` },
    context,
  )
  await hooks["experimental.session.compacting"]?.({ sessionID: id }, { context: [] })
  await told(plugin, "session.error", { sessionID: id, error: { name: "MessageAbortedError" } })
  await plugin.fallIdle(id)
}

function childOf(id: string): string {
  return id.replace("lead", "child")
}

async function told(plugin: PluginInProcess, type: string, properties: unknown): Promise<void> {
  await plugin.hooks.event?.({ event: { type, properties } as never })
}

/** Opens the plugin, and takes hold of the maps and sets that the code in `src/opencode` makes by it. */
function opened(root: string): { plugin: PluginInProcess; kept: readonly Kept[] } {
  const { Map: RealMap, Set: RealSet } = globalThis
  const kept: Kept[] = []
  const note = (made: Kept) => {
    if (
      /\n[^\n]*(?:TrackedMap|TrackedSet)[^\n]*\n[^\n]*\/src\/opencode\//.test(
        new Error().stack ?? "",
      )
    )
      kept.push(made)
  }
  class TrackedMap extends RealMap<unknown, unknown> {
    constructor(entries?: Iterable<readonly [unknown, unknown]>) {
      super(entries)
      note(this)
    }
  }
  class TrackedSet extends RealSet<unknown> {
    constructor(values?: Iterable<unknown>) {
      super(values)
      note(this)
    }
  }
  Object.assign(globalThis, { Map: TrackedMap, Set: TrackedSet })
  try {
    const store = openMemoryBoulderStore()
    const project = projectScope(root)
    const none = { handoffs: [], unreadable: [] }
    const shelf = openMemoryHandoffStore({ project, shelf: new RealMap() })
    const handoffs = { ...shelf, open: async () => none }
    const journal = {
      readLast: async () => ({ entries: [], skipped: 0 }),
      append: async ({ decision }: { decision: string }) => {
        if (decision === "pause") throw new Error("The journal is full")
      },
    }
    const load = async (): Promise<never> => {
      const parts = { expected: "it to hold a task state", found: "none", todo: "Look at it." }
      throw new StoreError({ code: "corrupt", ...parts })
    }
    const taskStates = { ...openTaskStateFiles(openRecordFiles({ root })), load }
    return { plugin: openPlugin(root, { store, handoffs, journal, taskStates }), kept }
  } finally {
    Object.assign(globalThis, { Map: RealMap, Set: RealSet })
  }
}
