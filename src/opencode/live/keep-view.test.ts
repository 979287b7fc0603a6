import { expect, test } from "bun:test"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { putWork } from "../../boulder/change-work.ts"
import { joinViews, type LiveView, liveViewOf } from "../../boulder/live-view.ts"
import { openProcessLife } from "../../store/disk/process-life.ts"
import { openLiveFiles } from "../../store/records/live-files.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { keepView } from "./keep-view.ts"

const settle = async (isDone: () => Promise<boolean>) => {
  const end = Date.now() + 60_000
  while (!(await isDone()))
    if (Date.now() > end) throw new Error("it did not come")
    else await Bun.sleep(50)
}

test.concurrent("a started work is shown, and goes with its process", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const process = await openProcessLife()
    const plugin = openPlugin(root, { process, problems: ["Option x: wrong"] })
    const live = openLiveFiles({ root })
    const works = async () => joinViews(await live.readAll(Date.now()))
    await plugin.fallIdle("ses_stranger")
    await Bun.sleep(1_300)
    expect(await readdir(root)).toEqual(["plans"])
    await plugin.startWork(LEAD, "plans/demo.md")
    await plugin.say(LEAD, "go")
    await settle(async () => (await works()).length === 1)
    expect((await works())[0]).toMatchObject({ plan_name: "demo", led: true })
    expect((await works())[0]?.state).toEqual({ kind: "working" })
    const [read] = await live.readAll(Date.now())
    expect(read?.view.problems).toEqual(["Option x: wrong"])
    const asked = { id: "q1", sessionID: LEAD, questions: [{ question: "Which?" }] }
    await plugin.hooks.event?.({
      event: { type: "question.asked", properties: asked } as never,
    })
    await settle(async () => (await works())[0]?.state.kind === "waiting-for-you")
    expect((await works())[0]?.state).toMatchObject({ asks: "Which?", session: LEAD })
    await plugin.hooks.dispose?.()
    expect(await works()).toEqual([])
  }))

test.concurrent("a work that rests because its session is with another agent waits for its person", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const identity = { agent: "mine", model: null, variant: null }
    const plugin = openPlugin(
      root,
      { process: await openProcessLife() },
      { lastTurn: async () => ({ lastTurn: null, failure: null, identity, model: null }) },
    )
    const live = openLiveFiles({ root })
    const state = async () => joinViews(await live.readAll(Date.now()))[0]?.state
    await plugin.say(LEAD, await plugin.startWork(LEAD, "plans/demo.md"))
    await plugin.fallIdle(LEAD)
    await settle(async () => (await state())?.kind === "waiting-for-you")
    expect(await state()).toEqual({
      ...{ kind: "waiting-for-you", for: "agent", asks: null, session: LEAD },
    })
    await plugin.say(LEAD, "go on")
    await settle(async () => (await state())?.kind === "working")
    await plugin.hooks.dispose?.()
  }))

test.concurrent("a view that cannot be written is one line in the log, and no hook's matter", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    let tries = 0
    const plugin = openPlugin(root, {
      process: await openProcessLife(),
      live: {
        write: async (view: LiveView) => {
          tries += 1
          expect(liveViewOf(view)).not.toBeNull()
          throw new Error("ENOSPC")
        },
        readAll: async () => [],
        isHeard: async () => false,
        remove: async () => undefined,
      },
    })
    await plugin.startWork(LEAD, "plans/demo.md")
    await plugin.say(LEAD, "go")
    await settle(async () => tries >= 1)
    await plugin.say(LEAD, "on")
    await settle(async () => tries >= 2)
    expect(plugin.logs.filter((line) => line.includes("ENOSPC"))).toHaveLength(1)
    await plugin.hooks.dispose?.()
  }))

test.concurrent("however often something happens, a view is written once for it, and none that says the same", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const written: LiveView[] = []
    const plugin = openPlugin(root, {
      process: await openProcessLife(),
      live: {
        write: async (view: LiveView) => void written.push(view),
        readAll: async () => [],
        isHeard: async () => false,
        remove: async () => undefined,
      },
    })
    await plugin.startWork(LEAD, "plans/demo.md")
    for (let index = 0; index < 60; index++) await plugin.say(LEAD, `word ${index}`)
    await settle(async () => written.length > 0)
    const ask = (id: string) => ({ id, sessionID: LEAD, questions: [{ question: `${id}?` }] })
    const tell = async (type: string, properties: unknown) =>
      plugin.hooks.event?.({ event: { type, properties } as never })
    // What is shown changes all the time.
    for (let index = 0; written.length < 8; index++) {
      await tell("question.asked", ask(`q${index}`))
      await Bun.sleep(10)
      await tell("question.replied", { sessionID: LEAD, requestID: `q${index}` })
    }
    await plugin.hooks.dispose?.()
    const shown = written.map(({ problems, works }) => JSON.stringify({ problems, works }))
    expect(shown.filter((text, index) => text === shown[index - 1])).toEqual([])
    // Eight writes have seven spans of a second between them; one may be shorter by the time that a busy machine reads.
    const [first, last] = [written[0]?.at, written.at(-1)?.at].map((at) => Date.parse(at ?? ""))
    expect((last ?? 0) - (first ?? 0)).toBeGreaterThan(6_000)
  }))

test.concurrent("wrong options are shown before the host has told of anything, and without a work", () =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder"))
    const process = await openProcessLife()
    const plugin = openPlugin(root, { process, problems: ["Option x: wrong"] })
    const live = openLiveFiles({ root })
    await settle(async () => (await live.readAll(Date.now())).length === 1)
    const [read] = await live.readAll(Date.now())
    expect(read?.view).toMatchObject({ problems: ["Option x: wrong"], works: [] })
    await plugin.hooks.dispose?.()
    expect(await live.readAll(Date.now())).toEqual([])
  }))

test.concurrent.each([
  {
    by: "another session",
    change: { lead_session_id: "ses_other" },
    says: "Plan demo was taken over by session ses_other. This session no longer delegates.",
  },
  {
    by: "another opencode, in the same session",
    change: {},
    says: "Another opencode works on plan demo now, in the same session. This one leaves it alone.",
  },
])("who led a work is told that $by works on it", ({ change, says }) =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    const { id } = await openProcessLife()
    const process = { id, isElsewhere: async (driver: string | null) => driver === "other" }
    const plugin = openPlugin(root, { process })
    await plugin.startWork(LEAD, "plans/demo.md")
    await plugin.say(LEAD, "go")
    const live = openLiveFiles({ root })
    await settle(async () => (await live.readAll(Date.now())).length === 1)
    await openFileBoulderStore({ root }).update((boulder) => {
      const all = Object.values(boulder.works).map((work) => ({
        ...work,
        ...change,
        driver: "other",
      }))
      return all.reduce(putWork, boulder)
    })
    await settle(async () => plugin.toasts.includes(says))
    expect(plugin.toasts).toContain(says)
    await plugin.hooks.dispose?.()
  }),
)

test("it is looked again without an event: boulder and plans may have changed by another hand", async () => {
  const set = new Map<string, () => Promise<void>>()
  const timers = {
    has: (name: string) => set.has(name),
    set: (name: string, _: number, run: () => Promise<void>) => void set.set(name, run),
  }
  keepView({} as never, timers).touched()
  for (let looks = 0; looks < 3; looks++) {
    expect([...set.keys()].toSorted()).toEqual(["view", "view-soon"])
    const again = set.get("view")
    set.clear()
    await again?.()
  }
})
