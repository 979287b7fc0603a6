import { expect, test } from "bun:test"
import { MARKER, ROUND_MARKER } from "../../src/boulder/marker.ts"
import { readOptions } from "../../src/opencode/options.ts"
import { openRecordFiles } from "../../src/store/record-files.ts"
import { openTaskStateFiles } from "../../src/store/task-state-files.ts"
import { LEAD } from "../support/builders.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"
import { aStoredTaskState } from "../support/task-states.ts"

const LONG = "a line of a file\n".repeat(40)
const tool = (name: string) => ({
  info: { id: "msg_1", sessionID: LEAD, role: "assistant" },
  parts: [{ type: "tool", tool: name, state: { status: "completed", input: {}, output: LONG } }],
})
const prompt = (round: number) => ({
  info: { id: `msg_${round + 2}`, sessionID: LEAD, role: "user" },
  parts: [
    { type: "text", text: "", metadata: { [MARKER]: "continuation", [ROUND_MARKER]: round } },
  ],
})

/** The names of the tools whose old outputs are gone from a request. */
async function clearedWith(given: object, hasState = true): Promise<string[]> {
  let cleared: string[] = []
  await withFolder(async (root) => {
    if (hasState) await openTaskStateFiles(openRecordFiles({ root })).save(aStoredTaskState())
    const { hooks } = openPlugin(root, readOptions(given))
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
  expect(await clearedWith({ micro_compaction: "with_bash" })).toEqual(["read", "bash"])
  expect(await clearedWith({ micro_compaction: "off" })).toEqual([])
})

test("nothing is cleared without a task state, or where none is kept", async () => {
  expect(await clearedWith({}, false)).toEqual([])
  expect(await clearedWith({ task_state: "off" })).toEqual([])
})
