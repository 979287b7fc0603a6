// The command `status`.
import { setTimeout as sleep } from "node:timers/promises"
import type { Work } from "../../boulder/boulder.ts"
import { stateSeen } from "../../boulder/work-state.ts"
import { harmlessJson } from "../../plan/model/foreign-text.ts"
import { pauseWords } from "../../prompts/pause-words.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import { NOTHING_STARTED, openProject, type Project, readBoulder } from "../project/project.ts"
import { parseCommand } from "../terminal/parse-args.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { statusJson, statusText, type WorkStatus } from "../views/status-view.ts"
import type { Command } from "./command.ts"

const WATCH_MS = 1_000
const CLEAR = `${String.fromCodePoint(0x1b)}[H${String.fromCodePoint(0x1b)}[J`

export const statusCommand: Command = {
  summary: "Show how far each plan is, and why it waits",
  help: `Usage: opencode-boulder status [--json] [--watch]

Shows every work of this project: a bar with the tasks settled, whether it is active, paused or
complete, why it waits and what sets it going again, the next task, and the last decision.

Options:
  --json    Print one JSON object with the list of works.
  --watch   Show it again whenever it changes, until Ctrl-C. With --json: one object a line.
  --help    Show this help.

Exit codes:
  0  shown (also where nothing was started)        1  the state cannot be read        2  usage

Example:
  opencode-boulder status --watch
  opencode-boulder status --json | jq '.works[].counts'
`,
  async run(args, terminal) {
    const { values } = parseCommand(
      args,
      { json: { type: "boolean" }, watch: { type: "boolean" } },
      0,
    )
    const project = await openProject(terminal)
    const asJson = values.json === true
    if (values.watch === true) await watch(project, terminal, asJson)
    else terminal.out(await shown(project, terminal, asJson ? 2 : null))
    return 0
  },
}

/** `indent` is that of the JSON; null shows it to a person. */
async function shown(project: Project, terminal: Terminal, indent: number | null): Promise<string> {
  const statuses = await statusesOf(project, terminal)
  if (indent !== null) return `${harmlessJson(statusJson(statuses), indent)}\n`
  return statuses.length === 0
    ? `${NOTHING_STARTED}\n`
    : statusText(statuses, terminal.now(), terminal.columns())
}

async function statusesOf(project: Project, terminal: Terminal): Promise<readonly WorkStatus[]> {
  const boulder = await readBoulder(project)
  const now = terminal.now()
  const views = await project.live.readAll(now)
  const works = Object.values(boulder?.works ?? {}).sort(latestFirst)
  const statuses = works.map(async (work) => {
    const { entries } = await project.journal.readLast(
      1,
      (entry) => entry.work === work.work_id && entry.reason !== "child-session",
    )
    const reading = await project.plans.read(work.active_plan)
    const blocked = await blockedNow(project, work, reading)
    const state = stateSeen(work, views, { more: pauseWords(work), now })
    return { work, state, reading, blocked, last: entries[0] ?? null }
  })
  return Promise.all(statuses)
}

async function watch(project: Project, terminal: Terminal, asJson: boolean): Promise<void> {
  let before = ""
  while (!terminal.signal.aborted) {
    const statuses = await statusesOf(project, terminal)
    const state = JSON.stringify(statusJson(statuses))
    const redraws = terminal.isInteractive && !asJson
    if (state !== before || redraws) {
      const text = await shown(project, terminal, asJson ? 0 : null)
      terminal.out(redraws ? `${CLEAR}${text}` : text)
    }
    before = state
    await sleep(WATCH_MS, undefined, { signal: terminal.signal }).catch(() => undefined)
  }
}

function latestFirst(a: Work, b: Work): number {
  return b.resumed_at.localeCompare(a.resumed_at)
}
