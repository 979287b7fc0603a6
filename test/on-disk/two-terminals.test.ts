import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { LEAD } from "../support/builders.ts"
import { waitUntil } from "../support/host-wait.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

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
