// The command `unblock`.

import type { Work } from "../../boulder/boulder.ts"
import { changeWork } from "../../boulder/change-work.ts"
import { openWorks } from "../../boulder/find-work.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { reopenWork } from "../../boulder/reopen-work.ts"
import { withoutSetbacks } from "../../boulder/setbacks.ts"
import { nameOfWork } from "../../decide/name-work.ts"
import { causeHolds, reopens } from "../../decide/reopen.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import type { Task } from "../../plan/model/plan.ts"
import type { Typed } from "../../prompts/typed-command.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import { readPlanOf } from "../../store/plans/read-plan-of.ts"
import { calledWork, workMeant } from "../project/meant-work.ts"
import { openProject, type Project, readBoulder } from "../project/project.ts"
import { tasksIn } from "../project/task-records.ts"
import type { Run } from "../table/command-table.ts"
import { Refusal } from "../terminal/cli-error.ts"
import { type Terminal, tell } from "../terminal/terminal.ts"
import { unblockedText } from "../views/work-text.ts"

export const unblockCommand: Run<"unblock"> = async ({ names }, terminal) => {
  const project = await openProject(terminal)
  const [named = "", plan = ""] = await taskAndPlan(project, names)
  const { work, task, follow } = await blockedTask(project, { named, plan }, terminal)
  const { key, titleHash, held, written } = task
  const called = calledWork(work, await readBoulder(project), terminal)
  if (held !== undefined) throw new Refusal(heldText(task, held, called.ofIt))
  if (written === undefined) {
    const mark = { key, titleHash, state: "open", note: null } as const
    const done = await project.plans.mark(work.active_plan, mark)
    if (done.kind === "refused") throw new Refusal(done.message)
  }
  const now = await goOn(project, work, { key, follow }, terminal)
  const text = unblockedText(now, task, called)
  tell(terminal, `${cleanLine(text)}\n`)
}

/** A blocked task, and how the work's records are followed into the plan while it still has the task's note. */
interface Blocked {
  readonly work: Work
  readonly task: Task
  readonly follow: (work: Work) => Work
}

/** A single name may be a work's: then its only blocked task is meant. Task keys are tried first. */
async function taskAndPlan(project: Project, names: readonly string[]): Promise<readonly string[]> {
  const [only = "", ...more] = names
  const boulder = await readBoulder(project)
  const works = openWorks(boulder)
  const all = Object.values(boulder?.works ?? {})
  const isWork = works.some((work) => only === nameOfWork(work, all))
  if (more.length > 0 || !isWork) return names
  const isTask = works.map(async (work) => {
    const reading = await project.plans.read(work.active_plan)
    return tasksIn(reading).some((task) => isNamed(task, only))
  })
  return (await Promise.all(isTask)).includes(true) ? names : ["", only]
}

/** The only blocked task that can be meant. Throws a `Refusal` that names the candidates. */
async function blockedTask(
  project: Project,
  { named, plan }: { readonly named: string; readonly plan: string },
  terminal: Terminal,
): Promise<Blocked> {
  const boulder = await readBoulder(project)
  const open = openWorks(boulder)
  const works = plan === "" && open.length > 0 ? open : [await workMeant(project, plan, terminal)]
  const readings = await Promise.all(works.map((work) => readPlanOf(project.plans, work)))
  const stuck = readings.flatMap(({ work, reading }) =>
    tasksIn(reading)
      .filter(({ state, held }) => state === "blocked" || held !== undefined)
      .map((task) => ({ work, task, follow: followTasks(reading) })),
  )
  const marked = stuck.filter(({ task: { state } }) => state === "blocked")
  const blocked = named === "" && marked.length > 0 ? marked : stuck
  const meant = named === "" ? blocked : blocked.filter(({ task }) => isNamed(task, named))
  const [only] = meant
  if (only !== undefined && meant.length === 1) return only
  const unread = readings.find(({ reading }) => reading.kind === "unavailable")?.reading
  if (unread?.kind === "unavailable" && works.length === 1) throw new Refusal(unread.message)
  const all = Object.values(boulder?.works ?? {})
  const which = works.map((work) => nameOfWork(work, all)).join(", ")
  throw new Refusal(
    `Expected ${named === "" ? "one blocked task" : "a blocked task"} of ${which}; found ${foundText(readings, named, meant)}. ${listed(blocked, all)}`,
  )
}

function foundText(
  readings: readonly { readonly reading: PlanFileReading }[],
  named: string,
  meant: readonly Blocked[],
): string {
  if (meant.length > 1) return `${meant.length}`
  if (named === "") return "none"
  const tasks = readings.flatMap(({ reading }) => tasksIn(reading))
  const task = tasks.find((one) => isNamed(one, named))
  return task === undefined ? "no such task" : `${task.key} ${task.state}`
}

/** Written the way the command takes them; `all` are the works that a name may mean. */
function listed(blocked: readonly Blocked[], all: readonly Work[]): string {
  const several = new Set(blocked.map(({ work }) => work.work_id)).size > 1
  const names = blocked
    .slice(0, 9)
    .map(({ work, task }) => (several ? `${task.key} ${nameOfWork(work, all)}` : task.key))
  return `Blocked tasks: ${names.join(", ") || "none"}.`
}

function isNamed({ key, label }: Task, named: string): boolean {
  const name = named.toLowerCase()
  return key === name || label?.toLowerCase() === name
}

/** Forgets the block, and resumes the work if that was the last thing that paused it. The work as it is then. */
async function goOn(
  project: Project,
  work: Work,
  { key, follow }: { readonly key: string } & Pick<Blocked, "follow">,
  terminal: Terminal,
): Promise<Work> {
  const now = isoOf(terminal.now())
  const reason = work.pause_reason
  const free = freed(key)
  const read = await project.plans.read(work.active_plan)
  const reading = heldReading(read, free(follow(work)))
  // To unblock a task counts as an edit of the plan, wherever the block was recorded.
  const goesOn =
    reason !== null && reopens(reason, "plan-edited", causeHolds(reason, reading, work))
  const { boulder } = await project.store.update(
    changeWork(work.work_id, now, (newest) => {
      const forgotten = free(follow(newest))
      return goesOn ? reopenWork(reason, now)(forgotten) : forgotten
    }),
  )
  return boulder.works[work.work_id] ?? work
}

/** Forgets the block of a task, and the setbacks that caused one. */
function freed(key: string): (work: Work) => Work {
  return (work) => {
    const { [key]: _, ...blocked } = work.blocked
    const session = Object.hasOwn(work.task_sessions, key) ? work.task_sessions[key] : undefined
    const sessions =
      session === undefined
        ? work.task_sessions
        : { ...work.task_sessions, [key]: withoutSetbacks(session) }
    return { ...work, blocked, task_sessions: sessions }
  }
}

/** There is nothing to unblock for a task that is ticked and held: its tick must be proven, or a person says that it is done. */
function heldText({ key }: Task, why: string, typed: Typed): string {
  return `Expected a blocked task; found ${key} ticked and held: ${why}. Nothing was changed. Have the session run its check, or count it as done: ${typed("approve", key)}`
}
