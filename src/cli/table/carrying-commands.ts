// The commands that run a plan or change the state of its work.
import { SLASH } from "../../prompts/typed-command.ts"
import type { CommandSpec } from "./command-spec.ts"

const EXITS = { 0: "done", 1: "refused, with the reason" } as const
const OPEN_WORK = {
  name: "plan",
  of: "work",
  about: "Name or path of the plan. Optional while only one work is open.",
} as const

export const CARRYING = {
  run: {
    summary: "Run a plan to its end without the interface, and say why it ended",
    about: [
      `Starts opencode serve in this project (or attaches to a running server), runs /${SLASH.start} in a new session, and follows the work until it ends: a progress bar, each task when it is delegated and when it returns, and each decision with its reason. It never answers for you.`,
      "If it ends before the plan does, it stops the server that it started and pauses the work. To resume, run it again. A server of --attach continues the work.",
      'The plugin must be listed in opencode.json, this project\'s or your own: "plugin": ["opencode-boulder"].',
    ],
    arguments: [
      {
        name: "plan",
        of: "plan",
        about: "Name or path of the plan. Default: the open work, or the only open plan.",
      },
    ],
    options: {
      attach: {
        value: "URL",
        about:
          "Use this server (opencode serve) and leave it running. It must work in this project.",
      },
      model: { value: "provider/model", about: "The model. Default: the project's own." },
      agent: { value: "NAME", about: "The agent that leads the work. Default: the project's own." },
      timeout: {
        value: "TIME",
        about:
          "End the run after this time, such as 90s, 30m or 2h; a bare number is minutes. Default: no limit.",
      },
      "no-wait": {
        about:
          "Exit with 3 at a usage limit of the provider. Default: wait for its end and resume, as the option limits.wait allows.",
      },
      stay: {
        about:
          "Wait at a question, a permission or an approval until it is answered from another terminal (the commands answer and approve). Set OPENCODE_SERVER_PASSWORD for both.",
      },
      verbose: { about: "Show each text that the plugin gives the model, word for word." },
    },
    environment: {
      OPENCODE_BIN:
        "The opencode, or Kilo, to start. Default: the project's own, else the one on the PATH.",
      "OPENCODE_SERVER_PASSWORD, OPENCODE_SERVER_USERNAME":
        "Credentials of the server. A server that is started here without them gets a random password: set your own to join it with opencode attach. Other users can see a password in the URL of --attach.",
    },
    exits: {
      0: "the plan is complete",
      1: "failed: refused to start, no plugin, server gone, timeout; the message says which",
      3: "it needs you: paused, approval, question, permission, a limit with --no-wait; the message says which",
      130: "interrupted (Ctrl-C); run it again to resume",
    },
    examples: ["run auth-rewrite --timeout 2h"],
  },
  stop: {
    summary: "Pause a plan until you resume it",
    about: [
      `Pauses a work. The plugin sends no more prompts; a running turn finishes. Only resume, run, or /${SLASH.start} in opencode resumes it.`,
    ],
    arguments: [OPEN_WORK],
    options: {},
    exits: EXITS,
    examples: ["stop auth-rewrite"],
  },
  resume: {
    summary: "Resume a paused plan",
    about: [
      "Resumes a paused work, whatever paused it, unless the cause persists (a plan that cannot be read, has no task, or has only blocked tasks left). A spent budget is renewed. If its session leads another plan, that one is paused. A running opencode continues within seconds; if none is running, use the command run.",
    ],
    arguments: [OPEN_WORK],
    options: {},
    exits: EXITS,
    examples: ["resume auth-rewrite"],
  },
  approve: {
    summary: "Approve the final wave that is waiting for you, or a held task",
    about: [
      "When every review of a plan's final wave has come back without a rejection, the work waits for you. This approves that wave: the agent then ticks its rows, and the plan is complete. A running opencode continues within seconds; if none is running, use the command run.",
      "With the key of a task that is ticked and held because its checks do not prove it (see proof), the task counts as done; without one, the final wave is approved.",
    ],
    arguments: [
      {
        name: "task",
        of: "work",
        about: "The key of a held task, as status shows it: todo:3. Left out: the final wave.",
      },
      {
        name: "plan",
        of: "work",
        about:
          "Name or path of the plan. Optional while only one work waits for you, or holds that task.",
      },
    ],
    options: {},
    exits: EXITS,
    examples: ["approve", "approve auth-rewrite", "approve todo:3 auth-rewrite"],
  },
  answer: {
    summary: "Answer a question or permission of a running opencode",
    about: [
      "Answers what waits for you in this project's sessions, from another terminal. Without an id it lists what waits. It needs the running server in which the question was asked; opencode without --port has none.",
    ],
    arguments: [
      { name: "id", of: "request", about: "The question or permission, such as que_… or per_…." },
      {
        name: "choice",
        of: "choice",
        about:
          "A choice of the question, by its number or its label. If several may be chosen: 1,3. If several questions are asked: 1;2.",
      },
    ],
    options: {
      yes: { about: "Allow what the permission asks, this once." },
      always: { about: "Allow it, and anything like it, as long as that opencode runs." },
      no: { about: "Reject the permission, or dismiss the question." },
      attach: { value: "URL", about: "The server. Default: http://127.0.0.1:4096." },
    },
    environment: { "OPENCODE_SERVER_PASSWORD, OPENCODE_SERVER_USERNAME": "Those of the server." },
    exits: { 0: "answered, or listed", 1: "no such question, or no server" },
    examples: ["answer", "answer que_20218fcf2001Yq 2", "answer per_20218fcf2001Yq --yes"],
  },
  unblock: {
    summary: "Unblock a task, and resume its plan",
    about: [
      "Marks a blocked task as open in its plan and removes the BLOCKED line below it. A work that was paused because of blocked tasks resumes. A running opencode notices within seconds. Editing the plan by hand does the same.",
    ],
    arguments: [
      {
        name: "task",
        of: "task",
        about:
          "The task's key or label, as status shows it: todo:3, or 3. Optional while only one task is blocked.",
      },
      {
        name: "plan",
        of: "work",
        about: "Name or path of the plan. Optional while only one open work has that task.",
      },
    ],
    options: {},
    exits: EXITS,
    examples: ["unblock", "unblock todo:3 auth-rewrite"],
  },
} as const satisfies Readonly<Record<string, CommandSpec>>
