// What the host tells us, in our own words.
// Over 250 lines: one list of all that is told, each with its fields.
import type { RoundEnd } from "../../boulder/boulder.ts"
import type { ProofEntry } from "../../boulder/proof-entry.ts"
import type { Spent } from "../../boulder/spent.ts"
import type { KnownTask, PlanKeys } from "../../plan/match-tasks.ts"
import type { Task } from "../../plan/model/plan.ts"
import type { LostCall } from "../decision.ts"
import type { OpenRequest } from "../open-request.ts"
import type { FailedTurn } from "../situation.ts"
import type { Untold } from "../untold.ts"
import type { NewKeys } from "./told-keys.ts"

/** A `task` call in flight, as the process knows it that saw it begin. */
export interface TaskCall {
  readonly callId: string
  readonly workId: string
  /** The task that it has named; null for one that works on none. */
  readonly task: Task | null
  /** The session that it runs in, once the host has told. */
  readonly childId: string | null
  /** It has come back or failed, and what has come of it is being written down. */
  readonly isBack: boolean
  /** Its result has come at once: its subagent runs in the background. */
  readonly inBackground?: true
}

/** The commands that a plan names as checks, each once, in the reading of this hash. */
export interface PlanChecks {
  readonly plan: string
  readonly hash: string
  readonly commands: readonly string[]
}

/**
 * How it was when a command of a shell or a write began, by its session and id: the plan's hash, undefined where nobody has
 * asked, and the work tree without it, null where nobody has asked or knows.
 */
export interface BegunCall {
  readonly session: string
  readonly call: string
  readonly at: string
  readonly hash?: string | null
  readonly tree: string | null
}

/**
 * What the answers of a session have cost; `unpricedTokens` are those of answers that the host names no price for,
 * `unknownAnswers` the answers that it names no tokens for either.
 */
export type SpentSum = Pick<
  Spent,
  "tokens" | "usd" | "unpricedTokens" | "unknownAnswers" | "answeredAt"
>

/** A question of the host that asks for the approval of a final wave. */
export interface WaveAsked {
  readonly requestId: string
  /** Which of the questions of the request. */
  readonly question: number
  readonly fingerprint: string
}

