import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { planOf } from "../../../test/support/plans.ts"
import {
  openPlugin,
  type PluginInProcess,
  shellIn,
} from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { storeErrorFrom } from "../../store/disk/store-error.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { descendantsOf } from "../host/lineage.ts"
import { readOptions } from "../host/options.ts"
import type { SessionApi } from "../host/session-api.ts"
import { openSessions } from "../host/sessions.ts"
import { openDelegation } from "./delegation.ts"
import { openRounds } from "./rounds.ts"

const A = "ses_leadA"
const B = "ses_leadB"

async function worksIn(root: string): Promise<Readonly<Record<string, Work>>> {
  const { boulder } = await openFileBoulderStore({ root }).read()
  return Object.fromEntries(
    Object.values((boulder as Boulder).works).map((work) => [work.plan_name, work]),
  )
}

function withPlans(
  options: object,
  run: (plugin: PluginInProcess, root: string) => Promise<void>,
  answers: Partial<SessionApi> = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    for (const name of ["a", "b"])
      await writeFile(join(root, `plans/${name}.md`), planOf("Write one", "Write two"))
    const plugin = openPlugin(root, readOptions(options), answers)
    await run(plugin, root)
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

const before = ({ hooks }: PluginInProcess, sessionID: string, callID: string, key: string) =>
  hooks["tool.execute.before"]?.(
    { tool: "task", sessionID, callID },
    { args: { description: key, prompt: "do it", subagent_type: "general" } },
  )
const after = async (plugin: PluginInProcess, sessionID: string, callID: string, child: string) => {
  const result = { title: "", output: "did it", metadata: { sessionId: child } }
  await plugin.hooks["tool.execute.after"]?.({ tool: "task", sessionID, callID, args: {} }, result)
  return result.output
}
const told = ({ hooks }: PluginInProcess, type: string, properties: object) =>
  hooks.event?.({ event: { type, properties } as never })
const part = (sessionID: string, callID: string, status: string, child?: string) => {
  const metadata = child === undefined ? {} : { sessionId: child }
  return { part: { tool: "task", sessionID, callID, state: { status, metadata } } }
}

test("13n: equal call ids of two sessions are two calls", () =>
  withPlans({}, async (plugin, root) => {
    await plugin.startWork(A, "plans/a.md")
    await plugin.startWork(B, "plans/b.md")
    await before(plugin, A, "call_0", "todo:1")
    await before(plugin, B, "call_0", "todo:2")
    await after(plugin, A, "call_0", "ses_childA")
    await after(plugin, B, "call_0", "ses_childB")
    const { a, b } = await worksIn(root)
    expect(Object.keys(a?.task_sessions ?? {})).toEqual(["todo:1"])
    expect(Object.keys(b?.task_sessions ?? {})).toEqual(["todo:2"])
  }))

test("13n: a call that fails in a child with its parent's call id ends nothing of its parent's", () =>
  withPlans({}, async (plugin, root) => {
    await plugin.startWork(A, "plans/a.md")
    await before(plugin, A, "call_0", "todo:1")
    await told(plugin, "message.part.updated", part(A, "call_0", "running", "ses_child"))
    await told(plugin, "message.part.updated", part("ses_child", "call_0", "error"))
    expect(Object.keys((await worksIn(root))["a"]?.dispatches ?? {})).toEqual(["call_0"])
    expect(await after(plugin, A, "call_0", "ses_child")).toContain("Result for todo:1")
  }))

test("13a: a child that a new lead resumes is the new lead's: its permission is waited for", () =>
  withPlans({}, async (plugin, root) => {
    await plugin.startWork(A, "plans/a.md")
    await told(plugin, "session.created", { info: { id: "ses_child", parentID: A } })
    await plugin.startWork(B, "plans/a.md")
    await before(plugin, B, "call_1", "todo:1")
    await told(plugin, "message.part.updated", part(B, "call_1", "running", "ses_child"))
    await told(plugin, "permission.asked", { id: "per_1", sessionID: "ses_child" })
    await plugin.fallIdle(B)
    expect(plugin.prompts).toEqual([])
    expect((await worksIn(root))["a"]?.status).toBe("active")
    const rejected = { requestID: "per_1", sessionID: "ses_child", reply: "reject" }
    await told(plugin, "permission.replied", rejected)
    await plugin.fallIdle(B)
    expect((await worksIn(root))["a"]?.pause_reason).toBe("rejected-by-user")
  }))

test("13k: a stopped work captures nothing and guards no sources", () =>
  withPlans({ orchestrator_writes: "block" }, async (plugin, root) => {
    await plugin.startWork(A, "plans/a.md")
    expect(await plugin.use(A, "write", { filePath: "src/a.ts" })).not.toBe("done")
    const output = { parts: [] }
    const input = { command: "stop-work", sessionID: A, arguments: "" }
    await plugin.hooks["command.execute.before"]?.(input, output)
    expect(await plugin.use(A, "write", { filePath: "src/a.ts" })).toBe("done")
    const said = await plugin.delegate({ lead: A, key: "todo:1", child: "ses_child" })
    expect(said).toBe("did todo:1 3")
    expect((await worksIn(root))["a"]).toMatchObject({ task_sessions: {}, dispatches: {} })
  }))

test.each([{ end: "comes back" }, { end: "fails" }])(
  "a call that $end is in its session's memory no more",
  ({ end }) =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/a.md"), planOf("Write one", "Write two"))
      const sessions = openSessions()
      const plugin = openPlugin(root, { sessions })
      await plugin.startWork(A, "plans/a.md")
      const callsInFlight = () => sessions.of(A).calls.map(({ callId }) => callId)
      await before(plugin, A, "call_0", "todo:1")
      await before(plugin, A, "call_1", "todo:2")
      expect(callsInFlight()).toEqual(["call_0", "call_1"])
      if (end === "fails") await told(plugin, "message.part.updated", part(A, "call_0", "error"))
      else await after(plugin, A, "call_0", "ses_child")
      expect(callsInFlight()).toEqual(["call_1"])
      await plugin.hooks.dispose?.()
    }),
)

