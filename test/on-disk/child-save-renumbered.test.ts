import { expect, test } from "bun:test"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CHILD, LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const TWO = planOf("Write a", "Write b")
const MOVED = planOf("New", "Write a", "Write b")
const CALL = { tool: "task", sessionID: LEAD, callID: "call_1" }
const args = { description: "todo:1", prompt: "do it", subagent_type: "general" }

function scene(
  save: object,
  check: (said: string, plan: string) => void,
  given: { readonly isMoved: boolean; readonly isRemoved?: true } = { isMoved: true },
) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), TWO)
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, PLAN)
    await plugin.hooks["tool.execute.before"]?.(CALL, { args })
    const part = {
      ...CALL,
      type: "tool",
      state: { status: "running", input: args, metadata: { sessionId: CHILD } },
    }
    await plugin.hooks.event?.({
      event: { type: "message.part.updated", properties: { part } } as never,
    })
    // The user puts a task in front while the subagent works on "Write a".
    if (given.isMoved) await writeFile(join(root, PLAN), MOVED)
    if (given.isRemoved) await rm(join(root, ".boulder"), { recursive: true })
    const said = String(
      await plugin.hooks.tool?.["save_task_progress"]?.execute(
        save as never,
        { sessionID: CHILD, agent: "general" } as never,
      ),
    )
    const plan = await readFile(join(root, PLAN), "utf8")
    await plugin.hooks.dispose?.()
    check(said, plan)
  })
}

test("control: without an edit, a subagent's complete ticks its task", () =>
  scene(
    { summary: "wrote a", status: "complete" },
    (_, plan) => expect(plan).toContain("[x] 1. Write a"),
    { isMoved: false },
  ))

test("a subagent's complete ticks its own task, renumbered while it ran, and no other", () =>
  scene({ summary: "wrote a", status: "complete" }, (_, plan) => {
    expect(plan).not.toContain("[x] 1. New")
    expect(plan).toContain("[x] 2. Write a")
  }))

test("a subagent's block blocks its own task, renumbered while it ran, and no other", () =>
  scene(
    { summary: "no key", status: "blocked", blocked_reason: "no key for the cloud" },
    (_, plan) => {
      expect(plan).toMatch(/^- \[ \] 1\. New$/m)
      expect(plan).not.toMatch(/^- \[ \] 2\. Write a$/m)
    },
  ))

test("a subagent that names its task by its new key may mark it", () =>
  scene({ summary: "wrote a", status: "complete", task: "todo:2" }, (_, plan) => {
    expect(plan).toContain("[x] 2. Write a")
  }))

test("a subagent that names another's task by the key that was its own does not mark that", () =>
  scene({ summary: "wrote a", status: "complete", task: "todo:1" }, (_, plan) => {
    expect(plan).not.toContain("[x] 1. New")
  }))

test.each([{ task: "todo:1" }, {}])(
  "a subagent's complete saves nothing where .boulder was removed while it ran: %j",
  (named) =>
    scene(
      { summary: "wrote a", status: "complete", ...named },
      (said, plan) => {
        expect(said).toContain("Refused: no plan that is open has this task")
        expect(plan).not.toContain("[x]")
      },
      { isMoved: false, isRemoved: true },
    ),
)
