// Whether a tool may still run at the hard limit.
import { pathsInPatch } from "./paths-in-args.ts"

/** A tool call of the lead session, as its arguments tell it. */
export interface ToolCall {
  readonly tool: string
  readonly args: unknown
  /** The files that it names, relative to the root. */
  readonly paths: readonly string[]
}

/** The question to the user adds little, and what waits for its answer must not wait for a round. */
const ASKS = "question"

/** Whether a tool may still run at the hard limit: ours, a question, and an edit of the plan that only changes boxes. */
export function mayRunAtHardLimit(
  call: ToolCall,
  { planPath, ours }: { readonly planPath: string; readonly ours: ReadonlySet<string> },
): boolean {
  if (ours.has(call.tool) || call.tool === ASKS) return true
  const isOfPlan = call.paths.length > 0 && call.paths.every((path) => path === planPath)
  return isOfPlan && onlyTicks(call)
}

function onlyTicks({ tool, args }: ToolCall): boolean {
  if (tool === "edit") return isTick(textAt(args, "oldString"), textAt(args, "newString"))
  if (tool !== "apply_patch") return false
  const patch = textAt(args, "patchText")
  return pathsInPatch(patch).length === 1 && isTick(linesWith("-", patch), linesWith("+", patch))
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

function linesWith(sign: "-" | "+", patch: string): string {
  const lines = patch.split(/\r?\n/).filter((line) => line.startsWith(sign))
  return lines.map((line) => line.slice(1)).join("\n")
}

function textAt(args: unknown, name: string): string {
  const value: unknown = typeof args === "object" && args !== null ? Reflect.get(args, name) : null
  return typeof value === "string" ? value : ""
}
