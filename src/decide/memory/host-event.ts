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

/** A running `task` call, as known to the process that saw it begin. */
export interface TaskCall {
  readonly callId: string
  readonly workId: string
  /** The task that it names; null if it works on none. */
  readonly task: Task | null
  /** The session that it runs in, once the host has reported it. */
  readonly childId: string | null
  /** It has returned or failed, and the outcome is being written. */
  readonly isBack: boolean
  /** It returned at once because its subagent runs in the background. */
  readonly inBackground?: true
}

/** The commands that the plan of a work names as checks, each once, from the reading with this hash. */
export interface PlanChecks {
  readonly workId: string
  readonly plan: string
  readonly hash: string
  readonly commands: readonly string[]
}

/**
 * The state when a shell command or a write began, by session and id: the plan's hash (undefined if nobody asked for it), and the work tree
 * without the plan (null if nobody asked, or it is unknown).
 */
export interface BegunCall {
  readonly session: string
  readonly call: string
  readonly at: string
  readonly hash?: string | null
  readonly tree: string | null
}

/**
 * What the answers of a session have cost. `unpricedTokens` belong to answers without a price, `unknownAnswers` counts those without tokens
 * either.
 */
export type SpentSum = Pick<
  Spent,
  "tokens" | "usd" | "unpricedTokens" | "unknownAnswers" | "answeredAt"
>

/** A question of the host that asks for the approval of a final wave. */
export interface WaveAsked {
  readonly requestId: string
  /** Which question of the request it is. */
  readonly question: number
  readonly fingerprint: string
}

