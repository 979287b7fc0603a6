// The commands `works` and `prune`.

import { sumJson, workCostJson } from "../../boulder/cost.ts"
import { begunKeys } from "../../boulder/find-dispatch.ts"
import { elapsedMs } from "../../boulder/iso-time.ts"
import type { WorkState } from "../../boulder/live-view.ts"
import { nameIfNeeded, nameOfWork } from "../../decide/name-work.ts"
import type { Proof } from "../../decide/proof/proof.ts"
import { limitedTasks } from "../../decide/provider-says.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { stateName, waitWords } from "../../prompts/work-state-words.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import { readPlanOf, type WorkOnPlan } from "../../store/plans/read-plan-of.ts"
import { pruneWorks } from "../../store/records/archive-departed.ts"
import type { ArchivedTask } from "../../store/records/work-archive.ts"
import { findWorks, isFinished, type KnownWork } from "../project/known-works.ts"
import { knownWork, seenHere } from "../project/meant-work.ts"
import {
  nothingStarted,
  nothingStartedText,
  openProject,
  type Project,
} from "../project/project.ts"
import { followRecords, tasksIn } from "../project/task-records.ts"
import { proofOfWork } from "../proof/proof-of-work.ts"
import type { Run } from "../table/command-table.ts"
import { Refusal, UsageError } from "../terminal/cli-error.ts"
import { age } from "../terminal/parse-args.ts"
import { jsonText } from "../terminal/print-json.ts"
import { type Terminal, tell } from "../terminal/terminal.ts"
import { countsOf } from "../views/status-json.ts"
import { type WorkRow, worksText, workText } from "../views/works-text.ts"

export const worksCommand: Run<"works"> = async ({ values, names }, terminal) => {
  const project = await openProject(terminal)
  const { works, named, rowOf, recordsOf } = await worksOf(project, terminal)
  const [name] = names
  const now = terminal.now()
  const columns = terminal.columns()
  if (name === undefined) {
    if (values.json === true) terminal.out(jsonText({ works: works.map(rowOf).map(jsonOf) }))
    else if (works.length === 0) terminal.out(`${nothingStarted(project, terminal)}\n`)
    else terminal.out(worksText(works.map(rowOf), now, columns))
    return
  }
  const work = rowOf(await named(name))
  const { open, reading, tasks } = await recordsOf(work)
  const begun = new Set(open === null ? [] : begunKeys(open))
  const limited = open === null ? [] : limitedTasks(reading, open, now)
  const blocked = open === null ? [] : await blockedNow(project, open, reading)
  const proof = await proofOfWork(project, work, reading)
  if (values.json === true)
    terminal.out(
      jsonText({
        work: jsonOf(work),
        tasks: tasks.map(taskJsonOf),
        plan_tasks: planTasksOf(reading, proof),
      }),
    )
  else
    terminal.out(
      workText(
        { work, begun, limited, blocked, tasks, reading, proof },
        { now, columns, paint: terminal.paint },
      ),
    )
}

/** What a running opencode reports about the work stands beside its own status. */
function jsonOf({ said, isCarried: _, waits: __, called: ___, ...work }: WorkRow): object {
  return { ...work, cost: workCostJson(work.cost), state: said }
}

function taskJsonOf(task: ArchivedTask): object {
  return task.cost === undefined ? task : { ...task, cost: sumJson(task.cost) }
}

function planTasksOf(reading: PlanFileReading, proof: Proof | null) {
  return tasksIn(reading).map((task) => {
    const { key, title, state } = task
    return { key, title, state, ...(proof && { tier: proof.of(task)?.tier ?? null }) }
  })
}

export const pruneCommand: Run<"prune"> = async ({ values, names }, terminal) => {
  const [name] = names
  const olderThan = values["older-than"]
  if (name !== undefined && olderThan !== undefined)
    throw new UsageError("Expected the name of a plan or --older-than; found both.")
  const least = olderThan === undefined ? 0 : age(olderThan, "--older-than")
  const project = await openProject(terminal)
  const { works, named, rowOf } = await worksOf(project, terminal)
  const isOld = ({ updated_at: at }: KnownWork) => elapsedMs(at, terminal.now()) >= least
  const chosen =
    name === undefined
      ? works.filter((work) => isFinished(work) && isOld(work))
      : removable(await named(name), { name, works }, terminal)
  if (chosen.length === 0) tell(terminal, "No finished work to remove.\n")
  else if (values.yes === true) {
    const workIds = chosen.map((work) => work.work_id)
    tell(terminal, removedText(chosen, await pruneWorks({ ...project, workIds })))
  } else {
    terminal.out(worksText(chosen.map(rowOf), terminal.now(), terminal.columns()))
    tell(terminal, "Nothing was removed. Add --yes to remove what is kept of these works.\n")
  }
}

