import { expect, jest, test } from "bun:test"
import { OWN_PART } from "../../../boulder/own-part.ts"
import type { SessionApi } from "../session-api.ts"
import { TimeLimitError } from "../time-limit.ts"
import { sessionApiOf } from "./session-api-of.ts"

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
  const { lastTurn, to } = await sessionApiOf({ session } as never).lastTurn("ses_a")
  return lastTurn === null ? null : { ...lastTurn, to }
}

test("a prompt of ours that nothing has answered is a turn without an answer", async () => {
  expect(await lastTurnOf(prompt({ [OWN_PART]: "continuation" }))).toMatchObject({
    messageId: "msg_1",
    ours: true,
    ended: false,
    isUnanswered: true,
    to: null,
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
    to: "msg_1",
    ours: true,
    ended: true,
    isUnanswered: false,
    contextTokens: 9,
  })
})

test("a message that came while a step of the turn ran says whose the session is, and not whose the turn is", async () => {
  const meanwhile = {
    info: { id: "msg_1b", role: "user", agent: "plan", time: { created: 6 } },
    parts: [],
  }
  const session = {
    messages: async () => ({ data: [meanwhile, answer] }),
    message: async () => ({ data: prompt({ [OWN_PART]: "continuation" }) }),
  }
  const { lastTurn, to, identity } = await sessionApiOf({ session } as never).lastTurn("ses_a")
  expect({ ours: lastTurn?.ours, to, agent: identity.agent }).toEqual({
    ours: true,
    to: "msg_1",
    agent: "plan",
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

const model = { providerId: "p", modelId: "m" }
const identity = { agent: null, model, variant: null }
const CALLS: Record<keyof SessionApi, (api: SessionApi) => Promise<unknown>> = {
  session: (api) => api.session("ses_a"),
  lastTurn: (api) => api.lastTurn("ses_a"),
  refusedTurn: (api) => api.refusedTurn("ses_a"),
  busySessions: (api) => api.busySessions(),
  contextLimit: (api) => api.contextLimit(model),
  prompt: (api) => api.prompt("ses_a", "Go on", { identity, round: 1 }),
  compact: (api) => api.compact("ses_a", model),
  abort: (api) => api.abort("ses_a"),
  rename: (api) => api.rename("ses_a", "demo"),
  pluginNames: (api) => api.pluginNames(),
  toast: (api) => api.toast("hello", "info"),
}
test.each(Object.entries(CALLS).map(([name, run]) => ({ name, run })))(
  "$name ends within 2 s where the host does not answer",
  async ({ name, run }) => {
    const namespace = new Proxy({}, { get: () => () => new Promise<never>(() => {}) })
    const silent = new Proxy({}, { get: () => namespace })
    jest.useFakeTimers()
    try {
      let ended: unknown = "waits"
      const waiting = run(sessionApiOf(silent as never)).then(
        () => {
          ended = "went on"
        },
        (error: unknown) => {
          ended = error
        },
      )
      jest.advanceTimersByTime(1_999)
      await Promise.resolve()
      expect(ended).toBe("waits")
      jest.advanceTimersByTime(1)
      await Promise.race([waiting, eventLoopTurns(20)])
      // A compaction goes on by itself; an idle of the session reports its end.
      if (name === "compact") expect(ended).toBe("went on")
      else expect(ended).toBeInstanceOf(TimeLimitError)
      if (name === "session")
        expect(ended).toHaveProperty("message", "session.get took over 2000 ms")
    } finally {
      jest.useRealTimers()
    }
  },
)
/** This many turns of the microtasks, which no clock holds up. */
async function eventLoopTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve()
}
