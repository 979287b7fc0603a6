import { describe, expect, test } from "bun:test"
import type { FailedTurn, LastTurn } from "../../src/decide/situation.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { HostCallError, type SessionApi } from "../../src/opencode/host/session-api.ts"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { inSections, LEAD, started, ticked } from "../support/long-run-project.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/** How often a limit of the provider is tried, and what gives the attempts back. */

const HOUR_MS = 3_600_000
const CHILD = "ses_child"
const QUICK = {
  continuation: { cooldown_seconds: 0, backoff_seconds: 0 },
  orchestrator_writes: "allow",
}

const tell = (plugin: PluginInProcess, type: string, properties: object) =>
  plugin.hooks.event?.({ event: { type, properties } as never })
const usedUp = (seconds: number | null) => ({
  name: "APIError",
  data: {
    message: "used up",
    statusCode: 429,
    responseBody: JSON.stringify({
      error: {
        type: "usage_limit_reached",
        ...(seconds === null ? {} : { resets_in_seconds: seconds }),
      },
    }),
  },
})
const BAD_GATEWAY = { name: "APIError", data: { message: "Bad gateway", statusCode: 502 } }

/** A turn of the lead's that ends in an error. */
async function fails(plugin: PluginInProcess, error: object): Promise<void> {
  await tell(plugin, "session.status", { sessionID: LEAD, status: { type: "busy" } })
  await tell(plugin, "session.error", { sessionID: LEAD, error })
  await plugin.fallIdle(LEAD)
}

interface Scene {
  readonly project: Awaited<ReturnType<typeof started>>
  /** Sets the clock ahead. */
  readonly wait: (ms: number) => void
  /** How the host tells of the last turn from now on; null where it says nothing. */
  readonly lastTurn: (turn: Partial<LastTurn> | null, failure?: FailedTurn | null) => void
  /** The same project in a process that has just begun. */
  readonly anew: () => PluginInProcess
  readonly now: () => number
}

function alone(
  run: (scene: Scene) => Promise<void>,
  more: Partial<SessionApi> = {},
): Promise<void> {
  return withFolder(async (root) => {
    const clock = { ahead: 0, turns: 0 }
    const now = () => Date.now() + clock.ahead
    const told: { lastTurn: LastTurn | null; failure: FailedTurn | null } = {
      lastTurn: null,
      failure: null,
    }
    const identity = { agent: null, model: null, variant: null }
    const answers = {
      lastTurn: async () => ({ ...told, identity, model: null }),
      session: async (id: string) => ({
        ...{ id, agent: null, title: id },
        parentId: id === LEAD ? null : LEAD,
      }),
      ...more,
    }
    const given: Partial<Shell> = { now, tree: async () => `${clock.turns}` }
    const project = await started(root, inSections(8), QUICK, answers, given)
    const opened = [project.plugin]
    await run({
      project,
      now,
      wait(ms) {
        clock.ahead += ms
      },
      lastTurn(turn, failure = null) {
        clock.turns += 1
        const whole = {
          ...{ messageId: `msg_${clock.turns}`, createdAt: now(), ours: true, error: null },
          ...{ ended: true, contextTokens: 10, isSummary: false, isUnanswered: false },
        }
        told.lastTurn = turn === null ? null : { ...whole, ...turn }
        told.failure = failure
      },
      anew() {
        const plugin = openPlugin(root, { ...readOptions(QUICK), ...given }, answers)
        opened.push(plugin)
        return plugin
      },
    })
    for (const plugin of opened) await plugin.hooks.dispose?.()
  })
}

/** The provider answers the lead, which delegates one task after the other and ticks each. */
async function worksOn(plugin: PluginInProcess, { project }: Scene, upTo: number): Promise<void> {
  await tell(plugin, "session.status", { sessionID: LEAD, status: { type: "busy" } })
  for (const label of [upTo - 1, upTo]) {
    await plugin.tellTokens(LEAD, 5_000 + label, 0.1)
    await plugin.delegate({ lead: LEAD, key: `todo:${label}`, child: `ses_${label}` })
    const done = Array.from({ length: label }, (_, index) => index + 1)
    await project.edit(ticked(inSections(8), ...done))
    await plugin.use(LEAD, "bash")
  }
}