/** What the host has reported, in our own terms; times in ms since 1970. */
export type HostEvent =
  | {
      readonly kind: "session-created"
      readonly sessionId: string
      readonly parentId: string | null
    }
  | { readonly kind: "session-deleted"; readonly sessionId: string }
  | { readonly kind: "session-busy"; readonly sessionId: string }
  | { readonly kind: "session-idle"; readonly sessionId: string; readonly at: number }
  /** Its turn failed, or a prompt that did not start one. */
  | { readonly kind: "session-failed"; readonly sessionId: string; readonly failure: FailedTurn }
  /** The provider refused its request as too long; the host compacts it by itself. */
  | {
      readonly kind: "session-too-long"
      readonly sessionId: string
      readonly at: number
      readonly words: string
    }
  /** The host itself waits for the provider until then, in ms. */
  | {
      readonly kind: "session-waits"
      readonly sessionId: string
      readonly at: number
      readonly until: number
    }
  /** Something happened in it; `tool` is a call that has started or ended. */
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
  /** A call has started to run in it: from now on its silence counts. */
  | { readonly kind: "called"; readonly sessionId: string }
  /** The watch over subagents has looked at it, this long after its last look. */
  | { readonly kind: "watched"; readonly sessionId: string; readonly forMs: number }
  /** It was silent for too long and we have ended its turn; this is done only once. */
  | { readonly kind: "ended-silent"; readonly sessionId: string }
  /** The user was told that this tool call takes long. */
  | { readonly kind: "told-of-tool"; readonly sessionId: string; readonly callId: string }
  | { readonly kind: "session-aborted"; readonly sessionId: string; readonly at: number }
  /** The pause for a stop or refusal by the user is on disk, so memory can forget it. */
  | { readonly kind: "stop-written"; readonly sessionId: string }
  | {
      readonly kind: "question-asked" | "permission-asked"
      readonly sessionId: string
      readonly requestId: string
      /** What is asked, in the host's words, for whoever follows a run. */
      readonly detail?: string
      /** The same with its choices, for whoever is to answer. */
      readonly request?: OpenRequest
      /** Which of its questions, if any, asks for the approval of the final wave. */
      readonly waveQuestion?: number
    }
  | {
      readonly kind: "question-answered" | "permission-answered"
      readonly sessionId: string
      readonly requestId: string
      readonly rejected: boolean
      readonly at: number
      /** What was chosen or written, one list for each question. */
      readonly answers?: readonly (readonly string[])[]
    }
  /** It was asked to approve the final wave as it was then; null if none was ready. */
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
      /** When this was reported. */
      readonly at: number
      /** Tokens in the context after this answer, once the host knows them. */
      readonly contextTokens?: number
      /** The model has finished an answer that is work, not a summary. */
      readonly hasAnswered?: true
      /** What this answer has cost, including everything that was sent. The host reports it more than once. */
      readonly spent?: {
        readonly messageId: string
        readonly tokens: number
        /** How many of these tokens the model wrote. */
        readonly output: number
        /** Its price in US dollars; null if the host names none. */
        readonly usd: number | null
        readonly isFinal: boolean
        /** When it ended normally, in ms; missing before that, and for a failed one. */
        readonly answeredAt?: number
      }
    }
  /** A message of a user's turn, or a text of any message, as the host has stored it: for whoever follows a run. */
  | { readonly kind: "user-message"; readonly sessionId: string; readonly messageId: string }
  | {
      readonly kind: "text-part"
      readonly sessionId: string
      readonly messageId: string
      readonly partId: string
      readonly text: string
      readonly isOurs: boolean
    }
  /** Everything spent so far is written; or could not be, and is returned. */
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
  /** This turn's look found no work at hand: none at all, or a paused or finished one. */
  | { readonly kind: "at-rest"; readonly sessionId: string }
  /** It leads a work. `keys`: those that the work still has of the keys it was told, for a process that knows none. */
  | { readonly kind: "leads"; readonly sessionId: string; readonly keys?: PlanKeys }
  | ({ readonly kind: "keys-told"; readonly sessionId: string } & NewKeys)
  /** A text of ours has explained how to work. */
  | { readonly kind: "told-rules"; readonly sessionId: string }
  | { readonly kind: "told-of-limits"; readonly sessionId: string }
  /** The checks of the plan that it leads, from a reading. */
  | ({ readonly kind: "checks-read"; readonly sessionId: string } & PlanChecks)
  /** A shell command or a write starts in it or below it, or has ended. */
  | ({ readonly kind: "call-begins"; readonly sessionId: string } & BegunCall)
  | ({ readonly kind: "call-over"; readonly sessionId: string } & Pick<
      BegunCall,
      "session" | "call"
    >)
  /** It, or a session below it, has written into the project: what that call said, as a hash. */
  | { readonly kind: "wrote"; readonly sessionId: string; readonly hash: string }
  /** An agent of its work has edited the plan; a look has seen that. */
  | { readonly kind: "plan-edited" | "plan-looked-at"; readonly sessionId: string }
  /** What it, or a session below it, has run or written. */
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
  /** These observations are written. */
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
      /** The words and the output of the call, for whoever follows a run. */
      readonly words?: {
        readonly description: string
        /** The session that it asks to resume. */
        readonly resumes: string | null
        readonly output: string
      }
    }
  /** A decision about it is in the journal, and is not repeated while it stays the same. Null: it may be repeated. */
  | { readonly kind: "said"; readonly sessionId: string; readonly said: string | null }
  /** A look at it failed, or worked again. */
  | { readonly kind: "look-lost" | "look-done"; readonly sessionId: string }
  /** It holds a handoff from now on, still holds it, or no longer does. `at` in ms. */
  | {
      readonly kind: "lease-held"
      readonly sessionId: string
      readonly handoffId: string
      readonly at: number
    }
  | { readonly kind: "lease-lost"; readonly sessionId: string; readonly handoffId: string }
  /** All records were searched for what it holds. */
  | { readonly kind: "leases-known"; readonly sessionId: string }
  /** A call of it was lost through no fault of its own; or it was told of all lost calls. */
  | { readonly kind: "call-lost"; readonly sessionId: string; readonly lost: LostCall }
  | { readonly kind: "told-of-lost"; readonly sessionId: string }
  /** The ticks of its work that it has not been told of yet. */
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
      /** The agent that it is for. */
      readonly agent?: string
      /** It is the user's own message: neither ours nor the host's, and not our `/start-work`. */
      readonly isUsers: boolean
      /** It is the answer of one of our commands, not a word to the work. */
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
