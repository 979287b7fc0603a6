// What a scenario for a host is made of: data that the real host and the simulated one are both played from.

/** A call of a tool, as the model makes it. `$s2` in an argument stands for the id of the second session. */
export interface ScriptCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** Some providers repeat theirs. */
  readonly callId?: string
}

/** One answer of the model. */
export interface ScriptAnswer {
  readonly text?: string
  readonly calls?: readonly ScriptCall[]
  /** Tokens in the context after it; 1,000 where nothing is said. */
  readonly tokens?: number
  /** It never ends. */
  readonly hangs?: boolean
  /** The provider's error. The context is too long for the provider with `overflow`. */
  readonly error?: { readonly status: number; readonly retryAfter?: number } | "overflow"
  /** What the host's next try at this request is answered with. */
  readonly retried?: ScriptAnswer
}

/** What the user begins a turn of the first session with; its end is not waited for. */
export type TurnAct =
  | { readonly prompt: string; readonly agent?: string }
  | { readonly command: string; readonly given: string }
  | { readonly summarize: true }

/** What happens from outside, one after the other. Sessions are `s1`, `s2`, ... in the order in which they were created. */
export type Act =
  | TurnAct
  /** A message as the plugin's client sends it. */
  | { readonly promptAsync: string; readonly agent?: string; readonly model?: string }
  /** Waits until a line of the recording has come that begins so. */
  | { readonly until: string }
  | { readonly abort: string }
  | { readonly permission: "once" | "reject"; readonly feedback?: string }
  /** To the open question; null dismisses it. */
  | { readonly answer: readonly (readonly string[])[] | null }
  /** Takes back the user's message of that number, from 1, and all behind it. */
  | { readonly undo: number }
  /** Deletes the first session. */
  | { readonly remove: true }
  /** Waits until no session is busy. */
  | { readonly rest: true }

/** One scenario. The first session is there; the words that begin a turn choose the answers of the model. */
export interface HostScript {
  readonly name: string
  /** By words in the newest message of the user: an answer for each request of its turn; "ok" beyond the last. */
  readonly model: Readonly<Record<string, readonly ScriptAnswer[]>>
  /** What the model answers to compactions, in their order; `SUMMARY` beyond the last. */
  readonly summaries?: readonly ScriptAnswer[]
  readonly acts: readonly Act[]
  /** Its sessions run beside each other: only the order within each of them means something. */
  readonly concurrent?: boolean
}

/** `bash` asks for permission with these words, and is denied with the others. */
export const ASKED = "echo ask"
export const DENIED = "echo never"
/** The context of the model in tokens, and of its output. */
export const CONTEXT_LIMIT = 40_000
export const OUTPUT_LIMIT = 8_000
