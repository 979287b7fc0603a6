// The window: its tasks, their sessions and details, what waits for them; within a budget.
// Over 250 lines: what a line says and what it may take of the room are decided together.
import type { ProofSummary, Reuse } from "../decide/decision.ts"
import type { Task } from "../plan/model/plan.ts"
import { REMOVE_REJECTION } from "./approval-words.ts"
import { type CostOf, keptCosts, sharesOf } from "./first-within.ts"
import type { HostWords } from "./host-words.ts"
import { blockWords, isOfWave, type Settling } from "./how-to-work.ts"
import { minuteWords } from "./pause-words.ts"
import { summaryWords } from "./proof-words.ts"
import { estimateTokens, mostTokens, quote, quoteKey } from "./quote.ts"
import { reuseHint, sendBackWords } from "./reuse-hint.ts"
import { linesInPlan, type TaskLines, taskLine } from "./task-lines.ts"

/** A task of the window. */
export interface ShownTask {
  readonly task: Task
  /** What stands below its row in the plan; "" for a task that is only a row. */
  readonly details: string
  /** The file of its shard, and where the task stands in it; null without shards. */
  readonly shard: { readonly path: string; readonly lines: TaskLines } | null
  /** Its session, or why to start fresh; null if reuse is off. */
  readonly reuse: Reuse | null
  /**
   * Its last result, if it is neither settled nor rejected, whether or not its session may get the task again. A result that says it could
   * not go on settles nothing, one whose tick was taken back was not right, a review may be outdated, and one that passed may still be
   * rejected by the plan's own text. Null for none.
   */
  readonly back: "result" | "blocked" | "unticked" | "outdated" | "rejected-in-plan" | null
  /** A row of the final wave that is back without an objection and waits for the others. */
  readonly isReviewed: boolean
  /** Until when its provider's limit holds it up: an ISO time, or until its user says so; null if none does. */
  readonly limitedUntil: string | "asked" | null
}

/** The window as our texts show it. */
export interface ShownWindow {
  readonly tasks: readonly ShownTask[]
  /** Where the plan says what holds for every task, by lines of the first task's file; null if nowhere. */
  readonly rules: TaskLines | null
  /** Open tasks that wait for others, each with the keys it waits for. */
  readonly waiting: readonly { readonly key: string; readonly for: readonly string[] }[]
  /** Before the final wave: the ticked tasks with checks, by what they are based on; null if none has one. */
  readonly proof?: ProofSummary | null
}

/** The window of an approved wave: none of its rows is redone, awaited or sent back, and no rule of work applies. */
export function approvedWindow(window: ShownWindow): ShownWindow {
  const tasks = window.tasks.map((shown) => ({
    ...shown,
    task: { ...shown.task, rejected: false, state: "open" as const },
    reuse: null,
    back: null,
    isReviewed: false,
    limitedUntil: null,
  }))
  return { ...window, tasks, rules: null }
}

/** A cut path leads nowhere: it is shown whole or not at all. */
const PATH_TOKENS = 58
const WAITING_TOKENS = 44
const SHOWN_WAITING = 3
const HELD_TOKENS = 50
const PROOF_TOKENS = 80

