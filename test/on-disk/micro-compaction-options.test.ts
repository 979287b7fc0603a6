import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { OWN_PART, ROUND_OF_PART } from "../../src/boulder/own-part.ts"
import type { TaskState } from "../../src/boulder/task-state.ts"
import { readOptions } from "../../src/opencode/host/options.ts"
import { LEAD } from "../support/builders.ts"
import { planOf, ticked } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"
import { aStoredTaskState, aTaskState, EMPTY_TASK_STATE } from "../support/task-states.ts"

const LONG = "a line of a file\n".repeat(40)
const tool = (name: string) => ({
  info: { id: "msg_1", sessionID: LEAD, role: "assistant" },
  parts: [
    {
      type: "tool",
      tool: name,
      state: { status: "completed", input: {}, output: LONG, metadata: { exit: 0 } },
    },
  ],
})
const prompt = (round: number) => ({
  info: { id: `msg_${round + 2}`, sessionID: LEAD, role: "user" },
  parts: [
    { type: "text", text: "", metadata: { [OWN_PART]: "continuation", [ROUND_OF_PART]: round } },
  ],
})

/** The names of the tools whose old outputs are gone from a request of a session that leads a plan. */
async function clearedWith(
  given: object,
  state: TaskState | null = aTaskState(),
  plan: string | null = planOf("Write a"),
): Promise<string[]> {
  let cleared: string[] = []
  await withFolder(async (root) => {
    await mkdir(join(root, ".boulder/sessions"), { recursive: true })
    const stored = JSON.stringify(aStoredTaskState({ task_state: state ?? aTaskState() }))
    if (state !== null) await writeFile(join(root, ".boulder/sessions", `${LEAD}.json`), stored)
    const plugin = openPlugin(root, readOptions(given))
    const { hooks } = plugin
    if (plan !== null) {
      await writeFile(join(root, "demo.md"), plan)
      await plugin.startWork(LEAD, "demo.md")
      await plugin.fallIdle(LEAD)
    }
    const conversation = [tool("read"), tool("bash"), ...[1, 2, 3].map(prompt)]
    await hooks["experimental.chat.messages.transform"]?.({}, { messages: conversation as never })
    cleared = conversation.flatMap(({ parts }) =>
      parts.flatMap((part) => ("tool" in part && part.state.output !== LONG ? [part.tool] : [])),
    )
  })
  return cleared
}

test("micro_compaction says which old outputs become a line", async () => {
  expect(await clearedWith({})).toEqual(["read"])
  expect(await clearedWith({ micro_compaction: "off" })).toEqual([])
})

test("outputs are cleared for as long as the state is shown", async () => {
  expect(await clearedWith({}, aTaskState(), ticked(planOf("Write a"), "1"))).toEqual([])
  expect(await clearedWith({}, aTaskState(), null)).toEqual([])
  expect(await clearedWith({ task_state: "always" }, aTaskState(), null)).toEqual(["read"])
})

test("nothing is cleared without a task state, or where none is kept", async () => {
  expect(await clearedWith({}, null)).toEqual([])
  expect(await clearedWith({}, EMPTY_TASK_STATE)).toEqual([])
  expect(await clearedWith({ task_state: "off" })).toEqual([])
})