describe("attempts behind a limit of the lead's", () => {
  test("are given back by its first answer: opencode ends in two long turns behind it, and the work goes on", () =>
    alone(async (scene) => {
      const { project, wait, lastTurn, anew } = scene
      let { plugin } = project
      await fails(plugin, usedUp(3_600))
      expect((await project.work()).pause_reason).toBe("usage-limited")
      wait(2 * HOUR_MS)
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
      for (const label of [2, 4]) {
        await worksOn(plugin, scene, label)
        expect((await project.work()).limited).toBeNull()
        wait(3 * HOUR_MS)
        await plugin.hooks.dispose?.()
        lastTurn({ ended: false })
        plugin = anew()
        wait(60_000)
        await plugin.fallIdle(LEAD)
        await Bun.sleep(1_500)
        expect(await project.work()).toMatchObject({ status: "active", pause_reason: null })
        expect(plugin.prompts).toHaveLength(1)
      }
    }))
  test("and so a failure of a moment at the end of such a turn is one, no limit", () =>
    alone(async (scene) => {
      const { project, wait, lastTurn, now } = scene
      const { plugin, work } = project
      await fails(plugin, usedUp(3_600))
      wait(2 * HOUR_MS)
      await plugin.fallIdle(LEAD)
      for (const label of [2, 4]) {
        await worksOn(plugin, scene, label)
        wait(3 * HOUR_MS)
        lastTurn({ error: "APIError" }, { kind: "transient", words: "Bad gateway", at: now() })
        await fails(plugin, BAD_GATEWAY)
        expect(await work()).toMatchObject({ status: "active", limited: null })
      }
    }))
  test("also by an answer whose provider tells no usage", () =>
    alone(async ({ project: { plugin, work }, wait }) => {
      await fails(plugin, usedUp(3_600))
      wait(2 * HOUR_MS)
      await plugin.fallIdle(LEAD)
      expect((await work()).limited).toMatchObject({ attempts: 1 })
      await plugin.tellTokens(LEAD, 0)
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      expect((await work()).limited).toBeNull()
    }))
  test("a new limit behind an hour of answers has two again", () =>
    alone(async (scene) => {
      const { project, wait } = scene
      const { plugin, work } = project
      for (const label of [2, 4, 6]) {
        await fails(plugin, usedUp(3_600))
        expect(await work()).toMatchObject({
          pause_reason: "usage-limited",
          limited: { attempts: 0 },
        })
        wait(2 * HOUR_MS)
        await plugin.fallIdle(LEAD)
        expect((await work()).limited).toMatchObject({ attempts: 1 })
        await worksOn(plugin, scene, label)
        wait(HOUR_MS)
      }
      expect(plugin.prompts).toHaveLength(3)
    }))
  test.each([{ seconds: 3_600 }, { seconds: null }])(
    "are two where it answers nothing between, then a person is needed ($seconds s)",
    ({ seconds }) =>
      alone(async ({ project: { plugin, work }, wait }) => {
        for (let times = 0; times < 5; times++) {
          await fails(plugin, usedUp(seconds))
          wait(2 * HOUR_MS)
          await plugin.fallIdle(LEAD)
        }
        expect(plugin.prompts).toHaveLength(2)
        expect(await work()).toMatchObject({
          pause_reason: "usage-limited",
          limited: { attempts: 2, goes_on_at: null },
        })
        await plugin.say(LEAD, "go on")
        expect(await work()).toMatchObject({ status: "active", limited: null })
      }),
  )
  test("an answer of before the limit gives none back, nor one that has failed", () =>
    alone(async ({ project: { plugin, work }, wait, now }) => {
      await fails(plugin, usedUp(3_600))
      const before = now() - 1_000
      wait(2 * HOUR_MS)
      await plugin.fallIdle(LEAD)
      const usage = { input: 9, output: 9, reasoning: 0, cache: { read: 0, write: 0 } }
      const info = { sessionID: LEAD, role: "assistant", tokens: usage, cost: 0.1 }
      const old = { ...info, id: "msg_old", time: { created: before, completed: before } }
      const time = { created: now(), completed: now() }
      const failed = { ...info, id: "msg_failed", error: usedUp(null), time }
      const nothing = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
      const cutOff = { ...info, id: "msg_cut", tokens: nothing, cost: 0, time }
      for (const one of [old, failed, cutOff]) await tell(plugin, "message.updated", { info: one })
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      expect((await work()).limited).toMatchObject({ attempts: 1 })
    }))
})

