import { z } from "zod"
import type { DepartedPart, Departure } from "../boulder/archive-settled.ts"
import type { TaskSession } from "../boulder/boulder.ts"
import type { RecordFiles } from "./record-files.ts"

const summary = z.object({
  work_id: z.string(),
  plan_name: z.string(),
  active_plan: z.string(),
  started_at: z.string(),
  updated_at: z.string(),
  completed_count: z.number(),
  total_count: z.number(),
})

/** A finished work, as `opencode-boulder works` lists it. */
type ArchivedWork = z.infer<typeof summary>

/**
 * Finished works and settled tasks, in `.boulder/works/<work_id>/`: `work.json` and `settled.jsonl`.
 * Throws `StoreError`; what `keep` has written once it may write again without harm.
 */
export interface WorkArchive {
  /** Brings what leaves to the disk; only after it has resolved may it leave `boulder.json`. */
  keep(departure: Departure): Promise<void>
  /** The finished works, the last one first; `unreadable` names folders whose `work.json` cannot be read. */
  list(): Promise<{ works: readonly ArchivedWork[]; unreadable: readonly string[] }>
  /** Removes the folders of finished works; gives the ids removed. Others, and works not finished, are left alone. */
  prune(workIds: readonly string[]): Promise<readonly string[]>
}

/** The archive of a project, on its record files. */
export function openWorkArchive(records: RecordFiles): WorkArchive {
  return {
    keep: async ({ works, parts }) => {
      for (const part of parts) await keepPart(records, part)
      for (const work of works) {
        await records.replace(
          `works/${work.work_id}/work.json`,
          `${JSON.stringify(work, null, 1)}\n`,
        )
      }
    },
    list: async () => {
      const works: ArchivedWork[] = []
      const unreadable: string[] = []
      for (const name of await records.list("works")) {
        const found = await readSummary(records, name)
        if (found === "unreadable") unreadable.push(name)
        else if (found !== null) works.push(found)
      }
      return { works: works.sort((a, b) => b.updated_at.localeCompare(a.updated_at)), unreadable }
    },
    prune: async (workIds) => {
      const removed: string[] = []
      for (const workId of workIds) {
        if ((await records.read(`works/${workId}/work.json`)) === null) continue
        await records.removeFolder(`works/${workId}`)
        removed.push(workId)
      }
      return removed
    },
  }
}

async function keepPart(records: RecordFiles, part: DepartedPart): Promise<void> {
  const lines = [
    ...part.taskSessions.map((task: TaskSession) => ({ kind: "task", ...task })),
    ...part.sessionIds.map((session_id) => ({ kind: "session", session_id })),
    ...part.waveRows.map(([task_key, row]) => ({ kind: "wave", task_key, ...row })),
  ]
  const path = `works/${part.workId}/settled.jsonl`
  await records.append(
    path,
    lines.map((line) => JSON.stringify(line)),
  )
}

async function readSummary(
  records: RecordFiles,
  name: string,
): Promise<ArchivedWork | "unreadable" | null> {
  const text = await records.read(`works/${name}/work.json`)
  if (text === null) return null
  try {
    return summary.safeParse(JSON.parse(text)).data ?? "unreadable"
  } catch (error) {
    if (error instanceof SyntaxError) return "unreadable"
    throw error
  }
}
