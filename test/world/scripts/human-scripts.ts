// Scenarios of a person: ESC, permissions, questions, undo, compactions.
import type { HostScript, ScriptAnswer } from "./host-script.ts"
import { bash } from "./turn-scripts.ts"

const question: ScriptAnswer = {
  calls: [
    {
      tool: "question",
      args: {
        questions: [
          {
            question: "Which?",
            header: "Which",
            options: [
              { label: "A", description: "a" },
              { label: "B", description: "b" },
            ],
          },
        ],
      },
    },
  ],
}
const asking = { hello: [{ calls: [bash("echo ask")] }, { text: "went on" }] }

const ABORTS: readonly HostScript[] = [
  {
    name: "ESC while the model speaks",
    model: { hello: [{ text: "thinking", hangs: true }] },
    acts: [
      { prompt: "hello" },
      { until: "s1 message.part.updated m2 text" },
      { abort: "s1" },
      { rest: true },
      { prompt: "again" },
    ],
  },
  {
    name: "ESC while a tool runs",
    model: { hello: [{ calls: [bash("sleep 60")] }] },
    acts: [{ prompt: "hello" }, { until: "s1 hook tool.execute.before" }, { abort: "s1" }],
  },
  { name: "ESC in an idle session", model: {}, acts: [{ abort: "s1" }] },
  {
    name: "ESC while a permission is open",
    model: asking,
    acts: [{ prompt: "hello" }, { until: "s1 permission.asked" }, { abort: "s1" }],
  },
  {
    name: "ESC while a question is open",
    model: { hello: [question] },
    acts: [{ prompt: "hello" }, { until: "s1 question.asked" }, { abort: "s1" }],
  },
]

const ASKED: readonly HostScript[] = [
  {
    name: "a permission is given",
    model: asking,
    acts: [{ prompt: "hello" }, { until: "s1 permission.asked" }, { permission: "once" }],
  },
  {
    name: "a permission is refused",
    model: asking,
    acts: [{ prompt: "hello" }, { until: "s1 permission.asked" }, { permission: "reject" }],
  },
  {
    name: "a permission is refused with a word to the model",
    model: asking,
    acts: [
      { prompt: "hello" },
      { until: "s1 permission.asked" },
      { permission: "reject", feedback: "use ls" },
    ],
  },
  {
    name: "a rule denies a tool",
    model: { hello: [{ calls: [bash("echo never")] }, { text: "went on" }] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a question is answered",
    model: { hello: [question, { text: "A, then" }] },
    acts: [{ prompt: "hello" }, { until: "s1 question.asked" }, { answer: [["A"]] }],
  },
  {
    name: "a question is dismissed",
    model: { hello: [question, { text: "never said" }] },
    acts: [{ prompt: "hello" }, { until: "s1 question.asked" }, { answer: null }],
  },
]

const COMPACTIONS: readonly HostScript[] = [
  {
    name: "a compaction that the user asks for, and a turn behind it",
    model: {},
    acts: [
      { prompt: "hello" },
      { rest: true },
      { summarize: true },
      { rest: true },
      { prompt: "again" },
    ],
  },
  {
    name: "a compaction by a full context behind a call",
    model: { hello: [{ calls: [bash("echo hi")], tokens: 39_500 }], Continue: [{ text: "done" }] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a compaction by a full context at the end of a turn",
    model: { hello: [{ text: "done", tokens: 39_500 }] },
    acts: [{ prompt: "hello" }, { rest: true }, { prompt: "again" }],
  },
  {
    name: "a compaction after which the plugin forbids the host to go on",
    model: { hello: [{ calls: [bash("echo hi")], tokens: 39_500 }] },
    acts: [{ prompt: "hello, do not go on" }],
  },
  {
    name: "a compaction because the provider finds the context too long",
    model: { hello: [{ error: "overflow", retried: { text: "now it fits" } }] },
    acts: [{ prompt: "earlier" }, { rest: true }, { prompt: "hello" }],
  },
  {
    name: "a compaction that the provider refuses",
    model: {},
    summaries: [{ error: { status: 400 } }],
    acts: [{ prompt: "hello" }, { rest: true }, { summarize: true }],
  },
  {
    name: "ESC in a compaction",
    model: {},
    summaries: [{ text: "half", hangs: true }],
    acts: [
      { prompt: "hello" },
      { rest: true },
      { summarize: true },
      { until: "s1 message.part.updated m4 text" },
      { abort: "s1" },
    ],
  },
]

const SESSIONS: readonly HostScript[] = [
  {
    name: "the last turn is undone, and another begun",
    model: {},
    acts: [
      { prompt: "hello" },
      { rest: true },
      { prompt: "wrong" },
      { rest: true },
      { undo: 2 },
      { rest: true },
      { prompt: "right" },
    ],
  },
  {
    name: "a session is deleted",
    model: {},
    acts: [{ prompt: "hello" }, { rest: true }, { remove: true }],
  },
]

/** Scenarios of one session, with a person. */
export const HUMAN_SCRIPTS: readonly HostScript[] = [
  ...ABORTS,
  ...ASKED,
  ...COMPACTIONS,
  ...SESSIONS,
]
