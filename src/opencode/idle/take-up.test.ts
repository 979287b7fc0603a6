import { describe, expect, jest, test } from "bun:test"
import { mkdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { runInFolder } from "../../../test/support/cli-in-process.ts"
import { waitUntil } from "../../../test/support/host-wait.ts"
import { planOf } from "../../../test/support/plans.ts"
import {
  openPlugin,
  type PluginInProcess,
  shellIn,
} from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { Work } from "../../boulder/boulder.ts"
import { putWork } from "../../boulder/change-work.ts"
import { openProcessLife } from "../../store/disk/process-life.ts"
import { openJournal } from "../../store/records/journal.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { readOptions } from "../host/options.ts"
import { HostCallError } from "../host/session-api.ts"

import { takeUpWorks } from "./take-up.ts"

/** A work that was started in a process that is gone, as `change` leaves it. Gives the plugin of the next process. */
async function withNext(
  change: (work: Work) => Work,
  run: (
    plugin: PluginInProcess,
    advance: (ms: number) => Promise<void>,
    root: string,
  ) => Promise<void>,
  isElsewhere: boolean | (() => boolean) = false,
  api: Parameters<typeof openPlugin>[2] = {},
  more: Parameters<typeof openPlugin>[1] = {},
): Promise<void> {
  await withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    const first = openPlugin(root)
    await first.startWork(LEAD, "plans/demo.md")
    await first.hooks.dispose?.()
    await openFileBoulderStore({ root }).update((boulder) => ({
      ...boulder,
      works: Object.fromEntries(
        Object.entries(boulder.works).map(([id, work]) => [id, change(work)]),
      ),
    }))
    const process = {
      id: "next",
      isElsewhere: async () => (typeof isElsewhere === "function" ? isElsewhere() : isElsewhere),
    }
    const plugin = openPlugin(root, { ...more, process }, api)
    jest.useFakeTimers()
    try {
      await plugin.hooks.event?.({ event: { type: "server.connected", properties: {} } })
      const advance = async (ms: number) => {
        jest.advanceTimersByTime(ms)
        jest.useRealTimers()
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      await run(plugin, advance, root)
    } finally {
      jest.useRealTimers()
      await plugin.hooks.dispose?.()
    }
  })
}
const same = (work: Work) => work
const limited = (goes_on_at: string | null) => (work: Work) => ({
  ...work,
  status: "paused" as const,
  pause_reason: "usage-limited" as const,
  limited: {
    since: new Date(Date.now() - 3_600_000).toISOString(),
    until: new Date(Date.now() - 60_000).toISOString(),
    goes_on_at,
    attempts: 0,
  },
})
const past = new Date(Date.now() - 1_000).toISOString()

test.each([
  { name: "an active work", change: same },
  { name: "one whose limit is over", change: limited(past) },
])("13z: $name is found again behind a start, said, and prompted once", ({ change }) =>
  withNext(change, async (plugin, advance) => {
    expect(plugin.prompts).toEqual([])
    await advance(30_000)
    await waitUntil(
      () => plugin.prompts.length === 1,
      () => "it was not prompted",
    )
    expect(plugin.toasts).toContainEqual(expect.stringContaining(`is active in session ${LEAD}`))
  }),
)

test("in a host that ends with one prompt or one plan it is left alone", () =>
  withNext(
    same,
    async (plugin, advance) => {
      await advance(30_000)
      expect([plugin.prompts, plugin.toasts]).toEqual([[], []])
    },
    false,
    {},
    { isBrief: true },
  ))

test("what a turn has spent so far is written while it runs: opencode may end without a word", () =>
  withNext(
    same,
    async (plugin, advance, root) => {
      await plugin.say(LEAD, "go on")
      await plugin.tellTokens(LEAD, 1_100, 0.25)
      await advance(30_000)
      const works = async () => (await openFileBoulderStore({ root }).read()).boulder?.works ?? {}
      await waitUntil(
        async () => Object.values(await works())[0]?.tokens.spent === 1_100,
        () => "it was not written",
      )
      expect(plugin.prompts).toEqual([])
    },
    false,
    { busySessions: async () => new Set([LEAD]) },
  ))

const stopped = (work: Work) => ({
  ...work,
  status: "paused" as const,
  pause_reason: "stopped-by-user" as const,
})
test.each([
  {
    name: "a command has set it going just now, whose message begins the turn: it is left to that",
    change: stopped,
    act: (plugin: PluginInProcess) => plugin.startWork(LEAD, "plans/demo.md"),
    prompts: 0,
  },
  {
    name: "a command has only looked at a work that was set going before: it is found again",
    change: (work: Work) => ({ ...work, resumed_at: new Date(0).toISOString() }),
    act: async ({ hooks }: PluginInProcess) => {
      const command = { command: "work-status", sessionID: LEAD, arguments: "" }
      await hooks["command.execute.before"]?.(command, { parts: [] })
    },
    prompts: 1,
  },
])("13z: as works are looked through $name", ({ change, act, prompts }) =>
  withNext(change, async (plugin, advance) => {
    await act(plugin)
    await advance(30_000)
    await Bun.sleep(300)
    expect(plugin.prompts).toHaveLength(prompts)
  }),
)