/**
 * All works of a project, or one by its id or name, else the one that goes on or did so last (throws a `Refusal` if there is none), with the
 * records of one as its plan has its tasks now; whatever cannot be read is noted.
 */
export async function worksOf(project: Project, terminal: Terminal) {
  const found = await findWorks(project)
  const { boulder, works, unreadable } = found
  for (const name of unreadable)
    terminal.err(
      `Note: .boulder/works/${cleanLine(name)}/work.json cannot be read and was skipped.\n`,
    )
  const open = new Map(Object.entries(boulder?.works ?? {}))
  const now = terminal.now()
  const views = await project.live.readAll(now)
  const onPlans = new Map<string, WorkOnPlan>()
  for (const [id, work] of open) onPlans.set(id, await readPlanOf(project.plans, work))
  /** The records of a work's tasks, oldest first; `open` is null for a work that has left `boulder.json`. */
  const recordsOf = async ({ work_id: id, active_plan: path }: KnownWork) => {
    const { work: at = null, reading = await project.plans.read(path) } = onPlans.get(id) ?? {}
    const kept = [...(await project.archive.tasksOf(id)), ...Object.values(at?.task_sessions ?? {})]
    return { open: at, reading, tasks: followRecords(reading, kept) }
  }
  const rowOf = (known: KnownWork): WorkRow => {
    const onPlan = onPlans.get(known.work_id)
    const row = { ...known, called: nameOfWork(known, works) }
    if (onPlan === undefined) return { ...row, said: known.status, waits: null, isCarried: false }
    const { work, reading } = onPlan
    const { settled, total } = countsOf(work, reading)
    const counts = { completed_count: settled, total_count: total }
    const { state, reader } = seenHere(work, { name: nameIfNeeded(work, boulder), views }, terminal)
    const said = { said: stateName(state), waits: waitWords(state, reader) }
    return { ...row, ...counts, ...said, isCarried: isCarried(state) }
  }
  const named = (name: string) => knownWork(project, found, name, terminal)
  const namedOrLatest = async (name: string | undefined) => {
    const work = name === undefined ? works[0] : await named(name)
    if (work === undefined) throw new Refusal(nothingStartedText(project, terminal))
    return work
  }
  return { works, named, namedOrLatest, rowOf, recordsOf }
}

/** Whether only a living opencode can be in this state; a wait for approval needs none. */
function isCarried(state: WorkState): boolean {
  const isAsked = state.kind === "waiting-for-you" && state.for !== "approval"
  return isAsked || state.kind === "working" || state.kind === "waiting"
}

/**
 * The named work, which is to be removed; if it is named by its plan, with the earlier works of that plan. Throws a `Refusal` if it can
 * still go on.
 */
function removable(
  work: KnownWork,
  { name, works }: { readonly name: string; readonly works: readonly KnownWork[] },
  { typed }: Pick<Terminal, "typed">,
): readonly KnownWork[] {
  const isOfPlan = (one: KnownWork) =>
    name !== work.work_id && one.active_plan === work.active_plan && isFinished(one)
  if (isFinished(work) || work.pause_reason === "stopped-by-user")
    return works.filter((one) => one === work || isOfPlan(one))
  throw new Refusal(
    `Expected a finished or stopped plan; found ${work.plan_name} ${work.status}. Nothing was removed. Stop it first: ${typed("stop", nameOfWork(work, works))}`,
  )
}

function removedText(works: readonly KnownWork[], ids: readonly string[]): string {
  const lines = works.map((work) => {
    const name = `${cleanLine(work.plan_name)} (.boulder/works/${cleanLine(work.work_id)})`
    return ids.includes(work.work_id)
      ? `Removed: ${name}`
      : `Left alone, since it was resumed: ${name}`
  })
  return `${lines.join("\n")}\n`
}