/** A `task` call that a limit of its subagent's provider ends, behind some answers of that. */
async function childLimited(
  plugin: PluginInProcess,
  { key = "todo:1", child = CHILD, seconds = null as number | null, answers = 0 },
): Promise<void> {
  const call = { tool: "task", sessionID: LEAD, callID: `call_${key}_${Math.random()}` }
  const args = { description: key, prompt: "do it", subagent_type: "general" }
  await tell(plugin, "session.created", { info: { id: child, parentID: LEAD } })
  await plugin.hooks["tool.execute.before"]?.(call, { args })
  const metadata = { sessionId: child }
  const part = (state: object) =>
    tell(plugin, "message.part.updated", {
      part: { type: "tool", tool: "task", sessionID: LEAD, callID: call.callID, state },
    })
  await part({ status: "running", input: args, metadata })
  for (let times = 0; times < answers; times++) await plugin.tellTokens(child, 1_000, 0.01)
  await tell(plugin, "session.error", { sessionID: child, error: usedUp(seconds) })
  await part({ status: "error", error: "used up", input: args, metadata })
}

describe("attempts are those of requests that the provider has got", () => {
  const rest = ticked(inSections(8), 2, 3, 4, 5, 6, 7, 8)
  test.each([{ times: 1 }, { times: 2 }])(
    "a task that is delegated again while its limit lasts ($times times) has them all behind it",
    ({ times }) =>
      alone(async ({ project: { plugin, work, edit }, wait }) => {
        await edit(rest)
        for (let time = 0; time <= times; time++) {
          await childLimited(plugin, { seconds: 3_600 - time })
          wait(1_000)
        }
        await plugin.fallIdle(LEAD)
        expect(plugin.prompts).toHaveLength(0)
        expect((await work()).limited).toMatchObject({ goes_on_at: expect.any(String) })
        wait(HOUR_MS + 90_000)
        await plugin.fallIdle(LEAD)
        expect(plugin.prompts).toHaveLength(1)
      }),
  )
  test("calls that the host refuses before they have a child take none", () =>
    alone(async ({ project: { plugin, work, edit }, wait }) => {
      await childLimited(plugin, { seconds: 3_600 })
      wait(2 * HOUR_MS)
      const input = { description: "todo:1", prompt: "do it", subagent_type: "nobody" }
      for (const callID of ["call_1", "call_2"]) {
        const call = { tool: "task", sessionID: LEAD, callID }
        await plugin.hooks["tool.execute.before"]?.(call, { args: input })
        const state = { status: "error", error: "Unknown agent type: nobody", input }
        const part = { type: "tool", tool: "task", sessionID: LEAD, callID, state }
        await tell(plugin, "message.part.updated", { part })
      }
      await edit(rest)
      await plugin.fallIdle(LEAD)
      expect((await work()).pause_reason).toBeNull()
      expect(plugin.prompts).toHaveLength(1)
    }))
  test("prompts that the host refuses take none", () => {
    const refused = { times: 0 }
    const prompt = async () => {
      if (refused.times++ < 2) throw new HostCallError("session.promptAsync: 503")
    }
    return alone(
      async ({ project: { plugin, work }, wait }) => {
        await fails(plugin, usedUp(3_600))
        wait(2 * HOUR_MS)
        for (let looks = 0; looks < 6 && refused.times < 3; looks++) {
          await plugin.fallIdle(LEAD)
          wait(120_000)
        }
        expect(refused.times).toBe(3)
        expect(await work()).toMatchObject({ status: "active", limited: { attempts: 1 } })
      },
      { prompt },
    )
  })
})

