import { describe, expect, jest, test } from "bun:test"
import { mkdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Boulder, Work } from "../../src/boulder/boulder.ts"
import { OWN_PART } from "../../src/boulder/own-part.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { HostCallError, type SessionApi } from "../../src/opencode/host/session-api.ts"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { waitUntil } from "../support/host-wait.ts"
import { planOf, ticked } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const QUICK = readOptions({ continuation: { cooldown_seconds: 0 } })
const TWO = planOf("Write one", "Write two")

interface Scene {
  readonly plugin: PluginInProcess
  readonly root: string
  readonly work: (name?: string) => Promise<Work | undefined>
}

function withPlans(
  given: (root: string) => { shell?: Partial<Shell>; answers?: Partial<SessionApi> },
  run: (scene: Scene) => Promise<void>,
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    for (const name of ["a", "b"]) await writeFile(join(root, `plans/${name}.md`), TWO)
    const { shell = {}, answers = {} } = given(root)
    const plugin = openPlugin(root, { ...QUICK, ...shell }, answers)
    const work = async (name = "a") => {
      const { boulder } = await openFileBoulderStore({ root }).read()
      return Object.values((boulder as Boulder).works).find((one) => one.plan_name === name)
    }
    await run({ plugin, root, work })
    await plugin.hooks.dispose?.()
  })
}

const told = ({ hooks }: PluginInProcess, type: string, properties: object) =>
  hooks.event?.({ event: { type, properties } as never })
const reasons = async (root: string) => {
  const { entries } = await openJournal({ root }).readLast(9)
  return entries.map(({ decision, reason }) => `${decision} ${reason}`)
}

describe("a prompt that the host has taken", () => {
  /** Ten seconds pass behind a prompt; `begun` is what the host tells before. */
  const tenSecondsBehind = (
    begun: { readonly told: boolean; readonly busy: boolean; readonly failed?: boolean },
    run: (scene: Scene) => Promise<void>,
  ): Promise<void> => {
    let isBusy = false
    const busySessions = async () => new Set(isBusy ? [LEAD] : [])
    return withPlans(
      () => ({ answers: { busySessions } }),
      async (scene) => {
        await scene.plugin.startWork(LEAD, "plans/a.md")
        jest.useFakeTimers()
        try {
          await scene.plugin.fallIdle(LEAD)
          expect(scene.plugin.prompts).toHaveLength(1)
          const status = { type: "busy" }
          if (begun.told) await told(scene.plugin, "session.status", { sessionID: LEAD, status })
          const error = { name: "UnknownError", data: { message: "it was refused" } }
          if (begun.failed) await told(scene.plugin, "session.error", { sessionID: LEAD, error })
          isBusy = begun.busy
          jest.advanceTimersByTime(10_000)
        } finally {
          jest.useRealTimers()
        }
        await run(scene)
      },
    )
  }
  test.each([
    { name: "for which no turn begins", told: false, busy: false },
    { name: "of which an error is told, and no idle", told: false, busy: false, failed: true },
  ])("13g: and $name, is a failed turn, and it is looked at again", (begun) =>
    tenSecondsBehind(begun, async ({ work, root }) => {
      await waitUntil(
        async () => (await reasons(root)).includes("retry backing-off"),
        () => "it was not looked at again",
      )
      expect((await work())?.continuation.failures).toBe(1)
      expect(await reasons(root)).toEqual([
        "continue continue",
        "retry prompt-unanswered",
        "retry backing-off",
      ])
    }),
  )
  test("and for which no turn begins, its work stopped: another of its session is looked at", () =>
    withPlans(
      () => ({}),
      async ({ plugin, root }) => {
        for (const name of ["a", "b"]) await plugin.startWork(LEAD, `plans/${name}.md`)
        jest.useFakeTimers()
        try {
          await plugin.fallIdle(LEAD)
          expect(plugin.prompts).toHaveLength(1)
          await runInFolder(root, "resume a")
          jest.advanceTimersByTime(10_000)
        } finally {
          jest.useRealTimers()
        }
        await waitUntil(
          () => plugin.prompts.length > 1,
          () => "nothing was looked at",
          { timeoutMs: 25_000 },
        )
        expect(plugin.prompts[1]).toContain("Continue the plan a ")
      },
    ))
  test.each([
    { name: "whose turn has begun", told: true, busy: false },
    { name: "whose session runs, though nothing has told of it", told: false, busy: true },
  ])("and $name, has not failed", (begun) =>
    tenSecondsBehind(begun, async ({ work }) => {
      await Bun.sleep(200)
      expect((await work())?.continuation.failures).toBe(0)
    }),
  )
})

