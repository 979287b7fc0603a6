// While a subagent works on a task, its user takes that row out of the plan and renumbers, or rewords it to be another
// task. Its key is another task's by then: a result that is told as that one's has the orchestrator tick a task that
// nobody has begun.
import { describe, expect, test } from "bun:test"
import { rename } from "node:fs/promises"
import { join } from "node:path"
import { LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const plan = (...rows: readonly string[]) => `# Plan\n\n## TODOs\n\n${rows.join("\n")}\n`
const BEFORE = plan(
  "- [ ] 1. Write the parser",
  "- [ ] 2. Write the printer",
  "- [ ] 3. Write the docs",
)
const TAKEN_OUT = plan("- [ ] 1. Write the parser", "- [ ] 2. Write the docs")
const GONE = "its task was reworded or taken out of the plan. Settle no task for it"

describe("the result of a task that the plan has no more is not told as that of the task under its key", () => {
  test.each([
    { name: "it was taken out, and what is behind it renumbered", edited: TAKEN_OUT },
    {
      name: "another took its place",
      edited: BEFORE.replace("Write the printer", "Choose a licence"),
    },
  ])("$name", ({ edited }) =>
    withFolder(async (root) => {
      const { plugin, edit, plan: text } = await started(root, BEFORE)
      const during = () => edit(edited)
      const said = await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_a", during })
      expect(said).toContain(
        `Result for todo:2 (0/${edited === TAKEN_OUT ? 2 : 3} settled): ${GONE}`,
      )
      expect(await text()).toBe(edited)
    }),
  )
  test("a row of the final wave", () =>
    withFolder(async (root) => {
      const wave = (...rows: readonly string[]) =>
        `${plan("- [x] 1. Write the parser")}\n## Final Verification Wave\n\n${rows.join("\n")}\n`
      const [one, two] = ["- [ ] F1. Review the code", "- [ ] F2. Review the docs"]
      const { plugin, edit, work } = await started(root, wave(one, two))
      const during = () => edit(wave("- [ ] F1. Review the docs"))
      const output = "VERDICT: APPROVE"
      const call = { lead: LEAD, key: "final-wave:f1", child: "ses_a", output, during }
      expect(await plugin.delegate(call)).toContain(GONE)
      expect((await work()).final_wave).toEqual({})
    }))
})

test("nor is it kept in the place of the session of the task under its key", () =>
  withFolder(async (root) => {
    const { plugin, edit, work } = await started(root, BEFORE)
    await plugin.delegate({ lead: LEAD, key: "todo:3", child: "ses_docs" })
    const during = () => edit(TAKEN_OUT)
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_printer", during })
    const { task_sessions, dispatches } = await work()
    expect(task_sessions["todo:2"]?.session_id).toBe("ses_docs")
    expect(dispatches).toEqual({})
  }))

test("a result of a task that was reworded meanwhile is not told as one of a task that the plan has no more", () =>
  withFolder(async (root) => {
    const second = (title: string) =>
      `# Plan\n\n## TODOs\n\n- [ ] 1. Write the parser\n- [ ] 2. ${title}\n`
    const { plugin, edit } = await started(root, second("Write the printer"))
    const during = () => edit(second("Write the printer, with colours"))
    const text = await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_printer", during })
    expect(text).toContain("Result for todo:2")
    expect(text).toContain("reworded")
  }))

test("a row that its user cancels while its subagent works stays cancelled, also if the lead saves it as complete", () =>
  withFolder(async (root) => {
    const { plugin, edit, plan: text } = await started(root, BEFORE)
    const cancelled = BEFORE.replace("[ ] 2.", "[-] 2.")
    const during = () => edit(cancelled)
    await plugin.delegate({ lead: LEAD, key: "todo:2", child: "ses_a", during })
    const args = { summary: "done", status: "complete", task: "todo:2" }
    await plugin.hooks.tool?.["save_task_progress"]?.execute(
      args as never,
      { sessionID: LEAD, agent: "build" } as never,
    )
    expect(await text()).toBe(cancelled)
  }))

// As the last task of an OpenSpec plan does: `openspec archive`.
describe("a plan that is moved away in its last turn", () => {
  async function moved(ticked: string, spoil?: string) {
    let seen: object = {}
    await withFolder(async (root) => {
      const { plugin, edit, work } = await started(root, BEFORE)
      await edit(ticked)
      const path = join(root, (await work()).active_plan)
      await plugin.use(LEAD, "edit", { filePath: path })
      await plugin.bash(LEAD, "openspec archive it -y", 0, {
        during: () => (spoil === undefined ? rename(path, `${path}.archived`) : edit(spoil)),
      })
      await plugin.fallIdle(LEAD)
      seen = { ...(await work()), told: plugin.toasts.at(-1) }
    })
    return seen
  }

  test("is complete if every box was ticked by then", async () => {
    expect(await moved(BEFORE.replaceAll("[ ]", "[x]"))).toMatchObject({
      status: "completed",
      told: "Plan demo complete: 3/3 tasks settled.",
    })
  })

  test("pauses the work if the plan is there and cannot be read: its other side may have more", async () => {
    const ticked = BEFORE.replaceAll("[ ]", "[x]")
    const spoil = `${ticked}<<<<<<< HEAD\n=======\n- [ ] 4. Ship it\n>>>>>>> topic\n`
    expect(await moved(ticked, spoil)).toMatchObject({ pause_reason: "plan-unavailable" })
  })

  test("pauses the work if one was left", async () => {
    expect(await moved(BEFORE.replace("[ ]", "[x]"))).toMatchObject({
      status: "paused",
      pause_reason: "plan-unavailable",
    })
  })
})
