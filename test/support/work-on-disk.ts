import type { Boulder, TaskSession, Work } from "../../src/boulder/boulder.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import type { OpencodeHost } from "./opencode-host.ts"

/** The work on a plan as it is on disk; null before it was started. */
export function workOn(host: OpencodeHost, planName: string): Work | null {
  const works = Object.values(host.boulder<Boulder>()?.works ?? {})
  return works.find((work) => work.plan_name === planName) ?? null
}

/** Waits until the work on a plan is in `state`: a status, or a pause reason. */
export async function untilWork(
  host: OpencodeHost,
  planName: string,
  state: string,
): Promise<Work> {
  return host.waitFor(
    () => {
      const work = workOn(host, planName)
      return work !== null && (work.status === state || work.pause_reason === state) ? work : null
    },
    { what: `the work on ${planName} is ${state}` },
  )
}

/** Waits for the end of a long run, for as long as a busy machine may need. */
export async function untilCompleted(host: OpencodeHost, planName: string): Promise<void> {
  await host.waitFor(() => workOn(host, planName)?.status === "completed", {
    timeoutMs: 200_000,
    what: `the plan ${planName} is complete`,
  })
}

/** The recorded tasks of a work, sorted by key: those at hand in this reading of it, and those that have left. */
export async function recordedTasks(
  { project }: { readonly project: string },
  work: Work,
): Promise<readonly Pick<TaskSession, "task_key" | "session_id">[]> {
  const left = await openWorkArchive(openRecordFiles({ root: project })).tasksOf(work.work_id)
  const tasks = [...left, ...Object.values(work.task_sessions)]
  const byKey = new Map(tasks.map((task) => [task.task_key, task]))
  return [...byKey.values()].sort((a, b) => a.task_key.localeCompare(b.task_key))
}

/** The reasons of decisions in the journal for one session, oldest first, without its `task` calls. */
export function reasonsOf(host: OpencodeHost, sessionId: string): readonly string[] {
  return host
    .journal()
    .filter((line) => line["session"] === sessionId && line["decision"] !== "delegate")
    .map((line) => `${line["decision"]} ${line["reason"]}`)
}
