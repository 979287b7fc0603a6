// Whether a tool may still run at the hard limit.
import type { ToolCall } from "./tool-call.ts"

/** A tool call of the lead session. */
interface Asked extends Pick<ToolCall, "name" | "kind" | "edit"> {
  /** The files that it names, relative to the root. */
  readonly named: readonly string[]
}

/**
 * Whether a tool may still run at the hard limit: ours, an edit of the plan that only changes boxes, and the question to
 * the user, which adds little; what waits for its answer must not wait for a round.
 */
export function mayRunAtHardLimit(
  call: Asked,
  { planPath, ours }: { readonly planPath: string; readonly ours: ReadonlySet<string> },
): boolean {
  if (ours.has(call.name) || call.kind === "ask") return true
  if (call.named.length === 0 || call.named.some((path) => path !== planPath)) return false
  const edit = call.edit()
  return edit !== null && isTick(edit.before, edit.after)
}

function isTick(before: string, after: string): boolean {
  return before !== after && withoutMarks(before) === withoutMarks(after)
}

const MARK = /\[[^[\]\n]{1,3}\]/g
/** In a plan of data: the value of the key that says a task's state. */
const VALUE =
  /("?(?:passes|completed?|done|status)"?[ \t]*:[ \t]*)(?:true|false|"[\w -]{1,20}"|[\w-]{1,20})(?=[ \t]*(?:,[ \t]*)?$)/gm

function withoutMarks(text: string): string {
  return text.replace(MARK, "[]").replace(VALUE, "$1")
}
