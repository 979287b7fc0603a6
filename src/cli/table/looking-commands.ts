// The commands that only look.
import type { CommandSpec } from "./command-spec.ts"

const LAST_WORK = {
  name: "work",
  of: "work",
  about:
    "Name or path of its plan, or the work's id. Without one: the last work that is not finished, or the last one that was.",
} as const

export const LOOKING = {
  status: {
    summary: "Show how far each plan is, and why it is waiting",
    about: [
      "Shows every plan that was started in this project: how far it is, whether it is worked on, waiting, paused, idle or complete, why and what resumes it, what is running, next, blocked or held, and how long it will take. Below a plan that is shown alone are its round, limits, tokens, cost, session and last decision.",
    ],
    arguments: [
      { name: "plan", of: "work", about: "Name or path of one plan. Default: all of them." },
    ],
    options: {
      json: { about: "Print one JSON object with the list of works." },
      watch: {
        short: "w",
        about: "Show it again whenever it changes, until Ctrl-C. With --json: one object a line.",
      },
    },
    json: {
      works: "one object a work, the last started first, with the fields below",
      "works[].work_id, plan_name, active_plan": "its id, and the plan's name and path",
      "works[].status, pause_reason":
        "active, paused or completed; why it is paused (REASONS.md), else null",
      "works[].state":
        "what it does now: kind is working, waiting-for-you (for: question, permission, approval or agent; asks; session), waiting (for: provider, limit or failures; until), paused (reason; more), idle or complete",
      "works[].to_resume":
        "what you can do about a pause, with commands as they are typed here; null if there is nothing to do",
      "works[].awaiting_approval": "whether its final wave waits for you",
      "works[].counts": "total, settled and blocked tasks, as the plan has them now",
      "works[].round, checkpoint, shard, window":
        "the round (number, ended, settled), the last checkpoint, the shard, and the keys of the tasks to work on now",
      "works[].next": "the next task, as key and title; null where none is",
      "works[].blocked":
        "each blocked task: key, title, reason, unblock, and of its record handoff, session, agent, attempts, since",
      "works[].held":
        "each task that is ticked and does not count until its check proves it or you approve it: key, title, reason",
      "works[].limited_tasks":
        "each task whose subagent has reached its provider's limit: key, title, and until when it waits (null: it waits for you)",
      "works[].running": "the keys of the tasks whose calls have begun and are not back",
      "works[].context, tokens, cost":
        "the lead's context with its limits, tokens spent with the ceiling, dollars (usd, null while unknown), unpriced tokens and answers without usage figures",
      "works[].spent_budget, refusal, limited":
        "the budget that is spent, the provider's refusal, its limit; null where there is none",
      "works[].continuations, lead_session_id": "prompts in a row, and the lead session",
      "works[].pace": "tasks_an_hour and minutes_left; null while there is too little to tell",
      "works[].proof": "ticked and proven tasks with checks; left out where the plan has none",
      "works[].started_at, updated_at, last_decision":
        "times, and the last decision (at, decision, reason)",
    },
    exits: {
      0: "shown (even if nothing was started)",
      1: "no such work, or the state cannot be read",
    },
    examples: ["status --watch", "status --json | jq '.works[].counts'"],
  },
  why: {
    summary: "Show what was decided, and why",
    about: [
      "Shows the journal: what the plugin decided each time a session went idle, and why. The newest decision comes last.",
    ],
    arguments: [
      {
        name: "plan",
        of: "work",
        about: "Name or path of one plan. Default: decisions about all of them.",
      },
    ],
    options: {
      session: { value: "ID", about: "Only decisions about this session (ses_…)." },
      number: {
        short: "n",
        default: "20",
        value: "N",
        about: "How many decisions to show. Default: 20.",
      },
      facts: { about: "Show the facts that made each decision." },
      json: { about: "Print one JSON object with the list of decisions." },
    },
    json: {
      decisions:
        "one object a decision, the newest last: at, session, work, decision, reason, facts",
    },
    exits: {
      0: "shown (even if nothing was decided)",
      1: "no such work, or the journal cannot be read",
    },
    examples: ["why -n 5", "why auth-rewrite --facts"],
  },
  cost: {
    summary: "Show what each plan has cost, by task and round, and what it will cost in all",
    about: [
      "Shows what a work has cost in US dollars, by opencode's own figures: in total, for the lead sessions, for each task and for the last rounds. Once three tasks are settled it estimates the cost of the whole plan, and says from what. If opencode knows no price, as with a subscription or an unknown model, the cost is unknown and the tokens are shown; if the provider does not report tokens either, the number of such answers.",
    ],
    arguments: [
      {
        name: "work",
        of: "work",
        about:
          "Name or path of its plan, or the work's id. Default: every work that is not finished, or the last one that was.",
      },
    ],
    options: { json: { about: "Print one JSON object; usd is null where the cost is unknown." } },
    json: { works: "one object a work, with its tasks, rounds and projection" },
    exits: { 0: "shown (even if nothing was started)", 1: "no such work, or unreadable" },
    examples: ["cost", "cost auth-rewrite --json | jq '.works[0].projection'"],
  },
  proof: {
    summary: "Show what each tick stands on: the runs of its task's checks",
    about: [
      "Shows, for each task whose checks the plan names (such as Verify: `npm test`), whether it is proven, checked and then changed, claimed, failed or unavailable, the run that says so, and what was written since. Nothing is run.",
    ],
    arguments: [LAST_WORK],
    options: { json: { about: "Print one JSON object." } },
    json: {
      work: "the work",
      counts: "ticked tasks with checks, how many are proven, and tasks without a check",
      tasks: "key, title, state, tier, checks, check, run and changed of each task",
    },
    exits: { 0: "shown", 1: "no such work, or its plan cannot be read" },
    examples: ["proof", "proof auth-rewrite --json | jq '.tasks[].tier'"],
  },
  works: {
    summary: "List all works, finished ones included, or the tasks of one",
    about: [
      "Lists every work of this project: open works first, then finished ones. A finished work is moved out of boulder.json into its own folder (archived). If its plan is started again after that, this is another work: the plan's name means the newest one, and an earlier one is listed by its id. For one work it lists the tasks: state and, if delegated, agent, attempts and session. Nothing is changed.",
    ],
    arguments: [{ name: "work", of: "work", about: "Name or path of its plan, or the work's id." }],
    options: { json: { about: "Print one JSON object." } },
    json: {
      works: "without an argument: one object a work; its cost as status has it",
      work: "with an argument: that work",
      tasks: "with an argument: its tasks that were delegated, with their sessions",
      plan_tasks: "with an argument: key, title and state of each task of its plan",
    },
    exits: { 0: "shown (even if nothing was started)", 1: "no such work, or unreadable" },
    examples: ["works", "works auth-rewrite --json | jq '.tasks[].session_id'"],
  },
  report: {
    summary: "Make a page of one work: chart, tasks, cost, decisions",
    about: [
      "Makes one HTML page that loads nothing from the network: rounds and delegations as a chart over time, each task with its times, session and cost (unknown if opencode has no price), what is blocked, and every decision with its reason. The work may be open or finished. The page follows the reader's light or dark mode, and can be printed.",
    ],
    arguments: [LAST_WORK],
    options: {
      html: {
        value: "FILE",
        about:
          "Write the page to this file. Without it the page is printed, but not onto a terminal.",
      },
    },
    exits: { 0: "written or printed", 1: "no such work, or the file cannot be written" },
    examples: ["report auth-rewrite --html report.html"],
  },
  doctor: {
    summary: "Check the installation and this project, and say what to do",
    about: [
      "Looks at node, opencode, where the plugin is configured and in which version, its options, other plugins that continue sessions, the wait at startup without the npm registry, whether the folders are writable and support hard links, each of our files, how each plan is read, and leftovers. Without --fix nothing is changed.",
    ],
    arguments: [],
    options: {
      fix: {
        about:
          "Fix what can be fixed without a risk: restore a damaged boulder.json from its copy, end the slow start without the npm registry by an entry in a lockfile of this project, where nothing needs the package itself, remove leftovers older than a day.",
      },
      global: {
        about:
          "With --fix: end the slow start in your own configuration folder too, for all of your projects.",
      },
      json: { about: "Print one JSON object with the list of findings." },
    },
    json: { findings: "check, level (ok, note, bad), says, todo, can_fix and fixed of each" },
    exits: { 0: "nothing is bad, or all of it was fixed", 1: "something is bad" },
    examples: ["doctor", "doctor --fix"],
  },
  plan: {
    summary: "Show how a plan file is read: its tasks, and the lines that were skipped",
    about: [
      "Reads a plan as the plugin does, and shows its format and how it was recognised, the counts, every task with its key and line, each skipped line that looks like a checkbox with the reason, and warnings. Nothing is started, and nothing is written without --add-boxes.",
    ],
    arguments: [
      {
        name: "file",
        of: "plan",
        about:
          "Path of the plan, or the name of one in this project. Default: the plan of the only open work, or else the only plan that is not complete.",
      },
    ],
    options: {
      "add-boxes": {
        value: "LINES",
        about:
          'Write "[ ] " before these lines, and nothing else: 20-140 is line 20 and all lines like it down to line 140 (headings of its level that count alike, numbered rows, or bullets); 20-140,150 adds line 150. A line that the plan calls done gets "[x] ". Without this option, the lines to choose from are shown.',
      },
      json: { about: "Print one JSON object." },
    },
    json: {
      file: "the path as it was given",
      dialect: "the format, or null",
      evidence: "how the format was recognised, or null",
      state:
        "open, complete, only-blocked, rows-outside (all tasks are settled, but something open is outside them), invalid (no task) or unavailable (message says why)",
      counts: "tasks in all, and by state",
      next: "the task that comes first, or null",
      tasks:
        "key, label, title, section, state, line, optional, runnable and depends_on of each task",
      ignored: "lines that look like tasks but are not, each with the reason",
      warnings: "line, rule and message of each",
      offers:
        "where lines may be tasks and have no box: lines (what to give --add-boxes), kind, count, first and below (the heading above rows) of each choice, the likeliest first",
      added: "with --add-boxes: the lines that got a box",
    },
    exits: {
      0: "read",
      1: 'not readable (state "unavailable"), without any task ("invalid"), or no boxes added',
    },
    examples: [
      "plan .boulder/plans/auth-rewrite.md",
      "plan auth-rewrite --json | jq .next",
      "plan .opencode/plans/cache.md --add-boxes 20-140",
    ],
  },
} as const satisfies Readonly<Record<string, CommandSpec>>
