// Writes the line that replaces an old output.
import { quote } from "./quote.ts"

const START = "[boulder: old output of"

/** The line that replaces an old output which can be produced again. Budget: 60 tokens (o200k). */
export function clearedOutput(tool: string, what: string, chars: number): string {
  return `${START} ${quote(tool, 4)} ${quote(what, 30)} cleared, ${chars} characters; call it again if you need it]`
}

/** Whether a text already replaces an output. */
export function isCleared(output: string): boolean {
  return output.startsWith(START)
}
