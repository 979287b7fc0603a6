// Names the task that a line of the journal is about: its key, and the title by which it is found again under another key.
import type { KnownTask, ToldTask } from "../../plan/match-tasks.ts"
import type { JournalEntry } from "./journal.ts"

/** The facts that name a task. */
export function taskFacts(task: KnownTask | null): JournalEntry["facts"] {
  return { task: task?.key ?? null, title_hash: task?.titleHash ?? null }
}

/** The task that a line names; null if it is about none. */
export function toldTask({ facts }: Pick<JournalEntry, "facts">): ToldTask | null {
  const { task: key, title_hash: titleHash } = facts
  if (typeof key !== "string") return null
  return { key, titleHash: typeof titleHash === "string" ? titleHash : null }
}
