// The results of a mark, and the check that a written mark reads back as meant and changes no other task.
import type { Task, TaskState } from "./model/plan.ts"

/** A text in which the task is marked, or why it is not. */
export type MarkResult =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }

/** What a task can be marked as. */
export type MarkState = "done" | "open" | "in_progress" | "blocked"

/** A plan before and after a mark was written. */
interface Marked {
  readonly before: readonly Task[]
  readonly after: readonly Task[]
  readonly task: Task
  /** The states that it may read back as. */
  readonly wanted: readonly TaskState[]
  readonly written: string
}

/** Checks that what was written reads back as meant and changes no other task; else it is refused. */
export function checkMarked({ before, after, task, wanted, written }: Marked): MarkResult {
  const found = after.find(({ key }) => key === task.key)?.state ?? "no such task"
  if (!wanted.some((state) => state === found)) {
    return refused(
      `Expected ${task.key} to read as ${wanted.join(" or ")} once it is written; found ${found}. Mark it by hand.`,
    )
  }
  if (others(before, task) === others(after, task)) return { ok: true, text: written }
  return refused(`Writing ${task.key} would change how other tasks are read: mark it by hand.`)
}

/** A mark that is not written, and why. */
export function refused(message: string): MarkResult {
  return { ok: false, message }
}

function others(tasks: readonly Task[], task: Task): string {
  return tasks
    .filter(({ key }) => key !== task.key)
    .map(({ key, state }) => `${key} ${state}`)
    .join("\n")
}
