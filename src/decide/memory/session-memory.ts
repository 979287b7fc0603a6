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

/** A call of a tool under way; `ranMs` is for how long the watch over subagents has seen it run. */
export interface RunningTool {
  readonly callId: string
  readonly name: string
  readonly ranMs: number
  /** The person was told that it takes long. */
  readonly isTold: boolean
}

/** An answer as the host has told of it last; `usd` is null while it names no price. */
export interface CountedAnswer {
  readonly messageId: string
  readonly tokens: number
  readonly usd: number | null
  /** When it ended whole, in ms; left out before that. */
  readonly answeredAt?: number
}

/** What we remember of one session of this process; lost at a restart, where none of it matters. */
export interface SessionMemory {
  /** The host has deleted it: nothing else is known of it but whom it ran below, and whether a call in it is silent. */
  readonly isDeleted: boolean
  /** Null for a session without a parent; undefined while the host has not told. */
  readonly parentId: string | null | undefined
  /** Requests that wait for the user's answer, by the host's request id. */
  readonly questions: readonly string[]
  readonly permissions: readonly string[]
  /** What was asked last, in the words of who asks; null before. */
  readonly asks: string | null
  /** The questions for the approval of the final wave that were asked last. */
  readonly waveAsked: readonly WaveAsked[]
  /** When the user last stopped this session's turn, in ms. */
  readonly abortedAt: number | null
  /** When the user last said no; null again once the session's model has gone on after it. */
  readonly rejectedAt: number | null
  /** Calls of it that were lost without its doing, and that it is still to be told of. */
  readonly lost: readonly LostCall[]
  /** The handoffs that it holds, and when each lease was last written, in ms. */
  readonly leases: readonly { readonly handoffId: string; readonly renewedAt: number }[]
  /** What it held before this process is among them. */
  readonly knowsLeases: boolean
  /** The `task` calls in flight that it has made. */
  readonly calls: readonly TaskCall[]
  /** The command of ours whose message the host is about to make, and the text of that; another message voids it. */
  readonly command: { readonly name: string; readonly text: string } | null
  /** The decision about it that stands in the journal. */
  readonly said: string | null
  /** Looks at it in a row that could not be made. */
  readonly lostLooks: number
  /** The last message that it has received. */
  readonly lastMessage: string | null
  /** When that came, in ms; null once a turn has begun behind it. */
  readonly awaitsTurnSince: number | null
  /** When that came, in ms, where it was a prompt of ours; null once an answer to it has begun, and of any other. */
  readonly unansweredSince: number | null
  /** The message that the last answer was given to, as the host has told. */
  readonly answered: string | null
  /**
   * The host has told that it runs, and not yet that it is idle again; and until when it waits for the provider by
   * itself, in ms.
   */
  readonly running: { readonly waitsUntil: number | null } | null
  /** When something was last heard of it, in ms, to the second; null where nothing was. */
  readonly heardAt: number | null
  /**
   * For how long the watch over subagents has heard nothing of it, in ms; below 0 while the provider is waited for, and
   * null where it was heard of since the last look.
   */
  readonly quietMs: number | null
  /** We have ended its turn, and heard nothing since: not twice. */
  readonly isEndedSilent: boolean
  /** The tools that it runs. */
  readonly tools: readonly RunningTool[]
  /** Why its last turn or prompt has failed, as an event told; null once a message or an answer came behind it. */
  readonly failure: FailedTurn | null
  /**
   * Since its last answer it was compacted, or refused as too long, and when: where it is so refused again, no
   * compaction helps.
   */
  readonly cutDown: { readonly refusedAt: number | null } | null
  /** Its last turn was begun by the user's own message, not for a work. */
  readonly isUsersTurn: boolean
  /** The agent of its last turn; null while unknown. */
  readonly agent: string | null
  /** Its model's context in tokens, and where the host compacts it by itself; null until a request has told them. */
  readonly model: { readonly contextLimit: number; readonly compactsAt: number } | null
  /** Tokens in its context after its last answer; 0 while unknown, and after a compaction. */
  readonly contextTokens: number
  /** Its compactions that the host has told of: what was asked before one says nothing of the context behind it. */
  readonly compactions: number
  /** What its answers have cost that no work has written down yet, and the answers that were counted last, oldest first. */
  readonly spent: SpentSum
  readonly counted: readonly CountedAnswer[]
  /** What the turn under way has added to it. */
  readonly growth: ContextGrowth
  /** The plan and the limit that was reached, as the last look behind a tool of this turn left nothing to be done. */
  readonly looked: {
    readonly plan: string
    readonly hash: string
    readonly limit: RoundEnd | null
    /** The final wave that it was to ask its user to approve, or to run again in part; null for none. */
    readonly wave: string | null
  } | null
  /** The checks of the plan that it leads, as they were read last; null before. */
  readonly checks: PlanChecks | null
  /** Commands of a shell and writes under way, with the plan that it leads and the work tree as they were when each began. */
  readonly begun: readonly BegunCall[]
  /** An agent of its work has edited the plan since the last look at its ticks. */
  readonly hasEditedPlan: boolean
  /**
   * The work tree as it was seen last, the plan left out, while a check has passed for a task that is not settled yet:
   * what moves it unsaid makes the run stale. `isFresh`: right behind a run. Null before anybody has asked.
   */
  readonly tested: { readonly tree: string | null; readonly isFresh: boolean } | null
  /** What was seen of its work's checks and files, oldest first, and is not written down yet. */
  readonly seen: readonly ProofEntry[]
  /** Tasks whose ticks were seen without proof, or by who has edited what judges them, and that it is still to be told of. */
  readonly untold: readonly Untold[]
  /** It was seen to lead a work; whether it still does, the store knows. */
  readonly leads: boolean
  /** A look of this turn has found no work at hand: no other is made before the next message. */
  readonly isAtRest: boolean
  /** The user was told that the token limits were too large for its model. */
  readonly toldOfLimits: boolean
  /** The blocked tasks of the plan that it leads, as they were last seen; null before. */
  readonly blocked: readonly KnownTask[] | null
  /** The orchestrator was told in this round that it does a task's work itself. */
  readonly toldOfWrites: boolean
  /** The keys by which it was told of its plan's tasks; null before. */
  readonly told: ToldKeys | null
  /** A text of ours that says how to work stands in the conversation: none was compacted away since. */
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
  compactions: 0,
  spent: { tokens: 0, usd: 0, unpricedTokens: 0 },
  counted: [],
  growth: NO_GROWTH,
  looked: null,
  checks: null,
  begun: [],
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
