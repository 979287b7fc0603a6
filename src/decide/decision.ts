// What can be decided, and the reasons; those of a pause stand in boulder/boulder.ts.

import type { PauseReason } from "../boulder/boulder.ts"
import type { CheckRun, Tier } from "../boulder/proof-entry.ts"
import type { KnownTask } from "../plan/match-tasks.ts"
import type { Task } from "../plan/model/plan.ts"

/** Why nothing is done now and nothing changes. */
type RestReason =
  | "not-our-session"
  | "child-session"
  | "taken-over"
  | "work-completed"
  | "agent-changed"
  | "question-pending"
  | "permission-pending"
  | "awaiting-approval"
  | "session-busy"
  | "provider-wait"
  | PauseReason

type RetryReason =
  | "children-running"
  | "backing-off"
  | "cooling-down"
  | "superseded"
  | "prompt-failed"
  | "prompt-unanswered"
  | "compaction-failed"

/** What to do at an idle, as data. `at` is ms since 1970. */
export type Decision =
  | { readonly kind: "rest"; readonly reason: RestReason }
  | { readonly kind: "pause"; readonly reason: PauseReason }
  | { readonly kind: "finish"; readonly reason: "plan-complete" }
  | { readonly kind: "retry"; readonly reason: RetryReason; readonly at: number }
  | { readonly kind: "compact"; readonly reason: "round-ended"; readonly noProgressStreak: number }
  | { readonly kind: "continue"; readonly reason: "continue"; readonly noProgressStreak: number }

/** A session to reuse, or why to start fresh. */
export type Reuse =
  | { readonly kind: "reuse"; readonly sessionId: string; readonly agent: string }
  | {
      readonly kind: "fresh"
      readonly reason: FreshReason
      /** For a task that failed its verification too often: how often, what was tried last, and which agent is to go on. */
      readonly tried?: {
        readonly failed: number
        readonly words: string
        readonly agent: string | null
      }
    }

export type FreshReason =
  | "no session yet"
  | "the task was reworded"
  | "its key is not unique"
  | "another agent"
  | "it failed twice"
  | "its results failed"
  | "it is gone"
  | "not of this work"
  | "it is busy"
  | "its context is over 70 % full"

/** A call that was lost because its subagent was silent for too long or reached a limit of its provider. */
export type LostCall = HowLost & { readonly task: KnownTask | null }

export type HowLost =
  | { readonly kind: "silent"; readonly minutes: number }
  /** Until an ISO time; null if all attempts are used up and a person is needed. */
  | { readonly kind: "limited"; readonly until: string | null }

/** A task whose results were rejected so often that another session takes it over, or nobody does. */
export type TurnedDown =
  | { readonly kind: "fresh"; readonly taskKey: string; readonly reuse: Reuse }
  | { readonly kind: "blocked"; readonly taskKey: string; readonly failed: number }

/** How a task with checks stands, judged by its worst check. */
export interface Standing {
  readonly tier: Tier
  readonly check: string
  /** The last run of that check for this task; null if there was none. */
  readonly run: CheckRun | null
  /** Why runs of that check do not count here: they were for another task, or came before this task's tick was taken back. */
  readonly uncounted?: "another's" | "taken-back"
  /** For `changed`: what was written after that run. */
  readonly changed: string | null
  /** An agent has removed the check from the plan; it is still required. */
  readonly isTakenOut: boolean
}

/** How many ticked tasks with checks are proven, and which are not. */
export interface ProofSummary {
  readonly ticked: number
  readonly proven: number
  readonly unproven: readonly { readonly key: string; readonly tier: Tier }[]
}

/** A ticked task, and files that both judge it and were written for it. */
export interface EditedJudges {
  readonly taskKey: string
  readonly files: readonly string[]
}

/** A task whose checks were changed in the plan, with the checks before and now. */
export interface ChangedChecks {
  readonly taskKey: string
  readonly before: readonly string[]
  readonly now: readonly string[]
  /** An agent has removed a check; it is still required. */
  readonly isAsked: boolean
}

/** A ticked task that its checks do not prove, or for which nothing was done at all. */
export interface UnprovenTick {
  readonly task: Task
  readonly standing: Standing
  /** The task was delegated, but its subagent changed nothing and ran no check. This is the work tree it was given. */
  readonly nothingDoneIn?: string
}

/** What a look at the ticks has found, for the lead to be told. */
export interface TickNews {
  /** New ticks that their tasks' checks do not prove. */
  readonly unproven: readonly UnprovenTick[]
  /** New ticks, proven ones too, whose tasks have edited what judges them. */
  readonly edited: readonly EditedJudges[]
  /** Tasks whose checks the plan has changed. */
  readonly changed: readonly ChangedChecks[]
}
