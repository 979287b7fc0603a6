// Writes what `/start-work` shows the orchestrator and, through it, the user.
import type { BlockedTask } from "../boulder/blocked-tasks.ts"
import { formatName } from "../plan/formats.ts"
import { type Plan, settledCount } from "../plan/model/plan.ts"
import { tickTheWave } from "./approval-words.ts"
import { blockedLines } from "./blocked-lines.ts"
import { linesCost, sharesOf } from "./first-within.ts"
import { frame } from "./frame.ts"
import type { HostWords } from "./host-words.ts"
import { howToWork, type Settling } from "./how-to-work.ts"
import { planWords } from "./plan-words.ts"
import { estimateTokens, quote } from "./quote.ts"
import { type Typed, unblocking } from "./typed-command.ts"
import { approvedWindow, layOut, type ShownWindow } from "./window-lines.ts"

const MAX_NOTES = 3
/** Shared by the notes that are shown: a single one may be long. */
const NOTES_TOKENS = 80
/** The same if a line about waiting tasks stands beside them. */
const NOTES_TOKENS_BESIDE = 50

/** Budget: 600 tokens (o200k); the frame and the line ends come on top of the estimate. */
const TOKENS = 592

/** What the text of a start is made from. */
export interface StartFacts {
  readonly planName: string
  readonly planPath: string
  readonly plan: Plan
  readonly resumed: boolean
  readonly window: ShownWindow
  readonly settling: Settling
  readonly words: HostWords
  /** What the user should know: who led before, what was upgraded, what is odd in the plan. */
  readonly notes: readonly string[]
  readonly waveApproved?: boolean
  /** The user's earlier approval of the wave no longer holds. */
  readonly approvalLapsed?: boolean
  /** The line about tasks that were left unfinished; null, or missing, if none wait. */
  readonly waiting?: string | null
  /** The blocked tasks, if nothing else is left. */
  readonly blocked?: readonly BlockedTask[]
  /** Commands about the work, as typed in a shell. */
  readonly typed: Typed
}

/** What `/start-work` shows the orchestrator and, through it, the user. */
export function startText(facts: StartFacts): string {
  const { words } = facts
  const window = facts.waveApproved === true ? approvedWindow(facts.window) : facts.window
  const first = window.tasks[0]
  // If nothing can be worked on, what waits is said below, or is of no use now.
  const waiting = first === undefined ? null : (facts.waiting ?? null)
  const before = [
    headOf(facts),
    ...noteLines(facts.notes, waiting === null ? NOTES_TOKENS : NOTES_TOKENS_BESIDE),
    first === undefined ? null : orders(facts),
    waiting,
  ].filter((line) => line !== null)
  const tokens = TOKENS - estimateTokens(before.join("\n"))
  return frame([
    ...before,
    ...(first === undefined
      ? nothingToDo(facts, tokens)
      : layOut(window, { withRules: true, words, settling: facts.settling }).within(tokens)),
  ])
}

/** The model neither starts nor resumes a plan that waits. */
function headOf(facts: StartFacts): string {
  const { plan, resumed, window, blocked = [] } = facts
  const isWaiting = window.tasks.length === 0 && blocked.length > 0
  const act = isWaiting ? "The plan" : `${resumed ? "Resume" : "Start"} the plan`
  return `${planWords(act, facts)}${isWaiting ? " has only blocked tasks left" : ""}: ${readLine(plan)}`
}

function orders(facts: StartFacts): string {
  const { window, settling, words } = facts
  const tasks = window.tasks.map(({ task }) => task)
  return facts.waveApproved === true
    ? tickTheWave(tasks, settling)
    : howToWork(tasks[0], settling, words, facts.approvalLapsed)
}

function nothingToDo({ blocked = [], typed }: StartFacts, tokens: number): readonly string[] {
  if (blocked.length === 0) return ["Nothing is left to do: tell the user."]
  // What a block waits for does not unblock it by itself: a person must say that it is there.
  const tell = `Tell the user what would unblock them, and how to unblock one then: ${unblocking(typed)}. The work then resumes by itself. Then end your turn.`
  const room = { most: 3, tokens: tokens - linesCost([tell]) }
  return [tell, ...blockedLines(blocked, room, typed)]
}

/** What was read of a plan, in one line: format, tasks, and how many lines that look like tasks are none. */
export function readLine(plan: Plan): string {
  const { counts, ignored } = plan
  const tasks = counts.total === 1 ? "1 task" : `${counts.total} tasks`
  return `${quote(formatName(plan.dialect), 9)}, ${tasks}, ${settledCount(counts)} settled${ignoredPart(ignored.length)}.`
}

function ignoredPart(lines: number): string {
  if (lines === 0) return ""
  const words =
    lines === 1 ? "1 line looks like a task and is" : `${lines} lines look like tasks and are`
  return `; ${words} not counted (why: opencode-boulder plan)`
}

function noteLines(notes: readonly string[], tokens: number): readonly string[] {
  const first = notes.slice(0, MAX_NOTES)
  const shares = sharesOf(
    first.map((note) => estimateTokens(quote(note, tokens))),
    tokens,
  )
  const shown = first.map((note, index) => `Note: ${quote(note, shares[index] ?? 0)}`)
  const more = notes.length - shown.length
  return more > 0
    ? [...shown, `(${more} more: opencode-boulder doctor, opencode-boulder plan)`]
    : shown
}
