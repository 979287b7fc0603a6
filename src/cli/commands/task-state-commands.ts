// `state` and `export`.
import { SESSION_ID } from "../../boulder/boulder.ts"
import type { StoredTaskState } from "../../boulder/task-state.ts"
import { type WorkFacts, workFacts } from "../../boulder/work-facts.ts"
import { placeIn } from "../../decide/place.ts"
import { windowOf } from "../../decide/window.ts"
import { cleanLine, harmlessJson } from "../../plan/model/foreign-text.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import { openRecordFiles } from "../../store/records/record-files.ts"
import { openTaskStateFiles, type TaskStateFiles } from "../../store/records/task-state-files.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { parseCommand } from "../terminal/parse-args.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { taskStateMarkdown, taskStatesView, taskStateView } from "../views/task-state-view.ts"
import type { Command } from "./command.ts"

const WINDOW_SIZE = 5

export const stateCommand: Command = {
  summary: "Show the task state that a session keeps over compactions",
  help: `Usage: opencode-boulder state [<session>] [--json]

Shows what survives the compactions of a session: goal, progress, open items, next step, blockers,
artifacts, decisions and the user's constraints. Without a session: those that have a task state,
the last changed first. Nothing is changed.

Arguments:
  <session>    The id of a session (ses_…).

Options:
  --json    Print one JSON object, as it stands in .boulder/sessions/<session>.json.
  --help    Show this help.

Exit codes:
  0  shown        1  the session has no task state, or its file cannot be read        2  usage

Example:
  opencode-boulder state
  opencode-boulder state ses_e02a05cf0ffeiVkhL7Rr1p5C1e --json | jq .task_state.next_step
`,
  async run(args, terminal) {
    const { values, positionals } = parseCommand(args, { json: { type: "boolean" } }, 1)
    const project = await openProject(terminal)
    const files = filesOf(project)
    const isJson = values.json === true
    const [id] = positionals
    if (id === undefined) await list(files, terminal, isJson)
    else await show(await loaded(files, id), terminal, isJson)
    return 0
  },
}

export const exportCommand: Command = {
  summary: "Print a session's task state as markdown, for a person who takes over",
  help: `Usage: opencode-boulder export <session>

Prints the task state of a session as a markdown document, and, where the session belongs to a
work, the plan's progress, next and blocked tasks and the subagents' sessions. Nothing is changed.

Arguments:
  <session>    The id of a session (ses_…), as opencode-boulder state lists it.

Options:
  --help    Show this help.

Exit codes:
  0  printed        1  the session has no task state, or its file cannot be read        2  usage

Example:
  opencode-boulder export ses_e02a05cf0ffeiVkhL7Rr1p5C1e > handover.md
`,
  async run(args, terminal) {
    const [id] = parseCommand(args, {}, 1).positionals
    if (id === undefined) throw new UsageError("Expected the id of a session (ses_…); found none.")
    const project = await openProject(terminal)
    const stored = await loaded(filesOf(project), id)
    terminal.out(taskStateMarkdown(stored, await factsOf(project, id)))
    return 0
  },
}

function filesOf({ root }: Project): TaskStateFiles {
  return openTaskStateFiles(openRecordFiles({ root }))
}

async function list(files: TaskStateFiles, terminal: Terminal, isJson: boolean): Promise<void> {
  const { stored, unreadable } = await files.list()
  for (const { path, problem } of unreadable)
    terminal.err(`Note: .boulder/${cleanLine(path)} holds no task state: ${cleanLine(problem)}.\n`)
  terminal.out(
    isJson
      ? `${harmlessJson({ sessions: stored }, 2)}\n`
      : taskStatesView(stored, terminal.now(), terminal.columns()),
  )
}

async function show(stored: StoredTaskState, terminal: Terminal, isJson: boolean): Promise<void> {
  terminal.out(isJson ? `${harmlessJson(stored, 2)}\n` : taskStateView(stored, terminal.now()))
}

/** Throws what says how to find one, where the session has none. */
async function loaded(files: TaskStateFiles, id: string): Promise<StoredTaskState> {
  if (!SESSION_ID.test(id))
    throw new UsageError(
      `Expected the id of a session (ses_…); found ${cleanLine(id).slice(0, 80)}.`,
    )
  const stored = await files.load(id)
  if (stored !== null) return stored
  throw new Refusal(
    `Expected a task state of session ${id}; found none. A session of a work has one after its first compaction; opencode-boulder state lists them.`,
  )
}

/** What the records know of the work that a session belongs to; null for a session of no work. */
async function factsOf(project: Project, sessionId: string): Promise<WorkFacts | null> {
  const { work } = placeIn(await readBoulder(project), [sessionId])
  if (work === null) return null
  const reading = await project.plans.read(work.active_plan)
  const plan = reading.kind === "read" ? reading.plan : null
  const window = plan === null ? [] : windowOf(plan, work, WINDOW_SIZE)
  const blocked = await blockedNow(project, work, reading)
  return workFacts({ work, plan, window, blocked, running: [] })
}
