// Reads the sign that a row, a cell or a title begins with.
import { stateOfSigned } from "../model/state-words.ts"

/** The first character of a text, after emphasis. */
const FIRST = /^[*_~`]{0,4}(\P{ASCII})/u
/** Signs that stand for a priority, a plan or something missing as often as for a state. */
const OF_OTHERS = /[🔵🟡🔴📋❌❎]/u

/** What such a sign says, whatever words follow; `perhaps`: in a list of work, that something is left. */
export function shownFirst(text: string): "done" | "left" | "blocked" | "perhaps" | null {
  const sign = FIRST.exec(text)?.[1] ?? ""
  if (OF_OTHERS.test(sign)) return "perhaps"
  const state = stateOfSigned(sign)
  return state === "open" || state === "in_progress" ? "left" : state === "cancelled" ? null : state
}

/** Whether a row of work begins with a sign for something that is left. */
export function showsLeft(row: string): boolean {
  const shown = shownFirst(row)
  return shown === "left" || shown === "perhaps"
}
