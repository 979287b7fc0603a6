// The line in the place of an old output.
import { quote } from "./quote.ts"

const START = "[boulder: old output of"

/** What stands in the place of an old output that can be had again: one line. Budget: 60 tokens (o200k). */
export function clearedOutput(tool: string, what: string, chars: number): string {
  return `${START} ${quote(tool, 4)} ${quote(what, 30)} cleared, ${chars} characters; call it again if you need it]`
}

/** Whether a text stands in the place of an output already. */
export function isCleared(output: string): boolean {
  return output.startsWith(START)
}
