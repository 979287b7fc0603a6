import { expect, test } from "bun:test"
import { trimTail } from "./trim-tail.ts"

const user = (id: string) => ({
  info: { id, role: "user" },
  parts: [{ type: "text", text: "x".repeat(9_000) }],
})
const tool = (id: string, output: string, name = "bash") => ({
  info: { id, role: "assistant" },
  parts: [{ type: "tool", tool: name, state: { status: "completed", output } }],
})
const summary = (id: string) => ({
  info: { id, role: "assistant", summary: true },
  parts: [{ type: "text", text: "s" }],
})
const outputsOf = (messages: readonly { parts: readonly object[] }[]) =>
  messages.flatMap(({ parts }) =>
    parts.map((part) => Reflect.get(Object(Reflect.get(part, "state")), "output")),
  )
const LONG = "y".repeat(5_000)

test("long results of before the summary, behind it, are cut; all else stays", () => {
  const messages = [
    user("msg_5"),
    summary("msg_6"),
    tool("msg_3", LONG),
    tool("msg_4", "short"),
    user("msg_7"),
    tool("msg_8", LONG),
  ]
  trimTail(messages)
  const cut = `${"y".repeat(2_000)}\n[boulder cut 3000 characters]`
  expect(outputsOf(messages)).toEqual([undefined, undefined, cut, "short", undefined, LONG])
  trimTail(messages)
  expect(outputsOf(messages)[2]).toHaveLength(cut.length)
})
test("an older summary among what was kept changes nothing", () => {
  const kept = [tool("msg_3", LONG), summary("msg_4"), tool("msg_5", LONG)]
  const messages = [summary("msg_6"), ...kept, tool("msg_8", LONG)]
  trimTail(messages)
  const lengths = outputsOf(messages).flatMap((output) => (output ? [String(output).length] : []))
  expect(lengths.map((length) => length < LONG.length)).toEqual([true, true, false])
})
test("results of delegations and of tools that cannot be repeated stay whole", () => {
  const tools = ["task", "edit", "list_blocked_tasks", "mcp_deploy"]
  const messages = [summary("msg_9"), ...tools.map((name) => tool("msg_3", LONG, name))]
  trimTail(messages)
  expect(outputsOf(messages).slice(1)).toEqual(tools.map(() => LONG))
})
test("without a compaction nothing is cut", () => {
  const messages = [user("msg_1"), tool("msg_2", LONG)]
  trimTail(messages)
  expect(outputsOf(messages)).toEqual([undefined, LONG])
})
test("parts of any form do no harm", () => {
  const odd = {
    info: { id: "msg_1", role: "assistant" },
    parts: [{}, { state: null }, { state: { output: 1 } }],
  }
  expect(() => trimTail([summary("msg_2"), odd])).not.toThrow()
  expect(() => trimTail([])).not.toThrow()
})