test("a child of which only its result tells runs below its caller, without an event of the host", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/a.md"), planOf("Write one", "Write two"))
    const sessions = openSessions()
    const plugin = openPlugin(root, { sessions })
    await plugin.startWork(A, "plans/a.md")
    await before(plugin, A, "call_0", "todo:1")
    await after(plugin, A, "call_0", "ses_childA")
    expect(descendantsOf({ sessions }, A)).toContain("ses_childA")
    await plugin.hooks.dispose?.()
  }))

describe("reuse: auto", () => {
  const lastTurn = {
    ...{ messageId: "msg_1", createdAt: 1, ours: false, error: null, ended: true },
    ...{ contextTokens: 10, isSummary: false, isUnanswered: false },
  }
  const identity = { agent: null, model: null, variant: null }
  const api = { lastTurn: async () => ({ lastTurn, failure: null, identity, model: null }) }
  /** The sessions that two calls for one task resume by themselves. */
  const resumed = async (
    plugin: PluginInProcess,
    ask: (calls: readonly (() => Promise<unknown>)[]) => Promise<unknown>,
  ) => {
    await plugin.startWork(A, "plans/a.md")
    await plugin.delegate({ lead: A, key: "todo:1", child: "ses_child" })
    const given = ["call_x", "call_y"].map((callID) => ({
      callID,
      args: { description: "todo:1", prompt: "go on", subagent_type: "general" },
    }))
    await ask(
      given.map(({ callID, args }) => async () => {
        await plugin.hooks["tool.execute.before"]?.(
          { tool: "task", sessionID: A, callID },
          { args },
        )
      }),
    )
    return given.map(({ args }) => ("task_id" in args ? args.task_id : null))
  }

  test("of two calls for one task, one after the other, only the first resumes its session", () =>
    withPlans(
      { reuse: "auto" },
      async (plugin) =>
        expect(
          await resumed(plugin, async (calls) => {
            for (const call of calls) await call()
          }),
        ).toEqual(["ses_child", null]),
      api,
    ))
  test("nor do two of one message resume the same", () =>
    withPlans(
      { reuse: "auto" },
      async (plugin) => {
        const ids = await resumed(plugin, (calls) => Promise.all(calls.map((call) => call())))
        // Whichever of them is faster.
        expect(ids.toSorted()).toEqual(["ses_child", null].toSorted())
      },
      api,
    ))
})

