/** A message of the host, as far as trimming looks at it. */
interface TailMessage {
  readonly info: { readonly id: string; readonly role: string; readonly summary?: unknown }
  readonly parts: readonly object[]
}

/** What is left of a result in characters: as much as the host's own compaction keeps of one. */
const KEPT = 2_000
/** A result that was cut once is not cut again. */
const NOTE = /\n\[boulder cut \d+ characters\]$/
/** Results that a later step can bring back by running the tool again; those of all other tools stay whole. */
const REPEATABLE: ReadonlySet<string> = new Set([
  "bash",
  "read",
  "grep",
  "glob",
  "list",
  "webfetch",
])

/**
 * Cuts the long tool results that a compaction has left behind its summary: they are of the round before, and the
 * summary stands for them. The messages are changed in place, always in the same way, so that the prompt's prefix
 * stays as it is until the next compaction.
 */
export function trimTail(messages: readonly TailMessage[]): void {
  // Ids grow with time. What was kept behind the newest summary may hold an older one.
  const summary = messages
    .filter(({ info }) => info.role === "assistant" && info.summary === true)
    .reduce<TailMessage | null>(
      (newest, one) => (newest !== null && newest.info.id > one.info.id ? newest : one),
      null,
    )
  if (summary === null) return
  const written = summary.info.id
  for (const { info, parts } of messages.slice(messages.indexOf(summary) + 1)) {
    // What is older than the summary and stands behind it was kept by the compaction.
    if (info.id > written) return
    for (const part of parts) trimPart(part)
  }
}

function trimPart(part: object): void {
  if (!REPEATABLE.has(String(Reflect.get(part, "tool")))) return
  const state: unknown = Reflect.get(part, "state")
  if (typeof state !== "object" || state === null) return
  const output: unknown = Reflect.get(state, "output")
  if (typeof output !== "string" || output.length <= KEPT || NOTE.test(output)) return
  const more = output.length - KEPT
  Reflect.set(state, "output", `${output.slice(0, KEPT)}\n[boulder cut ${more} characters]`)
}
