// What happens in a followed run, for whoever shows it.
import type { WorkState } from "../boulder/live-view.ts"

/** What happens in a followed run, for whoever shows it. Foreign text is as it came: clean it before a terminal sees it. */
export type RunEvent =
  | { readonly kind: "server"; readonly url: string; readonly started: boolean }
  | { readonly kind: "session"; readonly sessionId: string }
  /** The work has begun, in the process `driver`. */
  | { readonly kind: "begun"; readonly driver: string | null }
  | {
      readonly kind: "progress"
      readonly settled: number
      readonly total: number
      /** The task that is next in the plan; null when none is. */
      readonly next: { readonly key: string; readonly title: string } | null
    }
  | {
      readonly kind: "task"
      /** Null for a call that the plugin has captured under no task. */
      readonly key: string | null
      readonly title: string
      readonly state: "delegated" | "returned" | "failed"
      /** The child ran in a session that the call named, and no new one was opened. */
      readonly resumed: boolean
    }
  | {
      /** A text of the plugin's own that the model got, word for word. */
      readonly kind: "hint"
      readonly from: "start" | "continuation" | "task"
      readonly text: string
    }
  | {
      readonly kind: "decision"
      readonly decision: string
      readonly reason: string
      /** ISO time. */
      readonly at: string
      /** What says more than the reason does. */
      readonly why?: string
      /** The task whose subagent's limit it is about, and until when; ISO time. */
      readonly limited?: { readonly task: string; readonly until: string }
    }
  /** What the models have used so far, over all sessions of the run. */
  | { readonly kind: "tokens"; readonly input: number; readonly output: number }
  | { readonly kind: "user"; readonly text: string }
  /**
   * The work waits for `leftMs` yet: told anew with each minute, and with each second of the last one; null once it waits
   * for nothing that has an end.
   */
  | {
      readonly kind: "waits"
      readonly state: (WorkState & { readonly kind: "waiting" }) | null
      readonly leftMs: number
    }
  /** The run stays until somebody has met this. */
  | { readonly kind: "needs"; readonly need: Need }
  /** What the store had to restore or could not tidy up. */
  | { readonly kind: "note"; readonly text: string }

/** Why a person is needed: a pause's stored reason, or what waits for an answer. */
export interface Need {
  readonly reason: string
  /** What waits, in a few words; "" when the reason says it all. */
  readonly detail: string
  /** The question or permission that waits, by the host's id. */
  readonly requestId?: string | undefined
}

/** How a run ended. */
export type RunOutcome =
  | { readonly kind: "complete"; readonly settled: number; readonly total: number }
  | { readonly kind: "needs-user"; readonly need: Need }
  | { readonly kind: "failed"; readonly message: string }
  /** Its `--timeout` is over. */
  | { readonly kind: "out-of-time"; readonly seconds: number }
  | { readonly kind: "interrupted" }