describe("a write of the store that fails", () => {
  /** A started work, and how many of the next writes fail. */
  const withDisk = (
    run: (plugin: PluginInProcess, root: string, fail: (writes: number) => void) => Promise<void>,
  ) =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/a.md"), planOf("Write one", "Write two"))
      const store = openFileBoulderStore({ root })
      let left = 0
      const update: typeof store.update = async (change) => {
        if (left-- > 0)
          throw storeErrorFrom(new Error("no space"), { doing: "write boulder.json", outcome: "" })
        return store.update(change)
      }
      const plugin = openPlugin(root, { store: { ...store, update } })
      await plugin.startWork(A, "plans/a.md")
      await run(plugin, root, (writes) => {
        left = writes
      })
      await plugin.hooks.dispose?.()
    })

  test("begins no child: nobody would know what its result is for", () =>
    withDisk(async (plugin, root, fail) => {
      fail(1)
      await expect(before(plugin, A, "call_0", "todo:1")).rejects.toThrow(
        /not delegated.*no space/s,
      )
      await told(plugin, "message.part.updated", part(A, "call_0", "error"))
      expect((await worksIn(root))["a"]?.dispatches).toEqual({})
      await before(plugin, A, "call_1", "todo:1")
      expect(Object.keys((await worksIn(root))["a"]?.dispatches ?? {})).toEqual(["call_1"])
    }))
  test("nor does one that takes too long, in a session that leads a work", () =>
    withFolder(async (root) => {
      const sessions = openSessions()
      const shell = { ...shellIn(root), sessions }
      const { late } = openDelegation(shell, openRounds(shell))
      late(A)
      sessions.note({ kind: "leads", sessionId: A })
      expect(() => late(A)).toThrow("not delegated")
      sessions.note({ kind: "at-rest", sessionId: A })
      late(A)
    }))
  test("loses nothing that a child has brought", () =>
    withDisk(async (plugin, root, fail) => {
      await before(plugin, A, "call_0", "todo:1")
      fail(2)
      expect(await after(plugin, A, "call_0", "ses_child")).toContain("Result for todo:1")
      const { task_sessions: sessions, dispatches } = (await worksIn(root))["a"] ?? {}
      expect([Object.keys(sessions ?? {}), dispatches]).toEqual([["todo:1"], {}])
    }))
  test("nor a block that it has stated", () =>
    withDisk(async (plugin, root, fail) => {
      await before(plugin, A, "call_0", "todo:1")
      const result = { title: "", output: "BLOCKED: no key", metadata: { sessionId: "ses_child" } }
      fail(2)
      await plugin.hooks["tool.execute.after"]?.(
        { tool: "task", sessionID: A, callID: "call_0", args: {} },
        result,
      )
      expect(result.output).toContain("todo:1 is recorded as blocked")
      expect(Object.keys((await worksIn(root))["a"]?.blocked ?? {})).toEqual(["todo:1"])
    }))
})

test("a plan that is taken over between the reading of a call and its write begins no child: it is refused", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/a.md"), planOf("Write one", "Write two"))
    const store = openFileBoulderStore({ root })
    let next: (() => Promise<unknown>) | null = null
    const update: typeof store.update = async (change) => {
      const meanwhile = next
      next = null
      await meanwhile?.()
      return store.update(change)
    }
    const plugin = openPlugin(root, { ...readOptions({}), store: { ...store, update } })
    await plugin.startWork(A, "plans/a.md")
    next = () => plugin.startWork(B, "plans/a.md --take-over")
    const call = Promise.resolve(before(plugin, A, "call_0", "todo:1"))
    expect(await call.then(String, String)).toContain(`Session ${B} has taken over`)
    expect((await worksIn(root))["a"]).toMatchObject({ lead_session_id: B, dispatches: {} })
    await plugin.hooks.dispose?.()
  }))
