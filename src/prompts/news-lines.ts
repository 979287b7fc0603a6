// What has happened since the last text besides what a tool has brought: lost calls, ticks without proof.
import type { EditedJudges, LostCall, UnprovenTick } from "../decide/decision.ts"
import { firstWithin, linesCost } from "./first-within.ts"
import { minuteWords } from "./pause-words.ts"
import { editedLines, unprovenLines } from "./proof-words.ts"
import { quote } from "./quote.ts"

/** A call that was lost, as it is told: its limit may be over by then. */
export type LostToTell = LostCall | { readonly taskKey: string | null; readonly kind: "limit-over" }

/** What has happened since the last text. */
export interface News {
  /** Calls that were lost since the last text, without the orchestrator's doing. */
  readonly lost: readonly LostToTell[]
  /** New ticks that their tasks' checks do not prove. */
  readonly unproven?: readonly UnprovenTick[]
  /** New ticks whose tasks have edited what judges them. */
  readonly edited?: readonly EditedJudges[]
}

const SHOWN_LOST = 2
/** What a line on the rest takes. */
const REST_TOKENS = 10

/** What has happened besides, within `tokens` by estimate: the first of each kind, and how many more. `isOpen`: the turn goes on. */
export function newsLines(
  { lost: calls, unproven = [], edited = [] }: News,
  { tokens, isOpen }: { readonly tokens: number; readonly isOpen: boolean },
): readonly string[] {
  const lost = firstWithin(
    calls.map((one) => lostWords(one, isOpen)),
    {
      most: SHOWN_LOST,
      tokens: tokens - (unproven.length === 0 ? 0 : REST_TOKENS),
      rest: (left, shown) =>
        `${left}${shown > 0 ? " more" : ""} ${left === 1 ? "subagent" : "subagents"} ended early.`,
    },
  )
  const ticks = unprovenLines(unproven, tokens - linesCost(lost))
  const judges = editedLines(edited)
  const all = [...lost, ...ticks, ...judges]
  return linesCost(all) <= tokens ? all : [...lost, ...ticks]
}

/** Why a call was lost; what is to be done about it only in a turn that goes on. */
function lostWords(lost: LostToTell, isOpen: boolean): string {
  const whose = lost.taskKey === null ? "A subagent" : `The subagent of ${quote(lost.taskKey, 13)}`
  const then = (order: string): string => (isOpen ? `: ${order}.` : ".")
  switch (lost.kind) {
    case "silent":
      return `${whose} was silent for ${lost.minutes} min and was ended${then("delegate its task again")}`
    case "limited":
      return `${whose} reached its provider's limit, which lasts until ${minuteWords(lost.until)}${then("delegate other tasks until then")}`
    case "limit-over":
      return `${whose} was ended by its provider's limit, which is over${then("delegate its task again")}`
  }
}
