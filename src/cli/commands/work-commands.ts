// The commands `stop`, `resume` and `approve`.

import type { Work } from "../../boulder/boulder.ts"
import { changeWork, stop } from "../../boulder/change-work.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { reopenWork } from "../../boulder/reopen-work.ts"
import { requestOf } from "../../decide/choose-plan.ts"
import { approveNow, awaitsApproval } from "../../decide/final-wave.ts"
import { approveHeld } from "../../decide/hold-ticks.ts"
import { nameOfWork } from "../../decide/name-work.ts"
import { othersLed } from "../../decide/place.ts"
import { causeHolds, reopens } from "../../decide/reopen.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { leadsOneWords } from "../../prompts/pause-words.ts"
import { starting } from "../../prompts/typed-command.ts"
import { readPlanOf, readToMark } from "../../store/plans/read-plan-of.ts"
import { type CalledWork, calledWork, seenHere, workMeant } from "../project/meant-work.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import type { Run } from "../table/command-table.ts"
import { Refusal } from "../terminal/cli-error.ts"
import { type Terminal, tell } from "../terminal/terminal.ts"
import {
  approvedText,
  changedSinceText,
  NOTHING_WAITS,
  notPausedText,
  resumedText,
  stillHoldsText,
  stoppedText,
} from "../views/work-text.ts"

export const stopCommand: Run<"stop"> = ({ names }, terminal) =>
  changing(names, terminal, async ({ work, project, now, called }) => {
    if (work.status === "completed")
      throw new Refusal(
        `Expected an open plan; found ${work.plan_name} complete. There is nothing to stop.`,
      )
    const { changed } = await project.store.update(changeWork(work.work_id, now, stop))
    const told = changed ? { decision: "pause", reason: "stopped-by-user" } : null
    return { text: stoppedText(work.plan_name, { isNew: changed, ...called }), told }
  })

export const resumeCommand: Run<"resume"> = ({ names }, terminal) =>
  changing(names, terminal, async ({ work, project, now, called }) => {
    const reason = work.pause_reason
    if (work.status === "completed")
      throw new Refusal(
        `Expected a paused plan; found ${work.plan_name} complete. To work on tasks that are new or open again: ${starting(called.ofIt)}`,
      )
    if (work.status !== "paused" || reason === null) {
      const views = await project.live.readAll(terminal.now())
      const { state, reader } = seenHere(work, { name: called.name, views }, terminal)
      return { text: notPausedText(work.plan_name, state, reader), told: null }
    }
    const { reading } = await readPlanOf({ read: (path) => readToMark(project.plans, path) }, work)
    // Whatever has paused it, nothing can go on without a plan, or without a task in it.
    const holding = ["plan-unavailable", "plan-invalid", reason] as const
    const stillHolds = holding.find((one) => !reopens(one, "start", causeHolds(one, reading, work)))
    if (stillHolds !== undefined) throw new Refusal(stillHoldsText(work, stillHolds, called.ofIt))
    let others: readonly Work[] = []
    const { changed, boulder } = await project.store.update((boulder) => {
      const reopened = changeWork(work.work_id, now, reopenWork(reason, now))(boulder)
      const newest = reopened.works[work.work_id]
      // Changed since it was read: then no other work is stopped for it.
      if (reopened === boulder || newest === undefined) return boulder
      others = othersLed(boulder, work.work_id, newest.lead_session_id)
      return others.reduce((done, other) => changeWork(other.work_id, now, stop)(done), reopened)
    })
    if (!changed) throw new Refusal(changedSinceText(work, called))
    const told = { decision: "resume", reason: "by-command" }
    const beside = others.map((other) =>
      leadsOneWords(other, calledWork(other, boulder, terminal).ofIt),
    )
    return { text: resumedText(work.plan_name, reason, { ...called, beside }), told }
  })

export const approveCommand: Run<"approve"> = async ({ names }, terminal) => {
  const project = await openProject(terminal)
  const known = Object.values((await readBoulder(project))?.works ?? {})
  const works = await Promise.all(known.map((work) => followed(project, work)))
  const task = await heldTask(project, works, names, terminal)
  if (task !== null) return approveTask(project, task, terminal)
  const waiting: string[] = []
  for (const work of works)
    if ((await waitingWave(project, work)) !== null) waiting.push(work.work_id)
  const areOpen = works.some(({ status }) => status !== "completed")
  if (names.length === 0 && waiting.length === 0 && areOpen)
    throw new Refusal(`${NOTHING_WAITS} See: ${terminal.typed("status")}`)
  const isWaiting = ({ work_id }: Work) => waiting.includes(work_id)
  return changing(
    names,
    terminal,
    async ({ work, now, called }) => {
      const approve = await waitingWave(project, work)
      if (approve === null)
        throw new Refusal(`${NOTHING_WAITS} See: ${called.typed("status", called.name)}`)
      await project.store.update(changeWork(work.work_id, now, approve))
      return {
        text: approvedText(work, called),
        told: { decision: "approve", reason: "by-question" },
      }
    },
    isWaiting,
  )
}

