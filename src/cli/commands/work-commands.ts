// `stop`, `resume` and `approve`.

import type { Work } from "../../boulder/boulder.ts"
import { changeWork, stop } from "../../boulder/change-work.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { reopenWork } from "../../boulder/reopen-work.ts"
import { approveNow, awaitsApproval } from "../../decide/final-wave.ts"
import { approveHeld } from "../../decide/hold-ticks.ts"
import { othersLed } from "../../decide/place.ts"
import { causeHolds, reopens } from "../../decide/reopen.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { shellWord } from "../../prompts/shell-word.ts"
import { workMeant } from "../project/meant-work.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import { Refusal } from "../terminal/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"
import {
  approvedText,
  NOTHING_WAITS,
  resumedText,
  stillHoldsText,
  stoppedText,
} from "../views/work-text.ts"
import type { Run } from "./run-named.ts"

export const stopCommand: Run<"stop"> = ({ names }, terminal) =>
  changing(names, terminal, async ({ work, project, now }) => {
    if (work.status === "completed")
      throw new Refusal(
        `Expected an open work; found ${work.plan_name} complete. There is nothing to stop.`,
      )
    await project.store.update(changeWork(work.work_id, now, stop))
    return stoppedText(work.plan_name, terminal.call)
  })

export const resumeCommand: Run<"resume"> = ({ names }, terminal) =>
  changing(names, terminal, async ({ work, project, now }) => {
    const reason = work.pause_reason
    if (work.status === "completed")
      throw new Refusal(
        `Expected a paused work; found ${work.plan_name} complete. Add tasks to its plan and start it again.`,
      )
    if (work.status !== "paused" || reason === null)
      return resumedText(work.plan_name, null, terminal.call)
    const reading = heldReading(await project.plans.read(work.active_plan), work)
    // Whatever has paused it: without a plan, or a task in it, nothing goes on.
    const holding = ["plan-unavailable", "plan-invalid", reason] as const
    const stillHolds = holding.find((one) => !reopens(one, "start", causeHolds(one, reading, work)))
    if (stillHolds !== undefined) throw new Refusal(stillHoldsText(work, stillHolds))
    await project.store.update((boulder) =>
      othersLed(boulder, work.work_id, work.lead_session_id).reduce(
        (done, other) => changeWork(other.work_id, now, stop)(done),
        changeWork(work.work_id, now, reopenWork(reason, now))(boulder),
      ),
    )
    return resumedText(work.plan_name, reason, terminal.call)
  })

export const approveCommand: Run<"approve"> = async ({ names }, terminal) => {
  const project = await openProject(terminal)
  const works = Object.values((await readBoulder(project))?.works ?? {})
  const held = works.filter(({ held: tasks = {} }) => Object.hasOwn(tasks, names[0] ?? ""))
  const [only] = held
  if (only !== undefined && held.length === 1)
    return approveTask(project, only, names[0] ?? "", terminal)
  const waiting: string[] = []
  for (const work of works)
    if ((await waitingWave(project, work)) !== null) waiting.push(work.work_id)
  const isWaiting = ({ work_id }: Work) => waiting.includes(work_id)
  return changing(
    names,
    terminal,
    async ({ work, now }) => {
      const approve = await waitingWave(project, work)
      const { plan_name: name } = work
      if (approve === null)
        throw new Refusal(`${NOTHING_WAITS} See: opencode-boulder status ${shellWord(name)}`)
      await project.store.update(changeWork(work.work_id, now, approve))
      return approvedText(work, terminal.call)
    },
    isWaiting,
  )
}

/** A held task counts as done because a person says so; a work that waited for nothing else goes on. */
async function approveTask(
  project: Project,
  { work_id: workId, plan_name: name }: Work,
  key: string,
  terminal: Terminal,
): Promise<number> {
  const now = isoOf(terminal.now())
  const approve = approveHeld(key)
  const { boulder } = await project.store.update(changeWork(workId, now, approve))
  const work = boulder.works[workId]
  if (work === undefined) throw new Refusal(`Expected the work ${name}; it is gone.`)
  const { title_hash = "" } = work.held?.[key] ?? {}
  await project.proofs.add(workId, () => [{ kind: "approved", at: now, task: { key, title_hash } }])
  const reading = heldReading(await project.plans.read(work.active_plan), work)
  const reason = work.pause_reason
  const isOfBlocks = reason === "only-blocked-left" || reason === "task-blocked"
  if (isOfBlocks && !causeHolds(reason, reading, work))
    await project.store.update(changeWork(workId, now, reopenWork(reason, now)))
  terminal.out(`${cleanLine(`${key} of ${name} counts as done.`)}\n`)
  return 0
}

/** What approves the final wave of a work; null where none waits. */
async function waitingWave(project: Project, work: Work): Promise<((work: Work) => Work) | null> {
  if (work.status === "completed") return null
  const reading = heldReading(await project.plans.read(work.active_plan), work)
  const follow = followTasks(reading)
  if (reading.kind !== "read" || !awaitsApproval(reading.plan, follow(work))) return null
  return (newest) => approveNow(reading.plan)(follow(newest))
}

interface Meant {
  readonly work: Work
  readonly project: Project
  /** ISO time. */
  readonly now: string
}

async function changing(
  [name = ""]: readonly string[],
  terminal: Terminal,
  change: (meant: Meant) => Promise<string>,
  fits?: (work: Work) => boolean,
): Promise<number> {
  const project = await openProject(terminal)
  const work = await workMeant(project, name, terminal, fits)
  const text = await change({ work, project, now: isoOf(terminal.now()) })
  terminal.out(`${cleanLine(text)}\n`)
  return 0
}
