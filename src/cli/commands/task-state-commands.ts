// The commands `state` and `export`.
import { SESSION_ID } from "../../boulder/boulder.ts"
import type { StoredTaskState } from "../../boulder/task-state.ts"
import { type WorkFacts, workFacts } from "../../boulder/work-facts.ts"
import { placeIn } from "../../decide/place.ts"
import { windowOf } from "../../decide/window.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import type { Typed } from "../../prompts/typed-command.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import { readPlanOf } from "../../store/plans/read-plan-of.ts"
import type { TaskStateFiles } from "../../store/records/task-state-files.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import type { Run } from "../table/command-table.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { jsonText } from "../terminal/print-json.ts"
import { type Terminal, tell } from "../terminal/terminal.ts"
import { taskStateMarkdown, taskStatesView, taskStateView } from "../views/task-state-view.ts"

const WINDOW_SIZE = 5

export const stateCommand: Run<"state"> = async ({ values, names }, terminal) => {
  const { taskStates: files } = await openProject(terminal)
  const isJson = values.json === true
  const [id] = names
  if (id === undefined) await list(files, terminal, isJson)
  else {
    const stored = await loaded(files, id, terminal.typed)
    terminal.out(isJson ? jsonText({ session: stored }) : taskStateView(stored, terminal.now()))
  }
}

export const exportCommand: Run<"export"> = async ({ names }, terminal) => {
  const project = await openProject(terminal)
  const { taskStates: files } = project
  const stored = await loaded(files, names[0] ?? (await onlyOne(files)), terminal.typed)
  terminal.out(taskStateMarkdown(stored, await factsOf(project, stored.session_id)))
}

async function list(files: TaskStateFiles, terminal: Terminal, isJson: boolean): Promise<void> {
  const { stored, unreadable } = await files.list()
  for (const { path, problem } of unreadable)
    terminal.err(`Note: .boulder/${cleanLine(path)} holds no task state: ${cleanLine(problem)}.\n`)
  if (isJson) terminal.out(jsonText({ sessions: stored }))
  else tell(terminal, taskStatesView(stored, terminal.now(), terminal.columns()))
}

/** The id of the only session that has a task state. Throws an error that names them if there are several. */
async function onlyOne(files: TaskStateFiles): Promise<string> {
  const { stored } = await files.list()
  const ids = stored.map(({ session_id }) => session_id)
  const [only] = ids
  if (only !== undefined && ids.length === 1) return only
  if (only === undefined)
    throw new Refusal(
      "Expected a session that has a task state; found none. The first compaction creates it.",
    )
  throw new UsageError(
    `Expected the id of one of ${ids.length} sessions; found none. Name one of: ${ids.slice(0, 9).join(", ")}.`,
  )
}

/** Throws an error that says how to find one, if the session has none. */
async function loaded(files: TaskStateFiles, id: string, typed: Typed): Promise<StoredTaskState> {
  if (!SESSION_ID.test(id))
    throw new UsageError(
      `Expected the id of a session (ses_…); found ${cleanLine(id).slice(0, 80)}.`,
    )
  const stored = await files.load(id)
  if (stored !== null) return stored
  throw new Refusal(
    `Expected a task state of session ${id}; found none. A session of a work has one after its first compaction. List them: ${typed("state")}`,
  )
}

/** What the records know about the work that a session belongs to; null if it belongs to none. */
async function factsOf(project: Project, sessionId: string): Promise<WorkFacts | null> {
  const { work: known } = placeIn(await readBoulder(project), [sessionId])
  if (known === null) return null
  const { work, reading } = await readPlanOf(project.plans, known)
  const plan = reading.kind === "read" ? reading.plan : null
  const window = plan === null ? [] : windowOf(plan, work, WINDOW_SIZE)
  const blocked = await blockedNow(project, work, reading)
  return workFacts({ work, plan, window, blocked, running: [] })
}