test("13i: a message that comes behind ESC is not paused over", () => {
  let meanwhile = async (): Promise<void> => undefined
  const tree = async () => {
    await meanwhile()
    return null
  }
  return withPlans(
    () => ({ shell: { tree } }),
    async ({ plugin, work }) => {
      await plugin.say(LEAD, await plugin.startWork(LEAD, "plans/a.md"))
      meanwhile = () => {
        meanwhile = async () => undefined
        return plugin.say(LEAD, "No, do it like this")
      }
      const error = { name: "MessageAbortedError" }
      await told(plugin, "session.error", { sessionID: LEAD, error })
      await plugin.fallIdle(LEAD)
      expect((await work())?.status).toBe("active")
      await plugin.fallIdle(LEAD)
      expect((await work())?.status).toBe("active")
      expect(plugin.prompts).toHaveLength(1)
    },
  )
})

test("behind a finished work the session's next active one is looked at", () =>
  withPlans(
    () => ({}),
    async ({ plugin, root, work }) => {
      await plugin.startWork(LEAD, "plans/b.md")
      await plugin.startWork(LEAD, "plans/a.md")
      await openFileBoulderStore({ root }).update((boulder) => {
        const works = Object.entries(boulder.works).map(
          ([id, one]) => [id, { ...one, status: "active" as const, pause_reason: null }] as const,
        )
        return { ...boulder, works: Object.fromEntries(works) }
      })
      await writeFile(join(root, "plans/a.md"), ["1", "2"].reduce(ticked, TWO))
      await plugin.fallIdle(LEAD)
      expect((await work("a"))?.status).toBe("completed")
      await waitUntil(
        () => plugin.prompts.length === 1,
        () => "the other work was not looked at",
        { timeoutMs: 25_000 },
      )
      expect(plugin.prompts[0]).toContain("plans/b.md")
    },
  ))

test("13r: a watch survives a read that fails", () => {
  let failing = 0
  return withPlans(
    (root) => {
      const store = openFileBoulderStore({ root })
      const read = async () => {
        // The store is read for other ends too: only what the watch reads fails.
        if (failing > 0 && (new Error().stack ?? "").includes("isAsSeen")) {
          failing -= 1
          throw new Error("the disk said no")
        }
        return store.read()
      }
      const toast = async () => {
        failing = 1
      }
      return { shell: { store: { ...store, read } }, answers: { toast } }
    },
    async ({ plugin, root, work }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      await writeFile(join(root, "plans/a.md"), planOf("Write one").replace("[ ]", "[!]"))
      await plugin.fallIdle(LEAD)
      expect((await work())?.pause_reason).toBe("only-blocked-left")
      await waitUntil(
        () => failing === 0,
        () => "no read has failed",
        { timeoutMs: 25_000 },
      )
      await runInFolder(root, "unblock todo:1")
      await waitUntil(
        () => plugin.prompts.length === 1,
        () => "the watch has ended",
        { timeoutMs: 25_000 },
      )
    },
  )
})

test("while a question stays open nothing is looked at; its answer is seen within half a minute", () => {
  let reads = 0
  return withPlans(
    (root) => {
      const store = openFileBoulderStore({ root })
      const read = () => {
        reads += 1
        return store.read()
      }
      return { shell: { store: { ...store, read } } }
    },
    async ({ plugin, root }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      await told(plugin, "question.asked", { id: "q1", sessionID: CHILD })
      jest.useFakeTimers()
      try {
        await plugin.fallIdle(LEAD)
        await settled(root)
        const before = reads
        for (let minute = 0; minute < 4; minute++) {
          jest.advanceTimersByTime(30_000)
          await settled(root)
        }
        expect(reads).toBe(before)
        await told(plugin, "question.replied", { sessionID: CHILD, requestID: "q1" })
        jest.advanceTimersByTime(30_000)
        await until(root, () => plugin.prompts.length === 1)
      } finally {
        jest.useRealTimers()
      }
      expect(await reasons(root)).toContain("rest question-pending")
    },
  )
})

test("a look that hangs is given up, and made again", () => {
  let asked = 0
  const tree = () => {
    asked += 1
    return asked === 1 ? new Promise<null>(() => undefined) : Promise.resolve(null)
  }
  return withPlans(
    () => ({ shell: { tree } }),
    async ({ plugin, root }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      jest.useFakeTimers()
      try {
        const told = plugin.fallIdle(LEAD)
        await until(root, () => asked === 1)
        jest.advanceTimersByTime(7_000)
        await told
        jest.advanceTimersByTime(5_000)
        await until(root, () => plugin.prompts.length === 1)
      } finally {
        jest.useRealTimers()
      }
      expect(asked).toBe(2)
    },
  )
})

const lastTurnOf = (given: object) => ({
  lastTurn: {
    messageId: "msg_1",
    createdAt: 1,
    ours: true,
    error: null,
    ended: true,
    contextTokens: 0,
    isSummary: false,
    isUnanswered: false,
    ...given,
  },
  failure: null,
  identity: { agent: null, model: null, variant: null },
  model: null,
})