interface HeldTask {
  readonly work: Work
  readonly key: string
}

/** The held task that is named, and which plan it is in if several have one of that name; null if no task is named. */
async function heldTask(
  project: Project,
  works: readonly Work[],
  [named = "", plan]: readonly string[],
  terminal: Terminal,
): Promise<HeldTask | null> {
  const one = plan === undefined ? null : await workMeant(project, plan, terminal)
  const among = works.filter(({ work_id: id }) => one === null || id === one.work_id)
  const meant = among.filter((work) => heldKeys(work).includes(named))
  const [only] = meant
  if (only !== undefined && meant.length === 1) return { work: only, key: named }
  if (meant.length === 0 && plan === undefined && !isKey(named, works)) return null
  const list = among.flatMap((work) =>
    heldKeys(work).map((key) => `${key} ${nameOfWork(work, works)}`),
  )
  const found =
    meant.length === 0 ? ", which is not held." : ` in ${meant.length} plans: name the plan too.`
  throw new Refusal(
    `Expected the key of a held task; found ${named}${found} Held tasks: ${list.slice(0, 9).join(", ") || "none"}.`,
  )
}

/** A key such as `todo:3`, unless a plan has that name. */
function isKey(named: string, works: readonly Work[]): boolean {
  return requestOf(named).includes(":") && !works.some(({ plan_name: name }) => name === named)
}

function heldKeys({ held }: Work): readonly string[] {
  return Object.keys(held).filter((key) => held[key]?.approved !== true)
}

/** A work with its tasks under the keys that its plan, and every view of it, has now. */
async function followed({ plans }: Project, work: Work): Promise<Work> {
  return followTasks(await plans.read(work.active_plan))(work)
}

/** A person says that a held task is done; a work that waited for nothing else goes on. */
async function approveTask(
  project: Project,
  { work: { work_id: workId, plan_name: name, active_plan: path }, key }: HeldTask,
  terminal: Terminal,
): Promise<undefined> {
  const now = isoOf(terminal.now())
  const read = await project.plans.read(path)
  const follow = followTasks(read)
  const approve = approveHeld(key)
  const { boulder } = await project.store.update(
    changeWork(workId, now, (newest) => approve(follow(newest))),
  )
  const work = boulder.works[workId]
  if (work === undefined) throw new Refusal(`Expected the work ${name}; it is gone.`)
  const { title_hash = "" } = work.held[key] ?? {}
  await project.proofs.add(workId, () => [{ kind: "approved", at: now, task: { key, title_hash } }])
  const reading = heldReading(read, work)
  const reason = work.pause_reason
  const isOfBlocks = reason === "only-blocked-left" || reason === "task-blocked"
  if (isOfBlocks && !causeHolds(reason, reading, work))
    await project.store.update(changeWork(workId, now, reopenWork(reason, now)))
  tell(terminal, `${cleanLine(`${key} of ${name} counts as done.`)}\n`)
}

/** Approves the final wave of a work; null if none waits. */
async function waitingWave(project: Project, known: Work): Promise<((work: Work) => Work) | null> {
  if (known.status === "completed") return null
  const { work, reading } = await readPlanOf(project.plans, known)
  if (reading.kind !== "read" || !awaitsApproval(reading.plan, work)) return null
  const follow = followTasks(reading)
  return (newest) => approveNow(heldReading(reading, newest).plan)(follow(newest))
}

interface Meant {
  readonly work: Work
  readonly project: Project
  /** An ISO time. */
  readonly now: string
  readonly called: CalledWork
}

interface Changed {
  /** For the person. */
  readonly text: string
  /** For the journal; null if nothing was changed. */
  readonly told: { readonly decision: string; readonly reason: string } | null
}

async function changing(
  [name = ""]: readonly string[],
  terminal: Terminal,
  change: (meant: Meant) => Promise<Changed>,
  fits?: (work: Work) => boolean,
): Promise<undefined> {
  const project = await openProject(terminal)
  const work = await workMeant(project, name, terminal, fits)
  const called = calledWork(work, await readBoulder(project), terminal)
  const now = isoOf(terminal.now())
  const { text, told } = await change({ work, project, now, called })
  tell(terminal, `${cleanLine(text)}\n`)
  if (told === null) return
  const of = { at: now, session: work.lead_session_id, work: work.work_id }
  await project.journal.append({ ...told, ...of, facts: {} })
}
