// Everything that a decision may look at.
import type { Work } from "../boulder/boulder.ts"
import type { Plan } from "../plan/model/plan.ts"
import type { Failure } from "./classify-failure.ts"

/** A plan as it was found just now. */
export type PlanReading =
  | { readonly kind: "read"; readonly plan: Plan }
  | { readonly kind: "unavailable"; readonly message: string }

/** The last turn of a session as the host's messages tell it; times in ms. */
export interface LastTurn {
  readonly messageId: string
  readonly createdAt: number
  /** The prompt that began it was ours. */
  readonly ours: boolean
  /** The name of the error that ended it, such as `MessageAbortedError`. */
  readonly error: string | null
  /** The host has closed it: it is neither running nor cut off. */
  readonly ended: boolean
  /** Tokens in the context after the last answer. */
  readonly contextTokens: number
  /** It was the summary of a compaction, not work. */
  readonly isSummary: boolean
  /** It is a prompt of ours that nothing has answered; `messageId` is the prompt's. */
  readonly isUnanswered: boolean
}

/** A failed turn; `at` is when it failed, in ms. */
export type FailedTurn = Failure & { readonly at: number }

/** Who and what the session's last real turn ran as: what our prompts must keep. */
export interface Identity {
  readonly agent: string | null
  readonly model: { readonly providerId: string; readonly modelId: string } | null
  readonly variant: string | null
}

/** The policy's numbers, from the options; times in ms. */
export interface Limits {
  readonly maxPerWork: number
  readonly maxPerHour: number
  /** Tokens of one work; null without a ceiling. */
  readonly maxTokens: number | null
  /** US dollars of one work; null without a ceiling. */
  readonly maxUsd: number | null
  readonly cooldownMs: number
  readonly noProgressTurns: number
  readonly backoffMs: number
  readonly longBackoffMs: number
  readonly longBackoffAfter: number
  readonly pauseAfterFailures: number
  /** Limits of the provider that we wait for by ourselves: none, those within a day, any. */
  readonly waitForLimits: "off" | "day" | "any"
  /** A blocked task is skipped, and the work goes on with what does not depend on it. */
  readonly blockerSkip: boolean
}

/** The limits in force on the lead session's context, in tokens; `scaled` when they were too large for its model. */
export interface TokenLimits {
  readonly soft: number
  readonly hard: number
  readonly scaled: boolean
}

/** Everything that the idle decision may look at, gathered once. */
export interface Situation {
  /** ms since 1970; read after all that is here, the work too: a later time is of before the clock was set back. */
  readonly now: number
  readonly sessionId: string
  readonly isChild: boolean
  readonly work: Work | null
  readonly lastTurn: LastTurn | null
  /** Why the last turn or prompt has failed, and when; null where none has. */
  readonly failure: FailedTurn | null
  readonly identity: Identity
  /** When the user stopped this session or said no in it or in a child of it; ms. */
  readonly abortedAt: number | null
  readonly rejectedAt: number | null
  readonly waitingFor: "question" | "permission" | null
  readonly plan: PlanReading
  readonly busyChildren: readonly string[]
  /** The host runs the session itself. */
  readonly isBusy: boolean
  /**
   * Until when nothing of the work goes on, since the host waits for the provider by itself, in ms; null where something
   * does, and for a wait of a moment.
   */
  readonly hostWaitsUntil: number | null
  /** Progress as it stands: equal texts mean that nothing has moved. */
  readonly progress: string
  readonly limits: Limits
  /** Null where the long-run mode is switched off. */
  readonly tokenLimits: TokenLimits | null
}