test.each([
  { name: "runs", busy: [LEAD], isSaid: false },
  { name: "has ended without a word", busy: [], isSaid: true },
])("13z: a work whose lead's turn $name is taken up: $isSaid", ({ busy, isSaid }) =>
  withNext(
    same,
    async (plugin, advance) => {
      const properties = { sessionID: LEAD, status: { type: "busy" as const } }
      await plugin.hooks.event?.({ event: { type: "session.status", properties } })
      await advance(30_000)
      await Bun.sleep(300)
      expect(plugin.toasts.some((text) => text.includes("is active in session"))).toBe(isSaid)
    },
    false,
    { busySessions: async () => new Set(busy) },
  ),
)

describe("13z: behind a dispose of its instance, in the same process,", () => {
  /** A work whose only task is blocked, at rest and watched when its instance is disposed. Then the next one opens. */
  const disposed = (run: (next: PluginInProcess, root: string) => Promise<void>): Promise<void> =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/demo.md"), planOf("Write a").replace("[ ]", "[~]"))
      const first = openPlugin(root)
      await first.startWork(LEAD, "plans/demo.md")
      await first.fallIdle(LEAD)
      const { boulder } = await openFileBoulderStore({ root }).read()
      expect(Object.values(boulder?.works ?? {})).toMatchObject([
        { pause_reason: "only-blocked-left" },
      ])
      await first.hooks.dispose?.()
      const next = openPlugin(root)
      jest.useFakeTimers()
      try {
        await next.hooks.event?.({ event: { type: "server.connected", properties: {} } })
        jest.advanceTimersByTime(30_000)
      } finally {
        jest.useRealTimers()
      }
      await Bun.sleep(200)
      expect(next.prompts).toEqual([])
      expect(next.toasts).toEqual([])
      await run(next, root)
      await next.hooks.dispose?.()
    })

  test("a work that waits for its plan is watched again", () =>
    disposed(async (next, root) => {
      await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
      await waitUntil(
        () => next.prompts.length === 1,
        () => "the watch is forgotten",
        { timeoutMs: 20_000 },
      )
    }))
})

test.each(["stopped-by-user", "aborted"] as const)(
  "a work that was paused (%s) before this start goes on within seconds where it is resumed from outside",
  (pause_reason) =>
    withNext(
      (work) => ({ ...work, status: "paused", pause_reason }),
      async (plugin, advance, root) => {
        await advance(30_000)
        await Bun.sleep(200)
        expect(plugin.prompts).toEqual([])
        expect(plugin.toasts).toEqual([])
        await runInFolder(root, "resume", { now: Date.now })
        await waitUntil(
          () => plugin.prompts.length === 1,
          () => "it was not prompted",
          { timeoutMs: 20_000 },
        )
      },
    ),
)

test.each([
  { name: "a stopped work", change: stopped },
  { name: "a completed one", change: (work: Work) => ({ ...work, status: "completed" as const }) },
  { name: "one whose limit waits for a person", change: limited(null) },
  {
    name: "one whose limit lasts",
    change: limited(new Date(Date.now() + 600_000).toISOString()),
  },
])("$name is not prompted", ({ change }) =>
  withNext(change, async (plugin, advance) => {
    await advance(30_000)
    expect(plugin.prompts).toEqual([])
  }),
)

test("where two processes have watched a paused work since their starts, one of them goes on", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    const process = (id: string) => ({
      id,
      isElsewhere: async (driver: string | null) => driver !== id && /^next/.test(driver ?? ""),
    })
    const first = openPlugin(root, { process: process("first") })
    await first.startWork(LEAD, "plans/demo.md")
    await first.hooks.dispose?.()
    await openFileBoulderStore({ root }).update(({ works, ...rest }) => {
      const paused = { status: "paused", pause_reason: "no-progress" } as const
      const all = Object.entries(works).map(([id, work]) => [id, { ...work, ...paused }])
      return { ...rest, works: Object.fromEntries(all) }
    })
    const { options } = readOptions({ continuation: { cooldown_seconds: 0 } })
    const prompted: string[] = []
    const nextOf = (id: string): PluginInProcess => {
      const prompt = async (sessionID: string): Promise<void> => {
        prompted.push(id)
        // Its own host runs the turn; the other host knows nothing about it.
        const properties = { sessionID, status: { type: "busy" } }
        void next.hooks.event?.({ event: { type: "session.status", properties } as never })
      }
      const next = openPlugin(root, { options, process: process(id) }, { prompt })
      return next
    }
    const both = ["next one", "next two"].map(nextOf)
    jest.useFakeTimers()
    try {
      for (const { hooks } of both)
        await hooks.event?.({ event: { type: "server.connected", properties: {} } })
      jest.advanceTimersByTime(30_000)
    } finally {
      jest.useRealTimers()
    }
    await Bun.sleep(1_000)
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    await waitUntil(
      () => prompted.length > 0,
      () => "nobody went on",
      { timeoutMs: 20_000 },
    )
    await Bun.sleep(3_000)
    expect(prompted).toHaveLength(1)
    for (const { hooks } of both) await hooks.dispose?.()
  }))