/** What the host told us, in our own words; times in ms since 1970. */
export type HostEvent =
  | {
      readonly kind: "session-created"
      readonly sessionId: string
      readonly parentId: string | null
    }
  | { readonly kind: "session-deleted"; readonly sessionId: string }
  | { readonly kind: "session-busy"; readonly sessionId: string }
  | { readonly kind: "session-idle"; readonly sessionId: string; readonly at: number }
  /** Its turn, or a prompt that has begun none, has failed. */
  | { readonly kind: "session-failed"; readonly sessionId: string; readonly failure: FailedTurn }
  /** The provider has refused its request as too long; the host compacts it by itself. */
  | {
      readonly kind: "session-too-long"
      readonly sessionId: string
      readonly at: number
      readonly words: string
    }
  /** The host waits for the provider by itself until then, in ms. */
  | {
      readonly kind: "session-waits"
      readonly sessionId: string
      readonly at: number
      readonly until: number
    }
  /** Something has happened in it; `tool` is a call that has begun to run, or is over. */
  | {
      readonly kind: "session-heard"
      readonly sessionId: string
      readonly at: number
      readonly tool: {
        readonly callId: string
        readonly name: string
        readonly runs: boolean
      } | null
    }
  /** A call has begun to run in it: from now on its silence counts. */
  | { readonly kind: "called"; readonly sessionId: string }
  /** The watch over subagents has looked at it so long behind the look before. */
  | { readonly kind: "watched"; readonly sessionId: string; readonly forMs: number }
  /** It was silent for long and we have ended its turn: not twice. */
  | { readonly kind: "ended-silent"; readonly sessionId: string }
  /** The person was told that this call of a tool takes long. */
  | { readonly kind: "told-of-tool"; readonly sessionId: string; readonly callId: string }
  | { readonly kind: "session-aborted"; readonly sessionId: string; readonly at: number }
  /** The pause for a stop or a refusal of the user is on disk: neither is to be remembered. */
  | { readonly kind: "stop-written"; readonly sessionId: string }
  | {
      readonly kind: "question-asked" | "permission-asked"
      readonly sessionId: string
      readonly requestId: string
      /** What is asked, in the host's words, for who follows a run. */
      readonly detail?: string
      /** The same with its choices, for who is to answer it. */
      readonly request?: OpenRequest
      /** Which of its questions asks for the approval of the final wave, where one does. */
      readonly waveQuestion?: number
    }
  | {
      readonly kind: "question-answered" | "permission-answered"
      readonly sessionId: string
      readonly requestId: string
      readonly rejected: boolean
      readonly at: number
      /** What was chosen or written, a list a question. */
      readonly answers?: readonly (readonly string[])[]
    }
  /** It was asked for the approval of the final wave, as it was then; null where none was ready. */
  | {
      readonly kind: "wave-asked"
      readonly sessionId: string
      readonly asked: WaveAsked
    }
  | {
      readonly kind: "assistant-started"
      readonly sessionId: string
      /** The message that it answers. */
      readonly to?: string
      readonly createdAt: number
      /** When it was told. */
      readonly at: number
      /** Tokens in the context after this answer, once the host knows them. */
      readonly contextTokens?: number
      /** The model has answered to its end: work, no summary. */
      readonly hasAnswered?: true
      /** What this answer has cost, all that was sent included; the host tells it more than once. */
      readonly spent?: {
        readonly messageId: string
        readonly tokens: number
        /** Of these, what the model has written. */
        readonly output: number
        /** Its price in US dollars; null where the host names none. */
        readonly usd: number | null
        readonly isFinal: boolean
        /** When it ended whole, in ms; left out before that, and for one that has failed. */
        readonly answeredAt?: number
      }
    }
  /** A message of a user's turn, and a text in any message, as the host has stored them: for who follows a run. */
  | { readonly kind: "user-message"; readonly sessionId: string; readonly messageId: string }
  | {
      readonly kind: "text-part"
      readonly sessionId: string
      readonly messageId: string
      readonly partId: string
      readonly text: string
      readonly isOurs: boolean
    }
  /** All that was spent so far is written down; or could not be, and is given back. */
  | { readonly kind: "spent-booked"; readonly sessionId: string }
  | { readonly kind: "spent-returned"; readonly sessionId: string; readonly spent: SpentSum }
  | { readonly kind: "context-told"; readonly sessionId: string; readonly contextTokens: number }
  | { readonly kind: "tool-returned"; readonly sessionId: string; readonly chars: number }
  | { readonly kind: "session-compacted"; readonly sessionId: string }
  | {
      readonly kind: "looked"
      readonly sessionId: string
      readonly plan: string
      readonly hash: string
      readonly limit: RoundEnd | null
      readonly wave: string | null
    }
  | { readonly kind: "message-removed"; readonly sessionId: string; readonly messageId: string }
  /** A look has found no work at hand for this turn of it: none, a paused or a finished one. */
  | { readonly kind: "at-rest"; readonly sessionId: string }
  /** It leads a work; `keys`: what that has of those that it was told, for a process that knows none. */
  | { readonly kind: "leads"; readonly sessionId: string; readonly keys?: PlanKeys }
  | ({ readonly kind: "keys-told"; readonly sessionId: string } & NewKeys)
  /** A text of ours has said how to work. */
  | { readonly kind: "told-rules"; readonly sessionId: string }
  | { readonly kind: "told-of-limits"; readonly sessionId: string }
  /** The checks of the plan that it leads, as a reading has them. */
  | ({ readonly kind: "checks-read"; readonly sessionId: string } & PlanChecks)
  /** A command of a shell or a write begins in it or below it, or is over. */
  | ({ readonly kind: "call-begins"; readonly sessionId: string } & BegunCall)
  | ({ readonly kind: "call-over"; readonly sessionId: string } & Pick<
      BegunCall,
      "session" | "call"
    >)
  /** An agent of its work has edited the plan; a look has seen it. */
  | { readonly kind: "plan-edited" | "plan-looked-at"; readonly sessionId: string }
  /** What it or a session below it has run or written. */
  | {
      readonly kind: "seen"
      readonly sessionId: string
      readonly entries: readonly ProofEntry[]
    }
  | {
      readonly kind: "tree-seen"
      readonly sessionId: string
      readonly tree: string | null
      readonly isFresh: boolean
    }
  /** These of what was seen are written down. */
  | {
      readonly kind: "seen-written"
      readonly sessionId: string
      readonly entries: ReadonlySet<ProofEntry>
    }
  | {
      readonly kind: "blocks-seen"
      readonly sessionId: string
      readonly tasks: readonly KnownTask[]
    }
  | {
      readonly kind: "task-part"
      readonly sessionId: string
      readonly callId: string
      readonly status: "running" | "completed" | "error"
      readonly childId: string | null
      /** What the call says and has brought, for who follows a run. */
      readonly words?: {
        readonly description: string
        /** The session that it asks to resume. */
        readonly resumes: string | null
        readonly output: string
      }
    }
  /** A decision about it is in the journal: not again while it stays the same. Null: it may come again. */
  | { readonly kind: "said"; readonly sessionId: string; readonly said: string | null }
  /** A look at it could not be made; or could, again. */
  | { readonly kind: "look-lost" | "look-done"; readonly sessionId: string }
  /** It holds a handoff from now on, or still does; or no more. `at` in ms. */
  | {
      readonly kind: "lease-held"
      readonly sessionId: string
      readonly handoffId: string
      readonly at: number
    }
  | { readonly kind: "lease-lost"; readonly sessionId: string; readonly handoffId: string }
  /** What it holds was looked for among all records. */
  | { readonly kind: "leases-known"; readonly sessionId: string }
  /** A call of it was lost without its doing; or it was told of all that were. */
  | { readonly kind: "call-lost"; readonly sessionId: string; readonly lost: LostCall }
  | { readonly kind: "told-of-lost"; readonly sessionId: string }
  /** The ticks of its work that it is still to be told of. */
  | {
      readonly kind: "ticks-untold"
      readonly sessionId: string
      readonly untold: readonly Untold[]
    }
  | { readonly kind: "call-begun"; readonly sessionId: string; readonly call: TaskCall }
  | { readonly kind: "call-back"; readonly sessionId: string; readonly callId: string }
  | { readonly kind: "call-ended"; readonly sessionId: string; readonly callId: string }
  | { readonly kind: "call-left"; readonly sessionId: string; readonly callId: string }
  | {
      readonly kind: "command-answered"
      readonly sessionId: string
      readonly name: string
      readonly text: string
    }
  | {
      readonly kind: "message-received"
      readonly sessionId: string
      readonly messageId: string
      readonly at: number
      /** Whom it is for. */
      readonly agent?: string
      /** It is the user's own: neither ours nor the host's, and not our `/start-work`. */
      readonly isUsers: boolean
      /** It is what a command of ours has answered: no word to the work. */
      readonly isCommands?: boolean
      /** It is a prompt of ours. */
      readonly isOurs?: boolean
    }
  | {
      readonly kind: "model-told"
      readonly sessionId: string
      readonly contextLimit: number
      readonly compactsAt: number
    }
  | { readonly kind: "told-of-writes"; readonly sessionId: string }
