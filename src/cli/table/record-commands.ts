// The commands about records of sessions and works, and about the command line itself.
import type { CommandSpec } from "./command-spec.ts"

export const RECORDS = {
  state: {
    summary: "Show the task state that a session keeps across compactions",
    about: [
      "Shows what survives the compactions of a session: goal, progress, open items, next step, blockers, artifacts, decisions and the user's constraints. Without a session it lists those that have a task state, last changed first. Nothing is changed.",
    ],
    arguments: [{ name: "session", of: "session", about: "The id of a session (ses_…)." }],
    options: { json: { about: "Print one JSON object." } },
    json: {
      sessions: "without an argument: one object a session that has a task state",
      session: "with an argument: that session, as it stands in .boulder/sessions/<session>.json",
    },
    exits: { 0: "shown", 1: "the session has no task state, or its file cannot be read" },
    examples: ["state", "state ses_e02a05cf0ffeiVkhL7Rr1p5C1e"],
  },
  export: {
    summary: "Print a session's task state as markdown, for a person who takes over",
    about: [
      "Prints the task state of a session as a markdown document and, if the session belongs to a work, the plan's progress, next and blocked tasks and the subagents' sessions. Nothing is changed.",
    ],
    arguments: [
      {
        name: "session",
        of: "session",
        about:
          "The id of a session (ses_…), as state lists it. Optional while only one has a task state.",
      },
    ],
    options: {},
    exits: { 0: "printed", 1: "the session has no task state, or its file cannot be read" },
    examples: ["export ses_e02a05cf0ffeiVkhL7Rr1p5C1e > handover.md"],
  },
  handoffs: {
    summary: "List the tasks that sessions handed over, and who has claimed them",
    about: [
      "Lists the open handoffs of this project: blocked and interrupted tasks first, newest first, then those that a session has claimed, with id, task, reason, age and attempts. Nothing is changed.",
    ],
    arguments: [],
    options: {
      all: {
        about: "Also show what each session said last. In a shared store: for every machine.",
      },
      watch: { about: "Show them as they change, until Ctrl-C." },
      json: { about: "Print one JSON object with the list of records." },
    },
    json: {
      handoffs: "the records, the newest block first",
      old: "true if a shared store could not be reached, so that records may be missing",
      machines: "in a shared store: the machine that wrote each record last, by its id",
    },
    exits: { 0: "done", 1: "failed" },
    examples: ["handoffs"],
  },
  release: {
    summary: "End a session's claim on a handed-over task, or close it for good",
    about: [
      "Ends a session's claim on a task before its lease runs out, so that the task is offered to the next session. Use it when you know that nobody is working on the task.",
    ],
    arguments: [
      {
        name: "id",
        of: "handoff",
        isRequired: true,
        about: "The id of a handoff, as handoffs shows it.",
      },
    ],
    options: {
      done: {
        about:
          "Close it for good instead, claimed or not: it is done or no longer wanted. The plan is left alone.",
      },
    },
    exits: { 0: "released", 1: "refused, with the reason" },
    examples: ["release hnd_4fK20xQm81ZtLw7c"],
  },
  prune: {
    summary: "Remove what is kept of finished works; without --yes only show it",
    about: [
      "Shows what is kept of finished works: their folders in .boulder/works, with the sessions of their tasks. With --yes it removes them for good. A work that you stopped is removed only if you name it, an active one never. Plans, journal and handoffs are left alone.",
    ],
    arguments: [
      {
        name: "work",
        of: "work",
        about:
          "Name or path of a plan, for all its works, or the id of one. Default: all finished works.",
      },
    ],
    options: {
      "older-than": {
        value: "AGE",
        about: "Only works finished at least this long ago: 30d, 12h; a bare number is days.",
      },
      yes: { about: "Remove them." },
    },
    exits: { 0: "shown or removed", 1: "refused, with the reason" },
    examples: ["prune --older-than 30d", "prune --older-than 30d --yes"],
  },
  mcp: {
    summary: "Serve the handoff tools over MCP (stdio) for agents in other hosts",
    about: [
      "Serves save_task_progress, list_blocked_tasks and get_blocked_task over stdin and stdout, for the handoffs of the project in which it is started. An agent of another host can hand work over to opencode's sessions and take over theirs.",
    ],
    arguments: [],
    options: {
      session: {
        value: "ID",
        about:
          "The name of this agent's session; else OPENCODE_BOULDER_SESSION; else a random name that lasts as long as the server.",
      },
      agent: { value: "NAME", about: "Only the handoffs of this agent." },
      lease: {
        value: "TIME",
        default: "30m",
        about:
          "How long a claim lasts without activity: 90s, 30m, 2h; a bare number is minutes. Default: 30m.",
      },
    },
    exits: { 0: "the other side closed the connection", 1: "failed" },
    examples: [
      '{ "mcpServers": { "boulder": { "command": "npx", "args": ["-y", "opencode-boulder", "mcp"] } } }',
    ],
  },
  completion: {
    summary: "Print the script that completes commands and names in your shell",
    about: [
      "Prints a script for bash, zsh or fish. It completes commands and options, and the names of plans, works, tasks, sessions and handoffs of the project that you are in.",
      'The script is for the name opencode-boulder. If you call it by another name, define this one first: opencode-boulder() { npx opencode-boulder "$@"; } in bash and zsh, function opencode-boulder; npx opencode-boulder $argv; end in fish.',
    ],
    arguments: [
      { name: "shell", of: "shell", isRequired: true, about: "A shell: bash, zsh or fish." },
    ],
    options: {},
    exits: { 0: "printed" },
    examples: [
      "completion bash >> ~/.bashrc",
      "completion zsh > ~/.zfunc/_opencode-boulder",
      "completion fish > ~/.config/fish/completions/opencode-boulder.fish",
    ],
  },
} as const satisfies Readonly<Record<string, CommandSpec>>