/** Lays out the window's lines. */
export function layOut(
  window: ShownWindow,
  {
    withRules,
    words,
    settling,
  }: {
    readonly withRules: boolean
    readonly words: HostWords
    readonly settling: Settling
  },
) {
  const { tasks } = window
  const costOf = keptCosts()
  const shown = linesShownOf(tasks, withRules ? window.rules : null)
  const states = tasks.map((one) => stateLine(one, settling))
  const lines = tasks.map((one, index) => sessionLine(one, states[index] ?? null, words))
  const heads = costOf(shown.heads)
  const rowsIn = rowsReader(window, shown, costOf)
  const rowsCut = costOf(rowsIn(0))
  return {
    /** The least that they take, by estimate: the rows with their titles cut, and what must not be left out. */
    least: heads + rowsCut + costOf(states),
    /**
     * The lines in at most `tokens` by estimate; the rows are always there. Everything else is shown whole or not at all, the most needed
     * first: sessions, what waits, the next task's details.
     */
    within(tokens: number) {
      const kept = linesKept(
        window,
        { lines, states },
        { tokens: tokens - heads - rowsCut, costOf },
      )
      const rows = rowsIn(tokens - heads - costOf(kept))
      let left = tokens - heads - costOf([...rows, ...kept])
      const taken = (line: string | null, instead: string | null = null): readonly string[] => {
        const cost = line === instead ? 0 : costOf([line]) - costOf([instead])
        if (line === null || cost > left) return instead === null ? [] : [instead]
        left -= cost
        return [line]
      }
      const sessions = lines.map((line, index) => taken(line, kept[index]))
      const waiting = [...taken(proofLine(window)), ...taken(waitingLine(window))]
      // Only the next task's: the others' would be said again when their turn comes.
      const details = tasks.slice(0, 1).map((one) => taken(detailsLine(one)))
      return [
        ...tasks.flatMap((_, index) => [
          ...((shown.heads[index] ?? null) === null ? [] : [shown.heads[index] ?? ""]),
          rows[index] ?? "",
          ...(details[index] ?? []),
          ...(sessions[index] ?? []),
        ]),
        ...waiting,
      ]
    },
  }
}

/**
 * What stands below each row however long the titles are, null for nothing: first that a task must be left, then how else it stands, then
 * the session of a result that is back.
 */
function linesKept(
  { tasks }: ShownWindow,
  { lines, states }: Record<"lines" | "states", readonly (string | null)[]>,
  { tokens, costOf }: { readonly tokens: number; readonly costOf: CostOf },
): readonly (string | null)[] {
  const kept = tasks.map((): string | null => null)
  let left = tokens
  const keep = (index: number, line: string | null): void => {
    const cost = costOf([line]) - costOf([kept[index] ?? null])
    if (line === null || cost > left) return
    left -= cost
    kept[index] = line
  }
  for (const [index, one] of tasks.entries()) keep(index, limitLine(one))
  for (const [index, state] of states.entries()) keep(index, state)
  for (const [index, { back }] of tasks.entries())
    if (back !== null) keep(index, lines[index] ?? null)
  return kept
}

interface LinesShown {
  /** A line before each task that is in another file than the previous one; null for no line. */
  readonly heads: readonly (string | null)[]
  readonly ranges: readonly (TaskLines | null)[]
}

/** One file for all line numbers: each task's shard, or the plan if there is no room for a shard's path. */
function linesShownOf(tasks: readonly ShownTask[], rules: TaskLines | null): LinesShown {
  const paths = [...new Set(tasks.map(({ shard }) => shard?.path ?? null))]
  const fits = (tokensOf: (text: string) => number) =>
    paths.reduce((sum, path) => sum + tokensOf(path ?? ""), 0) <= PATH_TOKENS * 1.5
  const isShown = !paths.includes(null) && (fits(mostTokens) || fits(estimateTokens))
  let before: string | null = null
  const heads = tasks.map(({ shard }, index) => {
    const path = isShown ? (shard?.path ?? "") : ""
    if (path === before) return null
    before = path
    return path === "" ? headOfPlan(tasks) : headOf(path, index === 0 ? { rules } : null)
  })
  const ranges = tasks.map(({ task, shard }) =>
    isShown ? (shard?.lines ?? null) : linesInPlan(task),
  )
  return { heads, ranges }
}

function headOfPlan(tasks: readonly ShownTask[]): string {
  return tasks.some(({ task }) => linesInPlan(task) !== null)
    ? "Next (lines of the plan):"
    : "Next:"
}

function headOf(path: string, first: { readonly rules: TaskLines | null } | null): string {
  const rules = first?.rules ?? null
  const held =
    rules === null ? "" : `; read lines ${rules.from}-${rules.to} first, they hold for every task`
  return `${first === null ? "And" : "Next"} (lines of ${quote(path, 2 * PATH_TOKENS)}${held}):`
}

