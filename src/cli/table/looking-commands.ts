// The commands that only look.
import type { CommandSpec } from "./command-spec.ts"

export const LOOKING = {
  status: {
    summary: "Show how far each plan is, and why it waits",
    about: [
      "Shows every work of this project: a bar with the tasks settled, whether it is active, paused or complete, why it waits and what sets it going again, the next task, and the last decision.",
    ],
    arguments: [
      {
        name: "plan",
        of: "work",
        about: "Name or path of one plan. Without it: all works.",
      },
    ],
    options: {
      json: { type: "boolean", about: "Print one JSON object with the list of works." },
      watch: {
        type: "boolean",
        short: "w",
        about: "Show it again whenever it changes, until Ctrl-C. With --json: one object a line.",
      },
    },
    json: { works: "one object a work, the last started first" },
    exits: {
      0: "shown (also where nothing was started)",
      1: "no such work, or the state cannot be read",
      2: "usage",
    },
    examples: ["status --watch", "status --json | jq '.works[].counts'"],
  },
  why: {
    summary: "Show what was decided, and why",
    about: [
      "Shows the journal: every time a session fell idle, what the plugin decided and for what reason; one decision after another, the newest last.",
    ],
    arguments: [
      {
        name: "plan",
        of: "work",
        about: "Name or path of one plan. Without it: decisions about all of them.",
      },
    ],
    options: {
      session: {
        type: "string",
        value: "ID",
        about: "Only decisions about this session (ses_…).",
      },
      number: {
        type: "string",
        short: "n",
        default: "20",
        value: "N",
        about: "So many decisions. Default: 20.",
      },
      facts: { type: "boolean", about: "Show the facts that made each decision." },
      json: { type: "boolean", about: "Print one JSON object with the list of decisions." },
    },
    json: {
      decisions:
        "one object a decision, the newest last: at, session, work, decision, reason, facts",
    },
    exits: {
      0: "shown (also where nothing was decided)",
      1: "no such work, or the journal cannot be read",
      2: "usage",
    },
    examples: ["why -n 5", "why auth-rewrite --facts"],
  },
  cost: {
    summary: "Show what each plan has cost, by task and round, and will have cost",
    about: [
      "Shows what the models of a work have cost in US dollars, by opencode's own figures: in all, of the lead sessions, of each task and of the last rounds. Once three tasks are settled it says what the plan will have cost at its end, and what that stands on. Where opencode names no price, behind a subscription or for a model that it does not know, the cost is unknown and its tokens are shown.",
    ],
    arguments: [
      {
        name: "work",
        of: "work",
        about:
          "Name or path of its plan, or the work's id. Without one: every work that is not finished, or the last one that was.",
      },
    ],
    options: {
      json: {
        type: "boolean",
        about: "Print one JSON object; usd is null where the cost is unknown.",
      },
    },
    json: { works: "one object a work, with its tasks, rounds and projection" },
    exits: {
      0: "shown (also where nothing was started)",
      1: "no such work, or unreadable",
      2: "usage",
    },
    examples: ["cost", "cost auth-rewrite --json | jq '.works[0].projection'"],
  },
  works: {
    summary: "List all works, finished and archived ones too, or the tasks of one",
    about: [
      "Lists every work of this project: those that go on, then the finished ones. A finished work leaves boulder.json for a folder of its own (archived). Of one work: its tasks, each with its state and, where it was delegated, with agent, attempts and session. Nothing is changed.",
    ],
    arguments: [{ name: "work", of: "work", about: "Name or path of its plan, or the work's id." }],
    options: { json: { type: "boolean", about: "Print one JSON object." } },
    json: {
      works: "without an argument: one object a work",
      work: "with an argument: that work",
      tasks: "with an argument: its tasks that were delegated, with their sessions",
      plan_tasks: "with an argument: key, title and state of each task of its plan",
    },
    exits: {
      0: "shown (also where nothing was started)",
      1: "no such work, or unreadable",
      2: "usage",
    },
    examples: ["works", "works auth-rewrite --json | jq '.tasks[].session_id'"],
  },
  plan: {
    summary: "Show what is read of a plan file: its tasks, and what was passed over",
    about: [
      "Reads a plan the way the plugin reads it and shows its format and how that was told, the counts, every task with its key and line, the lines that look like a checkbox and were passed over with the reason, and warnings. Nothing is started, and nothing is written without --add-boxes.",
    ],
    arguments: [
      {
        name: "file",
        of: "plan",
        isRequired: true,
        about: "Path of the plan, or the name of one that is found in this project.",
      },
    ],
    options: {
      "add-boxes": {
        type: "boolean",
        about:
          'Write "[ ] " before each numbered row or task heading of a plan that has no box at all, and nothing else. Without it, the plan is shown with the lines that would get one.',
      },
      json: { type: "boolean", about: "Print one JSON object." },
    },
    json: {
      file: "the path as it was given",
      dialect: "the format, or null",
      evidence: "how the format was told, or null",
      state: "open, complete, only-blocked, invalid (no task) or unavailable (message says why)",
      counts: "tasks in all, and by state",
      next: "the task that comes first, or null",
      tasks:
        "key, label, title, section, state, line, optional, runnable and depends_on of each task",
      ignored: "lines that look like a task and are none, each with the reason",
      warnings: "line, rule and message of each",
      added: "with --add-boxes: the lines that got a box",
    },
    exits: {
      0: "read",
      1: 'not readable (state "unavailable"), without any task ("invalid"), or no boxes added',
      2: "usage",
    },
    examples: [
      "plan .boulder/plans/auth-rewrite.md",
      "plan auth-rewrite --json | jq .next",
      "plan .opencode/plans/cache.md --add-boxes",
    ],
  },
} as const satisfies Readonly<Record<string, CommandSpec>>
