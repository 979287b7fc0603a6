import { describe, expect, test } from "bun:test"
import { OWN_PART, ROUND_OF_PART } from "../../../boulder/own-part.ts"
import { clearOldOutputs, hasOldOutputs } from "./clear-outputs.ts"

const LONG = "a line of a file\n".repeat(40)
const STUB = `[boulder: old output of read src/a.ts cleared, ${LONG.length} characters; call it again if you need it]`

let made = 100
/** Ids that grow, as the host makes them. */
const info = (role: string, given: object = {}) => ({ id: `msg_${made++}`, role, ...given })
const user = (parts: readonly object[]) => ({ info: info("user"), parts })
const prompt = (round: number) =>
  user([{ type: "text", metadata: { [OWN_PART]: "continuation", [ROUND_OF_PART]: round } }])
const used = (tool: string, given: object = {}) => ({
  info: info("assistant"),
  parts: [
    {
      type: "tool",
      tool,
      state: {
        status: "completed",
        input: { filePath: "src/a.ts", pattern: "a.*b", path: "src", command: "npm test" },
        output: LONG,
        ...given,
      },
    },
  ],
})
const outputs = (messages: readonly { parts: readonly object[] }[]) =>
  messages
    .flatMap(({ parts }) => parts)
    .map((part) => Reflect.get(Object(Reflect.get(part, "state")), "output"))
    .filter((output) => output !== undefined)
type Messages = readonly { info: { id: string; role: string }; parts: readonly object[] }[]
const cleared = (messages: Messages) => {
  const copy = messages.map((message) => structuredClone(message))
  clearOldOutputs(copy)
  return outputs(copy)
}
/** A conversation whose first output belongs to an old round. */
const old = (tool: string, given: object = {}) => [
  used(tool, given),
  prompt(1),
  prompt(2),
  prompt(3),
]

describe("what is cleared", () => {
  test.each([
    { tool: "read", says: "read src/a.ts" },
    { tool: "grep", says: "grep a.*b" },
    { tool: "glob", says: "glob a.*b" },
    { tool: "list", says: "list src" },
  ])("an old output of $tool", ({ tool, says }) => {
    expect(cleared(old(tool))).toEqual([
      `[boulder: old output of ${says} cleared, ${LONG.length} characters; call it again if you need it]`,
    ])
  })
  test.each([
    { name: "a subagent's", tool: "task", given: {} },
    { name: "one of our tools", tool: "save_task_progress", given: {} },
    { name: "another of our tools", tool: "list_blocked_tasks", given: {} },
    { name: "an edit's", tool: "edit", given: {} },
    { name: "a tool called like what every object has", tool: "toString", given: {} },
    { name: "an error", tool: "read", given: { status: "error" } },
    { name: "a running call", tool: "read", given: { status: "running" } },
    { name: "a command's", tool: "bash", given: {} },
    { name: "what the host has cleared", tool: "read", given: { time: { compacted: 1 } } },
    { name: "a short one", tool: "read", given: { output: "short" } },
    {
      name: "a pruner's mark",
      tool: "read",
      given: { output: "[Output removed to save context]" },
    },
    {
      name: "what a pruner has made of one",
      tool: "read",
      given: { output: `[Output removed to save context: ${"it exports a parser. ".repeat(15)}]` },
    },
  ])("never $name", ({ tool, given }) => {
    const before = outputs(old(tool, given))
    expect(cleared(old(tool, given))).toEqual(before)
  })
  test("twice is as once", () => {
    const messages = old("read")
    clearOldOutputs(messages)
    const once = structuredClone(messages)
    clearOldOutputs(messages)
    expect(messages).toEqual(once)
    expect(outputs(messages)).toEqual([STUB])
  })
})

describe("only beyond the last two rounds", () => {
  const read = used("read")
  const upTo = (last: number) =>
    Array.from({ length: last }, (_, at) => [prompt(at + 1), read]).flat()
  test.each([
    { name: "no round yet", messages: [read], is: [LONG] },
    { name: "the first goes on", messages: [read, ...upTo(1)], is: [LONG, LONG] },
    { name: "one is over", messages: [read, ...upTo(2)], is: [LONG, LONG, LONG] },
    { name: "two are over", messages: [read, ...upTo(3)], is: [STUB, LONG, LONG, LONG] },
    { name: "three are over", messages: [read, ...upTo(4)], is: [STUB, STUB, LONG, LONG, LONG] },
    {
      name: "several prompts of one round",
      messages: [read, prompt(1), read, prompt(1), read, prompt(2), prompt(2), prompt(3), read],
      is: [STUB, LONG, LONG, LONG],
    },
    {
      name: "a compaction has taken the rounds before away",
      messages: [read, prompt(7), read, prompt(8), read],
      is: [LONG, LONG, LONG],
    },
    {
      name: "the rounds of the session's next work",
      messages: [read, ...upTo(4), prompt(1), read],
      is: [STUB, STUB, STUB, LONG, LONG, LONG],
    },
    {
      name: "a user's message begins no round",
      messages: [read, prompt(1), user([]), read, user([]), read],
      is: [LONG, LONG, LONG],
    },
    {
      name: "numbers that are not ours count for nothing",
      messages: [
        read,
        ...[1, 2, 3].map((round) => user([{ metadata: { [ROUND_OF_PART]: round } }])),
      ],
      is: [LONG],
    },
  ] as readonly { name: string; messages: Messages; is: string[] }[])(
    "$name",
    ({ messages, is }) => {
      expect(cleared(messages)).toEqual(is)
    },
  )
})

describe("what a compaction has kept behind its summary", () => {
  const BULK = "y".repeat(5_000)
  const CUT = `${"y".repeat(2_000)}\n[boulder cut 3000 characters]`
  const tool = (id: string, output: string, name = "read") => ({
    info: { id, role: "assistant" },
    parts: [{ type: "tool", tool: name, state: { status: "completed", output } }],
  })
  const summary = (id: string) => ({ info: { id, role: "assistant", summary: true }, parts: [] })

  test("is cut, where it can be had again; what is newer stays", () => {
    const messages = [
      summary("msg_6"),
      tool("msg_3", BULK),
      tool("msg_4", "short"),
      tool("msg_8", BULK),
    ]
    expect(cleared(messages)).toEqual([CUT, "short", BULK])
    clearOldOutputs(messages)
    expect(cleared(messages)).toEqual([CUT, "short", BULK])
  })
  test("an older summary among it changes nothing", () => {
    const kept = [tool("msg_3", BULK), summary("msg_4"), tool("msg_5", BULK)]
    expect(cleared([summary("msg_6"), ...kept, tool("msg_8", BULK)])).toEqual([CUT, CUT, BULK])
  })
  test("results of delegations and of tools that cannot be repeated stay whole", () => {
    const tools = ["task", "edit", "list_blocked_tasks", "mcp_deploy", "bash"]
    const messages = [summary("msg_9"), ...tools.map((name) => tool("msg_3", BULK, name))]
    expect(cleared(messages)).toEqual(tools.map(() => BULK))
  })
  test("without a compaction nothing is cut", () => {
    expect(cleared([tool("msg_2", BULK)])).toEqual([BULK])
    expect(hasOldOutputs([tool("msg_2", BULK)])).toBe(false)
    expect(hasOldOutputs([summary("msg_2")])).toBe(true)
  })
  test("parts of any form do no harm", () => {
    const parts = [{}, { state: null }, { tool: "read", state: { output: 1 } }]
    const odd = { info: { id: "msg_1", role: "assistant" }, parts }
    expect(() => clearOldOutputs([summary("msg_2"), odd])).not.toThrow()
  })
})
