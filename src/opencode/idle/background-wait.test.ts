import { describe, expect, test } from "bun:test"
import { CHILD } from "../../../test/support/builders.ts"
import { waitUntil } from "../../../test/support/host-wait.ts"
import { inSections, LEAD, started } from "../../../test/support/long-run-project.ts"
import type { PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { joinViews } from "../../boulder/live-view.ts"
import { observeWork } from "../../headless/observe-work.ts"
import { openProcessLife } from "../../store/disk/process-life.ts"
import { openPlanFiles } from "../../store/plans/plan-files.ts"
import { openJournal } from "../../store/records/journal.ts"
import { openLiveFiles } from "../../store/records/live-files.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import type { SessionApi } from "../host/session-api.ts"

const HOUR = 3_600_000
const LIMITED = { kind: "limited", until: Date.now() + 5 * HOUR, words: "all used" } as const

const tell = (plugin: PluginInProcess, type: string, properties: object) =>
  plugin.hooks.event?.({ event: { type, properties } as never })
const status = (plugin: PluginInProcess, sessionID: string, type: string, more: object = {}) =>
  tell(plugin, "session.status", { sessionID, status: { type, ...more } })
const waits = (plugin: PluginInProcess, sessionID: string, next: number) =>
  status(plugin, sessionID, "retry", { attempt: 1, message: "slow down", next })
const idle = async (plugin: PluginInProcess, sessionID: string) => {
  await status(plugin, sessionID, "idle")
  await tell(plugin, "session.idle", { sessionID })
}

/** The subagent's turn has met a limit. */
const lastTurnOf = async (id: string) => ({
  ...{ identity: { agent: null, model: null, variant: null } },
  lastTurn: {
    ...{ messageId: `msg_${id}`, ours: false, isSummary: false, ended: true },
    ...{ error: id === CHILD ? "APIError" : null, contextTokens: 10 },
    ...{ createdAt: Date.now(), isUnanswered: false },
  },
  failure: id === CHILD ? { ...LIMITED, at: Date.now() } : null,
})

interface Scene {
  readonly plugin: PluginInProcess
  readonly busy: Set<string>
  work(): Promise<Awaited<ReturnType<Awaited<ReturnType<typeof started>>["work"]>>>
  said(): Promise<readonly string[]>
  standing(): Promise<string>
  /** Waits until the live view shows it, which is written within seconds. */
  sees(state: object): Promise<void>
}

/** A work whose lead has begun todo:1 in the background and whose turn is over. */
const inBackground = (
  run: (scene: Scene) => Promise<void>,
  answers: Partial<SessionApi> = {},
  { leadWorks = false }: { leadWorks?: boolean } = {},
) =>
  withFolder(async (root) => {
    const busy = new Set([CHILD])
    const { plugin, work } = await started(
      root,
      inSections(2),
      { continuation: { cooldown_seconds: 0 } },
      {
        session: async (id) => ({
          ...{ id, agent: null, title: id },
          parentId: id === CHILD ? LEAD : null,
        }),
        busySessions: async () => busy,
        ...answers,
      },
      { process: await openProcessLife() },
    )
    await status(plugin, LEAD, "busy")
    await tell(plugin, "session.created", { info: { id: CHILD, parentID: LEAD } })
    const call = { tool: "task", sessionID: LEAD, callID: "call_1" }
    const args = { description: "todo:1", prompt: "do it", subagent_type: "general" }
    await plugin.hooks["tool.execute.before"]?.(call, { args })
    const metadata = { sessionId: CHILD, background: true }
    const state = { status: "running", input: args, metadata }
    await tell(plugin, "message.part.updated", { part: { type: "tool", ...call, state } })
    await status(plugin, CHILD, "busy")
    const result = { title: "", output: "begun", metadata }
    await plugin.hooks["tool.execute.after"]?.({ ...call, args }, result)
    if (!leadWorks) await idle(plugin, LEAD)
    await run({
      plugin,
      busy,
      work,
      async said() {
        const { entries } = await openJournal({ root }).readLast(20)
        return entries
          .filter(({ reason }) => /provider-wait|subagent-limited/.test(reason))
          .map(({ decision, reason, work: id, facts }) =>
            [decision, reason, id === null ? "-" : "its work", facts["task"]].join(" "),
          )
      },
      async sees(state) {
        const live = openLiveFiles({ root })
        const isShown = async () => {
          const shown = joinViews(await live.readAll(Date.now()))[0]?.state
          return Bun.deepEquals({ ...Object(shown), ...state }, shown)
        }
        await waitUntil(isShown, () => JSON.stringify(state), { timeoutMs: 20_000 })
      },
      async standing() {
        const store = openFileBoulderStore({ root })
        const plans = openPlanFiles({ root, now: Date.now })
        const live = openLiveFiles({ root })
        const given = { leadId: LEAD, since: isoOf(0), store, plans, live, now: Date.now }
        const journal = openJournal({ root })
        return (await observeWork({ ...given, journal, emit: () => undefined }).look(true)).kind
      },
    })
    await plugin.hooks.dispose?.()
  })

describe("a subagent in the background", () => {
  test("is under way until it is idle, and leaves no entry behind", () =>
    inBackground(async ({ plugin, work }) => {
      expect(Object.values((await work()).dispatches)).toMatchObject([{ task_key: "todo:1" }])
      await idle(plugin, CHILD)
      expect(await work()).toMatchObject({ dispatches: {}, task_sessions: {} })
    }))

  test("that waits for the provider is told as any other is, and the work waits with it", () =>
    inBackground(async ({ plugin, work, said, standing }) => {
      const next = Date.now() + 5 * HOUR
      await waits(plugin, CHILD, next)
      expect(await said()).toEqual(["rest provider-wait its work todo:1"])
      expect(plugin.toasts.at(-1)).toMatch(/^Plan demo waits for the provider until /)
      expect(await standing()).toBe("waits")
      expect((await work()).task_sessions["todo:1"]).toMatchObject({
        ...{ session_id: CHILD, status: "interrupted", failures: 0 },
        interrupted: { until: isoOf(next) },
      })
      // Another look says nothing new and prompts nothing.
      await plugin.fallIdle(LEAD)
      await idle(plugin, "ses_other")
      expect(await said()).toHaveLength(1)
      expect(plugin.prompts).toEqual([])
    }))

  test("while its lead works, it holds up its task alone; behind the lead's turn the work", () =>
    inBackground(
      async ({ plugin, said, sees }) => {
        const next = Date.now() + 5 * HOUR
        await waits(plugin, CHILD, next)
        expect(await said()).toEqual(["notice provider-wait its work todo:1"])
        await sees({ kind: "working" })
        await idle(plugin, LEAD)
        await sees({ kind: "waiting", for: "provider", until: isoOf(next) })
        expect((await said()).slice(1).map((line) => line.split(" its")[0])).toEqual([
          "rest provider-wait",
        ])
      },
      {},
      { leadWorks: true },
    ))

  test("whose wait is over early waits no more once it is done", () =>
    inBackground(async ({ plugin, work, busy, standing }) => {
      await waits(plugin, CHILD, Date.now() + 5 * HOUR)
      await status(plugin, CHILD, "busy")
      busy.clear()
      await idle(plugin, CHILD)
      const { dispatches, task_sessions } = await work()
      expect(dispatches).toEqual({})
      expect(task_sessions["todo:1"]).not.toHaveProperty("interrupted")
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts[0]).toContain('- todo:1 "')
      expect(await standing()).toBe("going")
    }))

  test("that a limit has ended is interrupted until then, and the others go on", () => {
    return inBackground(
      async ({ plugin, work, busy, said }) => {
        busy.clear()
        await idle(plugin, CHILD)
        const { dispatches, task_sessions } = await work()
        expect(dispatches).toEqual({})
        expect(task_sessions["todo:1"]).toMatchObject({
          ...{ session_id: CHILD, status: "interrupted" },
          interrupted: { until: isoOf(LIMITED.until) },
        })
        expect(await said()).toEqual(["notice subagent-limited its work todo:1"])
        await plugin.fallIdle(LEAD)
        expect(plugin.prompts[0]).toMatch(/todo:2 ".*todo:1 "/s)
      },
      { lastTurn: lastTurnOf as never },
    )
  })

  test("and so where it ends while its lead is looked at", () => {
    let ends: (() => Promise<void>) | null = null
    const lastTurn = async (id: string) => {
      const now = id === LEAD ? ends : null
      if (now !== null) ends = null
      await now?.()
      return lastTurnOf(id)
    }
    return inBackground(
      async ({ plugin, busy }) => {
        ends = () => {
          busy.clear()
          return idle(plugin, CHILD)
        }
        await plugin.fallIdle(LEAD)
        await firstPrompt(plugin)
        expect(plugin.prompts[0]).toMatch(/todo:2 ".*todo:1 "/s)
      },
      { lastTurn: lastTurn as never },
    )
  })

  test("and so where its lead is looked at before the host has told of the end", () =>
    inBackground(
      async ({ plugin, busy }) => {
        busy.clear()
        await plugin.fallIdle(LEAD)
        expect(plugin.prompts).toEqual([])
        await idle(plugin, CHILD)
        await firstPrompt(plugin)
        expect(plugin.prompts[0]).toMatch(/todo:2 ".*todo:1 "/s)
      },
      { lastTurn: lastTurnOf as never },
    ))
})

const firstPrompt = (plugin: PluginInProcess) =>
  waitUntil(
    () => plugin.prompts.length > 0,
    () => "nothing is prompted",
  )
