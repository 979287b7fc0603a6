// The results of a save, a claim and a listing.
import type { Handoff } from "./handoff.ts"
import type { HandoffRefusal } from "./handoff-changes.ts"
import type { TargetRefusal } from "./handoff-target.ts"

/** What a save has done to the plan's mark. */
export type MarkOutcome =
  | { readonly kind: "none" }
  /** A session of a work has saved something as complete or blocked that is no task of its plan. */
  | { readonly kind: "no-task" }
  | {
      readonly kind: "marked"
      readonly key: string
      readonly state: "done" | "blocked" | "in_progress"
    }
  | {
      readonly kind: "left"
      readonly key: string
      readonly why: "not-yours" | "final-wave" | "by-option" | "held" | "refused"
      /** Why it is held, or what the plan's writer says; "" if `why` says everything. */
      readonly message: string
    }

/** Why nothing was saved, found or claimed. */
export interface HandoffRefused {
  readonly kind: "refused"
  readonly reason: HandoffRefusal | TargetRefusal
  /** The handoffs or task keys that could be meant. */
  readonly ids: readonly string[]
  /** The record as it is now, if there is one. */
  readonly handoff: Handoff | null
}

export type SaveOutcome =
  | HandoffRefused
  | {
      readonly kind: "saved"
      readonly handoff: Handoff
      readonly mark: MarkOutcome
      /** Why it is kept on this machine for now; only if the store that machines share cannot be reached. */
      readonly kept?: string
      /** Other records that the session still holds, which the save was not about. */
      readonly stillHeld: readonly string[]
      /** Records that it had claimed and that others hold now. */
      readonly lost: readonly string[]
    }

export type GetOutcome =
  | HandoffRefused
  | { readonly kind: "found"; readonly handoff: Handoff; readonly claimed: boolean }

/** A task that a session may take up, or already holds. */
export interface Offer {
  readonly handoff: Handoff
  /** `held`: the asking session holds it. */
  readonly kind: "blocked" | "interrupted" | "held"
  /** The asking session holds it, or saved it last. */
  readonly isYours: boolean
  /** Since when it has been waiting; ms. */
  readonly since: number
}

/** The open handoffs that a session is shown: newest first, its own last. */
export interface Offers {
  readonly offers: readonly Offer[]
  /** How many there are in all. */
  readonly total: number
}
