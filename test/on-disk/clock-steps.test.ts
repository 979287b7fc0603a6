import { describe, expect, test } from "bun:test"
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { waitUntil } from "../support/host-wait.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const LEAD = "ses_lead"
const CHILD = "ses_child"
const HOUR_MS = 3_600_000
const STEPS = [-30 * 24 * HOUR_MS, -24 * HOUR_MS, -HOUR_MS, -5_000, 5_000, HOUR_MS, 24 * HOUR_MS]

/** A work under way in a process whose clock is set by `step`. */
function withClock(
  run: (world: {
    readonly plugin: PluginInProcess
    readonly step: (ms: number) => void
    readonly stands: () => Promise<string>
    /** When the limit on disk ends, in ms. */
    readonly endsAt: () => Promise<number>
    readonly root: string
    readonly now: () => number
  }) => Promise<void>,
): Promise<void> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write one", "Write two"))
    let shift = 0
    const now = () => Date.now() + shift
    const plugin = openPlugin(root, { ...readOptions({}), now })
    await plugin.say(LEAD, await plugin.startWork(LEAD, "plans/demo.md"))
    const step = (ms: number) => {
      shift += ms
    }
    const workNow = async () => {
      const { boulder } = await openFileBoulderStore({ root }).read()
      return Object.values(boulder?.works ?? {})[0]
    }
    const stands = async () => {
      const work = await workNow()
      return `${work?.status} ${work?.pause_reason}`
    }
    const endsAt = async () => Date.parse((await workNow())?.limited?.until ?? "")
    await run({ plugin, step, stands, endsAt, root, now })
    await plugin.hooks.dispose?.()
  })
}

const stopped = ({ hooks }: PluginInProcess) => {
  const error = { name: "MessageAbortedError", data: { message: "" } }
  const properties = { sessionID: LEAD, error }
  return hooks.event?.({ event: { type: "session.error", properties } as never })
}

describe.concurrent("the clock is set while a work goes on", () => {
  test.each(STEPS.map((ms) => ({ ms })))("ESC pauses it after a step of $ms ms", ({ ms }) =>
    withClock(async ({ plugin, step, stands }) => {
      step(ms)
      await stopped(plugin)
      await plugin.fallIdle(LEAD)
      expect(await stands()).toBe("paused aborted")
      expect(plugin.prompts).toEqual([])
    }),
  )
  test.each(STEPS.map((ms) => ({ ms })))("ESC pauses it before a step of $ms ms", ({ ms }) =>
    withClock(async ({ plugin, step, stands }) => {
      await stopped(plugin)
      step(ms)
      await plugin.fallIdle(LEAD)
      expect(await stands()).toBe("paused aborted")
    }),
  )
  test.each(STEPS.map((ms) => ({ ms })))("the user sets it going after $ms ms, once", ({ ms }) =>
    withClock(async ({ plugin, step, stands }) => {
      await stopped(plugin)
      await plugin.fallIdle(LEAD)
      step(ms)
      await plugin.say(LEAD, "go on")
      await plugin.fallIdle(LEAD)
      expect(await stands()).toBe("active null")
      expect(plugin.prompts).toHaveLength(1)
    }),
  )
  test("a question of a subagent that the user dismissed before a step back is dismissed once", () =>
    withClock(async ({ plugin, step, stands }) => {
      await plugin.delegate({ lead: LEAD, key: "todo:1", child: CHILD })
      const properties = { sessionID: CHILD, requestID: "que_1" }
      await plugin.hooks.event?.({ event: { type: "question.rejected", properties } as never })
      await plugin.fallIdle(LEAD)
      expect(await stands()).toBe("paused rejected-by-user")
      step(-HOUR_MS)
      await plugin.say(LEAD, "go on")
      await plugin.fallIdle(LEAD)
      expect(await stands()).toBe("active null")
    }))
  test("a step back of a day is no day of cooling down", () =>
    withClock(async ({ plugin, step }) => {
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(1)
      step(-24 * HOUR_MS)
      await plugin.fallIdle(LEAD)
      expect(plugin.prompts).toHaveLength(2)
    }))
})

