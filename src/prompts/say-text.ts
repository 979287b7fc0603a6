// Makes the model say a text and nothing else.
import { frame } from "./frame.ts"
import { quote } from "./quote.ts"

const LINE_TOKENS = 200
const MAX_LINES = 20

/** For a command that is already done: the host starts a turn of the model all the same, so the model only repeats our words. */
export function sayText(lines: readonly string[]): string {
  return frame([
    "Tell the user exactly this and do nothing else:",
    ...lines.slice(0, MAX_LINES).map((line) => quote(line, LINE_TOKENS)),
  ])
}