test("13h: an unanswered prompt is one failure, told by its message and by its timer", () => {
  let isPrompted = false
  const lastTurn = async () => lastTurnOf({ isUnanswered: isPrompted })
  const prompt = async () => {
    isPrompted = true
  }
  return withPlans(
    () => ({ answers: { lastTurn, prompt } }),
    async ({ plugin, root, work }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      jest.useFakeTimers()
      try {
        await plugin.fallIdle(LEAD)
        jest.advanceTimersByTime(10_000)
      } finally {
        jest.useRealTimers()
      }
      await waitUntil(
        async () => (await reasons(root)).includes("retry backing-off"),
        () => "it was not looked at again",
      )
      expect((await work())?.continuation.failures).toBe(1)
    },
  )
})

describe("13h: a prompt of ours, and a host that gives an older message as its last, its clock set back", () => {
  const before = { messageId: "msg_9", createdAt: 9e15, ours: false }
  /** A turn of the user's, a prompt of ours, and what the host tells of that before its idle. */
  const promptedBehind = (
    tells: (plugin: PluginInProcess, answer: (to: string) => Promise<unknown>) => Promise<unknown>,
    run: (scene: Scene) => Promise<void>,
    to: string | null = "msg_before",
  ): Promise<void> =>
    withPlans(
      () => ({ answers: { lastTurn: async () => ({ ...lastTurnOf(before), to }) } }),
      async (scene) => {
        const { plugin } = scene
        const answer = (parentID: string, time: object = {}) => {
          const ids = { id: `msg_to_${parentID}`, sessionID: LEAD, role: "assistant", parentID }
          const info = { ...ids, time: { created: 1, ...time } }
          return Promise.resolve(told(plugin, "message.updated", { sessionID: LEAD, info }))
        }
        await plugin.say(LEAD, await plugin.startWork(LEAD, "plans/a.md"))
        await answer("msg_before")
        await plugin.fallIdle(LEAD)
        expect(plugin.prompts).toHaveLength(1)
        const ids = { id: "msg_ours", sessionID: LEAD }
        const [message, text] = [{ ...ids, role: "user", agent: "build" }, plugin.prompts[0]]
        const metadata = { [OWN_PART]: "continuation" }
        const part = { id: "prt", sessionID: LEAD, messageID: "msg_ours", type: "text", text }
        const parts = [{ ...part, synthetic: true, metadata }]
        await plugin.hooks["chat.message"]?.({ sessionID: LEAD }, {
          ...{ message, parts },
        } as never)
        await told(plugin, "session.status", { sessionID: LEAD, status: { type: "busy" } })
        await tells(plugin, answer)
        await plugin.fallIdle(LEAD)
        await run(scene)
      },
    )

  test.each<{ name: string; to: string | null }>([
    { name: "nothing is told of", to: null },
    { name: "only the end of the turn before is told behind", to: "msg_before" },
  ])("is a failed turn where $name", ({ to }) =>
    promptedBehind(
      async (_, answer) => (to === null ? undefined : answer(to)),
      async ({ plugin, root, work }) => {
        await waitUntil(
          async () => (await reasons(root)).includes("retry backing-off"),
          () => "no failure was counted",
        )
        expect((await work())?.continuation.failures).toBe(1)
        expect(plugin.prompts).toHaveLength(1)
      },
    ),
  )
  test("is none where the host's last message answers it, though nothing is told of that yet", () =>
    promptedBehind(
      async () => undefined,
      async ({ plugin, work }) => {
        expect((await work())?.continuation.failures).toBe(0)
        expect(plugin.prompts).toHaveLength(2)
      },
      "msg_ours",
    ))
  test.each([
    { name: "it", to: "msg_ours" },
    { name: "what was put behind it (a compaction, a message of the user's)", to: "msg_later" },
  ])("is none where an answer to $name has begun", ({ to }) =>
    promptedBehind(
      (_, answer) => answer(to),
      async ({ plugin, work }) => {
        expect((await work())?.continuation.failures).toBe(0)
        expect(plugin.prompts).toHaveLength(2)
      },
    ),
  )
})

test("a host that does not say whether a prompt's turn has begun is asked again", () => {
  let asked = 0
  let isSilent = false
  const busySessions = async () => {
    if (!isSilent) return new Set<string>()
    asked += 1
    throw new HostCallError("no answer")
  }
  return withPlans(
    () => ({ answers: { busySessions } }),
    async ({ plugin, root }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      jest.useFakeTimers()
      try {
        await plugin.fallIdle(LEAD)
        expect(plugin.prompts).toHaveLength(1)
        isSilent = true
        jest.advanceTimersByTime(10_000)
        await until(root, () => asked === 1)
        isSilent = false
        await settled(root)
        jest.advanceTimersByTime(5_000)
        await until(root, () => plugin.prompts.length === 2)
      } finally {
        jest.useRealTimers()
      }
    },
  )
})

