// Stores finished works and settled tasks in files of their own.

import type { DepartedPart, Departure } from "../../boulder/archive-settled.ts"
import type { TaskSession } from "../../boulder/boulder.ts"
import { taskCostSchema, workCostSchema } from "../../boulder/cost.ts"
import { jsonOf } from "../../boulder/json-of.ts"
import type { Unchanging } from "../../boulder/unchanging.ts"
import { z } from "../../boulder/z.ts"
import type { RecordFiles } from "./record-files.ts"

const summary = z.object({
  work_id: z.string(),
  plan_name: z.string(),
  active_plan: z.string(),
  started_at: z.string(),
  updated_at: z.string(),
  completed_count: z.number(),
  total_count: z.number(),
  cost: workCostSchema,
})

/** A finished work, as `opencode-boulder works` lists it. */
export type ArchivedWork = Unchanging<z.infer<typeof summary>>

const taskRecord = z.object({
  task_key: z.string(),
  task_title: z.string(),
  title_hash: z.string().optional(),
  session_id: z.string(),
  agent: z.string(),
  attempts: z.number(),
  updated_at: z.string(),
  cost: taskCostSchema,
})
const settledLine = taskRecord.extend({ kind: z.literal("task") })
const finishedWork = z.object({ task_sessions: z.record(z.string(), taskRecord) })

/** The recorded session of a settled task, as it left `boulder.json`. */
export type ArchivedTask = Unchanging<z.infer<typeof taskRecord>>

/**
 * Finished works and settled tasks, in `.boulder/works/<work_id>/`: `work.json` and `settled.jsonl`. Throws `StoreError`; `keep` may safely
 * write the same again.
 */
export interface WorkArchive {
  /** Brings what leaves to the disk; only after it has resolved may it leave `boulder.json`. */
  keep(departure: Departure): Promise<void>
  /** Whether a finished work with this id is stored there. */
  has(workId: string): Promise<boolean>
  /** The finished works, the last one first; `unreadable` names folders whose `work.json` cannot be read. */
  list(): Promise<{ works: readonly ArchivedWork[]; unreadable: readonly string[] }>
  /** The recorded sessions of a work's settled tasks, in the order in which they left; none for an unknown work. */
  tasksOf(workId: string): Promise<readonly ArchivedTask[]>
  /** Removes the folders of finished works; returns the removed ids. Others, and unfinished works, are left alone. */
  prune(workIds: readonly string[]): Promise<readonly string[]>
}

/** The archive of a project, on its record files. */
export function openWorkArchive(records: RecordFiles): WorkArchive {
  const has = async (workId: string): Promise<boolean> =>
    (await records.size(`works/${workId}/work.json`)) !== null
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
    has,
    list: async () => {
      const works: ArchivedWork[] = []
      const unreadable: string[] = []
      for (const name of (await records.list("works")).filter(isPlain)) {
        const found = await readSummary(records, name)
        if (found === "unreadable") unreadable.push(name)
        else if (found !== null) works.push(found)
      }
      return { works: works.sort((a, b) => b.updated_at.localeCompare(a.updated_at)), unreadable }
    },
    tasksOf: async (workId) => {
      const settled = (await records.read(`works/${workId}/settled.jsonl`)) ?? ""
      const work = (await records.read(`works/${workId}/work.json`)) ?? "null"
      const last = finishedWork.safeParse(jsonOf(work)).data?.task_sessions ?? {}
      return [
        ...settled.split("\n").flatMap((line) => settledLine.safeParse(jsonOf(line)).data ?? []),
        ...Object.values(last),
      ]
    },
    prune: async (workIds) => {
      const removed: string[] = []
      for (const workId of workIds) {
        if (!(await has(workId))) continue
        await records.removeFolder(`works/${workId}`)
        removed.push(workId)
      }
      return removed
    },
  }
}

/** Anything else there, such as `.DS_Store` or somebody's notes, is none of our business. */
function isPlain(name: string): boolean {
  return /^[A-Za-z0-9_~#-]+$/.test(name)
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
  const text = await records.tryRead(`works/${name}/work.json`)
  if (text === null) return null
  if (typeof text !== "string") return "unreadable"
  return summary.safeParse(jsonOf(text)).data ?? "unreadable"
}