/** Shows every title whole if that fits; else each row has its share, and the others may use what one does not. */
function rowsReader(
  { tasks }: ShownWindow,
  { ranges }: LinesShown,
  costOf: CostOf,
): (tokens: number) => readonly string[] {
  const rowIn = (task: Task, index: number, room: number): string =>
    taskLine(task, ranges[index] ?? null, { isFirst: index === 0, tokens: room })
  const whole = tasks.map(({ task }, index) => rowIn(task, index, Number.POSITIVE_INFINITY))
  const needs = whole.map((row) => costOf([row]))
  return (tokens) => {
    const shares = sharesOf(needs, tokens)
    return tasks.map(({ task }, index) => {
      const [need = 0, share = 0] = [needs[index], shares[index]]
      return need <= share ? (whole[index] ?? "") : rowIn(task, index, share)
    })
  }
}

/**
 * A task's details, word for word except for backticks: a command that has to be changed for our frame is another command, and is read in
 * the task's lines instead.
 */
function detailsLine({ task, details, shard }: ShownTask): string | null {
  const hasLines = shard !== null || linesInPlan(task) !== null
  if (details.trim() === "" || (hasLines && /[<>]/.test(details))) return null
  return `  ${quote(details, 4_000)}`
}

function sessionLine(shown: ShownTask, state: string | null, words: HostWords): string | null {
  const { task, reuse } = shown
  if (isLeft(shown)) return state
  const hint = reuse === null ? null : reuseHint(task.key, reuse, words)
  return hint === null ? state : `${state ?? " "} ${hint}`
}

/** How a task of the window stands, if that changes what to do with it; null if not. */
function stateLine(shown: ShownTask, settling: Settling): string | null {
  const { back, isReviewed } = shown
  const limit = limitLine(shown)
  if (limit !== null) return limit
  if (isReviewed)
    return "  It is back without an objection, and waits for the other rows: leave it."
  const held = heldYet(shown)
  if (held !== null)
    return `  It is ticked, but ${quote(held, HELD_TOKENS)}: it counts once its check exits with 0.`
  return back === null ? null : `  ${backWords(shown, settling)}`
}

/** Nothing is delegated for it now. */
function isLeft(shown: ShownTask): boolean {
  const isPassed = shown.isReviewed || shown.back === "rejected-in-plan"
  return isPassed || shown.limitedUntil !== null || heldYet(shown) !== null
}

/** Why it is held, while only its check is missing; null if its subagent says that it cannot go on. */
export function heldYet({ task, back }: ShownTask): string | null {
  return back === "blocked" ? null : (task.held ?? null)
}

function limitLine({ limitedUntil: until }: ShownTask): string | null {
  if (until === null) return null
  return until === "asked"
    ? "  Every attempt hit the provider's usage limit. Leave it; the user has been asked."
    : `  It waits for its provider's limit until ${minuteWords(until)}: leave it until then.`
}

/** What to do with a result that is back, depending on whether its session may get the task again. */
function backWords({ task, reuse, back }: ShownTask, settling: Settling): string {
  if (back === "blocked")
    return `Its last result was BLOCKED: if that still holds, ${blockWords("it", task, settling)}, else ${sendBackWords(reuse)}.`
  if (back === "rejected-in-plan") return `It is back without an objection. ${REMOVE_REJECTION}.`
  if (back === "outdated") return "The work may have changed since this review: run it again."
  if (isOfWave(task))
    return `It is back without a verdict: ${reuse?.kind === "reuse" ? "have its session give one" : "run it again"}.`
  if (back === "unticked")
    return `Its tick was taken back: find out why, then ${sendBackWords(reuse)}.`
  return `A result is back: settle it if it is finished and right, else ${sendBackWords(reuse)}.`
}

function proofLine({ proof = null }: ShownWindow): string | null {
  return proof === null || proof.unproven.length === 0
    ? null
    : `Proven: ${quote(summaryWords(proof), PROOF_TOKENS)}.`
}

function waitingLine({ waiting }: ShownWindow): string | null {
  if (waiting.length === 0) return null
  const words = waiting
    .slice(0, SHOWN_WAITING)
    .map((one) => `${quoteKey(one.key)} for ${one.for.map((key) => quoteKey(key)).join(" and ")}`)
  return quote(`Waiting: ${words.join("; ")}.`, WAITING_TOKENS)
}
