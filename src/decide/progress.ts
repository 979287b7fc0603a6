// Progress as one text, to be compared.
import type { Work } from "../boulder/boulder.ts"
import { followTasks } from "../boulder/follow-tasks.ts"
import { hashText } from "../plan/model/hash-text.ts"
import { onceAReading } from "../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../plan/model/plan.ts"
import { unsettledTasks } from "./final-wave.ts"

/**
 * Progress as one text: the plan's marks and those of a heading's steps, new results for open tasks (a rejected row of the
 * wave is open) and those of a task's rework, the wave's verdicts, the content of the work tree (null where git does not tell), and the
 * handoffs of the work (`handoffProgress`; "" without any). Two equal texts mean that nothing has moved. What is kept of
 * tasks that the plan does not have counts for nothing: it goes one day, and nothing has moved then.
 */
export function progressOf(plan: Plan, known: Work, tree: string | null, handoffs = ""): string {
  const work = followTasks({ kind: "read", plan })(known)
  const results = unsettledTasks(plan, work).map(({ key, titleHash }) => {
    const session = work.task_sessions[key]
    return session?.title_hash === titleHash ? session.results : 0
  })
  const isAny = Object.values(work.task_sessions).some(({ rework }) => rework !== undefined)
  const reworked = (isAny ? plan.tasks : []).flatMap(({ key, titleHash }) => {
    const session = Object.hasOwn(work.task_sessions, key) ? work.task_sessions[key] : undefined
    const results = session?.title_hash === titleHash ? (session.rework?.results ?? 0) : 0
    return results === 0 ? [] : [`${key} again ${results}`]
  })
  const isWave = Object.keys(work.final_wave).length > 0
  const wave = (isWave ? plan.tasks : []).flatMap(({ key, titleHash }) => {
    const row = work.final_wave[key]
    const old = row?.outdated === true ? " outdated" : ""
    return row?.title_hash === titleHash ? [`${key} ${row.verdict}${old}`] : []
  })
  return `marks:${marksOf(plan.tasks).hash} results:${hashText([...results, ...reworked, ...wave].join(" "))} tree:${tree ?? "unknown"}${handoffs === "" ? "" : ` handoffs:${hashText(handoffs)}`}`
}

const marksOf = onceAReading((tasks: readonly Task[]) => {
  const marks = tasks.map(({ key, titleHash, state, steps = [] }) =>
    [key, titleHash, state, ...steps.map((step) => step.state)].join(" "),
  )
  return { hash: hashText(marks.join("\n")) }
})

const UNKNOWN_TREE = "tree:unknown"
const TREE = / tree:\S+/

/**
 * Progress to be compared with an earlier one: git does not always tell in time of the work tree, and what it has not
 * told of is as it was.
 */
export function progressSince(before: string | null, now: string): string {
  const tree = TREE.exec(before ?? "")?.[0]
  return tree === undefined ? now : now.replace(` ${UNKNOWN_TREE}`, tree)
}

/** Whether nothing has moved between two of them; a tree of which nothing was known before has not. */
export function isSameProgress(before: string | null, now: string): boolean {
  const known = before?.includes(UNKNOWN_TREE) ? now.replace(TREE, ` ${UNKNOWN_TREE}`) : now
  return before !== null && before === progressSince(before, known)
}

/** Whether git has told of the work tree. */
export function knowsTree(progress: string | null): boolean {
  return progress !== null && TREE.test(progress) && !progress.includes(UNKNOWN_TREE)
}
