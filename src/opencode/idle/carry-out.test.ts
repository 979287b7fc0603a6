import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { waitUntil } from "../../../test/support/host-wait.ts"
import { planOf, ticked } from "../../../test/support/plans.ts"
import { openPlugin, type PluginInProcess } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Work } from "../../boulder/boulder.ts"
import { openJournal } from "../../store/records/journal.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"
import { HostCallError, type SessionApi } from "../host/session-api.ts"
import { TimeLimitError } from "../host/time-limit.ts"

const PLAN = "plans/demo.md"
const CHILD = "ses_one"
const TWO = planOf("Write a", "Write b")
const MODEL = { providerId: "provider", modelId: "model" }

interface Scene {
  readonly root: string
  readonly plugin: PluginInProcess
  readonly write: (plan: string) => Promise<void>
  readonly work: () => Promise<Work | undefined>
  /** The last decision in the journal, with its reason. */
  readonly said: () => Promise<string | undefined>
  /** Waits until these are the last decisions, oldest first. */
  readonly untilSaid: (last: readonly string[]) => Promise<boolean>
}

function withLead(
  run: (scene: Scene) => Promise<void>,
  { api = {}, options = {} }: { api?: Partial<SessionApi>; options?: object } = {},
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const write = (plan: string) => writeFile(join(root, PLAN), plan)
    await write(TWO)
    const plugin = openPlugin(root, readOptions(options), api)
    await plugin.say(LEAD, await plugin.startWork(LEAD, PLAN))
    const scene: Scene = {
      root,
      plugin,
      write,
      work: async () => {
        const { boulder } = await openFileBoulderStore({ root }).read()
        return Object.values(boulder?.works ?? {})[0]
      },
      said: async () => (await lastSaid(root, 1))[0],
      untilSaid: (last) =>
        waitUntil(
          async () => {
            const said = await lastSaid(root, last.length)
            expect(said).toEqual(last)
            return true
          },
          () => "",
        ),
    }
    await run(scene)
    await plugin.hooks.dispose?.()
  })
}
/** The last decisions in the journal with their reasons, oldest first. */
async function lastSaid(root: string, count: number): Promise<readonly string[]> {
  const { entries } = await openJournal({ root }).readLast(count)
  return entries.map(({ decision, reason }) => `${decision} ${reason}`)
}

/** The newest revision that was published. */
function newestIn(root: string): number {
  const names = readdirSync(join(root, ".boulder"))
  return Math.max(...names.map((name) => Number(/^boulder\.json\.r(\d+)$/.exec(name)?.[1] ?? 0)))
}

const silent = async () => {
  throw new HostCallError("no answer")
}
/** The last turn as the host has it, with a full context; `model` is the session's. */
const full =
  (model: typeof MODEL | null): SessionApi["lastTurn"] =>
  async () => ({
    lastTurn: {
      ...{ messageId: "msg_1", createdAt: Date.now(), ours: true, error: null, ended: true },
      ...{ contextTokens: 60_000, isSummary: false, isUnanswered: false },
    },
    ...{ failure: null, identity: { agent: "build", model, variant: null }, model: null },
  })

test("what a text asks the host for is asked while the decision is brought to the disk", () => {
  const published: number[] = []
  let root = ""
  return withLead(
    async ({ plugin, root: its }) => {
      root = its
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      published.length = 0
      const before = newestIn(root)
      await plugin.fallIdle(LEAD)
      expect(published[0]).toBe(before + 1)
      expect(plugin.prompts.at(-1)).toContain(CHILD)
    },
    {
      api: {
        session: async (id) => {
          if (id === CHILD && root !== "") published.push(newestIn(root))
          return { id, parentId: id === CHILD ? LEAD : null, agent: null, title: id }
        },
      },
    },
  )
})

