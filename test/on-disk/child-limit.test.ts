import { describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { localTime } from "../../src/cli/terminal/local-time.ts"
import type { FailedTurn } from "../../src/decide/situation.ts"
import { minuteWords } from "../../src/prompts/pause-words.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { inSections, LEAD, PLAN, started } from "../support/long-run-project.ts"
import { limitedChild, refusedTurn } from "../support/our-turns.ts"
import type { PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const HOUR_MS = 3_600_000
const CHILD = "ses_child"
const plan = inSections(2)

describe("a subagent's limit is its task's", () => {
  test("its session is kept with the time, as no failure, and the orchestrator is told; the others go on", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await limitedChild(plugin, "todo:1", CHILD, 3_600)
      const { task_sessions, dispatches, status } = await work()
      expect(task_sessions["todo:1"]).toMatchObject({
        session_id: CHILD,
        status: "interrupted",
        failures: 0,
        attempts: 0,
      })
      const { since, until } = task_sessions["todo:1"]?.interrupted ?? { since: "", until: "" }
      expect(Date.parse(until) - Date.parse(since)).toBe(HOUR_MS)
      expect(dispatches).toEqual({})
      expect(status).toBe("active")
      const told = await plugin.use(LEAD, "bash")
      expect(told).toContain(
        "The subagent of todo:1 reached its provider's limit, which lasts until ",
      )
      expect(await plugin.use(LEAD, "bash")).not.toContain("limit")
      expect(await readFile(join(root, ".boulder/journal.jsonl"), "utf8")).toContain(
        "subagent-limited",
      )
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
      const [prompt = ""] = plugin.prompts
      expect(prompt.indexOf("todo:2")).toBeGreaterThan(-1)
      expect(prompt.indexOf("todo:2")).toBeLessThan(prompt.lastIndexOf("todo:1"))
    }))

  test("told behind its end, it is over by then, and the next text offers its session", () =>
    withFolder(async (root) => {
      const clock = { ahead: 0 }
      const now = () => Date.now() + clock.ahead
      const session = async (id: string) => {
        const parentId = id === CHILD ? LEAD : null
        return { id, agent: null, title: id, parentId }
      }
      const { plugin } = await started(root, plan, {}, { session }, { now })
      await limitedChild(plugin, "todo:1", CHILD, 3_600)
      clock.ahead = 2 * HOUR_MS
      expect(await plugin.use(LEAD, "bash")).toContain(
        "The subagent of todo:1 was ended by its provider's limit, which is over: delegate its task again.",
      )
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts[0]).toContain(`Preferred reuse session for todo:1: ${CHILD}`)
      await plugin.hooks.dispose?.()
    }))

  test("where every task waits for one, the work does, and goes on by itself behind the first", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await limitedChild(plugin, "todo:1", CHILD, 7_200)
      await limitedChild(plugin, "todo:2", "ses_two", 3_600)
      await plugin.fallIdle(LEAD)
      const { pause_reason, limited: wait, task_sessions } = await work()
      expect(pause_reason).toBe("usage-limited")
      expect(wait?.until).toBe(task_sessions["todo:2"]?.interrupted?.until ?? "")
      expect(Date.parse(wait?.goes_on_at ?? "")).toBeGreaterThan(Date.parse(wait?.until ?? ""))
      expect(plugin.prompts).toEqual([])
      // A person's word counts for more.
      await plugin.say(LEAD, "go on")
      await plugin.fallIdle(LEAD)
      expect((await work()).status).toBe("active")
      await plugin.hooks.dispose?.()
    }))

  test("a result ends it, in whatever session", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await limitedChild(plugin, "todo:1", CHILD, 3_600)
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      const session = (await work()).task_sessions["todo:1"]
      expect(session).toMatchObject({ session_id: CHILD, status: "returned", attempts: 1 })
      expect(session).not.toHaveProperty("interrupted")
    }))

  test("the same session is offered behind its end, and not before", () =>
    withFolder(async (root) => {
      let ahead = 0
      const session = async (id: string) => ({
        ...{ id, agent: null, title: id },
        parentId: id === CHILD ? LEAD : null,
      })
      const now = () => Date.now() + ahead
      const { plugin, work } = await started(root, plan, {}, { session }, { now })
      await limitedChild(plugin, "todo:1", CHILD, 3_600)
      const until = minuteWords((await work()).task_sessions["todo:1"]?.interrupted?.until ?? "")
      const offer = `Preferred reuse session for todo:1: ${CHILD}`
      for (const [at, isOffered] of [
        [0.5 * HOUR_MS, false],
        [2 * HOUR_MS, true],
      ] as const) {
        ahead = at
        await plugin.fallIdle(LEAD)
        const prompt = plugin.prompts.at(-1) ?? ""
        expect(prompt).toContain('todo:1 "')
        expect(prompt.includes(offer)).toBe(isOffered)
        const waits = `  It waits for its provider's limit until ${until}: leave it until then.`
        expect(prompt.includes(waits)).toBe(!isOffered)
      }
      expect(plugin.prompts).toHaveLength(2)
    }))

  test("a host that reports it as come back tells by the session's last message", () =>
    withFolder(async (root) => {
      const at = Date.now()
      const failure: FailedTurn = { kind: "limited", until: at + HOUR_MS, words: "used up", at }
      const lastTurn = refusedTurn(at)
      const identity = { agent: null, model: null, variant: null }
      const answers = { lastTurn: async () => ({ lastTurn, failure, identity, model: null }) }
      const { plugin, work } = await started(root, plan, {}, answers)
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      expect((await work()).task_sessions["todo:1"]).toMatchObject({
        session_id: CHILD,
        status: "interrupted",
      })
    }))

  test("its person is told of the limit, and once every attempt has met it, that the task waits for them", () =>
    withFolder(async (root) => {
      let ahead = 0
      const { plugin, work } = await started(
        root,
        plan,
        { notify: { command: ["sh", "-c", "cat >> told.jsonl"] } },
        { session: sessionOf },
        { now: () => Date.now() + ahead },
      )
      const named = async () => [
        (await runInFolder(root, "status")).out,
        (await runInFolder(root, "works demo")).out,
        await statusIn(plugin),
      ]
      const notices: string[] = []
      for (const waits of [true, true, false]) {
        await limitedChild(plugin, "todo:1", CHILD, 3_600)
        const { until = "" } = (await work()).task_sessions["todo:1"]?.interrupted ?? {}
        notices.push(
          `The subagent of todo:1 reached its provider's limit. The task waits until ${minuteWords(until)}.`,
        )
        if (waits) ahead += HOUR_MS + 90_000
      }
      expect(plugin.toasts).toEqual([
        ...notices.slice(0, 2),
        "Every attempt at todo:1 reached the provider's limit. The task waits for you: type /start-work.",
      ])
      for (const text of await named())
        expect(text.replace(/\s+/g, " ")).toContain(
          "every attempt reached the provider's limit; it waits for you",
        )
      const told = await untilTold(root, 3)
      // Each program runs for itself: the order of their lines is theirs.
      expect(told.map(({ event, reason }) => `${event} ${reason}`).toSorted()).toEqual([
        "limit subagent-limit-spent",
        "limit subagent-limited",
        "limit subagent-limited",
      ])
      const spent = told.find(({ reason }) => reason === "subagent-limit-spent")
      expect(spent?.to_resume).toBe("type /start-work")
      await plugin.startWork(LEAD, PLAN)
      expect((await runInFolder(root, "status")).out).not.toContain("limited: todo:1")
      await plugin.hooks.dispose?.()
    }))

  test("status and works name the task and until when it waits", () =>
    withFolder(async (root) => {
      const { plugin, work } = await started(root, plan)
      await limitedChild(plugin, "todo:1", CHILD, 3_600)
      const until = (await work()).task_sessions["todo:1"]?.interrupted?.until ?? ""
      const waits = `waits for its provider's limit until ${localTime(until)}`
      expect((await runInFolder(root, "status")).out).toMatch(
        new RegExp(`limited: todo:1 .*: ${waits}`),
      )
      const { works } = JSON.parse((await runInFolder(root, "status --json")).out)
      expect(works[0].limited_tasks).toMatchObject([{ key: "todo:1", until }])
      expect((await runInFolder(root, "works demo")).out).toContain(waits)
      await plugin.hooks.dispose?.()
    }))
})

/** The child runs below the lead. */
const sessionOf = async (id: string) => ({
  ...{ id, agent: null, title: id },
  parentId: id === CHILD ? LEAD : null,
})

/** What `/work-status` answers. */
async function statusIn({ hooks }: PluginInProcess): Promise<string> {
  const output = { parts: [] }
  const call = { command: "work-status", sessionID: LEAD, arguments: "" }
  await hooks["command.execute.before"]?.(call, output)
  return JSON.stringify(output.parts)
}

interface Told {
  readonly event: string
  readonly reason: string
  readonly to_resume: string | null
}

/** What the user's program was told, once it was told so often. */
async function untilTold(root: string, times: number): Promise<readonly Told[]> {
  for (;;) {
    const text = await readFile(join(root, "told.jsonl"), "utf8").catch(() => "")
    const lines = text.split("\n").filter((line) => line !== "")
    if (lines.length >= times) return lines.map((line) => JSON.parse(line))
    await Bun.sleep(20)
  }
}
