// The command `status`.

import type { Work } from "../../boulder/boulder.ts"
import { latestFirst } from "../../boulder/find-work.ts"
import { byTime } from "../../boulder/iso-time.ts"
import type { ReadView } from "../../boulder/live-view.ts"
import { stateSeen } from "../../boulder/work-state.ts"
import { nameIfNeeded } from "../../decide/name-work.ts"
import { proofSummary } from "../../decide/proof/proof.ts"
import { limitedTasks } from "../../decide/provider-says.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { pauseWords } from "../../prompts/pause-words.ts"
import type { KeptSaves } from "../../store/fleet/kept-saves.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import { readPlanOf } from "../../store/plans/read-plan-of.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { typedOf, workMeant } from "../project/meant-work.ts"
import { nothingStarted, openProject, type Project, readBoulder } from "../project/project.ts"
import { proofOfWork } from "../proof/proof-of-work.ts"
import type { Run } from "../table/command-table.ts"
import { localTime } from "../terminal/local-time.ts"
import { jsonText } from "../terminal/print-json.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { watchScreen } from "../terminal/watch-screen.ts"
import { wrapLine } from "../views/columns.ts"
import { keptLines } from "../views/handoff-view.ts"
import { type PacePoint, paceOf } from "../views/pace.ts"
import { countsOf, statusJson, type WorkStatus } from "../views/status-json.ts"
import { statusText } from "../views/status-view.ts"

/** How many decisions a pace is computed from. */
const PACE_LINES = 200

export const statusCommand: Run<"status"> = async ({ values, names }, terminal) => {
  const project = await openProject(terminal)
  const work = names[0] === undefined ? null : await workMeant(project, names[0], terminal)
  const asJson = values.json === true
  const look = async (indent: number) => {
    const { statuses, views, kept } = await statusesOf(project, terminal, work?.work_id ?? null)
    const text = `${problemsText(views, terminal)}${textOf(project, statuses, terminal)}${unsentText(project, kept, terminal)}`
    const json = { ...statusJson(statuses), ...(kept && { kept_saves: kept }) }
    return { text, json: jsonText(json, indent) }
  }
  if (values.watch === true) await watchScreen(terminal, asJson, () => look(0))
  else {
    const { text, json } = await look(2)
    terminal.out(asJson ? json : text)
  }
}

/** What a running opencode finds wrong with the plugin's options, above all works; "" if nothing. */
function problemsText(views: readonly ReadView[], terminal: Terminal): string {
  const problems = views.flatMap(({ view, isAlive }) => (isAlive ? view.problems : []))
  return [...new Set(problems)]
    .map((problem) => `${wrapLine(cleanLine(problem), terminal.columns()).join("\n")}\n\n`)
    .join("")
}

/** Handoffs that were saved here and are not in the database; "" if there are none. */
function unsentText({ handoffs }: Project, kept: KeptSaves | null, terminal: Terminal): string {
  const isShared = handoffs.forCall !== undefined
  return keptLines(kept, { isShared, now: terminal.now() })
    .map(({ says, todo }) => `\n${wrapLine(`${says} ${todo}`, terminal.columns()).join("\n")}\n`)
    .join("")
}

function textOf(project: Project, statuses: readonly WorkStatus[], terminal: Terminal): string {
  return statuses.length === 0
    ? `${nothingStarted(project, terminal)}\n`
    : statusText(statuses, { ...terminal, now: terminal.now(), columns: terminal.columns() })
}

/** How every work stands, or that with an id; what running processes show; and saves that were not sent. */
async function statusesOf(project: Project, terminal: Terminal, workId: string | null) {
  const boulder = await readBoulder(project)
  const now = terminal.now()
  const views = await project.live.readAll(now)
  const works = Object.values(boulder?.works ?? {})
    .filter((work) => workId === null || work.work_id === workId)
    .sort(latestFirst)
  const found = works.map(async (kept) => {
    const { entries } = await project.journal.readLast(
      PACE_LINES,
      (entry) => entry.work === kept.work_id && entry.reason !== "child-session",
    )
    const { work, reading } = await readPlanOf(project.plans, kept)
    const blocked = await blockedNow(project, work, reading)
    const limited = limitedTasks(reading, work, now)
    const last = entries.at(-1) ?? null
    const more = pauseWords(work, localTime) ?? journaledWhy(work, last)
    const state = stateSeen(work, views, { more, now })
    const { settled, total, blocked: held } = countsOf(work, reading)
    const points = entries.filter(({ at: time }) => time >= work.resumed_at).flatMap(pointOf)
    const pace = state.kind === "working" ? paceOf(points, total - settled - held) : null
    const known = await proofOfWork(project, work, reading)
    const proof = known && reading.kind === "read" ? proofSummary(reading.plan, known) : null
    const name = nameIfNeeded(work, boulder)
    const typed = typedOf(work, { typed: terminal.typed, name, views })
    return { work, name, typed, state, reading, blocked, limited, last, pace, proof }
  })
  return { statuses: await Promise.all(found), views, kept: await project.keptSaves() }
}

/** What the journal's last line adds to the reason of a work's pause; null if that line is not about this pause. */
function journaledWhy(work: Work, last: JournalEntry | null): string | null {
  const isOfPause = last?.decision === "pause" && last.reason === work.pause_reason
  const why = last?.facts["why"]
  if (!isOfPause || byTime(last.at, work.resumed_at) < 0) return null
  return typeof why === "string" && why !== "" ? cleanLine(why) : null
}

function pointOf({ at, facts: { settled } }: JournalEntry): readonly PacePoint[] {
  return typeof settled === "number" ? [{ at, settled }] : []
}
