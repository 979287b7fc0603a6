import { describe, expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CHILD } from "../../../test/support/builders.ts"
import { runInFolder } from "../../../test/support/cli-in-process.ts"
import { inSections, LEAD, started } from "../../../test/support/long-run-project.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { joinViews } from "../../boulder/live-view.ts"
import { workStateOf } from "../../boulder/work-state.ts"
import { observeWork } from "../../headless/observe-work.ts"
import { hostWaitNotice } from "../../prompts/notice-text.ts"
import { openProcessLife } from "../../store/disk/process-life.ts"
import { openPlanFiles } from "../../store/plans/plan-files.ts"
import { openJournal } from "../../store/records/journal.ts"
import { openLiveFiles } from "../../store/records/live-files.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"
import { openSessions } from "../host/sessions.ts"

const HOUR = 3_600_000

/** Whether a wait of the host is kept on disk, and written into the journal. */
function told(
  sessionId: string,
  waitMs: number,
  { stopped = "never" }: { stopped?: "never" | "before" | "meanwhile" } = {},
): Promise<{ kept: boolean; written: boolean }> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const sessions = openSessions()
    const store = openFileBoulderStore({ root })
    const turn = { stops: false }
    const update: typeof store.update = async (change) => {
      if (turn.stops) await runInFolder(root, "stop demo")
      turn.stops = false
      return store.update(change)
    }
    const plugin = openPlugin(root, { sessions, store: { ...store, update } })
    await plugin.startWork(LEAD, "plans/demo.md")
    sessions.note({ kind: "session-created", sessionId: CHILD, parentId: LEAD })
    if (stopped === "before") await runInFolder(root, "stop demo")
    turn.stops = stopped === "meanwhile"
    const status = { type: "retry", attempt: 1, message: "limit", next: Date.now() + waitMs }
    const properties = { sessionID: sessionId, status }
    await plugin.hooks.event?.({ event: { type: "session.status", properties } as never })
    const [work] = Object.values((await store.read()).boulder?.works ?? {})
    const { entries } = await openJournal({ root }).readLast(9)
    await plugin.hooks.dispose?.()
    return {
      kept: work?.limited != null,
      written: entries.some(({ reason }) => reason === "provider-wait"),
    }
  })
}
const YES = { kept: true, written: true }
const NO = { kept: false, written: false }

test.each([
  { name: "of the lead", sessionId: LEAD, waitMs: HOUR, is: YES },
  {
    name: "of a subagent of no call",
    sessionId: CHILD,
    waitMs: HOUR,
    is: { kept: false, written: true },
  },
  { name: "of a moment", sessionId: LEAD, waitMs: 5_000, is: NO },
  { name: "of two years", sessionId: LEAD, waitMs: 17_520 * HOUR, is: NO },
  { name: "of a session that runs for no work", sessionId: "ses_other", waitMs: HOUR, is: NO },
])("a wait of the host $name is kept and said: $is.kept", async ({ sessionId, waitMs, is }) => {
  expect(await told(sessionId, waitMs)).toEqual(is)
})

test.each([{ stopped: "before" }, { stopped: "meanwhile" }] as const)(
  "not for a work that was stopped $stopped",
  async ({ stopped }) => {
    expect(await told(LEAD, HOUR, { stopped })).toEqual(NO)
  },
)

describe("a wait of a moment, as the live view shows it", () => {
  const tell = (plugin: PluginInProcess, sessionID: string, status: object) =>
    plugin.hooks.event?.({
      event: { type: "session.status", properties: { sessionID, status } } as never,
    })
  const retry = (waitMs: number) => ({
    type: "retry",
    attempt: 4,
    message: "no",
    next: Date.now() + waitMs,
  })
  const shown = async (root: string): Promise<unknown> =>
    joinViews(await openLiveFiles({ root }).readAll(Date.now()))[0]?.state
  /** Waits until the view shows it, which is written within seconds. */
  const sees = async (root: string, wanted: object): Promise<void> => {
    const end = Date.now() + 20_000
    const isSo = async () =>
      Bun.deepEquals({ ...Object(await shown(root)), ...wanted }, await shown(root))
    while (Date.now() < end && !(await isSo())) await Bun.sleep(100)
    expect(await shown(root)).toMatchObject(wanted)
  }
  const withLead = (run: (root: string, plugin: PluginInProcess) => Promise<void>) =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
      const plugin = openPlugin(root, { process: await openProcessLife() })
      await plugin.startWork(LEAD, "plans/demo.md")
      await plugin.say(LEAD, "go")
      await run(root, plugin)
      await plugin.hooks.dispose?.()
    })
  const waiting = { kind: "waiting", for: "provider" }

  test("of the lead: until it runs again; nothing is kept or said", () =>
    withLead(async (root, plugin) => {
      await sees(root, { kind: "working" })
      const store = openFileBoulderStore({ root })
      const before = JSON.stringify((await store.read()).boulder)
      const toasts = plugin.toasts.length
      const status = retry(30_000)
      await tell(plugin, LEAD, status)
      await sees(root, { ...waiting, until: isoOf(status.next) })
      expect(JSON.stringify((await store.read()).boulder)).toBe(before)
      expect(plugin.toasts).toHaveLength(toasts)
      await tell(plugin, LEAD, { type: "busy" })
      await sees(root, { kind: "working" })
    }))

  test("of a subagent: only where each that is under way waits", () =>
    withLead(async (root, plugin) => {
      for (const [key, sessionId] of [
        ["todo:1", CHILD],
        ["todo:2", "ses_two"],
      ] as const) {
        const call = { tool: "task", sessionID: LEAD, callID: `call_${key}` }
        const args = { description: key, prompt: "do it", subagent_type: "general" }
        await plugin.hooks["tool.execute.before"]?.(call, { args })
        const state = { status: "running", input: args, metadata: { sessionId } }
        const properties = { part: { type: "tool", ...call, state } }
        await plugin.hooks.event?.({ event: { type: "message.part.updated", properties } as never })
      }
      await tell(plugin, CHILD, retry(55_000))
      await Bun.sleep(3_500)
      expect(await shown(root)).toEqual({ kind: "working" })
      const sooner = retry(45_000)
      await tell(plugin, "ses_two", sooner)
      await sees(root, { ...waiting, until: isoOf(sooner.next) })
      // A session below it is working.
      const properties = { info: { id: "ses_below", parentID: "ses_two" } }
      await plugin.hooks.event?.({ event: { type: "session.created", properties } as never })
      await tell(plugin, "ses_below", { type: "busy" })
      await sees(root, { kind: "working" })
    }))
})

