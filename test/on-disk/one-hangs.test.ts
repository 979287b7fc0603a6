import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Shell } from "../../src/opencode/host/shell.ts"
import { openPlanFiles } from "../../src/store/plans/plan-files.ts"
import { LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin, type PluginInProcess } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

/** Two works with a lead each; the plan of ses_slow's can be held up, and so is the task state of ses_x. */
function scene(run: (plugin: PluginInProcess, hold: () => () => void) => Promise<void>) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    for (const name of ["demo", "slow"])
      await writeFile(join(root, `plans/${name}.md`), planOf("Write a", "Write b"))
    const plans = openPlanFiles({ root, now: Date.now })
    let held = Promise.resolve()
    const read: Shell["plans"]["read"] = async (path) => {
      if (path.includes("slow")) await held
      return plans.read(path)
    }
    const taskStates: Shell["taskStates"] = {
      load: async (sessionId) => (sessionId === "ses_x" ? held.then(() => null) : null),
      save: async () => null,
      remove: async () => undefined,
      list: async () => ({ stored: [], unreadable: [] }),
    }
    const plugin = openPlugin(root, { plans: { ...plans, read }, taskStates })
    await plugin.startWork("ses_slow", "plans/slow.md")
    await plugin.startWork(LEAD, "plans/demo.md")
    await run(plugin, () => {
      let release: () => void = () => undefined
      held = new Promise((resolve) => {
        release = resolve
      })
      return () => release()
    })
    // Nothing has reached its limit.
    expect(plugin.logs).toEqual([])
    await plugin.hooks.dispose?.()
  })
}

/** Which of the two is there first. */
const first = (hanging: Promise<unknown>, other: Promise<unknown>) =>
  Promise.race([hanging.then(() => "the one that hangs"), other.then(() => "the other")])

test("a plan that hangs holds up no tool of another work's session", () =>
  scene(async (plugin, hold) => {
    const release = hold()
    const slow = plugin.use("ses_slow", "bash")
    expect(await first(slow, plugin.use(LEAD, "bash"))).toBe("the other")
    release()
    await slow
  }))

test("nor does a question in a session whose plan hangs", () =>
  scene(async (plugin, hold) => {
    const ask = (sessionID: string) => {
      const options = [{ label: "Approve" }, { label: "Wait" }]
      const questions = [{ header: "Final wave", question: "Approve?", options }]
      const properties = { id: `que_${sessionID}`, sessionID, questions }
      return plugin.hooks.event?.({
        event: { type: "question.asked", properties } as never,
      }) as Promise<void>
    }
    const release = hold()
    const slow = ask("ses_slow")
    expect(await first(slow, ask(LEAD))).toBe("the other")
    release()
    await slow
  }))

test("an undo in one session that hangs holds up no request of another", () =>
  scene(async (plugin, hold) => {
    const release = hold()
    const properties = { sessionID: "ses_x", messageID: "msg_x" }
    const undo = plugin.hooks.event?.({
      event: { type: "message.removed", properties } as never,
    }) as Promise<void>
    const output = { system: ["rules"] }
    const given = { sessionID: LEAD, model: {} } as never
    const transform = plugin.hooks["experimental.chat.system.transform"]?.(given, output)
    expect(await first(undo, transform as Promise<void>)).toBe("the other")
    release()
    await undo
  }))
