import { describe, expect, test } from "bun:test"
import { readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { openPlugin, type PluginInProcess, shellIn } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const HOUR_MS = 3_600_000

const tell = async (plugin: PluginInProcess, type: string, given: object) => {
  const properties = { sessionID: LEAD, ...given }
  await plugin.hooks.event?.({ event: { type, properties } as never })
}
const stopped = { name: "MessageAbortedError", data: { message: "Aborted" } }

// As the real 1.18.33 does it: what it tells of a turn that it ends is what it tells of ESC, and `dispose` comes behind.
test.each([
  { turn: "a turn", waits: false, behindMs: 0 },
  { turn: "a turn, so long behind its stop as the host takes", waits: false, behindMs: 140 },
  { turn: "a wait for the provider", waits: true, behindMs: 0 },
])(
  "a folder that is disposed of in $turn is not stopped by its user: the work is taken up again",
  ({ waits, behindMs }) =>
    withFolder(async (root) => {
      const clock = { ahead: 0 }
      const begun = Date.now()
      const now = () => begun + clock.ahead
      const { plugin, work } = await started(root, inSections(2), {}, {}, { now })
      await tell(plugin, "session.status", { status: { type: "busy" } })
      const next = now() + HOUR_MS
      if (waits) await tell(plugin, "session.status", { status: { type: "retry", next } })
      else await tell(plugin, "session.error", { error: stopped })
      clock.ahead = 1
      const idle = plugin.fallIdle(LEAD)
      if (behindMs > 0) await Bun.sleep(behindMs)
      clock.ahead = behindMs
      await plugin.hooks.dispose?.()
      await idle
      expect(await work()).toMatchObject({ status: "active", pause_reason: null })
      if (waits)
        expect((await work()).limited).toMatchObject({ until: new Date(next).toISOString() })
      // It was written down as the host writes a stopped turn down.
      const lastTurn = {
        ...{
          messageId: "msg_1",
          createdAt: now() - 1_000,
          ours: true,
          error: "MessageAbortedError",
        },
        ...{ ended: true, contextTokens: 10, isSummary: false, isUnanswered: false },
      }
      const nobody = { agent: null, model: null, variant: null }
      const again = openPlugin(
        root,
        { ...readOptions({ continuation: { cooldown_seconds: 0 } }), now },
        {
          lastTurn: async () => ({ lastTurn, failure: null, identity: nobody, model: null }),
        },
      )
      clock.ahead = 2 * HOUR_MS
      await again.fallIdle(LEAD)
      expect(await work()).toMatchObject({ status: "active", pause_reason: null })
      expect(again.prompts).toHaveLength(1)
      await again.hooks.dispose?.()
    }),
)

// What paused the work ends by itself here, and the host still tells of the turn's end.
test.each([
  { by: "the end of opencode", act: (plugin: PluginInProcess) => plugin.hooks.dispose?.() },
  {
    by: "a message of the user's behind ESC",
    act: (plugin: PluginInProcess) => plugin.say(LEAD, "on"),
  },
])(
  "a stop while the plan is away, taken back by $by, does not stop it once the plan is back",
  ({ act }) =>
    withFolder(async (root) => {
      const clock = { ahead: 0 }
      const now = () => Date.now() + clock.ahead
      const { plugin, work } = await started(root, inSections(2), {}, {}, { now })
      const plan = join(root, (await work()).active_plan)
      await rename(plan, `${plan}.away`)
      await plugin.fallIdle(LEAD)
      expect(await work()).toMatchObject({ status: "paused", pause_reason: "plan-unavailable" })
      clock.ahead += HOUR_MS
      const createdAt = now()
      await tell(plugin, "session.status", { status: { type: "busy" } })
      await tell(plugin, "session.error", { error: stopped })
      await act(plugin)
      await rename(`${plan}.away`, plan)
      const lastTurn = {
        ...{ messageId: "msg_1", createdAt: createdAt - 1, ours: true, error: stopped.name },
        ...{ ended: true, contextTokens: 10, isSummary: false, isUnanswered: false },
      }
      const identity = { agent: null, model: null, variant: null }
      const again = openPlugin(
        root,
        { ...readOptions({ continuation: { cooldown_seconds: 0 } }), now },
        { lastTurn: async () => ({ lastTurn, failure: null, identity, model: null }) },
      )
      clock.ahead += HOUR_MS
      await again.fallIdle(LEAD)
      expect(await work()).toMatchObject({ status: "active", pause_reason: null })
      await again.hooks.dispose?.()
    }),
)

test("nor is it on a slow disk", () =>
  withFolder(async (root) => {
    const slow = { ms: 0 }
    const { store } = shellIn(root)
    const read = async () => {
      await Bun.sleep(slow.ms)
      return store.read()
    }
    const { plugin, work } = await started(
      root,
      inSections(2),
      {},
      {},
      { store: { ...store, read } },
    )
    await tell(plugin, "session.status", { status: { type: "busy" } })
    slow.ms = 1_000
    await tell(plugin, "session.error", { error: stopped })
    const idle = plugin.fallIdle(LEAD)
    await plugin.hooks.dispose?.()
    await idle
    expect(await work()).toMatchObject({ status: "active", pause_reason: null })
  }))

test("a stop that the host's end does not follow is the user's, also in an opencode that begins anew", () =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, inSections(2))
    await tell(plugin, "session.status", { status: { type: "busy" } })
    await tell(plugin, "session.error", { error: stopped })
    await plugin.fallIdle(LEAD)
    expect(await work()).toMatchObject({ status: "paused", pause_reason: "aborted" })
    await plugin.hooks.dispose?.()
    expect(await work()).toMatchObject({ status: "paused", pause_reason: "aborted" })
  }))

