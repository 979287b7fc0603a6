// Scenarios of delegations: children that work, fail, are resumed, aborted and nested.
import type { HostScript, ScriptAnswer, ScriptCall } from "./host-script.ts"
import { bash } from "./turn-scripts.ts"

const task = (prompt: string, more: Readonly<Record<string, unknown>> = {}): ScriptCall => ({
  tool: "task",
  args: { description: `do ${prompt}`, prompt, subagent_type: "general", ...more },
})
const calls = (...all: ScriptCall[]): ScriptAnswer => ({ calls: all })
const good: ScriptAnswer = { text: "sub result" }
const done: ScriptAnswer = { text: "done" }

/** Scenarios of several sessions. */
export const TASK_SCRIPTS: readonly HostScript[] = [
  {
    name: "a delegation",
    model: { hello: [calls(task("SUB")), done], SUB: [good] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a delegation whose child calls a tool",
    model: { hello: [calls(task("SUB")), done], SUB: [calls(bash("echo hi")), good] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "two delegations in one answer",
    model: { hello: [calls(task("SUB-A"), task("SUB-B")), done], "SUB-": [good] },
    acts: [{ prompt: "hello" }],
    concurrent: true,
  },
  {
    name: "two delegations, one after the other",
    model: { hello: [calls(task("SUB-A")), calls(task("SUB-B")), done], "SUB-": [good] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a child that is resumed by its id",
    model: {
      hello: [calls(task("SUB")), done],
      again: [calls(task("SUB-MORE", { task_id: "$s2" })), done],
      SUB: [good],
    },
    acts: [{ prompt: "hello" }, { rest: true }, { prompt: "again" }],
  },
  {
    name: "a child that is resumed by an id that nobody knows",
    model: { hello: [calls(task("SUB", { task_id: "ses_doesnotexist" })), done], SUB: [good] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a child that is resumed by what is no id",
    model: { hello: [calls(task("SUB", { task_id: "bogus" })), done], SUB: [good] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "an agent that is not there is asked to work",
    model: { hello: [calls(task("SUB", { subagent_type: "nobody" })), done] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a delegation without its description",
    model: {
      hello: [calls({ tool: "task", args: { prompt: "SUB", subagent_type: "general" } }), done],
    },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a child whose provider fails",
    model: { hello: [calls(task("SUB")), done], SUB: [{ error: { status: 400 } }] },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "ESC in the lead while its child works",
    model: { hello: [calls(task("SUB"))], SUB: [{ text: "thinking", hangs: true }] },
    acts: [{ prompt: "hello" }, { until: "s2 message.part.updated m2 text" }, { abort: "s1" }],
    concurrent: true,
  },
  {
    name: "a child that is aborted alone",
    model: { hello: [calls(task("SUB")), done], SUB: [{ text: "thinking", hangs: true }] },
    acts: [{ prompt: "hello" }, { until: "s2 message.part.updated m2 text" }, { abort: "s2" }],
    concurrent: true,
  },
  {
    name: "a child that delegates in its turn",
    model: {
      hello: [calls(task("SUB")), done],
      SUB: [calls(task("DEEPER")), good],
      DEEPER: [good],
    },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a child that asks for permission, and gets it",
    model: { hello: [calls(task("SUB")), done], SUB: [calls(bash("echo ask")), good] },
    acts: [{ prompt: "hello" }, { until: "s2 permission.asked" }, { permission: "once" }],
  },
  {
    name: "a child that asks for permission, and is refused",
    model: { hello: [calls(task("SUB")), done], SUB: [calls(bash("echo ask")), good] },
    acts: [{ prompt: "hello" }, { until: "s2 permission.asked" }, { permission: "reject" }],
  },
  {
    name: "call ids that lead and child have in common",
    model: {
      hello: [calls({ ...task("SUB"), callId: "call_0" }), done],
      SUB: [calls({ ...bash("echo hi"), callId: "call_0" }), good],
    },
    acts: [{ prompt: "hello" }],
  },
  {
    name: "a lead that is deleted with its child",
    model: { hello: [calls(task("SUB")), done], SUB: [good] },
    acts: [{ prompt: "hello" }, { rest: true }, { remove: true }],
    concurrent: true,
  },
]
