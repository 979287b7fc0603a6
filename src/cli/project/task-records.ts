// Matches the records of a work's tasks to its plan as it is now.

import { findAgain, type ToldTask } from "../../plan/match-tasks.ts"
import { addTo } from "../../plan/model/once.ts"
import type { Task } from "../../plan/model/plan.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { ArchivedTask } from "../../store/records/work-archive.ts"

/** The tasks of a plan; none if it cannot be read. */
export function tasksIn(reading: PlanFileReading): readonly Task[] {
  return reading.kind === "read" ? reading.plan.tasks : []
}

/** The records under the keys that their tasks have now; the record of a task that is gone keeps its key. */
export function followRecords(
  reading: PlanFileReading,
  records: readonly ArchivedTask[],
): readonly ArchivedTask[] {
  if (reading.kind !== "read") return records
  return records.map((record) => {
    const task = findAgain(reading.plan, told(record))
    return task === null || task.key === record.task_key
      ? record
      : { ...record, task_key: task.key }
  })
}

/** Records by the tasks of the plan, and those of tasks that are no longer in it, by their former key. */
export function recordsIn(reading: PlanFileReading, records: readonly ArchivedTask[]) {
  const of = new Map<string, ArchivedTask[]>()
  const gone = new Map<string, ArchivedTask[]>()
  for (const record of records) {
    const task = reading.kind === "read" ? findAgain(reading.plan, told(record)) : null
    const [map, name] = task === null ? [gone, nameOf(record)] : [of, task.key]
    addTo(map, name, record)
  }
  return { of, gone: [...gone.values()] }
}

function told({ task_key: key, title_hash: titleHash = null }: Named): ToldTask {
  return { key, titleHash }
}

type Named = Pick<ArchivedTask, "task_key"> & { readonly title_hash?: string | null | undefined }

function nameOf({ task_key: key, title_hash: hash = "" }: ArchivedTask): string {
  return `${key} ${hash}`
}
