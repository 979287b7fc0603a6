// Progress as a text to compare, and which turns count for it.
import type { Work } from "../boulder/boulder.ts"
import { followTasks } from "../boulder/follow-tasks.ts"
import { hashText } from "../plan/model/hash-text.ts"
import { byKey, onceAReading, oncePerPlan } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { unsettledIn } from "./final-wave.ts"
import type { LastTurn } from "./situation.ts"

/** What is known of a project's files: what git tells of the work tree, null for nothing, and what the work's sessions have written. */
export interface FilesSeen {
  readonly tree: string | null
  readonly writes: readonly string[]
}

/**
 * Progress as a text: the plan's marks and those of a heading's steps, new results for open tasks (a rejected row of the wave is open) and
 * for a task's rework, the wave's verdicts, the files, and the work's handoffs (`handoffProgress`; "" for none). Equal texts mean that
 * nothing has changed. Records of tasks that the plan does not have count for nothing, so that dropping one later is no progress.
 */
export function progressOf(
  plan: Plan,
  known: Work,
  { tree, writes }: FilesSeen,
  handoffs = "",
): string {
  const work = followTasks({ kind: "read", plan })(known)
  const isOpen = unsettledIn(plan, work)
  const results = keptIn(plan, work.task_sessions).flatMap(([task, { results, rework }]) => [
    ...(isOpen(task) && results > 0 ? [`${task.key} ${results}`] : []),
    ...(rework !== undefined && rework.results > 0 ? [`${task.key} again ${rework.results}`] : []),
  ])
  const wave = keptIn(plan, work.final_wave).map(
    ([{ key }, { verdict, outdated }]) =>
      `${key} ${verdict}${outdated === true ? " outdated" : ""}`,
  )
  return `marks:${marksOf(plan.tasks).hash} results:${hashText([...results, ...wave].toSorted().join("\n"))} tree:${tree ?? "unknown"} wrote:${writes.length === 0 ? "unknown" : hashText(writes.join(" "))}${handoffs === "" ? "" : ` handoffs:${hashText(handoffs)}`}`
}

/** What is kept of tasks by key, each with the task that the plan has under that key. */
function keptIn<Kept extends { readonly title_hash: string }>(
  { tasks }: Plan,
  all: Readonly<Record<string, Kept>>,
): readonly (readonly [Task, Kept])[] {
  const known = byKey(tasks)
  return Object.entries(all).flatMap(([key, kept]) => {
    const task = known.get(key)
    return task?.titleHash === kept.title_hash ? [[task, kept] as const] : []
  })
}

/** Only the places where a task's state differs from the one before it: there are few. */
const marksOf = onceAReading((tasks: readonly Task[]) => {
  const said = [namesOf(tasks).hash]
  let before = ""
  for (const [place, { state, steps }] of tasks.entries()) {
    const now = steps === undefined ? state : [state, ...steps.map((step) => step.state)].join(" ")
    if (now !== before) said.push(`${place} ${now}`)
    before = now
  }
  return { hash: hashText(said.join("\n")) }
})

const namesOf = oncePerPlan((tasks: readonly Task[]) => ({
  hash: hashText(tasks.map(({ key, titleHash }) => `${key} ${titleHash}`).join("\n")),
}))

const TREE = / tree:\S+/
const WROTE = / wrote:\S+/
const UNKNOWN = ":unknown"

/** Progress to compare with an earlier one. What nobody tells of the files counts as it was. */
export function progressSince(before: string | null, now: string): string {
  const asBefore = (text: string, part: RegExp): string =>
    text.replace(part, (told) =>
      told.endsWith(UNKNOWN) ? (part.exec(before ?? "")?.[0] ?? told) : told,
    )
  return [TREE, WROTE].reduce(asBefore, now)
}

/**
 * Whether nothing has changed between the two. The tree tells that of the files if git has reported it both times. Otherwise, in a folder
 * without git or if git was late, what the sessions have written tells it.
 */
export function isSameProgress(before: string | null, now: string): boolean {
  if (before === null) return false
  const unasked = knowsTree(before) && knowsTree(now) ? WROTE : TREE
  return before.replace(unasked, "") === progressSince(before, now).replace(unasked, "")
}

/** Whether git has reported the work tree. */
export function knowsTree(progress: string | null): boolean {
  return TREE.exec(progress ?? "")?.[0].endsWith(UNKNOWN) === false
}

/** Whether a model has answered the turn to its end: it did not fail, is not running, and did not die with its host. */
export function isAnswered({ error, ended, isUnanswered }: LastTurn): boolean {
  return error === null && ended && !isUnanswered
}
