// Tells what has happened since the last text besides a tool's result: lost calls, ticks without proof.
import type { HowLost, TickNews, TurnedDown } from "../decide/decision.ts"
import type { PlanKeys } from "../plan/match-tasks.ts"
import { firstWithin, linesCost } from "./first-within.ts"
import type { HostWords } from "./host-words.ts"
import { minuteWords } from "./pause-words.ts"
import { changedLines, editedLines, unprovenLines } from "./proof-words.ts"
import { quoteKey } from "./quote.ts"
import { reuseHint } from "./reuse-hint.ts"

/** A lost call as it is told: its limit may be over, and its task renumbered or gone. */
export type LostToTell = (HowLost | { readonly kind: "limit-over" }) & {
  readonly taskKey: string | null
}

/** Keys that changed when the plan was renumbered, each with its task, and all keys as they are now. */
export interface Renumbered {
  readonly moves: readonly { readonly from: string; readonly to: string }[]
  readonly keys: PlanKeys
}

/** What has happened since the last text. */
export interface News extends Partial<TickNews> {
  /** Calls that were lost through no fault of the orchestrator. */
  readonly lost: readonly LostToTell[]
  /** Keys that now name other tasks than when they were told. */
  readonly renumbered?: Renumbered | null
  /** Tasks that have just failed their verification once too often. */
  readonly turnedDown?: readonly TurnedDown[]
}

const SHOWN_LOST = 2
const SHOWN_MOVES = 3
const MOVES_TOKENS = 45
/** The tokens of a line about the rest. */
const REST_TOKENS = 10

/** What else has happened, within `tokens` by estimate: the first of each kind, and how many more. `isOpen`: the turn goes on. */
export function newsLines(
  { renumbered, lost: calls, unproven = [], edited = [], changed = [], turnedDown = [] }: News,
  room: { readonly tokens: number; readonly isOpen: boolean; readonly words: HostWords },
): readonly string[] {
  const moved = renumbered ? [renumberedLine(renumbered.moves)] : []
  const tokens = room.tokens - linesCost(moved)
  const lost = firstWithin(
    calls.map((one) => lostWords(one, room.isOpen)),
    {
      most: SHOWN_LOST,
      tokens: tokens - (unproven.length === 0 ? 0 : REST_TOKENS),
      rest: (left, shown) =>
        `${left}${shown > 0 ? " more" : ""} ${left === 1 ? "subagent" : "subagents"} ended early.`,
    },
  )
  const checks = changedLines(changed, tokens - linesCost(lost))
  const ticks = unprovenLines(unproven, tokens - linesCost([...lost, ...checks]))
  const judges = editedLines(edited)
  const steps = turnedDown
    .slice(0, 1)
    .map((one) => turnedDownWords(one, room.words))
    .filter((line) => line !== null)
  // What does not fit is left out whole, starting with what matters least for the next act.
  const choices = [
    [...lost, ...steps, ...checks, ...ticks, ...judges],
    [...lost, ...steps, ...checks, ...ticks],
    [...lost, ...checks, ...ticks],
  ]
  const least = checks.length === 0 ? ticks : checks
  const told = choices.find((lines) => linesCost(lines) <= tokens) ?? [...lost, ...least]
  return [...moved, ...told]
}

function renumberedLine(moves: Renumbered["moves"]): string {
  const words = moves
    .slice(0, SHOWN_MOVES)
    .map(({ from, to }) => `${quoteKey(from)} is ${quoteKey(to)} now`)
  for (let shown = words.length; shown > 0; shown -= 1) {
    const left = moves.length - shown
    const rest = left === 0 ? "" : `, and ${left} more: read the plan`
    const line = `The plan was renumbered: ${words.slice(0, shown).join(", ")}${rest}.`
    if (linesCost([line]) <= MOVES_TOKENS) return line
  }
  return "The plan was renumbered: read it again."
}

/** Who goes on with a task whose results were rejected too often. */
function turnedDownWords(one: TurnedDown, words: HostWords): string | null {
  return one.kind === "fresh"
    ? reuseHint(one.taskKey, one.reuse, words)
    : `${quoteKey(one.taskKey)} is blocked: ${one.failed} failed verifications.`
}

/** Why a call was lost; what to do about it is said only in a turn that goes on. */
function lostWords(lost: LostToTell, isOpen: boolean): string {
  const whose = lost.taskKey === null ? "A subagent" : `The subagent of ${quoteKey(lost.taskKey)}`
  const then = (order: string): string => (isOpen ? `: ${order}.` : ".")
  // A task that is gone need not be delegated again.
  const again = lost.taskKey === null ? "." : then("delegate its task again")
  switch (lost.kind) {
    case "silent":
      return `${whose} was silent for ${lost.minutes} min and was ended${again}`
    case "limited":
      if (lost.until === null)
        return `${whose} reached its provider's limit once more${then("leave its task, the user is asked")}`
      return `${whose} reached its provider's limit, which lasts until ${minuteWords(lost.until)}${then("delegate other tasks until then")}`
    case "limit-over":
      return `${whose} was ended by its provider's limit, which is over${again}`
  }
}