describe("what fails while a decision is shown is a second decision", () => {
  test("a prompt that the host does not take is a failure, and tried again", () =>
    withLead(
      async ({ plugin, work, said }) => {
        await plugin.fallIdle(LEAD)
        expect(await said()).toBe("retry prompt-failed")
        expect((await work())?.continuation).toMatchObject({ count: 0, failures: 1 })
      },
      { api: { prompt: silent } },
    ))

  test("a prompt that the host does not answer is one too, and may have been sent: it counts", () =>
    withLead(
      async ({ plugin, work, said }) => {
        await plugin.fallIdle(LEAD)
        expect(await said()).toBe("retry prompt-failed")
        expect((await work())?.continuation).toMatchObject({ count: 1, failures: 1 })
      },
      {
        api: {
          prompt: async () => {
            throw new TimeLimitError("session.promptAsync took over 2000 ms")
          },
        },
      },
    ))

  test("a prompt whose turn has begun is none, however late the host answers", () => {
    const tell: { of: PluginInProcess | null; turn: boolean } = { of: null, turn: false }
    const event = async (type: string, properties: object) =>
      tell.of?.hooks.event?.({ event: { type, properties } as never })
    return withLead(
      async ({ plugin, work, said }) => {
        tell.of = plugin
        await plugin.fallIdle(LEAD)
        expect(await said()).toBe("continue continue")
        tell.turn = true
        await event("session.idle", { sessionID: LEAD })
        expect((await work())?.continuation).toMatchObject({ failures: 0, failed_at: null })
      },
      {
        api: {
          lastTurn: async () => ({
            ...(await full(null)(LEAD)),
            ...(tell.turn ? {} : { lastTurn: null }),
          }),
          prompt: async () => {
            await event("session.status", { sessionID: LEAD, status: { type: "busy" } })
            throw new TimeLimitError("session.promptAsync took over 2000 ms")
          },
        },
      },
    )
  })

  const busy = { type: "session.status", properties: { sessionID: LEAD, status: { type: "busy" } } }
  const compacted = { type: "session.compacted", properties: { sessionID: LEAD } }
  const message = { id: "msg_ours", sessionID: LEAD, role: "user", agent: "build" }
  const metadata = { "opencode-boulder": "continuation" }
  const part = { type: "text", text: "go on", metadata, id: "prt_1", messageID: message.id }
  test.each([
    { name: "as a compaction ends", meanwhile: compacted, said: "retry superseded", count: 0 },
    { name: "as another turn begins", meanwhile: busy, said: "retry superseded", count: 0 },
    { name: "as its own message arrives", meanwhile: null, said: "continue continue", count: 1 },
  ])(
    "a prompt that the host refuses $name counts no failure: $said",
    ({ meanwhile, said: want, count }) => {
      const host: { of: PluginInProcess | null } = { of: null }
      return withLead(
        async ({ plugin, work, said }) => {
          host.of = plugin
          await plugin.fallIdle(LEAD)
          expect(await said()).toBe(want)
          expect((await work())?.continuation).toMatchObject({ count, failures: 0 })
        },
        {
          api: {
            prompt: async () => {
              const { event, "chat.message": received } = host.of?.hooks ?? {}
              if (meanwhile !== null) void event?.({ event: meanwhile as never })
              else await received?.({ sessionID: LEAD }, { message, parts: [part] } as never)
              throw new HostCallError("400 bad request")
            },
          },
        },
      )
    },
  )

  // Seen in opencode 1.18.33: a compaction that was requested as a turn ended made the work wait for a cooldown that no prompt had begun.
  test("a prompt that is not sent since a compaction has begun costs no cooldown: the next idle sends it", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      const lead: { of: PluginInProcess | null } = { of: null }
      const update: typeof store.update = async (change) => {
        const done = await store.update(change)
        void lead.of?.hooks.event?.({ event: busy as never })
        lead.of = null
        return done
      }
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
      await openPlugin(root).startWork(LEAD, "plans/demo.md")
      const plugin = openPlugin(root, {
        store: { ...store, update },
        ...readOptions({ continuation: { cooldown_seconds: 600 } }),
      })
      lead.of = plugin
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toEqual([])
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
      const [work] = Object.values((await store.read()).boulder?.works ?? {})
      expect(work?.continuation.count).toBe(1)
      await plugin.hooks.dispose?.()
    }))

  test("no prompt goes to a session that is deleted behind its reservation", () =>
    withFolder(async (root) => {
      const store = openFileBoulderStore({ root })
      const lead: { of: PluginInProcess | null } = { of: null }
      const update: typeof store.update = async (change) => {
        const done = await store.update(change)
        const properties = { info: { id: LEAD } } as never
        await lead.of?.hooks.event?.({ event: { type: "session.deleted", properties } })
        return done
      }
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
      await openPlugin(root).startWork(LEAD, "plans/demo.md")
      const plugin = openPlugin(root, { store: { ...store, update } })
      lead.of = plugin
      await plugin.fallIdle(LEAD)
      await Bun.sleep(1_200)
      expect(plugin.prompts).toEqual([])
      await plugin.hooks.dispose?.()
    }))

  test("a prompt that fails for a work that was stopped meanwhile counts nothing", () => {
    const stop: { of: PluginInProcess | null } = { of: null }
    return withLead(
      async ({ plugin, work, said }) => {
        stop.of = plugin
        await plugin.fallIdle(LEAD)
        expect(await said()).toBe("retry superseded")
        expect(await work()).toMatchObject({
          status: "paused",
          continuation: { count: 0, failures: 0 },
        })
      },
      {
        api: {
          prompt: async () => {
            const input = { command: "stop-work", sessionID: LEAD, arguments: "" }
            await stop.of?.hooks["command.execute.before"]?.(input, { parts: [] })
            throw new HostCallError("timed out")
          },
        },
      },
    )
  })

  test("a text that cannot be made leaves nothing reserved, and its session is looked at again", () => {
    let fails = false
    return withLead(
      async ({ plugin, work }) => {
        await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
        fails = true
        await plugin.fallIdle(LEAD)
        expect(plugin.logs.join()).toContain("a defect of ours")
        expect(plugin.prompts).toEqual([])
        expect((await work())?.continuation).toMatchObject({ count: 0, failures: 0 })
      },
      {
        api: {
          session: async (id) => {
            if (fails && id === CHILD) throw new TypeError("a defect of ours")
            return { id, parentId: id === CHILD ? LEAD : null, agent: null, title: id }
          },
        },
      },
    )
  })

  test.each([
    { name: "the host does not answer", api: { lastTurn: full(MODEL), compact: silent } },
    { name: "nobody knows the session's model", api: { lastTurn: full(null) } },
  ])("a compaction fails: $name, and the work continues without it", ({ api }) =>
    withLead(
      async ({ plugin, work, untilSaid }) => {
        await plugin.tellTokens(LEAD, 60_000)
        await plugin.use(LEAD, "bash")
        expect((await work())?.round.ended).toBe("soft-limit")
        await plugin.fallIdle(LEAD)
        // At once, by a timer of its own: another idle here would come before or after it.
        await untilSaid(["retry compaction-failed", "continue continue"])
        expect(plugin.prompts).toHaveLength(1)
      },
      {
        api,
        options: { continuation: { cooldown_seconds: 0 }, long_run: { token_soft_limit: 50_000 } },
      },
    ),
  )
})