describe("a wait for a subagent is its task's", () => {
  const BELOW = "ses_below"
  const plan = inSections(2)
  const QUICK = { continuation: { cooldown_seconds: 0 } }
  const tell = (plugin: PluginInProcess, type: string, properties: object) =>
    plugin.hooks.event?.({ event: { type, properties } as never })
  const waits = (plugin: PluginInProcess, sessionID: string, next = Date.now() + 5 * HOUR) =>
    tell(plugin, "session.status", {
      sessionID,
      status: { type: "retry", attempt: 1, message: "slow down", next },
    })
  async function begun(plugin: PluginInProcess, key: string, child: string): Promise<void> {
    const call = { tool: "task", sessionID: LEAD, callID: `call_${key}` }
    const args = { description: key, prompt: "do it", subagent_type: "general" }
    await plugin.hooks["tool.execute.before"]?.(call, { args })
    const state = { status: "running", input: args, metadata: { sessionId: child } }
    await tell(plugin, "message.part.updated", { part: { type: "tool", ...call, state } })
  }
  const standing = async (root: string) => {
    const [store, journal] = [openFileBoulderStore({ root }), openJournal({ root })]
    const plans = openPlanFiles({ root, now: Date.now })
    const since = isoOf(0)
    const given = { leadId: LEAD, since, store, plans, journal, now: Date.now }
    const live = openLiveFiles({ root })
    return (await observeWork({ ...given, live, emit: () => undefined }).look(true)).kind
  }
  const reasonsOf = async (root: string) =>
    (await openJournal({ root }).readLast(9)).entries
      .filter(({ reason }) => reason === "provider-wait")
      .map(({ decision, facts }) => `${decision} ${facts["task"]}`)

  test("one of two: its task has the time, the work and the other go on", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await begun(plugin, "todo:1", CHILD)
      await begun(plugin, "todo:2", "ses_two")
      const next = Date.now() + 5 * HOUR
      await waits(plugin, CHILD, next)
      const { limited, task_sessions, dispatches } = await work()
      expect(limited).toBeNull()
      expect(task_sessions["todo:1"]).toMatchObject({
        ...{ session_id: CHILD, status: "interrupted", attempts: 0, failures: 0 },
        interrupted: { until: isoOf(next) },
      })
      expect(task_sessions["todo:2"]).toBeUndefined()
      expect(Object.keys(dispatches)).toHaveLength(2)
      expect(await standing(root)).toBe("going")
      expect(await reasonsOf(root)).toEqual(["notice todo:1"])
      expect(plugin.toasts.at(-1)).toMatch(/^The subagent of todo:1 waits for the provider until /)
      // The other one waits too, in a session below it: then nothing goes on.
      await tell(plugin, "session.created", { info: { id: BELOW, parentID: "ses_two" } })
      await waits(plugin, BELOW, next + HOUR)
      expect(await standing(root)).toBe("waits")
      expect(await reasonsOf(root)).toEqual(["notice todo:1", "rest todo:2"])
      // Until the first of them goes on.
      expect(plugin.toasts.at(-1)).toBe(hostWaitNotice("demo", isoOf(next)))
      const lead = {
        waitingFor: null,
        asks: null,
        session: null,
        backsOffUntil: null,
        hostWaitsUntil: null,
      }
      const state = workStateOf(await work(), lead, { more: null, now: Date.now() })
      expect(state).toEqual({ kind: "waiting", for: "provider", until: isoOf(next) })
      await plugin.hooks.dispose?.()
    }))

  test("of one of two below a subagent: only once the other works no more", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await begun(plugin, "todo:1", CHILD)
      const WORKS = "ses_works"
      const part = (callID: string) => ({ type: "tool", tool: "task", callID, sessionID: CHILD })
      const status = (sessionID: string, type: string) =>
        tell(plugin, "session.status", { sessionID, status: { type } })
      await tell(plugin, "session.created", { info: { id: CHILD, parentID: LEAD } })
      await status(CHILD, "busy")
      for (const id of [WORKS, BELOW]) {
        const state = { status: "running", input: {}, metadata: { sessionId: id } }
        await tell(plugin, "message.part.updated", { part: { ...part(`call_${id}`), state } })
        await tell(plugin, "session.created", { info: { id, parentID: CHILD } })
        await status(id, "busy")
      }
      const next = Date.now() + 5 * HOUR
      await waits(plugin, BELOW, next)
      expect(await standing(root)).toBe("going")
      expect((await work()).task_sessions["todo:1"]).toBeUndefined()
      await status(WORKS, "idle")
      for (let times = 0; times < 2; times++)
        await tell(plugin, "session.idle", { sessionID: WORKS })
      expect(await standing(root)).toBe("waits")
      expect((await work()).task_sessions["todo:1"]).toMatchObject({
        interrupted: { until: isoOf(next) },
      })
      expect(await reasonsOf(root)).toEqual(["notice todo:1", "rest todo:1"])
      await plugin.hooks.dispose?.()
    }))

  test("of one below a subagent: as soon as the tool beside its call is over", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await begun(plugin, "todo:1", CHILD)
      await tell(plugin, "session.created", { info: { id: CHILD, parentID: LEAD } })
      await tell(plugin, "session.status", { sessionID: CHILD, status: { type: "busy" } })
      const tool = (name: string, status: string, metadata: object = {}) =>
        tell(plugin, "message.part.updated", {
          part: {
            ...{ type: "tool", tool: name, callID: `call_${name}`, sessionID: CHILD },
            state: { status, input: {}, metadata },
          },
        })
      await tool("bash", "running")
      await tool("task", "running", { sessionId: BELOW })
      await tell(plugin, "session.created", { info: { id: BELOW, parentID: CHILD } })
      const next = Date.now() + 5 * HOUR
      await waits(plugin, BELOW, next)
      expect(await standing(root)).toBe("going")
      await tool("bash", "completed")
      expect(await standing(root)).toBe("waits")
      expect((await work()).task_sessions["todo:1"]).toMatchObject({
        interrupted: { until: isoOf(next) },
      })
      expect(await reasonsOf(root)).toEqual(["notice todo:1", "rest todo:1"])
      await plugin.hooks.dispose?.()
    }))

  test("of a fresh one: it is the session that is kept, and not the task's older one", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_old" })
      await begun(plugin, "todo:1", CHILD)
      await waits(plugin, CHILD)
      const { "todo:1": kept } = (await work()).task_sessions
      expect(kept).toMatchObject({ session_id: CHILD, status: "interrupted", attempts: 1 })
      await plugin.hooks.dispose?.()
    }))

  test("it comes back: its task waits no more", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await plugin.delegate({
        ...{ lead: LEAD, key: "todo:1", child: CHILD },
        during: async () => waits(plugin, CHILD),
      })
      expect((await work()).task_sessions["todo:1"]).toMatchObject({ status: "returned" })
      expect((await work()).task_sessions["todo:1"]).not.toHaveProperty("interrupted")
      // Begun again with another model while the old limit lasts: nothing waits.
      expect(await standing(root)).toBe("going")
      await plugin.hooks.dispose?.()
    }))

  test("opencode dies meanwhile: the other task goes on, and the session is offered behind the wait", () =>
    withFolder(async (root) => {
      const clock = { ahead: 0 }
      const { plugin, work } = await started(root, plan)
      await begun(plugin, "todo:1", CHILD)
      await waits(plugin, CHILD)
      expect(await standing(root)).toBe("waits")
      await plugin.hooks.dispose?.()
      const session = async (id: string) => {
        const parentId = id === CHILD ? LEAD : null
        return { id, agent: null, title: id, parentId }
      }
      const now = () => Date.now() + clock.ahead
      const again = openPlugin(root, { ...readOptions(QUICK), now }, { session })
      await again.fallIdle(LEAD)
      expect(again.prompts).toHaveLength(1)
      expect((await work()).pause_reason).toBeNull()
      expect(again.prompts[0]).toMatch(/todo:2 ".*todo:1 "/s)
      expect(again.prompts[0]).not.toContain(CHILD)
      expect(await standing(root)).toBe("going")
      clock.ahead = 6 * HOUR
      await again.fallIdle(LEAD)
      expect(again.prompts[1]).toContain(`Preferred reuse session for todo:1: ${CHILD}`)
      await again.hooks.dispose?.()
    }))
})
