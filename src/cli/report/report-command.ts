// The command `report`.
import { stat, writeFile } from "node:fs/promises"
import { resolve } from "node:path"
import type { Handoff } from "../../boulder/handoff.ts"
import { keyNow } from "../../plan/match-tasks.ts"
import { readForeignText } from "../../store/disk/read-foreign-text.ts"
import { errnoOf } from "../../store/disk/store-error.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import { worksOf } from "../commands/archive-commands.ts"
import { ownVersion } from "../own-version.ts"
import type { KnownWork } from "../project/known-works.ts"
import { openProject, type Project } from "../project/project.ts"
import { proofOfWork } from "../proof/proof-of-work.ts"
import type { Run } from "../table/command-table.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { type Terminal, tell } from "../terminal/terminal.ts"
import type { ReportSources } from "./report-facts.ts"
import { reportPage } from "./report-page.ts"

/** A report reaches no further back than this many decisions. */
const MAX_DECISIONS = 2_000

export const reportCommand: Run<"report"> = async ({ values, names }, terminal) => {
  const project = await openProject(terminal)
  const sources = await sourcesOf(project, terminal, names[0])
  if (values.html === undefined && terminal.isInteractive)
    throw new UsageError(
      `Expected --html FILE for the page; found a terminal. For example: ${terminal.typed("report", ...names, { as: "--html report.html" })}`,
    )
  const page = reportPage(sources, { now: terminal.now(), version: await ownVersion() })
  const { html: file } = values
  if (file === undefined) {
    terminal.out(page)
    return
  }
  const path = resolve(terminal.cwd, file)
  await refuseOther(path)
  try {
    await writeFile(path, page)
  } catch (error) {
    throw new Refusal(
      `Expected to write ${path}; it cannot be written (${errnoOf(error) ?? String(error)}). Name a file in a folder that is there and can be written.`,
    )
  }
  tell(terminal, `Written: ${path}\n`)
}

/** Throws a `Refusal` if a file with something else than an earlier report is there, such as the plan, where `--html` is taken for a flag. */
async function refuseOther(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (found?.isFile() !== true || found.size === 0) return
  const text = (await readForeignText(path)) ?? ""
  if (!text.startsWith("<!doctype html>") || !text.includes(": report</title>"))
    throw new Refusal(
      `Expected a new file or an earlier report; found ${path}, which holds something else. Name another file.`,
    )
}

async function sourcesOf(
  project: Project,
  terminal: Terminal,
  name: string | undefined,
): Promise<ReportSources> {
  const { namedOrLatest, rowOf, recordsOf } = await worksOf(project, terminal)
  const known = await namedOrLatest(name)
  const { open, reading, tasks } = await recordsOf(known)
  const { entries } = await project.journal.readLast(
    MAX_DECISIONS,
    (entry) => entry.work === known.work_id && entry.reason !== "child-session",
  )
  return {
    work: rowOf(known),
    open,
    reading,
    tasks,
    blocked: open === null ? [] : await blockedNow(project, open, reading),
    decisions: entries,
    proof: await proofOfWork(project, known, reading),
    said: await saidOf(project, known, { tasks, reading }),
  }
}

/** What sessions have saved about the tasks of a plan: in open records, else in the settled one of a task's session. */
async function saidOf(
  { handoffs }: Project,
  { plan_name: plan }: KnownWork,
  { tasks, reading }: Pick<ReportSources, "tasks" | "reading">,
): Promise<ReadonlyMap<string, string>> {
  const said = new Map<string, string>()
  const take = (record: Handoff | null): void => {
    if (record?.plan_name !== plan || record.task_key === null) return
    const { task_key: known, title_hash: titleHash, summary } = record
    const key = keyNow(reading, { key: known, titleHash })
    if (key !== null && !said.has(key)) said.set(key, summary)
  }
  for (const record of (await handoffs.open()).handoffs) take(record)
  for (const { task_key: key, session_id: session } of tasks.toReversed())
    if (!said.has(key)) take(await handoffs.lastOf(session))
  return said
}
