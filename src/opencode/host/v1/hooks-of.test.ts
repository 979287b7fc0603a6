import { beforeEach, describe, expect, test } from "bun:test"
import type { Reactions } from "../reactions.ts"
import { ToolRefusal } from "../tool-refusal.ts"
import { hooksOf } from "./hooks-of.ts"

const failed: string[] = []
beforeEach(() => {
  failed.length = 0
})

const nothing = async () => null
const quiet = async () => undefined
/** Reads everything that it is given, and answers if an answer would be written. */
const reactions: Reactions = {
  commands: {},
  tool: async () => "",
  told: async ({ heard, told }) => {
    heard(1)
    told(1)
  },
  command: async () => "text",
  message: nothing,
  request: quiet,
  shown: async (view) => {
    view.contextTokens()
  },
  systemText: async () => "text",
  before: async (call) => {
    call.paths()
    call.delegation()
  },
  after: async (_, result) => {
    result.childOf(null)
  },
  compacting: async () => "text",
  goesOn: async () => true,
  textEnds: quiet,
  failed: async (where) => {
    failed.push(where)
  },
  dispose: quiet,
}

/** Calls a hook with what no host of the declared types would pass. */
function call(hook: string, given: readonly unknown[], by = reactions): unknown {
  const run: unknown = Reflect.get(hooksOf(by), hook)
  return typeof run === "function" ? run(...given) : expect.unreachable(`no hook ${hook}`)
}

const ids = { sessionID: "ses_a" }
const info = { id: "msg_a", role: "assistant", sessionID: "ses_a" }
const task = { tool: "task", sessionID: "ses_a", callID: "call_a" }
const MESSAGES = "experimental.chat.messages.transform"
const SYSTEM = "experimental.chat.system.transform"

describe("no hook throws, whatever a host hands over, and what cannot be read is told", () => {
  test.each([
    { name: "nothing", hook: "event", given: [] },
    { name: "no event", hook: "event", given: [{}] },
    { name: "null for an event", hook: "event", given: [{ event: null }] },
    { name: "no message", hook: "chat.message", given: [ids, { parts: [] }] },
    { name: "no parts", hook: "chat.message", given: [ids, { message: info }] },
    { name: "a null part", hook: "chat.message", given: [ids, { message: info, parts: [null] }] },
    { name: "no model", hook: "chat.params", given: [{ ...ids, agent: "build" }, {}] },
    { name: "no limits", hook: "chat.params", given: [{ ...ids, agent: "build", model: {} }, {}] },
    { name: "no messages", hook: MESSAGES, given: [{}, {}] },
    { name: "a null message", hook: MESSAGES, given: [{}, { messages: [null] }] },
    { name: "no text", hook: SYSTEM, given: [ids, {}] },
    { name: "a null text", hook: SYSTEM, given: [ids, { system: [null] }] },
    { name: "no output", hook: "tool.execute.before", given: [task] },
    { name: "no call", hook: "tool.execute.after", given: [null, { output: "" }] },
    { name: "no parts", hook: "command.execute.before", given: [{ ...ids, command: "x" }, {}] },
    { name: "no output", hook: "experimental.session.compacting", given: [ids] },
    { name: "no output", hook: "experimental.compaction.autocontinue", given: [ids] },
    { name: "nothing", hook: "experimental.text.complete", given: [] },
    { name: "nothing", hook: "config", given: [] },
  ])("$hook: $name", async ({ hook, given }) => {
    expect(await call(hook, given)).toBeUndefined()
    expect(failed).toEqual([hook])
  })
})

test("a reaction that throws is told, and the user's message goes its way", async () => {
  const throwing = { ...reactions, message: async () => Promise.reject(new Error("broken")) }
  await call("chat.message", [ids, { message: info, parts: [] }], throwing)
  expect(failed).toEqual(["chat.message"])
})

test("the refusal of a tool goes through", async () => {
  const refusing = { ...reactions, before: async () => Promise.reject(new ToolRefusal("no")) }
  const refused = Promise.resolve(call("tool.execute.before", [task, { args: {} }], refusing))
  await expect(refused).rejects.toThrow("no")
  expect(failed).toEqual([])
})

test("of a command of ours the model reads the answer, and the screen shows what was typed", async () => {
  const output = { parts: [{ type: "text", text: "the template" }] }
  const typed = { command: "start-work", sessionID: "ses_a", arguments: "demo" }
  await call("command.execute.before", [typed, output])
  expect(output.parts).toEqual([
    expect.objectContaining({ type: "text", text: "text", synthetic: true }),
    expect.objectContaining({ type: "text", text: "/start-work demo", ignored: true }),
  ])
})
