// A task is blocked, and its person was told so, in the journal (`why`) and by the program that `notify` names. Then
// somebody inserts a row above it and renumbers, or rewords its row: nothing new is blocked, and it is its record's task
// all the same.
import { describe, expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

type Scene = Awaited<ReturnType<typeof started>> & {
  readonly id: string
  /** Calls a handoff tool. */
  readonly call: (name: string, args: object, sessionId?: string) => Promise<string>
}

const plan = (...rows: readonly string[]) => `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`

test("a blocked task that is renumbered is not blocked a second time", () =>
  withFolder(async (root) => {
    const {
      plugin,
      edit,
      work,
      plan: text,
    } = await started(
      root,
      plan("- [ ] 1. Write the parser", "- [ ] 2. Write the printer", "- [ ] 3. Write the docs"),
    )
    const journal = async () => {
      const all = await readFile(join(root, ".boulder/journal.jsonl"), "utf8")
      return all.split("\n").filter((line) => line.includes('"task-blocked"'))
    }
    const output = "BLOCKED: no key for the cloud"
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_child", output })
    expect(await journal()).toHaveLength(1)
    const marked = await text()
    await Bun.sleep(150)
    await edit(
      marked
        .replace("3. Write the docs", "4. Write the docs")
        .replace("2. Write the printer", "3. Write the printer")
        .replace(
          "- [ ] 1. Write the parser",
          "- [ ] 1. Write the parser\n- [ ] 2. Write the scanner",
        ),
    )
    await plugin.use(LEAD, "bash")
    expect(Object.keys((await work()).blocked)).toEqual(["todo:3"])
    expect(await journal()).toHaveLength(1)
  }))

/** Its note names its record, whatever the row says by now. */
describe("a blocked task that is reworded above its note", () => {
  const reworded = (run: (scene: Scene) => Promise<void>) =>
    withFolder(async (root) => {
      const begun = await started(root, plan("- [ ] 1. Deploy it", "- [ ] 2. Write the docs"))
      const output = "BLOCKED: no key for the cloud"
      await begun.plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", output })
      const marked = await begun.plan()
      await begun.edit(marked.replace("Deploy it", "Deploy it elsewhere"))
      const id = /hnd_\w+/.exec(marked)?.[0] ?? ""
      const call = async (name: string, args: object, sessionID = LEAD) =>
        String(
          await begun.plugin.hooks.tool?.[name]?.execute(
            args as never,
            { sessionID, agent: "build" } as never,
          ),
        )
      await run({ ...begun, id, call })
    })
  test("is ticked by a save that completes its record", () =>
    reworded(async ({ call, id, plan: text }) => {
      const saved = await call("save_task_progress", {
        summary: "done",
        status: "complete",
        task: id,
      })
      expect(saved).toContain("todo:1 is marked done in the plan")
      expect(await text()).toContain("- [x] 1. Deploy it elsewhere")
    }))
  test("is listed as the plan has it", () =>
    reworded(async ({ call }) => {
      const said = await call("list_blocked_tasks", {}, "ses_other")
      expect(said).toContain('todo:1 "Deploy it elsewhere"')
    }))
  test("goes on in its record where it is blocked once more", () =>
    reworded(async ({ call, id, plan: text }) => {
      const again = { status: "blocked", blocked_reason: "no account", task: "todo:1" }
      expect(await call("save_task_progress", { summary: "half", ...again })).toContain(id)
      expect(await text()).toContain(`BLOCKED: no account (${id})`)
    }))
  test("ends its record where a person ticks it", () =>
    reworded(async ({ call, id, edit, plan: text }) => {
      await edit((await text()).replace(/- \[.\] 1\./, "- [x] 1."))
      expect(await call("list_blocked_tasks", {}, "ses_other")).not.toContain(id)
    }))
})

test("a blocked task that is taken out of the plan is listed under no other task's number", () =>
  withFolder(async (root) => {
    const { plugin, edit } = await started(root, plan("- [ ] 1. Deploy it", "- [ ] 2. Write docs"))
    const output = "BLOCKED: no key for the cloud"
    await plugin.delegate({ lead: LEAD, key: "todo:1", child: "ses_child", output })
    await edit(plan("- [ ] 1. Write docs"))
    const list = plugin.hooks.tool?.["list_blocked_tasks"]
    const context = { sessionID: "ses_other", agent: "build" } as never
    const said = String(await list?.execute({} as never, context))
    expect(said).toContain('"Deploy it"')
    expect(said).not.toContain("todo:1")
  }))
