// The commands that carry a plan on, or change how it goes on.
import type { CommandSpec } from "./command-spec.ts"

const EXITS = { 0: "done", 1: "refused, with the reason", 2: "usage" } as const
const OPEN_WORK = {
  name: "plan",
  of: "work",
  about: "Name or path of the plan. Not needed while only one work is open.",
} as const

export const CARRYING = {
  run: {
    summary: "Carry a plan to its end without the interface, and say why it ended",
    about: [
      "Starts opencode serve in this project (or attaches to a running one), runs /start-work in a new session, and follows the work until it ends: a bar, each task as it is delegated and as it returns, and each decision with its reason. It answers nothing for you. Running it again resumes.",
      'The plugin has to be in this project\'s opencode.json: "plugin": ["opencode-boulder"].',
    ],
    arguments: [
      {
        name: "plan",
        of: "plan",
        about: "Name or path of the plan. Without it: the work that is open, or the only plan.",
      },
    ],
    options: {
      attach: {
        type: "string",
        value: "URL",
        about:
          "Use this server (opencode serve) and leave it running. It must work in this project.",
      },
      model: {
        type: "string",
        value: "provider/model",
        about: "The model. Default: the project's own.",
      },
      agent: {
        type: "string",
        value: "NAME",
        about: "The agent that orchestrates. Default: the project's own.",
      },
      timeout: {
        type: "string",
        value: "TIME",
        about: "Give up after this time, such as 90s, 30m or 2h. Default: no limit.",
      },
      "no-wait": {
        type: "boolean",
        about:
          "End with exit code 3 at a limit of the provider. Default: wait until it is over, where the options (limits.wait) say so, and go on.",
      },
      verbose: {
        type: "boolean",
        about: "Show each text that the plugin gives the model, word for word.",
      },
    },
    environment: {
      OPENCODE_BIN: "The opencode to start. Default: the project's own, else the one on the PATH.",
      "OPENCODE_SERVER_PASSWORD, OPENCODE_SERVER_USERNAME":
        "Those of the server. One that is started here without them has a password that nobody is told: set your own to join it with opencode attach. In the URL of --attach other users can see it.",
    },
    exits: {
      0: "the plan is complete",
      1: "failed: refused to start, no plugin, server gone, time over; the message says which",
      2: "usage",
      3: "you are needed, with the reason: paused, approval, question, permission, a limit with --no-wait",
      130: "interrupted (Ctrl-C); the work can be resumed",
    },
    examples: ["run auth-rewrite --timeout 2h"],
  },
  stop: {
    summary: "Stop carrying a plan on, until it is resumed",
    about: [
      "Pauses a work. Nothing is prompted any more; a turn that is running ends by itself. Only resume or /start-work sets it going again. A running opencode sees it within seconds.",
    ],
    arguments: [OPEN_WORK],
    options: {},
    exits: EXITS,
    examples: ["stop auth-rewrite"],
  },
  resume: {
    summary: "Set a paused plan going again",
    about: [
      "Re-opens a paused work, whatever has paused it, unless its cause is still there (a plan that cannot be read, has no task, or has only blocked tasks left). A work whose budget was spent gets a fresh one. A running opencode goes on within seconds; without one, the command run goes on.",
    ],
    arguments: [OPEN_WORK],
    options: {},
    exits: EXITS,
    examples: ["resume auth-rewrite"],
  },
  approve: {
    summary: "Approve the final wave that waits for you",
    about: [
      "When every row of a plan's final wave has been run without a rejection, the work waits for you. This approves that very wave: the agent then ticks its rows and the plan is complete. A running opencode goes on within seconds; without one, the command run goes on.",
    ],
    arguments: [
      {
        name: "plan",
        of: "work",
        about: "Name or path of the plan. Not needed while only one work waits for you.",
      },
    ],
    options: {},
    exits: EXITS,
    examples: ["approve", "approve auth-rewrite"],
  },
  unblock: {
    summary: "Take the block from a task, and go on with its plan",
    about: [
      "Marks a blocked task open in its plan: its box, and the BLOCKED line below it. A work that was paused because of blocked tasks is set going again. A running opencode sees it within seconds. Editing the plan by hand does the same.",
    ],
    arguments: [
      {
        name: "task",
        of: "task",
        about:
          "The task's key or label, as status shows it: todo:3, or 3. Not needed while only one task is blocked.",
      },
      {
        name: "plan",
        of: "work",
        about: "Name or path of the plan. Not needed while only one open work has that task.",
      },
    ],
    options: {},
    exits: EXITS,
    examples: ["unblock", "unblock todo:3 auth-rewrite"],
  },
} as const satisfies Readonly<Record<string, CommandSpec>>
