// What happens in a followed run, for whoever displays it.
import type { WorkState } from "../boulder/live-view.ts"

/** What happens in a followed run, for whoever displays it. Foreign text is passed on as it came: clean it before it reaches a terminal. */
export type RunEvent =
  /** A server is being started, which takes seconds, by this path or name. */
  | { readonly kind: "starting"; readonly program: string }
  | { readonly kind: "server"; readonly url: string; readonly started: boolean }
  | { readonly kind: "session"; readonly sessionId: string }
  /** The work has started, in the process `driver`. */
  | { readonly kind: "begun"; readonly driver: string | null }
  | {
      readonly kind: "progress"
      readonly settled: number
      readonly total: number
      /** The next task of the plan; null if there is none. */
      readonly next: { readonly key: string; readonly title: string } | null
    }
  | {
      readonly kind: "task"
      /** Null for a call that the plugin captured under no task. */
      readonly key: string | null
      readonly title: string
      readonly state: "delegated" | "returned" | "failed"
      /** The call named an existing session, and the child ran in that one. */
      readonly resumed: boolean
    }
  | {
      /** A text of the plugin that the model got, word for word. */
      readonly kind: "hint"
      readonly from: "start" | "continuation" | "task"
      readonly text: string
    }
  | {
      readonly kind: "decision"
      readonly decision: string
      readonly reason: string
      /** An ISO time. */
      readonly at: string
      /** What adds to the reason. */
      readonly why?: string
      /** The task whose subagent has met a limit, and until when; an ISO time. */
      readonly limited?: { readonly task: string; readonly until: string }
    }
  /** What the models have used so far, over all sessions of the run. */
  | { readonly kind: "tokens"; readonly input: number; readonly output: number }
  | { readonly kind: "user"; readonly text: string }
  /**
   * The work still waits for `leftMs`: reported every minute, and every second of the last one; null once it waits for nothing with a known
   * end.
   */
  | {
      readonly kind: "waits"
      readonly state: (WorkState & { readonly kind: "waiting" }) | null
      readonly leftMs: number
    }
  /** The run waits until somebody has dealt with this. */
  | { readonly kind: "needs"; readonly need: Need }
  /** What the store had to restore or could not tidy up. */
  | { readonly kind: "note"; readonly text: string }

/** Why a person is needed: the stored reason of a pause, or what waits for an answer. */
export interface Need {
  readonly reason: string
  /** What waits, in a few words; "" if the reason says everything. */
  readonly detail: string
  /** The question or permission request that waits, by the host's id. */
  readonly requestId?: string | undefined
}

/** How a run ended. */
export type RunOutcome =
  | { readonly kind: "complete"; readonly settled: number; readonly total: number }
  | { readonly kind: "needs-user"; readonly need: Need }
  | { readonly kind: "failed"; readonly message: string }
  /** The time of its `--timeout` is up. */
  | { readonly kind: "out-of-time"; readonly seconds: number }
  | { readonly kind: "interrupted" }
