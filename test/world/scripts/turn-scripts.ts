// Scenarios of one session: turns, tools, commands, errors, hooks that throw.
import type { HostScript, ScriptAnswer, ScriptCall } from "./host-script.ts"

/** A call of `bash`. */
export const bash = (command: string): ScriptCall => ({
  tool: "bash",
  args: { command, description: "say it" },
})

const calls = (...all: ScriptCall[]): ScriptAnswer => ({ calls: all })
const failing = (status: number): ScriptAnswer => ({ error: { status } })

const TURNS: readonly HostScript[] = [
  { name: "a plain turn", model: {}, acts: [{ prompt: "hello" }] },
  {
    name: "two turns, one after the other",
    model: {},
    acts: [{ prompt: "hello" }, { rest: true }, { prompt: "again" }],
  },
  {
    name: "another agent for a turn, and back",
    model: {},
    acts: [{ prompt: "hello", agent: "plan" }, { rest: true }, { prompt: "again" }],
  },
  {
    name: "a call of a tool",
    model: { hello: [calls(bash("echo hi")), { text: "done" }] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "text and a call in one answer",
    model: { hello: [{ text: "I look.", ...calls(bash("echo hi")) }, { text: "done" }] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a call in each of three answers",
    model: {
      hello: [
        calls(bash("echo 1")),
        calls(bash("echo 2")),
        calls(bash("echo 3")),
        { text: "done" },
      ],
    },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a call id that the provider repeats in the next turn",
    model: {
      hello: [calls({ ...bash("echo hi"), callId: "call_0" }), { text: "done" }],
      again: [calls({ ...bash("echo ho"), callId: "call_0" }), { text: "done" }],
    },
    acts: [{ prompt: "hello" }, { rest: true }, { prompt: "again" }],
  },
  {
    name: "a tool that is not there",
    model: { hello: [calls({ tool: "nonesuch", args: { a: 1 } }), { text: "done" }] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "promptAsync with an agent",
    model: {},
    acts: [{ promptAsync: "hello", agent: "plan" }],
  },
  {
    name: "promptAsync without an agent behind a turn of another one",
    model: {},
    acts: [{ prompt: "hello", agent: "plan" }, { rest: true }, { promptAsync: "go on" }],
  },
  {
    name: "a message while a turn runs",
    model: { hello: [calls(bash("echo ask"))], more: [{ text: "to both" }] },
    acts: [
      { prompt: "hello" },
      { until: "s1 permission.asked" },
      { prompt: "more" },
      { until: "s1 message.part.updated m3 text" },
      { permission: "once" },
    ],
  },
  {
    name: "promptAsync while a turn runs",
    model: { hello: [calls(bash("echo ask"))], more: [{ text: "to both" }] },
    acts: [
      { prompt: "hello" },
      { until: "s1 permission.asked" },
      { promptAsync: "more", agent: "build" },
      { until: "s1 message.part.updated m3 text" },
      { permission: "once" },
    ],
  },
  {
    name: "a command",
    model: { "PROBE a b": [{ text: "probed" }] },
    acts: [{ command: "probe", given: "a b" }],
  },
]

const ERRORS: readonly HostScript[] = [
  {
    name: "the provider says 400",
    model: { hello: [failing(400)] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "the provider says 401, and answers the next turn",
    model: { hello: [failing(401)] },
    acts: [{ prompt: "hello" }, { rest: true }, { prompt: "again" }],
  },
  {
    name: "the provider says 429 once, and when to come back",
    model: { hello: [{ error: { status: 429, retryAfter: 1 }, retried: { text: "late" } }] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "the provider says 429 once",
    model: { hello: [{ error: { status: 429 }, retried: { text: "late" } }] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "the provider says 503 once, behind a call of a tool",
    model: { hello: [calls(bash("echo hi")), { ...failing(503), retried: { text: "late" } }] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "ESC while the host waits to try again",
    model: { hello: [{ error: { status: 429, retryAfter: 30 } }] },
    acts: [{ prompt: "hello" }, { until: "s1 session.status retry" }, { abort: "s1" }],
  },
  {
    name: "a model that is not there",
    model: {},
    acts: [{ promptAsync: "hello", agent: "build", model: "none" }],
  },
  {
    name: "an agent that is not there",
    model: {},
    acts: [{ promptAsync: "hello", agent: "nobody" }],
  },
]

const THROWN: readonly HostScript[] = [
  {
    name: "chat.message throws under a user's prompt",
    model: {},
    acts: [{ prompt: "throw in chat.message" }, { rest: true }, { prompt: "again" }],
  },
  {
    name: "chat.message throws under promptAsync",
    model: {},
    acts: [{ promptAsync: "throw in chat.message", agent: "build" }],
  },
  ...["chat.params", "experimental.chat.system.transform", "experimental.text.complete"].map(
    (hook) => ({
      name: `${hook} throws`,
      model: {},
      acts: [{ prompt: `throw in ${hook}` }, { rest: true }, { prompt: "again" }] as const,
    }),
  ),
  {
    name: "experimental.chat.messages.transform throws",
    model: {},
    acts: [
      { prompt: "throw in experimental.chat.messages.transform" },
      { rest: true },
      { prompt: "again" },
    ],
  },
  ...["tool.execute.before", "tool.execute.after"].map((hook) => ({
    name: `${hook} throws`,
    model: { throw: [calls(bash("echo hi")), { text: "done" }] },
    acts: [{ prompt: `throw in ${hook}` }] as const,
  })),
]

/** Scenarios of one session, without a person who answers. */
export const TURN_SCRIPTS: readonly HostScript[] = [...TURNS, ...ERRORS, ...THROWN]
