// The port: what we ask of the host.

import type { FailedTurn, Identity, LastTurn } from "../../decide/situation.ts"
import type { ToldAs } from "../../prompts/notice-text.ts"

/** A session as the host knows it. */
interface HostSession {
  readonly id: string
  readonly parentId: string | null
  readonly agent: string | null
  readonly title: string
}

/** How a session's last turn went, and as whom it ran. */
interface LastTurnOf {
  readonly lastTurn: LastTurn | null
  /** Why it has failed; null where it has not. */
  readonly failure: FailedTurn | null
  readonly identity: Identity
  readonly model: { readonly providerId: string; readonly modelId: string } | null
  /** The message that the turn's last message answers, where it is an answer. */
  readonly to?: string | null
}

/**
 * What we ask of the host. Every call ends within 2 s; each may throw a `HostCallError` or a `TimeLimitError`, which the
 * hook table catches. None may be called with an id that was not checked.
 */
export interface SessionApi {
  /** Null when the host has no such session. */
  session(id: string): Promise<HostSession | null>
  lastTurn(id: string): Promise<LastTurnOf>
  /**
   * While a compaction is asked for because the provider has refused a request as too long: the user's message whose
   * turn that was. The host leaves the turn out of the summary and begins it again behind it. Null for any other.
   */
  refusedTurn(id: string): Promise<string | null>
  /** The ids of the sessions that are not idle. */
  busySessions(): Promise<ReadonlySet<string>>
  /** A model's context in tokens; null when the host does not tell. */
  contextLimit(model: { providerId: string; modelId: string }): Promise<number | null>
  /** Begins a turn of a round in a session and does not wait for it. */
  prompt(
    id: string,
    text: string,
    as: { readonly identity: Identity; readonly round: number },
  ): Promise<void>
  /** Begins the compaction of a session; an end within 2 s that is a refusal is a `HostCallError`. */
  compact(id: string, model: NonNullable<Identity["model"]>): Promise<void>
  /** Ends the turn of a session that runs. */
  abort(id: string): Promise<void>
  /** Gives a session its title. */
  rename(id: string, title: string): Promise<void>
  /** The plugins of the configuration, as written there. */
  pluginNames(): Promise<readonly string[]>
  /** A message on the user's terminal, as one harmless line. */
  toast(message: string, variant: "info" | "success" | "warning", title?: ToldAs): Promise<void>
}

/** A call that the host refused; one that it has not answered in time is a `TimeLimitError`. */
export class HostCallError extends Error {
  override readonly name = "HostCallError"
}
