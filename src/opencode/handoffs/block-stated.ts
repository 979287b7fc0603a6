// Blocks a task if its subagent says that it could not finish.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { MAX_REASON_CHARS, MAX_SUMMARY_CHARS } from "../../boulder/handoff.ts"
import { heldReading, isRework, withoutHold } from "../../boulder/held-plan.ts"
import { blockedReason, resultIn } from "../../decide/blocked-line.ts"
import { byKey } from "../../plan/model/once-a-reading.ts"
import { isSettled, type Task } from "../../plan/model/plan.ts"
import { StoreError } from "../../store/disk/store-error.ts"
import { openHeldStore } from "../../store/handoffs/held-store.ts"
import type { PlanFiles, ReadPlan } from "../../store/plans/plan-files.ts"
import type { PlanMark } from "../../store/plans/write-plan.ts"
import type { Shell } from "../host/shell.ts"
import { familyOf } from "./family-of.ts"
import { openDesk } from "./open-desk.ts"

/** A subagent's result, with the task that it is recorded for; null if it is recorded for none. */
interface Result {
  readonly boulder: Boulder
  readonly work: Work
  readonly task: Task | null
  readonly reading: ReadPlan
  readonly child: string
  readonly output: string
}

/** A block that a subagent's result has stated. */
export interface StatedBlock {
  readonly reason: string
  /** Whether the plan says so too. It does not if only the agent sets marks, or if the mark could not be written. */
  readonly isMarked: boolean
  /** Whether the mark was written just now. */
  readonly hasMarked: boolean
  /** What the work must remember about the block. */
  readonly change: (work: Work) => Work
}

/**
 * Blocks a task if its subagent says in its result that it could not go on. The handoff is saved in the subagent's name, and the plan gets
 * its note; what the work remembers is left to the caller. Null if the result says nothing of the kind, if the task is settled by now, or
 * if this was a rework: then the tick is the lead's to take back. A held task counts as open here too. A task that the subagent has already
 * blocked by its own save keeps its record.
 */
export async function blockStated(shell: Shell, result: Result): Promise<StatedBlock | null> {
  const { boulder, work, task, reading, child, output } = result
  const reason = blockedReason(output)?.slice(0, MAX_REASON_CHARS) ?? null
  if (task === null || reason === null) return null
  const now = byKey(heldReading(reading, work).plan.tasks).get(task.key)
  if (now?.titleHash !== task.titleHash || isSettled(now) || isRework(now)) return null
  if (withoutHold(now).state === "blocked")
    return { reason, isMarked: true, hasMarked: false, change: (known) => known }
  const agent = work.task_sessions[now.key]?.agent ?? null
  const place = { workId: work.work_id, role: "child", task: now } as const
  const summary = resultIn(output).trim().slice(-MAX_SUMMARY_CHARS)
  const held = openHeldStore({ ...boulder, works: { ...boulder.works, [work.work_id]: work } })
  const { mark } = shell.plans
  // If the disk takes no mark, the result still counts, and the lead is told what to do.
  const plans: PlanFiles = {
    ...shell.plans,
    read: async () => reading,
    mark: (path, made) => mark(path, made).catch(notMarked),
  }
  const saved = await openDesk({ ...shell, store: held.store, plans }).save(
    { sessionId: child, agent, place, family: await familyOf(shell, work) },
    { summary, status: "blocked", reason, task: now.key },
  )
  if (saved.kind !== "saved") return null
  const isMarked = saved.mark.kind === "marked"
  return { reason, isMarked, hasMarked: isMarked, change: held.changeOf(work.work_id) }
}

function notMarked(error: unknown): PlanMark {
  if (error instanceof StoreError) return { kind: "refused", message: error.message }
  throw error
}
