// What is recorded of a work's tasks, as its plan has them now.
import type { Dispatch } from "../../boulder/boulder.ts"
import { findAgain } from "../../plan/match-tasks.ts"
import { byKey } from "../../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../../plan/model/plan.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { ArchivedTask } from "../../store/records/work-archive.ts"

/** The records under the keys that their tasks have now; one whose task is gone keeps its own. */
export function followRecords(
  reading: PlanFileReading,
  records: readonly ArchivedTask[],
): readonly ArchivedTask[] {
  if (reading.kind !== "read") return records
  return records.map((record) => {
    const task = taskIn(reading.plan, record)
    return task === null || task.key === record.task_key
      ? record
      : { ...record, task_key: task.key }
  })
}

/** Records by the tasks of the plan, and those whose task is none of it any more, by what it was. */
export function recordsIn(reading: PlanFileReading, records: readonly ArchivedTask[]) {
  const of = new Map<string, ArchivedTask[]>()
  const gone = new Map<string, ArchivedTask[]>()
  for (const record of records) {
    const task = reading.kind === "read" ? taskIn(reading.plan, record) : null
    const [map, name] = task === null ? [gone, nameOf(record)] : [of, task.key]
    const known = map.get(name)
    if (known === undefined) map.set(name, [record])
    else known.push(record)
  }
  return { of, gone: [...gone.values()] }
}

/** The keys of the plan's tasks that these calls are at; of a plan that cannot be read, those that the calls name. */
export function begunKeys(
  reading: PlanFileReading,
  dispatches: Readonly<Record<string, Dispatch>>,
): readonly (string | null)[] {
  return Object.values(dispatches).map((dispatch) =>
    reading.kind === "read" ? (taskIn(reading.plan, dispatch)?.key ?? null) : dispatch.task_key,
  )
}

/** The task that is known by key and title, as a plan has it now; what no title was kept of is known by its key alone. */
function taskIn(plan: Plan, { task_key: key, title_hash: titleHash = null }: Named): Task | null {
  if (key === null) return null
  return titleHash === null
    ? (byKey(plan.tasks).get(key) ?? null)
    : findAgain(plan, { key, titleHash })
}

type Named = Pick<Dispatch, "task_key"> & { readonly title_hash?: string | null | undefined }

function nameOf({ task_key: key, title_hash: hash = "" }: ArchivedTask): string {
  return `${key} ${hash}`
}