test("a host that is silent for long is asked all the same, ever later", () => {
  let asked = 0
  let isSilent = true
  const lastTurn = async () => {
    asked += 1
    if (isSilent) throw new HostCallError("no answer")
    return { ...lastTurnOf({}), lastTurn: null }
  }
  return withPlans(
    () => ({ answers: { lastTurn } }),
    async ({ plugin, root }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      jest.useFakeTimers()
      try {
        await plugin.fallIdle(LEAD)
        for (let times = 1; times < 9; times++) {
          await settled(root)
          jest.advanceTimersByTime(300_000)
          await until(root, () => asked > times)
        }
        isSilent = false
        await settled(root)
        jest.advanceTimersByTime(300_000)
        await until(root, () => plugin.prompts.length === 1)
      } finally {
        jest.useRealTimers()
      }
    },
  )
})

test("behind a child's question, which no idle of the lead follows, it is looked at again", () =>
  withPlans(
    () => ({}),
    async ({ plugin, root }) => {
      const child = { sessionID: "ses_child", requestID: "q", id: "q" }
      await plugin.startWork(LEAD, "plans/a.md")
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child" })
      await told(plugin, "question.asked", child)
      jest.useFakeTimers()
      try {
        await plugin.fallIdle(LEAD)
        expect(plugin.prompts).toHaveLength(0)
        await told(plugin, "question.replied", child)
        jest.advanceTimersByTime(30_000)
        await until(root, () => plugin.prompts.length === 1)
      } finally {
        jest.useRealTimers()
      }
    },
  ))

test("a look behind a tool that hangs holds up no other", () => {
  let reads = 0
  let hangs = false
  return withPlans(
    (root) => {
      const store = openFileBoulderStore({ root })
      const read = () => {
        if (!hangs) return store.read()
        hangs = false
        reads += 1
        return new Promise<never>(() => undefined)
      }
      return { shell: { store: { ...store, read } } }
    },
    async ({ plugin, root, work }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      hangs = true
      jest.useFakeTimers()
      try {
        const first = plugin.use(LEAD, "bash")
        await until(root, () => reads === 1)
        await writeFile(join(root, "plans/a.md"), ticked(TWO, "1"))
        const second = plugin.use(LEAD, "bash")
        jest.advanceTimersByTime(7_000)
        await first
        await second
      } finally {
        jest.useRealTimers()
      }
      expect((await work())?.completed_count).toBe(1)
    },
  )
})

describe("a store that hangs while a write waits for the guard", () => {
  test.each([
    { who: "the lead session", sessionId: LEAD, refused: true },
    { who: "a session below it", sessionId: CHILD, refused: true },
    { who: "a session that is none of ours", sessionId: "ses_other", refused: false },
  ])("$who: refused $refused", ({ sessionId, refused }) => {
    let hangs = false
    let reads = 0
    return withPlans(
      (root) => {
        const store = openFileBoulderStore({ root })
        const read = () => {
          reads += 1
          return hangs ? new Promise<never>(() => undefined) : store.read()
        }
        return { shell: { store: { ...store, read } } }
      },
      async ({ plugin, root }) => {
        await plugin.startWork(LEAD, "plans/a.md")
        await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
        hangs = true
        const before = reads
        jest.useFakeTimers()
        try {
          const said = plugin.hooks["tool.execute.before"]?.(
            { tool: "write", sessionID: sessionId, callID: "call_w" },
            { args: { filePath: "src/a.ts" } },
          ).then(
            () => "",
            (error: unknown) => (error instanceof Error ? error.message : String(error)),
          )
          await until(root, () => reads > before)
          jest.advanceTimersByTime(8_000)
          expect(await said).toStartWith(refused ? "boulder: not written" : "")
          expect(Boolean(await said)).toBe(refused)
        } finally {
          jest.useRealTimers()
          hangs = false
        }
      },
    )
  })
})

/** Lets what has been begun come to its end, without a timer. */
async function settled(root: string): Promise<void> {
  for (let turn = 0; turn < 3_000; turn++) await stat(root)
}

/** Lets files be read until something has happened, without a timer. */
async function until(root: string, happened: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500_000 && !happened(); turn++) await stat(root)
  expect(happened()).toBe(true)
}

test("a toast that the host does not take holds nothing up", () => {
  const toast = async () => {
    throw new HostCallError("there is no TUI")
  }
  return withPlans(
    () => ({ answers: { toast } }),
    async ({ plugin, root }) => {
      await plugin.startWork(LEAD, "plans/a.md")
      await writeFile(join(root, "plans/a.md"), "nothing")
      await plugin.fallIdle(LEAD)
      expect(await reasons(root)).toEqual(["pause plan-invalid"])
    },
  )
})