test("a second instance in one process leaves a work to the first, and takes it up where the host has disposed of that", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    let ahead = 0
    const now = () => Date.now() + ahead
    const instance = async (folder: string) =>
      openPlugin(root, { process: await openProcessLife(folder), now })
    const first = await instance(root)
    await first.startWork(LEAD, "plans/demo.md")
    ahead = 30_000
    jest.useFakeTimers()
    const next = await instance(join(root, "plans"))
    // Files are read in the meantime; only the timers stand still.
    const passes = async (ms: number) => {
      jest.advanceTimersByTime(ms)
      for (let turn = 0; turn < 5_000 && next.prompts.length === 0; turn++) await stat(root)
    }
    try {
      await next.hooks.event?.({ event: { type: "server.connected", properties: {} } })
      await passes(30_000)
      expect(next.prompts).toEqual([])
      await first.hooks.dispose?.()
      for (let step = 0; step < 4; step++) await passes(15_000)
      expect(next.prompts).toHaveLength(1)
    } finally {
      jest.useRealTimers()
      await next.hooks.dispose?.()
    }
  }))

test("a session that goes on in another terminal is left to that, also by who has led it before", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    const { options } = readOptions({ continuation: { cooldown_seconds: 0 } })
    const prompted: string[] = []
    const nextOf = (id: string): PluginInProcess => {
      const process = { id, isElsewhere: async (driver: string | null) => driver !== id }
      const prompt = async (): Promise<void> => void prompted.push(id)
      return openPlugin(root, { options, process }, { prompt })
    }
    const [before, behind] = [nextOf("before"), nextOf("behind")]
    await before.say(LEAD, "hello")
    await before.startWork(LEAD, "plans/demo.md")
    const error = { name: "MessageAbortedError", data: { message: "aborted" } }
    const properties = { sessionID: LEAD, error }
    await before.hooks.event?.({ event: { type: "session.error", properties } as never })
    await before.fallIdle(LEAD)
    await Bun.sleep(200)
    await behind.say(LEAD, "go on")
    await Bun.sleep(3_500)
    expect(prompted).toEqual([])
    await behind.fallIdle(LEAD)
    expect(prompted).toEqual(["behind"])
    for (const { hooks } of [before, behind]) await hooks.dispose?.()
  }))

test("a work that another process drives is left to it", () =>
  withNext(
    same,
    async (plugin, advance) => {
      await advance(30_000)
      expect(plugin.prompts).toEqual([])
      expect(plugin.toasts).toEqual([])
    },
    true,
  ))

test("a work is taken up within a minute of the end of the process that drove it, by another that is open", () => {
  let isElsewhere = true
  return withNext(
    same,
    async ({ prompts }, _, root) => {
      // Files are read in the meantime; only the timers stand still.
      const passes = async (ms: number) => {
        jest.advanceTimersByTime(ms)
        for (let turn = 0; turn < 5_000 && prompts.length === 0; turn++) await stat(root)
      }
      await passes(30_000)
      expect(prompts).toEqual([])
      isElsewhere = false
      // The next sweep comes a minute after the last one.
      for (let step = 0; step < 4; step++) await passes(15_000)
      expect(prompts).toHaveLength(1)
    },
    () => isElsewhere,
  )
})

test("a work at rest, its session with another agent, is looked at once, and again where something changes", () => {
  const asked: string[] = []
  const identity = { agent: "plan", model: null, variant: null }
  return withNext(
    (work) => ({ ...work, agent: "build" }),
    async (_, __, root) => {
      // Files are read in the meantime, and no step ends at the moment a sweep begins.
      const passes = async (ms: number) => {
        for (let left = ms; left > 0; left -= 1_300) {
          jest.advanceTimersByTime(1_300)
          for (let turn = 0; turn < 100; turn++) await stat(root)
        }
      }
      jest.advanceTimersByTime(30_000)
      await passes(4_000)
      expect(asked).toHaveLength(1)
      await passes(300_000)
      expect(asked).toHaveLength(1)
      await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
      await passes(8_000)
      expect(asked).toHaveLength(2)
    },
    false,
    {
      lastTurn: async (id) => {
        asked.push(id)
        return { lastTurn: null, failure: null, identity, model: null, to: null }
      },
    },
  )
})

