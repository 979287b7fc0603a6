// What can be decided, and the reasons; those of a pause stand in boulder/boulder.ts.

import type { PauseReason } from "../boulder/boulder.ts"
import type { CheckRun, Tier } from "../boulder/proof-entry.ts"
import type { KnownTask } from "../plan/match-tasks.ts"
import type { Task } from "../plan/model/plan.ts"

/** Why nothing is done now, and nothing is changed. */
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
      /** Of a task that has failed its verification too often: how often, what was tried last, and who is to go on. */
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

/** A call that was lost: its subagent was ended for silence, or by a limit of its provider. */
export type LostCall = HowLost & { readonly task: KnownTask | null }

export type HowLost =
  | { readonly kind: "silent"; readonly minutes: number }
  /** Until an ISO time; null where it has taken all attempts, and a person is needed. */
  | { readonly kind: "limited"; readonly until: string | null }

/** A task whose results were turned down so often that another session goes on with it, or nobody does. */
export type TurnedDown =
  | { readonly kind: "fresh"; readonly taskKey: string; readonly reuse: Reuse }
  | { readonly kind: "blocked"; readonly taskKey: string; readonly failed: number }

/** How a task with checks stands, by the check that speaks most against it. */
export interface Standing {
  readonly tier: Tier
  readonly check: string
  /** The last run of that check for this task; null where there was none. */
  readonly run: CheckRun | null
  /** A run of that check counts for another task, and for this one there was none. */
  readonly isForAnother?: true
  /** What was written behind that run, for `changed`. */
  readonly changed: string | null
  /** An agent has taken it out of the plan; it is asked for all the same. */
  readonly isTakenOut: boolean
}

/** How many of the ticked tasks with checks are proven, and which are not. */
export interface ProofSummary {
  readonly ticked: number
  readonly proven: number
  readonly unproven: readonly { readonly key: string; readonly tier: Tier }[]
}

/** A ticked task, and the files that judge it and that were written for it. */
export interface EditedJudges {
  readonly taskKey: string
  readonly files: readonly string[]
}

/** A task whose checks were changed in the plan: what they were, and what they are. */
export interface ChangedChecks {
  readonly taskKey: string
  readonly before: readonly string[]
  readonly now: readonly string[]
  /** An agent has taken a check out; it is asked for all the same. */
  readonly isAsked: boolean
}

/** A ticked task whose checks do not prove it, or for which nothing was done at all. */
export interface UnprovenTick {
  readonly task: Task
  readonly standing: Standing
  /** It was delegated, and its subagent has changed nothing and run no check: the work tree that it was given. */
  readonly nothingDoneIn?: string
}
