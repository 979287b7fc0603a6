// Decides whether a tool may still run at the hard limit.
import type { ToolCall } from "./tool-call.ts"

/** A tool call of the lead session. */
interface Asked extends Pick<ToolCall, "name" | "kind"> {
  /** The files that the call names, relative to the root. */
  readonly named: readonly string[]
}

/**
 * Whether a tool may still run at the hard limit: ours, a write to the plan alone, or a question to the user, all of which add little.
 * These are all that our texts ask for there, and a question must not wait for a round.
 */
export function mayRunAtHardLimit(
  call: Asked,
  { planPath, ours }: { readonly planPath: string; readonly ours: ReadonlySet<string> },
): boolean {
  if (ours.has(call.name) || call.kind === "ask") return true
  if (call.kind !== "write" || call.named.length === 0) return false
  return call.named.every((path) => path === planPath)
}