test("a pause is said with what it waits for", () =>
  withLead(async ({ plugin, write, said }) => {
    await write(TWO.replaceAll("[ ]", "[~]").replace("Write a", "Write a\n  - BLOCKED: no key"))
    await plugin.fallIdle(LEAD)
    expect(await said()).toBe("pause only-blocked-left")
    expect(plugin.toasts.join("\n")).toContain("no key")
  }))

test("that the user has switched to another agent is said once", () => {
  const identity = { agent: "plan", model: null, variant: null }
  return withLead(
    async ({ plugin, said }) => {
      for (let times = 0; times < 2; times++) await plugin.fallIdle(LEAD)
      expect(await said()).toBe("rest agent-changed")
      expect(plugin.toasts).toEqual([
        "Plan demo waits: you switched the session to another agent (the work's is build). To resume: send its session a message as the work's agent, or type /start-work there.",
      ])
    },
    { api: { lastTurn: async () => ({ lastTurn: null, failure: null, identity, model: null }) } },
  )
})

test("a wait for approval is said once, an end with its figures", () =>
  withLead(async ({ plugin, write, said }) => {
    const rows = "\n## Final Verification Wave\n\n- [x] F1. Review it\n"
    const all = ["1", "2"].reduce(ticked, TWO)
    await write(`${TWO}${rows.replace("[x]", "[ ]")}`)
    const output = "Read it all.\n\nVERDICT: APPROVE"
    await plugin.delegate({ lead: LEAD, key: "final-wave:f1", child: "ses_review", output })
    await write(`${all}${rows}`)
    for (let times = 0; times < 2; times++) await plugin.fallIdle(LEAD)
    expect([await said(), plugin.toasts.length]).toEqual(["rest awaiting-approval", 1])
    await write(all)
    await plugin.fallIdle(LEAD)
    expect([await said(), plugin.toasts.length]).toEqual(["finish plan-complete", 2])
    expect(plugin.toasts[1]).toContain("2")
  }))
