// Collects what a report says about one work from the records.
import type { BlockedTask } from "../../boulder/blocked-tasks.ts"
import type { TaskSession, Work } from "../../boulder/boulder.ts"
import { added, type Cost, NO_COST } from "../../boulder/cost.ts"
import { begunKeys } from "../../boulder/find-dispatch.ts"
import type { Proof } from "../../decide/proof/proof.ts"
import { keyNow } from "../../plan/match-tasks.ts"
import type { Task } from "../../plan/model/plan.ts"
import { TIER_WORDS } from "../../prompts/proof-words.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { toldTask } from "../../store/records/task-facts.ts"
import type { ArchivedTask } from "../../store/records/work-archive.ts"
import { recordsIn, tasksIn } from "../project/task-records.ts"
import { begunState, plannedState, type WorkTasks } from "../views/works-text.ts"

/** What is known about a work when its report is made. */
export interface ReportSources extends Pick<WorkTasks, "work" | "tasks" | "reading" | "proof"> {
  /** Null for a work that has left `boulder.json`. */
  readonly open: Work | null
  readonly blocked: readonly BlockedTask[]
  /** Oldest first. */
  readonly decisions: readonly JournalEntry[]
  /** What sessions have said about a task, by its key. */
  readonly said: ReadonlyMap<string, string>
}

/** A task as the report shows it. Times are ISO times; null if nothing is known. */
export interface ReportTask {
  readonly key: string
  readonly title: string
  readonly state: string
  readonly agent: string | null
  readonly attempts: number
  readonly session: string | null
  readonly from: string | null
  readonly to: string | null
  /** Null if none of its calls is known. */
  readonly cost: Cost | null
  readonly said: string | null
}

/** A round, from its first moment to its checkpoint; `to` is null while it runs. */
export interface ReportRound {
  readonly number: number
  readonly from: string
  readonly to: string | null
}

/** The tasks of the plan in their order, then delegated ones that are no longer in it. */
export function reportTasks(sources: ReportSources): readonly ReportTask[] {
  const { tasks, reading, decisions } = sources
  const { of, gone } = recordsIn(reading, tasks)
  const begun = new Map(
    decisions
      .toReversed()
      .flatMap((entry) =>
        entry.decision === "delegate"
          ? [[keyNow(reading, toldTask(entry)), entry.at] as const]
          : [],
      ),
  )
  const told = (key: string, records: readonly ArchivedTask[]) => ({
    records,
    begunAt: begun.get(key) ?? null,
  })
  return [
    ...tasksIn(reading).map((task) =>
      taskOf(task.key, task, told(task.key, of.get(task.key) ?? []), sources),
    ),
    ...gone.flatMap((records) =>
      records.slice(-1).map(({ task_key: key }) => taskOf(key, null, told(key, records), sources)),
    ),
  ]
}

function taskOf(
  key: string,
  planned: Task | null,
  {
    records,
    begunAt,
  }: { readonly records: readonly ArchivedTask[]; readonly begunAt: string | null },
  sources: ReportSources,
): ReportTask {
  const last = records.at(-1)
  const { said, open, work, proof } = sources
  const session = sessionOf(open, { key, titleHash: planned?.titleHash ?? last?.title_hash })
  const isRunning = isBegun(sources, planned, key)
  const cost = records.reduce<Cost | null>(
    (sum, record) => (record.cost === undefined ? sum : added(sum ?? NO_COST, record.cost)),
    null,
  )
  return {
    key,
    title: planned?.title ?? last?.task_title ?? "",
    state: isRunning
      ? begunState(work)
      : planned === null
        ? "not in the plan"
        : withTier(planned, proof),
    agent: last?.agent ?? null,
    attempts: records.reduce((sum, record) => sum + record.attempts, 0),
    session: last?.session_id ?? null,
    from: begunAt ?? session?.started_at ?? null,
    to: isRunning ? null : (last?.updated_at ?? null),
    cost,
    said: said.get(key) ?? null,
  }
}

function sessionOf(
  open: Work | null,
  { key, titleHash }: { readonly key: string; readonly titleHash: string | undefined },
): TaskSession | undefined {
  const session = open?.task_sessions[key]
  return session?.title_hash === titleHash ? session : undefined
}

/** Whether a call works on a task; never for a task that is gone. */
function isBegun({ open, reading }: ReportSources, planned: Task | null, key: string): boolean {
  const isShown = planned !== null || reading.kind !== "read"
  return isShown && open !== null && begunKeys(open).includes(key)
}

function withTier(task: Task, proof: Proof | null): string {
  const tier = proof?.of(task)?.tier
  if (proof === null || tier === undefined) return plannedState(task)
  const judges = proof.judgesEdited(task)
  const edited = judges.length === 0 ? "" : `; it has changed ${judges.join(", ")}`
  const before = proof.known(task)?.before ?? []
  const was = before.length === 0 ? "" : `; its check was ${before.join(", ")} before`
  return `${plannedState(task)}, ${TIER_WORDS[tier]}${was}${edited}`
}

/** The rounds that the journal knows, oldest first; the running one has no end. */
export function reportRounds({ work, open, decisions }: ReportSources): readonly ReportRound[] {
  const ends = decisions.filter(({ decision }) => decision === "end-round")
  const rounds = ends.map(({ at, facts }, index) => ({
    number: typeof facts["round"] === "number" ? facts["round"] : index + 1,
    from: ends[index - 1]?.at ?? work.started_at,
    to: at,
  }))
  const last = rounds.at(-1)
  if (open === null || open.status === "completed") return rounds
  return [...rounds, { number: open.round.number, from: last?.to ?? work.started_at, to: null }]
}
