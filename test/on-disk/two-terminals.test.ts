import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openTaskStateFiles } from "../../src/store/records/task-state-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { waitUntil } from "../support/host-wait.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"
import { aStoredTaskState } from "../support/task-states.ts"

const OTHER = "ses_other"
/** Two opencodes that both live. */
const ONE = "11-1-0000000a-00000000000000aa"
const TWO = "22-2-0000000a-00000000000000bb"
const processOf = (id: string, other: string) => ({
  id,
  isElsewhere: async (asked: string | null) => asked === other,
})

test("a plan that another opencode works on is taken over by --take-over alone, and who had it stops", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const one = openPlugin(root, { process: processOf(ONE, TWO) })
    const two = openPlugin(root, { process: processOf(TWO, ONE) })
    const lead = async () =>
      Object.values((await openFileBoulderStore({ root }).read()).boulder?.works ?? {})[0]
        ?.lead_session_id
    await one.startWork(LEAD, "plans/demo.md")
    await one.fallIdle("ses_stranger")
    await Bun.sleep(1_200)

    const asked = await two.startWork(OTHER, "plans/demo.md")
    expect(asked).toContain(
      `Expected demo to be free, found another opencode (session ${LEAD}) working on it right now. Stop it there first, or take it over: /start-work plans/demo.md --take-over`,
    )
    expect(await lead()).toBe(LEAD)
    expect(await one.use(LEAD, "task", { description: "todo:1" })).toContain("done")

    const taken = await two.startWork(OTHER, '"plans/demo.md --take-over"')
    expect(taken).toContain(`taken over from session ${LEAD}`)
    expect(await lead()).toBe(OTHER)
    expect(await one.use(LEAD, "task", { description: "todo:2" })).toBe(
      `boulder: not delegated. Session ${OTHER} has taken over the plan demo. Tell the user, and end this turn.`,
    )
    expect(await two.use(OTHER, "task", { description: "todo:2" })).toContain("done")
    await waitUntil(
      () => one.toasts.some((toast) => toast.includes(`taken over by session ${OTHER}`)),
      () => one.toasts.join("\n"),
      { what: "the first is told" },
    )

    // What the user begins in the old session is the user's.
    await one.say(LEAD, "something else")
    expect(await one.use(LEAD, "task", { description: "look around" })).toContain("done")
    for (const plugin of [one, two]) await plugin.hooks.dispose?.()
  }))

test("a paused plan is started without a question, whichever opencode had it", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    const one = openPlugin(root, { process: processOf(ONE, TWO) })
    const two = openPlugin(root, { process: processOf(TWO, ONE) })
    await one.startWork(LEAD, "plans/demo.md")
    const output = { parts: [] }
    const call = { command: "stop-work", sessionID: LEAD, arguments: "" }
    await one.hooks["command.execute.before"]?.(call, output as never)
    expect(await two.startWork(OTHER, "plans/demo.md")).toContain("taken over from session")
    for (const plugin of [one, two]) await plugin.hooks.dispose?.()
  }))

/** A `/start-work` of another's session that falls between the reading and the write of one's own. */
async function startsBetween(
  request: string,
  first: "nothing" | "paused" | "led here",
): Promise<{ said: string; lead: string | undefined; states: readonly string[] }> {
  const got = { said: "", lead: "" as string | undefined, states: [] as string[] }
  await withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const store = openFileBoulderStore({ root })
    const states = openTaskStateFiles(openRecordFiles({ root }))
    const between: { act: (() => Promise<unknown>) | null } = { act: null }
    const update: typeof store.update = async (change) => {
      const { act } = between
      between.act = null
      await act?.()
      return store.update(change)
    }
    const one = openPlugin(root, { process: processOf(ONE, TWO) })
    const two = openPlugin(root, { process: processOf(TWO, ONE), store: { ...store, update } })
    if (first === "paused") {
      await one.startWork(LEAD, "plans/demo.md")
      await states.save(aStoredTaskState({ session_id: LEAD }))
      await one.hooks["command.execute.before"]?.(
        { command: "stop-work", sessionID: LEAD, arguments: "" },
        { parts: [] } as never,
      )
    }
    if (first === "led here") await two.startWork(LEAD, "plans/demo.md")
    between.act = () =>
      first === "led here" ? two.fallIdle(LEAD) : one.startWork("ses_between", "plans/demo.md")
    got.said = await two.startWork(OTHER, request)
    const { boulder } = await store.read()
    got.lead = Object.values(boulder?.works ?? {})[0]?.lead_session_id
    got.states.push(...(await states.list()).stored.map(({ session_id: id }) => id))
    for (const plugin of [one, two]) await plugin.hooks.dispose?.()
  })
  return { ...got, states: got.states.sort() }
}

test.each([{ first: "nothing" }, { first: "paused" }] as const)(
  "one that another begins between the reading and the write is refused as well, and leaves nothing: $first before",
  async ({ first }) => {
    const { said, lead, states } = await startsBetween("plans/demo.md", first)
    expect(said).toContain("Expected demo to be free, found another opencode (session ses_between)")
    expect(lead).toBe("ses_between")
    // The one that has begun it has the state of its lead, and the refused one none.
    expect(states).toEqual(first === "paused" ? [LEAD, "ses_between"].sort() : [])
  },
)

test("with --take-over it is taken from whoever has begun it", async () => {
  const { said, lead, states } = await startsBetween("plans/demo.md --take-over", "paused")
  expect(said).toContain("taken over from session ses_between")
  expect(lead).toBe(OTHER)
  expect(states).toEqual([LEAD, "ses_between", OTHER].sort())
})

test("a work that only goes on between them is started as ever", async () => {
  expect((await startsBetween("plans/demo.md", "led here")).lead).toBe(OTHER)
})
