// Tells a program how works stand; also holds what the view for people shares with it.

import type { BlockedTask } from "../../boulder/blocked-tasks.ts"
import type { Work } from "../../boulder/boulder.ts"
import { workCostJson } from "../../boulder/cost.ts"
import { begunKeys } from "../../boulder/find-dispatch.ts"
import { hasHeldBlock } from "../../boulder/held-plan.ts"
import type { WorkState } from "../../boulder/live-view.ts"
import { countsNow } from "../../boulder/record-reading.ts"
import type { TaskWait } from "../../boulder/usage-limit.ts"
import type { ProofSummary } from "../../decide/decision.ts"
import { nextIn, windowOf } from "../../decide/window.ts"
import { REASONS } from "../../prompts/reasons.ts"
import type { Typed } from "../../prompts/typed-command.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { tasksIn } from "../project/task-records.ts"
import type { Pace } from "./pace.ts"

/** A work, its plan as it is on disk now, and the last decision about it. */
export interface WorkStatus {
  readonly work: Work
  /** The name of the work for commands about it; null if it is the only open one. */
  readonly name: string | null
  readonly typed: Typed
  readonly state: WorkState
  readonly reading: PlanFileReading
  readonly blocked: readonly BlockedTask[]
  /** The tasks that limits of their own subagents hold up. */
  readonly limited?: readonly TaskWait[]
  readonly last: JournalEntry | null
  /** Null while there is too little to go by. */
  readonly pace: Pace | null
  /** Null if the plan names no check. */
  readonly proof?: ProofSummary | null
}

/** How all works stand, for a program. */
export function statusJson(statuses: readonly WorkStatus[]): Readonly<Record<string, unknown>> {
  return {
    works: statuses.map(
      ({
        work,
        typed,
        state,
        reading,
        blocked: tasks,
        limited: limitedOf = [],
        last,
        pace,
        proof,
      }) => {
        const { settled, total, blocked, next } = countsOf(work, reading)
        return {
          work_id: work.work_id,
          plan_name: work.plan_name,
          active_plan: work.active_plan,
          status: work.status,
          state,
          pause_reason: work.pause_reason,
          to_resume: resumeHow(work, typed),
          awaiting_approval: work.awaiting_approval !== null,
          counts: { total, settled, blocked },
          round: {
            number: work.round.number,
            ended: work.round.ended,
            settled: Math.max(0, settled - work.round.settled_at_checkpoint),
          },
          checkpoint: work.checkpoint_seq,
          shard: work.active_shard,
          window: windowKeys(work, reading),
          context: work.context,
          tokens: work.tokens,
          cost: workCostJson(work.cost),
          spent_budget: work.spent_budget,
          refusal: work.refusal,
          limited: work.limited,
          next,
          blocked: tasks.map(blockedJson),
          // Ticked tasks that count only once they are proven or a person approves them.
          held: tasksIn(reading).flatMap(({ key, title, held: reason }) =>
            reason === undefined ? [] : [{ key, title, reason }],
          ),
          continuations: work.continuation.count,
          lead_session_id: work.lead_session_id,
          limited_tasks: limitedOf,
          running: begunKeys(work),
          pace:
            pace === null
              ? null
              : { tasks_an_hour: pace.tasksAnHour, minutes_left: pace.minutesLeft },
          ...(proof == null ? {} : { proof }),
          started_at: work.started_at,
          updated_at: work.updated_at,
          last_decision:
            last === null ? null : { at: last.at, decision: last.decision, reason: last.reason },
        }
      },
    ),
  }
}

function resumeHow(work: Work, typed: Typed): string | null {
  const { pause_reason: reason } = work
  return reason === null ? null : (REASONS[reason].todo?.(typed, hasHeldBlock(work)) ?? null)
}

function blockedJson({ key, title, reason, unblock, handoff }: BlockedTask) {
  return {
    key,
    title,
    reason,
    unblock,
    handoff: handoff?.id ?? null,
    session: handoff?.session_id ?? null,
    agent: handoff?.agent ?? null,
    attempts: handoff?.attempts ?? null,
    since: handoff?.updated_at ?? null,
  }
}

/** The window of the plan as it is now, as long as the one last shown. */
export function windowKeys(work: Work, reading: PlanFileReading): readonly string[] {
  if (reading.kind === "unavailable") return work.current_window
  const size = Math.max(1, work.current_window.length)
  return windowOf(reading.plan, work, size).map(({ key }) => key)
}

/** The counts of the plan on disk or, if that cannot be read, of the last reading. */
export function countsOf(work: Work, reading: PlanFileReading) {
  const plan = reading.kind === "read" ? reading.plan : null
  const task = plan && nextIn(plan, work)
  const next = task && `${task.key} ${task.title}`
  return { ...countsNow(work, plan), next: plan === null ? (work.current_window[0] ?? null) : next }
}
