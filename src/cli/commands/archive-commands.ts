// `works` and `prune`.
import { elapsedMs } from "../../boulder/iso-time.ts"
import { cleanLine, harmlessJson } from "../../plan/model/foreign-text.ts"
import { shellWord } from "../../prompts/shell-word.ts"
import { pruneWorks } from "../../store/records/prune-works.ts"
import { isFinished, type KnownWork, knownWorks } from "../project/known-works.ts"
import { namedWork } from "../project/meant-work.ts"
import { NOTHING_STARTED, openProject, type Project, readBoulder } from "../project/project.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { age, parseCommand } from "../terminal/parse-args.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { worksText, workText } from "../views/works-text.ts"
import type { Command } from "./command.ts"

export const worksCommand: Command = {
  summary: "List all works, finished and archived ones too, or the tasks of one",
  help: `Usage: opencode-boulder works [<work>] [--json]

Lists every work of this project: those that go on, then the finished ones. A finished work leaves
boulder.json for a folder of its own (archived). Of one work: its tasks that were delegated, with
their sessions; those of settled tasks are kept in .boulder/works/<id>/ too. Nothing is changed.

Arguments:
  <work>    Name or path of its plan, or the work's id.

Options:
  --json    Print one JSON object.
  --help    Show this help.

Exit codes:
  0  shown (also where nothing was started)        1  no such work, or unreadable        2  usage

Example:
  opencode-boulder works
  opencode-boulder works auth-rewrite --json | jq '.tasks[].session_id'
`,
  async run(args, terminal) {
    const { values, positionals } = parseCommand(args, { json: { type: "boolean" } }, 1)
    const project = await openProject(terminal)
    const { works, sessions } = await worksOf(project, terminal)
    const [name] = positionals
    const print = (value: unknown) => terminal.out(`${harmlessJson(value, 2)}\n`)
    if (name === undefined) {
      if (values.json === true) print({ works })
      else if (works.length === 0) terminal.out(`${NOTHING_STARTED}\n`)
      else terminal.out(worksText(works, terminal.now(), terminal.columns()))
      return 0
    }
    const work = knownWork(works, name)
    const tasks = [...(await project.archive.tasksOf(work.work_id)), ...sessions(work.work_id)]
    if (values.json === true) print({ work, tasks })
    else terminal.out(workText(work, tasks, { now: terminal.now(), columns: terminal.columns() }))
    return 0
  },
}

export const pruneCommand: Command = {
  summary: "Remove what is kept of finished works; without --yes only show it",
  help: `Usage: opencode-boulder prune [<work>] [--older-than AGE] [--yes]

Shows what is kept of finished works, and with --yes removes it for good: their folders in
.boulder/works, with the sessions of their tasks. A work that you have stopped is removed only where
you name it, and one that goes on never; plans, journal and handoffs stay as they are.

Arguments:
  <work>             Name or path of its plan, or the work's id. Without one: all finished works.

Options:
  --older-than AGE   Only works finished so long ago: 30d, 12h; a bare number is days.
  --yes              Remove them.
  --help             Show this help.

Exit codes:
  0  shown or removed        1  refused, with the reason        2  usage

Example:
  opencode-boulder prune --older-than 30d
  opencode-boulder prune --older-than 30d --yes
`,
  async run(args, terminal) {
    const { values, positionals } = parseCommand(
      args,
      { "older-than": { type: "string" }, yes: { type: "boolean" } },
      1,
    )
    const [name] = positionals
    const olderThan = values["older-than"]
    if (name !== undefined && olderThan !== undefined)
      throw new UsageError("Expected the name of a work or --older-than; found both.")
    const least = olderThan === undefined ? 0 : age(olderThan, "--older-than")
    const project = await openProject(terminal)
    const { works } = await worksOf(project, terminal)
    const chosen = chosenFrom(works, name, { ageMs: least, now: terminal.now() })
    if (chosen.length === 0) terminal.out("No finished work to remove.\n")
    else if (values.yes === true) terminal.out(removedText(chosen, await removed(project, chosen)))
    else {
      terminal.out(worksText(chosen, terminal.now(), terminal.columns()))
      terminal.out("Nothing was removed. Add --yes to remove what is kept of these works.\n")
    }
    return 0
  },
}

/** All works of a project, and the sessions that the one of an id has at hand; what cannot be read is noted. */
export async function worksOf(project: Project, terminal: Terminal) {
  const boulder = await readBoulder(project)
  const { works, unreadable } = await project.archive.list()
  for (const name of unreadable)
    terminal.err(
      `Note: .boulder/works/${cleanLine(name)}/work.json cannot be read and is passed over.\n`,
    )
  const sessions = (id: string) => Object.values(boulder?.works[id]?.task_sessions ?? {})
  return { works: knownWorks(boulder, works), sessions }
}

/** The work of this id or name. Throws a `Refusal` where there is none. */
export function knownWork(works: readonly KnownWork[], name: string): KnownWork {
  const byId = works.find((work) => work.work_id === name)
  if (byId !== undefined) return byId
  const found = namedWork(works, name)
  if (found.kind === "none") throw new Refusal(found.message)
  return found.work
}

/** The works to remove. Throws a `Refusal` for one that is named and goes on. */
function chosenFrom(
  works: readonly KnownWork[],
  name: string | undefined,
  { ageMs, now }: { readonly ageMs: number; readonly now: number },
): readonly KnownWork[] {
  if (name === undefined)
    return works.filter((work) => isFinished(work) && elapsedMs(work.updated_at, now) >= ageMs)
  const work = knownWork(works, name)
  if (isFinished(work) || work.pause_reason === "stopped-by-user") return [work]
  throw new Refusal(
    `Expected a finished or stopped work; found ${work.plan_name} ${work.status}. Nothing was removed. Stop it first: opencode-boulder stop ${shellWord(work.plan_name)}`,
  )
}

function removed({ store, archive }: Project, works: readonly KnownWork[]) {
  return pruneWorks({ store, archive, workIds: works.map((work) => work.work_id) })
}

function removedText(works: readonly KnownWork[], ids: readonly string[]): string {
  const lines = works.map((work) => {
    const name = `${cleanLine(work.plan_name)} (.boulder/works/${cleanLine(work.work_id)})`
    return ids.includes(work.work_id)
      ? `Removed: ${name}`
      : `Left alone, since it was set going again: ${name}`
  })
  return `${lines.join("\n")}\n`
}
