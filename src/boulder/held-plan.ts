// A plan as its work has it: which ticked tasks still count as open, which tasks as blocked, and what can be worked on by that.
import type { KnownTask } from "../plan/match-tasks.ts"
import { tasksWhere } from "../plan/model/once-a-reading.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"
import { summarize, withRunnable } from "../plan/tasks/summarize.ts"
import type { Work } from "./boulder.ts"
import { followTasks } from "./follow-tasks.ts"
import { letsOthersGoOn } from "./row-verdicts.ts"
import { historyWords, stepOf } from "./setbacks.ts"

/** So often a task is held before it is blocked: nobody goes in circles over it. */
export const MAX_HOLDS = 3

type Reading =
  | { readonly kind: "read"; readonly plan: Plan }
  | { readonly kind: "unavailable"; readonly message: string }

/**
 * A reading in which the tasks that a work holds back are still to be done, each with the reason, those whose rework
 * could not be made too, and those that have failed their verification too often are blocked, each with its history,
 * whatever was held in it before. What waits for a task waits by the same, and in the wave for its review. A task that
 * was renumbered since is held under its new key: whether a plan is settled, its wave due, and what can be worked on, is
 * asked of this alone.
 */
export function heldReading<Read extends Reading>(reading: Read, work: Work | null): Read {
  if (reading.kind === "unavailable" || work === null) return reading
  const { plan } = reading
  const isAny =
    Object.keys(work.held ?? {}).length > 0 ||
    Object.values(work.task_sessions).some(
      (one) => one.rework?.blocked === true || stepOf(one) === "block",
    ) ||
    changedIn(plan.tasks).length > 0
  return isAny ? { ...reading, plan: asHeld(plan, followTasks(reading)(work)) } : reading
}

const changedIn = tasksWhere(
  ({ written, section, dependsOn }) =>
    written !== undefined || (section === "final-wave" && dependsOn.length > 0),
)

function asHeld(plan: Plan, work: Work): Plan {
  const { held = {} } = work
  const stuck = stuckIn(work)
  const tasks = plan.tasks.map((task) =>
    asStuck(taskAsHeld(asUnmade(withoutHold(task), work), held), stuck),
  )
  return { ...plan, ...summarize(withRunnable(tasks, letsOthersGoOn(work))) }
}

/** The sessions of tasks that have failed their verification too often. */
function stuckIn({ task_sessions: sessions }: Work): Work["task_sessions"] {
  return Object.fromEntries(
    Object.entries(sessions).filter(([, session]) => stepOf(session) === "block"),
  )
}

/** Whether a ticked task is blocked since its checks did not prove it: no mark of it can be removed in the plan. */
export function hasHeldBlock({ held = {} }: Pick<Work, "held">): boolean {
  return Object.values(held).some(({ times, approved }) => times >= MAX_HOLDS && approved !== true)
}

/** A task as the plan's text has it. */
export function withoutHold(task: Task): Task {
  if (task.written === undefined) return task
  const { held: _, written, note: __, ...kept } = task
  return { ...kept, ...written }
}

/** A task that the plan has ticked, and that was given out to be worked on again all the same. */
export function isRework(task: Task): boolean {
  return task.held === undefined && withoutHold(task).state === "done"
}

/** The last rework of a task could not go on; it has not been made since, and nobody has said that it need not be. */
function isUnmade({ task_sessions: sessions }: Work, task: KnownTask): boolean {
  const session = Object.hasOwn(sessions, task.key) ? sessions[task.key] : undefined
  return session?.title_hash === task.titleHash && session.rework?.blocked === true
}

/** Its lead says that a task is done: of its rework nothing is left to do. */
export function letReworkBe(task: KnownTask): (work: Work) => Work {
  return (work) => {
    const session = isUnmade(work, task) ? work.task_sessions[task.key] : undefined
    if (session?.rework === undefined) return work
    const left = { ...session, rework: { ...session.rework, blocked: false } }
    return { ...work, task_sessions: { ...work.task_sessions, [task.key]: left } }
  }
}

function asUnmade(task: Task, work: Work): Task {
  return task.state === "done" && isUnmade(work, task)
    ? { ...task, state: "in_progress", written: writtenOf(task) }
    : task
}

function taskAsHeld(task: Task, held: NonNullable<Work["held"]>): Task {
  const hold = Object.hasOwn(held, task.key) ? held[task.key] : undefined
  if (hold === undefined || hold.approved || !isSettled(task)) return task
  if (hold.title_hash !== task.titleHash) return task
  const { why } = hold
  return hold.times < MAX_HOLDS
    ? { ...task, held: why, state: "in_progress", written: writtenOf(task) }
    : { ...blockedFor(why, task), held: why }
}

function asStuck(task: Task, stuck: Work["task_sessions"]): Task {
  const session = Object.hasOwn(stuck, task.key) ? stuck[task.key] : undefined
  const isIts = session?.title_hash === task.titleHash
  if (session === undefined || !isIts || isSettled(task) || task.state === "blocked") return task
  return { ...blockedFor(historyWords(session), task), written: task.written ?? writtenOf(task) }
}

function blockedFor(why: string, task: Task): Task {
  const note = { words: why, lines: [] }
  return { ...task, state: "blocked", note, written: writtenOf(task) }
}

function writtenOf({ state, runnable, note }: Task): NonNullable<Task["written"]> {
  return { state, runnable, ...(note === undefined ? {} : { note }) }
}
