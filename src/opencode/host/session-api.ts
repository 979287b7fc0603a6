// The port: what we ask of the host.

import type { FailedTurn, Identity, LastTurn } from "../../decide/situation.ts"
import type { ToldAs } from "../../prompts/notice-text.ts"

/** A session as the host knows it. */
interface HostSession {
  readonly id: string
  readonly parentId: string | null
  readonly agent: string | null
  readonly title: string
  /** The folder that opencode works in for it; absent if the host does not say. */
  readonly directory?: string
}

/** How a session's last turn went, and as whom it ran. */
interface LastTurnOf {
  readonly lastTurn: LastTurn | null
  /** Why the turn failed; null if it did not. */
  readonly failure: FailedTurn | null
  readonly identity: Identity
  readonly model: { readonly providerId: string; readonly modelId: string } | null
  /** The message that the turn's last message answers, if that is an answer. */
  readonly to?: string | null
}

/**
 * What we ask of the host. Every call ends within 2 s. Each may throw a `HostCallError` or a `TimeLimitError`, which the hook table
 * catches. Ids must be checked before they come here.
 */
export interface SessionApi {
  /** Null if the host has no such session. */
  session(id: string): Promise<HostSession | null>
  lastTurn(id: string): Promise<LastTurnOf>
  /**
   * If a compaction was requested because the provider refused a request as too long: the user message whose turn that was. The host leaves
   * this turn out of the summary and starts it again afterwards. Null otherwise.
   */
  refusedTurn(id: string): Promise<string | null>
  /** The ids of the sessions that are not idle. */
  busySessions(): Promise<ReadonlySet<string>>
  /** A model's context in tokens; null if the host does not say. */
  contextLimit(model: { providerId: string; modelId: string }): Promise<number | null>
  /** Begins a turn of a round in a session, without waiting for it. */
  prompt(
    id: string,
    text: string,
    as: { readonly identity: Identity; readonly round: number },
  ): Promise<void>
  /** Begins the compaction of a session. A refusal within 2 s is a `HostCallError`. */
  compact(id: string, model: NonNullable<Identity["model"]>): Promise<void>
  /** Ends the running turn of a session. */
  abort(id: string): Promise<void>
  /** Gives a session its title. */
  rename(id: string, title: string): Promise<void>
  /** The plugins of the configuration, as written there. */
  pluginNames(): Promise<readonly string[]>
  /** Shows a message on the user's terminal, as one harmless line. */
  toast(message: string, variant: "info" | "success" | "warning", title?: ToldAs): Promise<void>
}

/** A call that the host refused. A call that it did not answer in time is a `TimeLimitError`. */
export class HostCallError extends Error {
  override readonly name = "HostCallError"
}