test.each([
  { name: "a first start says what is loaded, once", greeting: "opencode-boulder 9: hello" },
  { name: "any other start says nothing of it", greeting: null },
])("$name", ({ greeting }) =>
  withFolder(async (root) => {
    const greetings = [greeting]
    const plugin = openPlugin(root, { greeting: async () => greetings.shift() ?? null })
    jest.useFakeTimers()
    try {
      await plugin.hooks.event?.({ event: { type: "server.connected", properties: {} } })
      jest.advanceTimersByTime(30_000)
    } finally {
      jest.useRealTimers()
    }
    await waitUntil(
      () => greetings.length === 0,
      () => "nobody asked whom to greet",
    )
    await Bun.sleep(50)
    expect(plugin.toasts).toEqual(greeting === null ? [] : [greeting])
    await plugin.hooks.dispose?.()
  }),
)

test("beside a session that the host cannot read each other work is found again, and that is told", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    const first = openPlugin(root)
    for (const name of ["a", "b"]) {
      await writeFile(join(root, `plans/${name}.md`), planOf("Write one"))
      await first.startWork(`ses_${name}`, `plans/${name}.md`)
    }
    await first.hooks.dispose?.()
    const shell = shellIn(root)
    const session = async (id: string) => {
      if (id === "ses_a") throw new HostCallError("session.get: 500")
      return shell.api.session(id)
    }
    const looked: string[] = []
    const told: string[] = []
    await takeUpWorks(
      { ...shell, api: { ...shell.api, session } },
      { isLookedAt: () => false, fellIdle: async (id) => void looked.push(id) },
      async (error) => void told.push(String(error)),
    )
    expect(looked).toEqual(["ses_b"])
    expect(told).toEqual([expect.stringContaining("session.get: 500")])
  }))

const paused = { status: "paused" as const, pause_reason: "no-progress" as const }
const GONE = "its session was deleted: start the plan in another"
const UNKNOWN = "opencode has no such session for this folder"
test.each([
  { name: "one of another opencode is left alone, and said once", is: "active", why: [UNKNOWN] },
  {
    name: "one of the project that this is a copy of, too",
    has: { id: LEAD, parentId: null, agent: null, title: "", directory: "/original" },
    is: "active",
    why: [UNKNOWN],
  },
  {
    name: "one of another that waits for a limit too",
    change: limited(past),
    is: "usage-limited",
    why: [UNKNOWN],
  },
  {
    name: "one that waits for a person stays as it is",
    change: (work: Work) => ({ ...work, ...paused }),
    is: "no-progress",
    why: [],
  },
  {
    name: "one that this opencode has led itself is stopped, and that is said once",
    note: "leads" as const,
    is: "stopped-by-user",
    why: [GONE],
  },
  {
    name: "one whose deletion could not be written is stopped, and that is said once",
    note: "session-deleted" as const,
    is: "stopped-by-user",
    why: [GONE],
  },
])(
  "of works whose session the host does not have here, $name",
  ({ change = same, has = null, note, is, why }) =>
    withFolder(async (root) => {
      await mkdir(join(root, "plans"))
      await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
      const first = openPlugin(root)
      await first.startWork(LEAD, "plans/demo.md")
      await first.hooks.dispose?.()
      const store = openFileBoulderStore({ root })
      await store.update((boulder) =>
        Object.values(boulder.works).map(change).reduce(putWork, boulder),
      )
      const shell = shellIn(root)
      if (note !== undefined) shell.sessions.note({ kind: note, sessionId: LEAD })
      const toasts: string[] = []
      const toast = async (message: string) => void toasts.push(message)
      const api = { ...shell.api, session: async () => has, toast }
      const looked: string[] = []
      const idle = { isLookedAt: () => false, fellIdle: async (id: string) => void looked.push(id) }
      for (const _ of ["at the start", "at the sweep"])
        await takeUpWorks({ ...shell, api }, idle, async (error) => Promise.reject(error))
      const [work] = Object.values((await store.read()).boulder?.works ?? {})
      expect(work?.pause_reason ?? work?.status).toBe(is as "active")
      expect(looked).toEqual([])
      const { entries } = await openJournal({ root }).readLast(
        9,
        ({ facts }) => facts["why"] !== undefined,
      )
      expect(entries.map(({ facts }) => facts["why"])).toEqual([...why])
      expect(toasts).toHaveLength(why.length)
    }),
)
