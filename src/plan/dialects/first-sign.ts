// What the sign says that a row, a cell or a title begins with.
import { stateOfSigned } from "../model/state-words.ts"

/** What a text begins with, behind emphasis. */
const FIRST = /^[*_~`]{0,4}(\P{ASCII})/u
/** Signs that stand before words as often for a priority, a plan or what is missing as for a state. */
const OF_OTHERS = /[🔵🟡🔴📋❌❎]/u

/** What such a sign says, whatever words stand behind it; `perhaps`: that something is left, in a list of work. */
export function shownFirst(text: string): "done" | "left" | "blocked" | "perhaps" | null {
  const sign = FIRST.exec(text)?.[1] ?? ""
  if (OF_OTHERS.test(sign)) return "perhaps"
  const state = stateOfSigned(sign)
  return state === "open" || state === "in_progress" ? "left" : state === "cancelled" ? null : state
}

/** Whether a row of work begins with a sign of what is left. */
export function showsLeft(row: string): boolean {
  const shown = shownFirst(row)
  return shown === "left" || shown === "perhaps"
}
