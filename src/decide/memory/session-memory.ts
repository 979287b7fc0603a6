// What is remembered of a session.
import type { RoundEnd } from "../../boulder/boulder.ts"
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import type { KnownTask } from "../../plan/match-tasks.ts"
import type { LostCall } from "../decision.ts"
import type { FailedTurn } from "../situation.ts"
import type { Untold } from "../untold.ts"
import { type ContextGrowth, NO_GROWTH } from "./context-growth.ts"
import type { BegunCall, PlanChecks, SpentSum, TaskCall, WaveAsked } from "./host-event.ts"
import type { ToldKeys } from "./told-keys.ts"

/** A running tool call; `ranMs` is how long the watch over subagents has seen it run. */
export interface RunningTool {
  readonly callId: string
  readonly name: string
  readonly ranMs: number
  /** The user was told that it takes long. */
  readonly isTold: boolean
}

/** An answer as the host last reported it; `usd` is null while it has no price. */
export interface CountedAnswer {
  readonly messageId: string
  readonly tokens: number
  readonly usd: number | null
  /** When it ended normally, in ms; missing before that. */
  readonly answeredAt?: number
}

/** What we remember of one session in this process. A restart loses it, which does no harm. */
export interface SessionMemory {
  /** The host has deleted it: only its parent is still known, and whether a call in it is silent. */
  readonly isDeleted: boolean
  /** Null for a session without a parent; undefined until the host reports it. */
  readonly parentId: string | null | undefined
  /** Requests that wait for the user's answer, by the host's request id. */
  readonly questions: readonly string[]
  readonly permissions: readonly string[]
  /** What was asked last, in the words of the asker; null if nothing was. */
  readonly asks: string | null
  /** The questions last asked for approval of the final wave. */
  readonly waveAsked: readonly WaveAsked[]
  /** When the user last stopped this session's turn, in ms. */
  readonly abortedAt: number | null
  /** When the user last said no; null again once the session's model has gone on. */
  readonly rejectedAt: number | null
  /** Calls that were lost through no fault of the session, and that it has not been told of yet. */
  readonly lost: readonly LostCall[]
  /** The handoffs that it holds, and when each lease was last written, in ms. */
  readonly leases: readonly { readonly handoffId: string; readonly renewedAt: number }[]
  /** They include what it held before this process. */
  readonly knowsLeases: boolean
  /** The `task` calls it has made that are still running. */
  readonly calls: readonly TaskCall[]
  /** The command of ours whose message the host is about to create, and the text of that message; any other message makes it void. */
  readonly command: { readonly name: string; readonly text: string } | null
  /** The last decision about it in the journal. */
  readonly said: string | null
  /** How many looks at it have failed in a row. */
  readonly lostLooks: number
  /** The last message that it received. */
  readonly lastMessage: string | null
  /** When that message came, in ms; null once a turn has started after it. */
  readonly awaitsTurnSince: number | null
  /** When that message came, in ms, if it was a prompt of ours; null for any other, and once an answer to it has started. */
  readonly unansweredSince: number | null
  /** The message that the last answer belongs to, according to the host. */
  readonly answered: string | null
  /** Set while it runs, from the host's report until it is idle again; and until when the host waits for the provider, in ms. */
  readonly running: { readonly waitsUntil: number | null } | null
  /** When it last showed a sign of life, in ms, to the second; null if it never did. */
  readonly heardAt: number | null
  /**
   * How long the watch over subagents has heard nothing of it, in ms; below 0 while the host waits for the provider, null if there was a
   * sign of life since the last look.
   */
  readonly quietMs: number | null
  /** We have ended its turn and have heard nothing since; it is not ended twice. */
  readonly isEndedSilent: boolean
  /** The tools that it runs. */
  readonly tools: readonly RunningTool[]
  /** Why its last turn or prompt failed, from an event; null once a message or an answer followed. */
  readonly failure: FailedTurn | null
  /** Since its last answer it was compacted, or refused as too long, and when. If it is refused for length again, no compaction helps. */
  readonly cutDown: { readonly refusedAt: number | null } | null
  /** The user's own message started its last turn, not a work. */
  readonly isUsersTurn: boolean
  /** The agent of its last turn; null if unknown. */
  readonly agent: string | null
  /** Its model's context in tokens, and where the host compacts it by itself; null until a request has told. */
  readonly model: { readonly contextLimit: number; readonly compactsAt: number } | null
  /** Tokens in its context after its last answer; 0 if unknown, and after a compaction. */
  readonly contextTokens: number
  /** The same after the first answer behind its last compaction, which is what no compaction takes away; 0 if unknown. */
  readonly base: number
  /** How many compactions the host has reported: what was asked before one says nothing about the context after it. */
  readonly compactions: number
  /** What its answers have cost that no work has recorded yet, and the answers counted last, oldest first. */
  readonly spent: SpentSum
  readonly counted: readonly CountedAnswer[]
  /** What the current turn has added to it. */
  readonly growth: ContextGrowth
  /** The plan and the limit at the last look after a tool of this turn, if that left nothing to do. */
  readonly looked: {
    readonly plan: string
    readonly hash: string
    readonly limit: RoundEnd | null
    /** The final wave for which it had to ask its user's approval or run rows again; null for none. */
    readonly wave: string | null
  } | null
  /** The checks of the plan that it leads, as last read; null before that. */
  readonly checks: PlanChecks | null
  /** Running shell commands and writes, each with the plan it leads and the work tree as they were when it started. */
  readonly begun: readonly BegunCall[]
  /** What the sessions of its work have written into the project, each call once as a hash; the newest are kept. */
  readonly writes: readonly string[]
  /** An agent of its work has edited the plan since the last look at its ticks. */
  readonly hasEditedPlan: boolean
  /**
   * The work tree as last seen, without the plan, while a check has passed for a task that is not settled yet: an unexplained change of it
   * makes the run stale. `isFresh`: right after a run. Null before anybody has asked.
   */
  readonly tested: { readonly tree: string | null; readonly isFresh: boolean } | null
  /** Observations of its work's checks and files that are not written yet, oldest first. */
  readonly seen: readonly ProofEntry[]
  /** Tasks it has not been told of yet whose ticks lack proof, or whose judging files were edited, and by whom. */
  readonly untold: readonly Untold[]
  /** It was seen to lead a work; whether it still does, only the store knows. */
  readonly leads: boolean
  /** A look in this turn found no work at hand: there is no other before the next message. */
  readonly isAtRest: boolean
  /** The user was told that the token limits were too large for its model. */
  readonly toldOfLimits: boolean
  /** The blocked tasks of the plan that it leads, as last seen; null before that. */
  readonly blocked: readonly KnownTask[] | null
  /** The orchestrator was told in this round that it is doing a task's work itself. */
  readonly toldOfWrites: boolean
  /** The keys by which it was told of its plan's tasks; null before that. */
  readonly told: ToldKeys | null
  /** A text of ours that explains how to work is still in the conversation: no compaction has removed it. */
  readonly knowsRules: boolean
}

export const NOTHING_REMEMBERED: SessionMemory = {
  isDeleted: false,
  parentId: undefined,
  questions: [],
  permissions: [],
  asks: null,
  waveAsked: [],
  abortedAt: null,
  rejectedAt: null,
  lost: [],
  leases: [],
  knowsLeases: false,
  calls: [],
  command: null,
  said: null,
  lostLooks: 0,
  lastMessage: null,
  awaitsTurnSince: null,
  unansweredSince: null,
  answered: null,
  running: null,
  heardAt: null,
  quietMs: null,
  isEndedSilent: false,
  tools: [],
  failure: null,
  cutDown: null,
  isUsersTurn: false,
  agent: null,
  model: null,
  contextTokens: 0,
  base: 0,
  compactions: 0,
  spent: { tokens: 0, usd: 0, unpricedTokens: 0 },
  counted: [],
  growth: NO_GROWTH,
  looked: null,
  checks: null,
  begun: [],
  writes: [],
  hasEditedPlan: false,
  tested: null,
  seen: [],
  untold: [],
  leads: false,
  isAtRest: false,
  toldOfLimits: false,
  blocked: null,
  toldOfWrites: false,
  told: null,
  knowsRules: false,
}
