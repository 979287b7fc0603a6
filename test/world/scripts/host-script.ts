// What a scenario for a host is made of: data that both the real and the simulated host are played from.

/** A tool call, as the model makes it. `$s2` in an argument stands for the id of the second session. */
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
  /** Tokens in the context after it; default 1,000. */
  readonly tokens?: number
  /** The answer never ends. */
  readonly hangs?: boolean
  /** The provider's error. With `overflow` the context is too long for the provider. */
  readonly error?: { readonly status: number; readonly retryAfter?: number } | "overflow"
  /** The answer to the host's next try at this request. */
  readonly retried?: ScriptAnswer
}

/** What the user begins a turn of the first session with. Its end is not waited for. */
export type TurnAct =
  | { readonly prompt: string; readonly agent?: string }
  | { readonly command: string; readonly given: string }
  | { readonly summarize: true }

/** What happens from outside, one act after another. Sessions are `s1`, `s2`, ... in the order in which they were created. */
export type Act =
  | TurnAct
  /** A message as the plugin's client sends it. */
  | { readonly promptAsync: string; readonly agent?: string; readonly model?: string }
  /** Waits for a line of the recording that begins with this. */
  | { readonly until: string }
  | { readonly abort: string }
  | { readonly permission: "once" | "reject"; readonly feedback?: string }
  /** The answer to the open question; null dismisses it. */
  | { readonly answer: readonly (readonly string[])[] | null }
  /** Takes back the user's message with that number, from 1, and everything after it. */
  | { readonly undo: number }
  /** Deletes the first session. */
  | { readonly remove: true }
  /** Waits until no session is busy. */
  | { readonly rest: true }

/** One scenario. The first session exists; the words that begin a turn choose the model's answers. */
export interface HostScript {
  readonly name: string
  /** By words in the user's newest message: an answer for each request of its turn; "ok" after the last. */
  readonly model: Readonly<Record<string, readonly ScriptAnswer[]>>
  /** The model's answers to compactions, in order; `SUMMARY` after the last. */
  readonly summaries?: readonly ScriptAnswer[]
  readonly acts: readonly Act[]
  /** Its sessions run beside each other: only the order within each of them matters. */
  readonly concurrent?: boolean
}

/** `bash` asks for permission with these words, and is denied with the next ones. */
export const ASKED = "echo ask"
export const DENIED = "echo never"
/** The context of the model in tokens, and its output. */
export const CONTEXT_LIMIT = 40_000
export const OUTPUT_LIMIT = 8_000