describe("ESC, and opencode ends within the half second that it is held", () => {
  const nobody = { agent: null, model: null, variant: null }
  test.each([
    { turn: "a turn", waits: false },
    { turn: "a wait for the provider", waits: true },
  ])("in $turn: it is on disk, and holds in an opencode that begins anew", ({ waits }) =>
    withFolder(async (root) => {
      const clock = { ahead: 0 }
      const now = () => Date.now() + clock.ahead
      const { plugin, work } = await started(root, inSections(2), {}, {}, { now })
      await tell(plugin, "session.status", { status: { type: "busy" } })
      const next = now() + HOUR_MS
      if (waits) await tell(plugin, "session.status", { status: { type: "retry", next } })
      else await tell(plugin, "session.error", { error: stopped })
      const idle = plugin.fallIdle(LEAD)
      clock.ahead += 400
      await plugin.hooks.dispose?.()
      await idle
      expect(await work()).toMatchObject({ status: "paused", pause_reason: "aborted" })
      const journal = await readFile(join(root, ".boulder/journal.jsonl"), "utf8")
      expect(journal.match(/"reason":"aborted"/g)).toHaveLength(1)
      const answers = {
        lastTurn: async () => ({ lastTurn: null, failure: null, identity: nobody, model: null }),
      }
      const again = openPlugin(root, { ...readOptions({}), now }, answers)
      clock.ahead += 2 * HOUR_MS
      await again.fallIdle(LEAD)
      expect(again.prompts).toEqual([])
      expect((await work()).pause_reason).toBe("aborted")
      await again.hooks.dispose?.()
    }),
  )
  test("what a person has said since counts for more", () =>
    withFolder(async (root) => {
      const clock = { ahead: 0 }
      const now = () => Date.now() + clock.ahead
      const { plugin, work } = await started(root, inSections(2), {}, {}, { now })
      await tell(plugin, "session.status", { status: { type: "busy" } })
      await tell(plugin, "session.error", { error: stopped })
      const idle = plugin.fallIdle(LEAD)
      clock.ahead += 100
      await plugin.say(LEAD, "rather do it so")
      clock.ahead += 300
      await plugin.hooks.dispose?.()
      await idle
      expect(await work()).toMatchObject({ status: "active", pause_reason: null })
    }))
})

test.each([
  { act: "a message of the user's", reason: null },
  { act: "/stop-work", command: "stop-work", reason: "stopped-by-user" },
  // It asks, and sets nothing going: the stop stands.
  { act: "/work-status", command: "work-status", reason: "aborted" },
])("13i: ESC directly followed by $act: that counts", ({ command, reason }) =>
  withFolder(async (root) => {
    const { plugin, work } = await started(root, inSections(2))
    await tell(plugin, "session.status", { status: { type: "busy" } })
    await tell(plugin, "session.error", { error: stopped })
    const idle = plugin.fallIdle(LEAD)
    if (command === undefined) await plugin.say(LEAD, "rather do it so")
    else {
      const output: { parts: object[] } = { parts: [] }
      const typed = { command, sessionID: LEAD, arguments: "" }
      await plugin.hooks["command.execute.before"]?.(typed, output as never)
      await plugin.say(LEAD, output.parts.map((part) => Reflect.get(part, "text")).join(""))
    }
    await idle
    if (command !== undefined) await plugin.fallIdle(LEAD)
    expect(plugin.prompts).toEqual([])
    expect((await work()).pause_reason).toBe(reason)
    await plugin.hooks.dispose?.()
  }),
)