/** The provider lets the lead do nothing for an hour. */
const limited = async ({ hooks, fallIdle }: PluginInProcess) => {
  const tell = (type: string, properties: object) =>
    hooks.event?.({ event: { type, properties: { sessionID: LEAD, ...properties } } as never })
  await tell("session.status", { status: { type: "busy" } })
  const responseBody = JSON.stringify({
    error: { type: "usage_limit_reached", resets_in_seconds: 3_600 },
  })
  const data = { message: "used up", statusCode: 429, responseBody }
  await tell("session.error", { error: { name: "APIError", data } })
  await fallIdle(LEAD)
}

describe.concurrent("the clock is set while a limit is waited for", () => {
  test(
    "forward by 2 hours: the work goes on by itself, twice at most, and then waits for a person",
    () =>
      withClock(async ({ plugin, step, stands }) => {
        for (const prompts of [1, 2]) {
          await limited(plugin)
          expect(await stands()).toBe("paused usage-limited")
          expect(plugin.prompts).toHaveLength(prompts - 1)
          step(2 * HOUR_MS)
          await waitUntil(
            () => plugin.prompts.length === prompts,
            () => plugin.prompts.join("\n"),
          )
          expect(await stands()).toBe("active null")
        }
        await limited(plugin)
        step(2 * HOUR_MS)
        await plugin.fallIdle(LEAD)
        expect(await stands()).toBe("paused usage-limited")
        expect(plugin.prompts).toHaveLength(2)
      }),
    30_000,
  )

  test.each([-24 * HOUR_MS, -HOUR_MS / 2].map((ms) => ({ ms })))(
    "back by $ms ms: seen by the watch, the end is set back as far, and nothing is prompted before it",
    ({ ms }) =>
      withClock(async ({ plugin, step, stands, endsAt }) => {
        await limited(plugin)
        const end = await endsAt()
        step(ms)
        await waitUntil(
          async () => (await endsAt()) !== end,
          () => `${end}`,
        )
        const now = await endsAt()
        // The watch looks every two seconds: it sees the step to within what its timer was late.
        expect(now - (end + ms)).toBeGreaterThanOrEqual(0)
        expect(now - (end + ms)).toBeLessThan(HOUR_MS / 4)
        expect(await stands()).toBe("paused usage-limited")
        expect(plugin.prompts).toEqual([])
        step(2 * HOUR_MS)
        await waitUntil(
          () => plugin.prompts.length === 1,
          () => plugin.prompts.join("\n"),
        )
      }),
    30_000,
  )

  test("back by a day while opencode is away: it waits as long as at first, not a day longer", () =>
    withClock(async ({ plugin, step, stands, endsAt, root, now }) => {
      await limited(plugin)
      await plugin.hooks.dispose?.()
      step(-24 * HOUR_MS)
      const again = openPlugin(root, { ...readOptions({}), now })
      await again.fallIdle(LEAD)
      expect(again.prompts).toEqual([])
      expect(await stands()).toBe("paused usage-limited")
      expect((await endsAt()) - now()).toBeLessThanOrEqual(HOUR_MS)
      step(2 * HOUR_MS)
      await again.fallIdle(LEAD)
      expect(again.prompts).toHaveLength(1)
      await again.hooks.dispose?.()
    }))
})

test("a rotation of the journal takes away what was written long before, and nothing of the future", () =>
  withFolder(async (root) => {
    const folder = join(root, ".boulder")
    await mkdir(folder)
    const rotations = STEPS.map((ms, index) => ({ ms, name: `journal.jsonl.${index}.rotating` }))
    for (const { ms, name } of rotations) {
      await writeFile(join(folder, name), "")
      await utimes(join(folder, name), new Date(), new Date(Date.now() + ms))
    }
    const journal = openJournal({ root, rotateBytes: 300 })
    const entry = { at: new Date().toISOString(), session: null, work: null, facts: {} }
    for (let line = 0; line < 5; line++)
      await journal.append({ ...entry, decision: "rest", reason: "x".repeat(100) })
    const kept = (await readdir(folder)).filter((name) => name.endsWith(".rotating")).sort()
    expect(kept).toEqual(rotations.filter(({ ms }) => ms > -60_000).map(({ name }) => name))
  }))
