// Everything that a decision may look at.
import type { Work } from "../boulder/boulder.ts"
import type { PlanReading } from "../boulder/held-plan.ts"
import type { Failure } from "./classify-failure.ts"

/** The last turn of a session, from the host's messages; times in ms. */
export interface LastTurn {
  readonly messageId: string
  readonly createdAt: number
  /** The prompt that started it was ours. */
  readonly ours: boolean
  /** The name of the error that ended it, such as `MessageAbortedError`. */
  readonly error: string | null
  /** The host has closed it: it is neither running nor cut off. */
  readonly ended: boolean
  /** Tokens in the context after the last answer. */
  readonly contextTokens: number
  /** It was the summary of a compaction, not work. */
  readonly isSummary: boolean
  /** It is a prompt of ours that got no answer; `messageId` is the prompt's. */
  readonly isUnanswered: boolean
}

/** A failed turn; `at` is when it failed, in ms. */
export type FailedTurn = Failure & { readonly at: number }

/** What the session's last real turn ran as, which our prompts must keep. */
export interface Identity {
  readonly agent: string | null
  readonly model: { readonly providerId: string; readonly modelId: string } | null
  readonly variant: string | null
}

/** The numbers of the policy, from the options; times in ms. */
export interface Limits {
  readonly maxPerWork: number
  readonly maxPerHour: number
  /** Token ceiling of a work; null for none. */
  readonly maxTokens: number | null
  /** Ceiling in US dollars of a work; null for none. */
  readonly maxUsd: number | null
  readonly cooldownMs: number
  readonly noProgressTurns: number
  readonly backoffMs: number
  readonly pauseAfterFailures: number
  /** Which limits of a provider we wait for by ourselves: none, those that end within a day, or all. */
  readonly waitForLimits: "off" | "day" | "any"
  /** Skip a blocked task and go on with what does not depend on it. */
  readonly blockerSkip: boolean
}

/** The limits in force on the lead session's context, in tokens; `scaled` if they were too large for its model. */
export interface TokenLimits {
  readonly soft: number
  readonly hard: number
  readonly scaled: boolean
  /** Where the session's context begins, if they were raised since they would have acted there at once. */
  readonly base?: number
}

/** Everything that the idle decision may look at, gathered once. */
export interface Situation {
  /** ms since 1970, read after everything else here, including the work: a later time was written before the clock was set back. */
  readonly now: number
  readonly sessionId: string
  readonly isChild: boolean
  readonly work: Work | null
  readonly lastTurn: LastTurn | null
  /** Why and when the last turn or prompt failed; null if it did not. */
  readonly failure: FailedTurn | null
  /** The same of the session below it that failed last. */
  readonly childFailure: FailedTurn | null
  readonly identity: Identity
  /** When the user stopped this session, or said no in it or in one of its children; ms. */
  readonly abortedAt: number | null
  readonly rejectedAt: number | null
  readonly waitingFor: "question" | "permission" | null
  readonly plan: PlanReading
  readonly busyChildren: readonly string[]
  /** The host is running the session itself. */
  readonly isBusy: boolean
  /**
   * Until when nothing in this work can go on because the host itself waits for the provider, in ms. Null if something does go on, or if
   * the wait is short.
   */
  readonly hostWaitsUntil: number | null
  /** Progress as text: equal texts mean that nothing has changed. */
  readonly progress: string
  readonly limits: Limits
  /** Null if the long-run mode is off. */
  readonly tokenLimits: TokenLimits | null
}