describe("attempts behind a limit of a task's subagent", () => {
  const others = ticked(inSections(8), 2, 3, 4, 5, 6, 7, 8)
  test.each([{ seconds: null }, { seconds: 3_600 }])(
    "are two, as the lead's are, then a person is needed ($seconds s)",
    ({ seconds }) =>
      alone(async ({ project: { plugin, work, edit }, wait }) => {
        await edit(others)
        for (let times = 0; times < 8; times++) {
          await childLimited(plugin, { seconds })
          await plugin.fallIdle(LEAD)
          wait(HOUR_MS + 90_000)
          // The lead itself is answered all the while.
          const before = plugin.prompts.length
          await plugin.fallIdle(LEAD)
          if (plugin.prompts.length === before) break
          await plugin.tellTokens(LEAD, 5_000, 0.1)
        }
        expect(plugin.prompts).toHaveLength(2)
        const { pause_reason, limited, task_sessions } = await work()
        expect(pause_reason).toBe("usage-limited")
        expect(limited).toMatchObject({ goes_on_at: null })
        expect(task_sessions["todo:1"]?.interrupted).toMatchObject({ attempts: 2 })
        await plugin.say(LEAD, "go on")
        await plugin.fallIdle(LEAD)
        const after = await work()
        expect(after.status).toBe("active")
        expect(after.task_sessions["todo:1"]).not.toHaveProperty("interrupted")
        expect(plugin.prompts).toHaveLength(3)
      }),
  )
  test("are given back by its first answer, in whatever session", () =>
    alone(async ({ project: { plugin, work, edit }, wait }) => {
      await edit(others)
      for (let times = 0; times < 4; times++) {
        await childLimited(plugin, { child: `ses_${times}`, answers: times === 0 ? 0 : 1 })
        await plugin.fallIdle(LEAD)
        expect((await work()).task_sessions["todo:1"]?.interrupted).not.toHaveProperty("attempts")
        wait(HOUR_MS + 90_000)
        await plugin.fallIdle(LEAD)
        await plugin.tellTokens(LEAD, 5_000, 0.1)
      }
      expect(plugin.prompts).toHaveLength(4)
    }))
  test("a task that has taken them is left by the others, and says so; it holds the work up once it is the last", () =>
    alone(async ({ project: { plugin, work, edit }, wait }) => {
      for (let times = 0; times < 3; times++) {
        await childLimited(plugin, {})
        if (times === 2) break
        wait(HOUR_MS + 90_000)
        expect(await plugin.use(LEAD, "bash")).toContain("delegate its task again")
      }
      const told = await plugin.use(LEAD, "bash")
      expect(told).toContain(
        "The subagent of todo:1 reached its provider's limit once more: leave its task, the user is asked.",
      )
      wait(9 * HOUR_MS)
      await plugin.fallIdle(LEAD)
      const [prompt = ""] = plugin.prompts
      expect(prompt).toContain('todo:2 "')
      expect(prompt).not.toContain("Preferred reuse session for todo:1")
      await edit(ticked(inSections(8), 2, 3, 4, 5, 6, 7))
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts.at(-1)).toContain(
        "  Every attempt hit the provider's usage limit. Leave it; the user has been asked.",
      )
      await edit(others)
      await plugin.fallIdle(LEAD)
      expect(await work()).toMatchObject({
        pause_reason: "usage-limited",
        limited: { goes_on_at: null },
      })
      expect(plugin.prompts).toHaveLength(2)
    }))
})
