// Reads a plan the way its work does: which ticked tasks still count as open, which as blocked, and what can therefore be worked on.
import type { KnownTask } from "../plan/match-tasks.ts"
import { tasksWhere } from "../plan/model/once-a-reading.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"
import { summarize, withRunnable } from "../plan/tasks/summarize.ts"
import type { Work } from "./boulder.ts"
import { followTasks } from "./follow-tasks.ts"
import { letsOthersGoOn } from "./row-verdicts.ts"
import { historyWords, stepOf } from "./setbacks.ts"

/** A task is held this many times before it is blocked, so that nobody goes in circles over it. */
export const MAX_HOLDS = 3

/** A plan as it was just read. */
export type PlanReading =
  | { readonly kind: "read"; readonly plan: Plan }
  /** `isGone`: no file is at its path. */
  | { readonly kind: "unavailable"; readonly message: string; readonly isGone?: true }

/**
 * A reading in which tasks that the work holds back are still to be done, each with the reason; so are tasks whose rework could not be
 * done. Tasks that failed their verification too often are blocked, each with its history, even if held before. Whatever waits for a task
 * waits accordingly, in the wave for its review. A renumbered task is held under its new key. Ask only this reading whether a plan is
 * settled, whether its wave is due, and what can be worked on.
 */
export function heldReading<Read extends PlanReading>(reading: Read, work: Work | null): Read {
  if (reading.kind === "unavailable" || work === null) return reading
  const { plan } = reading
  const isAny =
    Object.keys(work.held).length > 0 ||
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
  // The sessions of tasks that failed their verification too often.
  const stuck = Object.fromEntries(
    Object.entries(work.task_sessions).filter(([, session]) => stepOf(session) === "block"),
  )
  const tasks = plan.tasks.map((task) =>
    asStuck(taskAsHeld(asUnmade(withoutHold(task), work), work.held), stuck),
  )
  return { ...plan, ...summarize(withRunnable(tasks, letsOthersGoOn(work))) }
}

/** Whether a ticked task is blocked because its checks did not prove it: then the plan has no mark to remove. */
export function hasHeldBlock({ held }: Pick<Work, "held">): boolean {
  return Object.values(held).some(({ times, approved }) => times >= MAX_HOLDS && approved !== true)
}

/** A task as the text of the plan has it. */
export function withoutHold(task: Task): Task {
  if (task.written === undefined) return task
  const { held: _, written, note: __, ...kept } = task
  return { ...kept, ...written }
}

/** A task that is ticked in the plan but was delegated again. */
export function isRework(task: Task): boolean {
  return task.held === undefined && withoutHold(task).state === "done"
}

/** The last rework of a task could not go on, it has not been done since, and nobody has said that it need not be. */
function isUnmade({ task_sessions: sessions }: Work, task: KnownTask): boolean {
  const session = Object.hasOwn(sessions, task.key) ? sessions[task.key] : undefined
  return session?.title_hash === task.titleHash && session.rework?.blocked === true
}

/** The lead says that a task is done: nothing is left of its rework. */
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
