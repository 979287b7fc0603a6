import { expect, test } from "bun:test"
import { OWN_PART } from "../../boulder/own-part.ts"
import { sessionApiOf } from "./session-api.ts"

const prompt = (metadata: object) => ({
  info: { id: "msg_1", role: "user", agent: "build", time: { created: 5 } },
  parts: [{ type: "text", text: "Go on", metadata }],
})
const answer = {
  info: {
    id: "msg_2",
    role: "assistant",
    parentID: "msg_1",
    time: { created: 6, completed: 7 },
    tokens: { total: 9, input: 8, output: 1, cache: { read: 0, write: 0 } },
  },
  parts: [],
}
const lastTurnOf = async (...messages: readonly object[]) => {
  const session = { messages: async () => ({ data: messages }) }
  return (await sessionApiOf({ session } as never).lastTurn("ses_a")).lastTurn
}

test("a prompt of ours that nothing has answered is a turn without an answer", async () => {
  expect(await lastTurnOf(prompt({ [OWN_PART]: "continuation" }))).toMatchObject({
    messageId: "msg_1",
    ours: true,
    ended: false,
    isUnanswered: true,
  })
})
test("a message of the user's own that nothing has answered yet is no turn", async () => {
  expect(await lastTurnOf(prompt({}))).toBeNull()
  expect(await lastTurnOf()).toBeNull()
})
test("an answer is its turn, ours where our prompt has begun it", async () => {
  const turn = await lastTurnOf(prompt({ [OWN_PART]: "continuation" }), answer)
  expect(turn).toMatchObject({
    messageId: "msg_2",
    ours: true,
    ended: true,
    isUnanswered: false,
    contextTokens: 9,
  })
})

test("a message on the terminal is one line without what a terminal obeys", async () => {
  const shown: unknown[] = []
  const tui = { showToast: async ({ body }: { body: object }) => ({ data: shown.push(body) }) }
  const message = "option a\n\u001b]0;x\u0007\u009b2J\u202eb: no such option"
  await sessionApiOf({ tui } as never).toast(message, "warning")
  expect(shown).toEqual([
    { title: "boulder", message: "option a 2Jb: no such option", variant: "warning" },
  ])
})

test("a session has its parent and its agent, where the host names them", async () => {
  const sessionOf = (data: object) =>
    sessionApiOf({
      session: { get: async () => ({ data, response: { status: 200 } }) },
    } as never).session("ses_b")
  const child = { id: "ses_b", parentID: "ses_a", agent: "general", title: "Write a" }
  expect(await sessionOf(child)).toEqual({
    id: "ses_b",
    parentId: "ses_a",
    agent: "general",
    title: "Write a",
  })
  expect(await sessionOf({ id: "ses_b" })).toEqual({
    id: "ses_b",
    parentId: null,
    agent: null,
    title: "",
  })
})
