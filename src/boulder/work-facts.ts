// Collects what our own records know about a work, for what outlives a conversation.

import { byKey } from "../plan/model/once-a-reading.ts"
import { isSettled, type Plan, type Task } from "../plan/model/plan.ts"
import type { BlockedTask } from "./blocked-tasks.ts"
import type { TaskSession, Work } from "./boulder.ts"
import type { Tier } from "./proof-entry.ts"
import { countsNow } from "./record-reading.ts"
import { asToDo } from "./row-verdicts.ts"

/** A subagent of a work that the host is running now. */
export interface RunningChild {
  readonly sessionId: string
  /** The host's title of its session. */
  readonly title: string
}

/** What our own records know about a work, and what passes through a compaction without a model rewriting it. */
export interface WorkFacts {
  readonly planName: string
  readonly planPath: string
  readonly settled: number
  readonly total: number
  readonly window: readonly Task[]
  readonly blocked: readonly BlockedTask[]
  /** The sessions of tasks that are still open, the latest first. */
  readonly sessions: readonly TaskSession[]
  /** Delegations recorded as begun; `running` tells which of them still run. */
  readonly begun: readonly { readonly taskKey: string; readonly agent: string }[]
  readonly running: readonly RunningChild[]
  /** Ticked tasks that their checks do not prove. */
  readonly unproven?: readonly { readonly key: string; readonly tier: Tier }[]
}

/** The facts about a work as it stands; without a plan, those that `boulder.json` has by itself. */
export function workFacts(
  given: Pick<WorkFacts, "window" | "blocked" | "running" | "unproven"> & {
    readonly work: Work
    readonly plan: Plan | null
  },
): WorkFacts {
  const { work, plan, window, blocked, running, unproven = [] } = given
  const { settled, total } = countsNow(work, plan)
  return {
    planName: work.plan_name,
    planPath: work.active_plan,
    settled,
    total,
    window: window.map((task) => asToDo(work, task)),
    blocked,
    sessions: Object.values(work.task_sessions)
      .filter((session) => plan === null || isOpen(plan, session))
      .sort((a, b) => b.updated_at.localeCompare(a.updated_at)),
    begun: Object.values(work.dispatches).flatMap(({ task_key, agent }) =>
      task_key === null ? [] : [{ taskKey: task_key, agent }],
    ),
    running,
    unproven,
  }
}

/** Whether the plan has this very task and it is still open. */
function isOpen({ tasks }: Plan, { task_key: key, title_hash: titleHash }: TaskSession): boolean {
  const task = byKey(tasks).get(key)
  return task !== undefined && task.titleHash === titleHash && !isSettled(task)
}
