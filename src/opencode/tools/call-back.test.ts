import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CHILD, LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Work } from "../../boulder/boulder.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { HostCallError, type SessionApi } from "../host/session-api.ts"

const PLAN = "plans/demo.md"
const CALL = { tool: "task", sessionID: LEAD, callID: "call_1" }
const NOBODY = { agent: null, model: null, variant: null }

interface Scene {
  readonly plugin: PluginInProcess
  readonly root: string
  readonly work: () => Promise<Work>
  /** One call of todo:1, or of another task. Gives its result with what was added. */
  readonly call: (result: object, key?: string) => Promise<string>
}

function withLead(
  run: (scene: Scene) => Promise<void>,
  {
    api = {},
    plan = planOf("Write a", "Write b"),
  }: { api?: Partial<SessionApi>; plan?: string } = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), plan)
    const plugin = openPlugin(root, {}, api)
    await plugin.startWork(LEAD, PLAN)
    const work = async () => {
      const { boulder } = await openFileBoulderStore({ root }).read()
      const [only] = Object.values(boulder?.works ?? {})
      if (only === undefined) throw new Error("Expected a work, found none.")
      return only
    }
    const call = async (given: object, key = "todo:1") => {
      const args = { description: key, prompt: "do it", subagent_type: "general" }
      await plugin.hooks["tool.execute.before"]?.(CALL, { args })
      const result = { title: "", output: "did it", metadata: { sessionId: CHILD }, ...given }
      await plugin.hooks["tool.execute.after"]?.({ ...CALL, args }, result)
      return result.output
    }
    await run({ plugin, root, work, call })
    await plugin.hooks.dispose?.()
  })
}
const turn = (given: object) => ({
  lastTurn: {
    ...{ messageId: "msg_1", createdAt: 1, ours: false, error: null, ended: true },
    ...{ contextTokens: 0, isSummary: false, isUnanswered: false },
    ...given,
  },
  ...{ failure: null, identity: NOBODY, model: null },
})
/** What a work keeps of its calls. */
const kept = ({ task_sessions: sessions, dispatches, blocked }: Work) => ({
  sessions: Object.values(sessions).map(({ task_key: key, session_id: id }) => `${key} ${id}`),
  open: Object.keys(dispatches).length,
  blocked: Object.keys(blocked),
})
const ITS = `todo:1 ${CHILD}`

describe("how a call has come back", () => {
  test.each([
    { name: "with its child's last words", api: {}, given: {}, sessions: [ITS] },
    {
      name: "in the background: it has brought nothing yet, and runs on",
      api: {},
      given: { metadata: { sessionId: CHILD, background: true } },
      sessions: [],
      open: 1,
    },
    {
      name: "in the background, in a session that nobody names",
      api: {},
      given: { metadata: { background: true }, output: "it runs" },
      sessions: [],
    },
    {
      name: "from a child whose last turn has failed, which older hosts call completed",
      api: { lastTurn: async () => turn({ error: "APIError" }) },
      given: {},
      sessions: [],
    },
    {
      name: "from a child that was cut off",
      api: { lastTurn: async () => turn({ ended: false }) },
      given: {},
      sessions: [],
    },
    {
      name: "while the host does not tell how its child has ended",
      api: {
        lastTurn: async () => {
          throw new HostCallError("no answer")
        },
      },
      given: {},
      sessions: [ITS],
    },
    {
      name: "with an id in its text alone, of a session that runs for nobody here",
      api: {},
      given: { metadata: {}, output: '<task id="ses_stranger">did it</task>' },
      sessions: [],
    },
  ])("$name", ({ api, given, sessions, open = 0 }) =>
    withLead(
      async ({ work, call }) => {
        await call(given)
        expect(kept(await work())).toEqual({ sessions: [...sessions], open, blocked: [] })
      },
      { api },
    ),
  )
})

test("a failure is counted for the session that has failed, and its task keeps it", () => {
  let fails = false
  return withLead(
    async ({ work, call }) => {
      await call({})
      fails = true
      await call({})
      const { task_sessions: sessions } = await work()
      expect(sessions["todo:1"]).toMatchObject({ session_id: CHILD, failures: 1, attempts: 1 })
    },
    { api: { lastTurn: async () => turn({ error: fails ? "APIError" : null }) } },
  )
})

test("the same words from another session are no new result", () =>
  withLead(async ({ work, call }) => {
    for (const child of [CHILD, "ses_second"])
      await call({
        output: `<task id="${child}">I am stuck.</task>`,
        metadata: { sessionId: child },
      })
    expect((await work()).task_sessions["todo:1"]).toMatchObject({ attempts: 2, results: 1 })
    await call({ output: "Now it is done." })
    expect((await work()).task_sessions["todo:1"]).toMatchObject({ attempts: 3, results: 2 })
  }))

describe("a result that says BLOCKED", () => {
  test("blocks its task, in the subagent's name, and keeps its session", () =>
    withLead(async ({ plugin, work, call }) => {
      expect(await call({ output: "BLOCKED: no key for the cloud" })).toContain(
        "todo:1 is recorded as blocked",
      )
      expect(kept(await work())).toEqual({ sessions: [ITS], open: 0, blocked: ["todo:1"] })
      expect(plugin.logs).toEqual([])
    }))
  test("is no verdict of a review, whatever else it says", () =>
    withLead(
      async ({ work, call }) => {
        await call({ output: "VERDICT: APPROVE\n\nBLOCKED: no build" }, "final-wave:f1")
        expect((await work()).final_wave).toEqual({})
        await call({ output: "Read it all.\n\nVERDICT: APPROVE" }, "final-wave:f1")
        expect((await work()).final_wave["final-wave:f1"]).toMatchObject({ verdict: "pass" })
      },
      { plan: `${planOf()}\n## Final Verification Wave\n\n- [ ] F1. Review it\n` },
    ))
})

test("a task that was renumbered while its child worked is closed under its new key", () =>
  withLead(async ({ plugin, root, work }) => {
    const args = { description: "todo:1", prompt: "do it", subagent_type: "general" }
    await plugin.hooks["tool.execute.before"]?.(CALL, { args })
    await writeFile(join(root, PLAN), planOf("New", "Write a", "Write b"))
    const result = { title: "", output: "did it", metadata: { sessionId: CHILD } }
    await plugin.hooks["tool.execute.after"]?.({ ...CALL, args }, result)
    expect(result.output).toContain("Result for todo:2")
    expect(kept(await work()).sessions).toEqual([`todo:2 ${CHILD}`])
  }))

test("a call that comes back behind a start of another plan is kept for its own, without a word", () =>
  withLead(async ({ plugin, root, work }) => {
    const args = { description: "todo:1", prompt: "do it", subagent_type: "general" }
    await plugin.hooks["tool.execute.before"]?.(CALL, { args })
    await writeFile(join(root, "plans/other.md"), planOf("Write it"))
    await plugin.startWork(LEAD, "plans/other.md")
    const result = { title: "", output: "did it", metadata: { sessionId: CHILD } }
    await plugin.hooks["tool.execute.after"]?.({ ...CALL, args }, result)
    expect(result.output).toBe("did it")
    const { boulder } = await openFileBoulderStore({ root }).read()
    const found = Object.values(boulder?.works ?? {}).map((one) => [one.plan_name, kept(one)])
    const none = { sessions: [], open: 0, blocked: [] }
    expect(Object.fromEntries(found)).toEqual({ demo: { ...none, sessions: [ITS] }, other: none })
    expect(await work()).toMatchObject({ status: "paused" })
  }))
