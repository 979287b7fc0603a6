// Reads headings that are tasks: their steps, their states, and what is odd about them.

import { belowReader, filledHeadings, type Heading, titleIndex } from "../blocks/blocks.ts"
import { headingWords } from "../dialects/heading-words.ts"
import { lacks } from "../model/leaves-done.ts"
import { type MarkerTable, type Meaning, meaningOf } from "../model/markers.ts"
import { once } from "../model/once.ts"
import {
  isSettled,
  isSettledState,
  isWorkable,
  type PlanWarning,
  type StatusWord,
  type Step,
  type Task,
  type TaskState,
} from "../model/plan.ts"
import { stateOfSigned } from "../model/state-words.ts"
import { cleanTitle, namedTitle, saysDone } from "../model/title.ts"
import type { Entry, SortedRows } from "../tasks/rows.ts"
import { heldAtEnd, heldIn } from "../tasks/text-warnings.ts"
import { namedHeadings } from "./named-headings.ts"
import { isTemplate, type StatusLine, statusBegin, statusWordFor } from "./status-lines.ts"

/** What is read of a heading that is a task: its state, and the parts of its task. */
export interface HeadingTask {
  /** Null for an unknown status. */
  readonly meaning: Meaning | null
  readonly parts: Pick<Task, "steps" | "status" | "marker" | "optional">
}

interface Reading {
  readonly tables: readonly MarkerTable[]
  readonly statuses: SortedRows["statuses"]
  readonly warnings: PlanWarning[]
}

/** Reads a heading that is a task: the boxes below it determine its state, or its status line if there are none. */
export function readHeading(
  { row }: Entry,
  below: readonly Entry[],
  reading: Reading,
): HeadingTask {
  const said = reading.statuses.get(row.index)
  const steps = readSteps(below, reading)
  const hasSteps = steps.length > 0
  if (!hasSteps && said?.state === null) reading.warnings.push(unknownStatus(said))
  return {
    meaning: hasSteps ? { state: stateOfSteps(steps) } : meaningOfHeading(said, row.box.text),
    parts: {
      steps,
      marker: hasSteps ? "" : (said?.word ?? ""),
      optional: hasSteps && steps.every(({ optional }) => optional),
      ...(said === undefined ? {} : { status: statusOf(said) }),
    },
  }
}

/** The state of a heading without steps: by its status, else its title; null for an unknown status. */
export function meaningOfHeading(said: StatusLine | undefined, title: string): Meaning | null {
  if (said === undefined) return { state: saysDone(title) ? "done" : "open" }
  return said.state === null ? null : { state: said.state }
}

function statusOf({ index, word, at }: StatusLine): StatusWord {
  return { line: index + 1, word, at }
}

/** An unknown marker gets a warning. */
function readSteps(parts: readonly Entry[], { tables, warnings }: Reading): readonly Step[] {
  return parts.map(({ row }) => {
    const { marker, starred, text } = row.box
    const line = row.index + 1
    const meaning = meaningOf(marker, tables)
    if (meaning === null) warnings.push(unknownMarker(line, marker, "step"))
    const state = meaning?.state ?? "open"
    return { line, title: cleanTitle(text), state, marker, optional: starred }
  })
}

function unknownStatus({ index, said }: StatusLine): PlanWarning {
  const what = said === "" ? "The Status is empty" : `The Status "${said}" is unknown`
  const message = `${what}: the task counts as open and is not run.`
  return { line: index + 1, rule: "unknown-marker", message }
}

/** A warning about an unknown marker: a task or step with it counts as open. */
export function unknownMarker(line: number, marker: string, what: "task" | "step"): PlanWarning {
  const message = `No state is known for the marker [${marker}]: the ${what} counts as open${what === "task" ? " and is not run" : ""}. A line such as \`Legend: [${marker}] = done\` says what it means.`
  return { line, rule: "unknown-marker", message }
}

/**
 * A warning about headings that are tasks but have neither a box nor a status: nothing can be ticked there yet. It advises the line that a
 * mark would write.
 */
export function withoutBox(
  tasks: readonly Task[],
  lines: readonly string[],
): readonly PlanWarning[] {
  const found = tasks.filter(
    (task) => task.steps?.length === 0 && task.status === undefined && !isSettled(task),
  )
  const [first] = found
  if (first === undefined) return []
  const more = found.length === 1 ? "" : ` and ${found.length - 1} more`
  const said = tasks.flatMap(({ status }) => status ?? [])
  const [like] = said
  const lack = like === undefined ? "no box" : "neither box nor Status"
  const advice =
    like === undefined
      ? "write [x] before the heading's words"
      : `write "${doneLike(like, said, lines)}" there`
  const [have, they] =
    found.length === 1
      ? ["has", "its heading: once it is"]
      : ["have", "their headings: once one is"]
  const message = `${first.key}${more} ${have} ${lack} below ${they} done, ${advice}.`
  return [{ line: first.line, rule: "headings-without-box", message }]
}

/** A status line that says done, written like this one, with the word in use. */
function doneLike(
  { line, at, word }: StatusWord,
  said: readonly StatusWord[],
  lines: readonly string[],
): string {
  const used = said.map((each) => each.word)
  const begin = statusBegin((lines[line - 1] ?? "").slice(0, at)).trimStart()
  return begin + statusWordFor("done", word, used)
}

/** Warnings about open tasks below a heading that its words or its `Status:` call done, held up or left out: the boxes count. */
export function statusAgainstRows(
  { statuses, blocks: { headings } }: SortedRows,
  tasks: readonly Task[],
): readonly PlanWarning[] {
  const open = tasks.filter(({ state }) => isWorkable(state))
  const title = titleIndex(headings)
  const saidBy = ({ index, text }: Heading) => {
    const status = statuses.get(index)
    return status === undefined && index === title ? undefined : saidAt(status, text)
  }
  const said = new Map(headings.map((each) => [each.index, saidBy(each)]))
  return AGAINST.flatMap((state) => {
    const says = ({ index }: Heading) => said.get(index)?.state === state
    const isAt = belowReader(headings, says)
    const isAll = said.get(title)?.state === state
    const [first, ...others] = open.filter(({ line }) => isAll || isAt(line - 1))
    if (first === undefined) return []
    const isAround = ({ index, end }: Heading) => index < first.line - 1 && first.line <= end
    const by = headings.findLast((each) => isAround(each) && says(each))?.index ?? title
    const word = namedTitle(said.get(by)?.word ?? state, 40)
    const are = others.length === 0 ? "1 task is" : `${others.length + 1} tasks are`
    const where = by === title ? "in a plan" : "below a heading"
    const message = `${are} open ${where} that says "${word}", the first is ${first.key}: the boxes count. Tick what is done, or change what it says.`
    return [{ line: first.line, rule: "status-against-boxes", message }]
  })
}

const AGAINST: readonly TaskState[] = ["done", "blocked", "cancelled"]

/**
 * What a status says, or else the end of a heading or all its words. That something is held up is said with a condition too, `Deferred until
 * May`.
 */
function saidAt(status: StatusLine | undefined, text: string): Pick<StatusLine, "word" | "state"> {
  if (status?.state !== undefined && status.state !== null) return status
  const held =
    status === undefined ? heldAtEnd(text) : isTemplate(status) ? "" : heldIn(status.said)
  const word = held ?? (status === undefined ? headingWords(text) : "")
  return { word, state: stateOfSigned(word) }
}

/**
 * A warning about headings that are no tasks beside the plan's rows and whose `Status:` says that they are not settled; about any such
 * heading if all tasks are settled, so that no plan is complete without a word.
 */
export function unreadStatus(sorted: SortedRows, tasks: readonly Task[]): readonly PlanWarning[] {
  const isOver = tasks.length > 0 && tasks.every(isSettled)
  const others = sorted.blocks.headings.filter(({ level, isRow }) => level > 1 && !isRow)
  const left = unsettled(sorted, isOver ? others : sorted.unread)
  const [first] = left
  if (first === undefined) return []
  const open =
    left.length === 1
      ? "1 heading says a Status that is not done, and is no task next to the rows"
      : `${left.length} headings say a Status that is not done, and are no tasks next to the rows; the first`
  const message = `${open}: "${namedTitle(first.text, 80)}".`
  return [{ line: first.index + 1, rule: "unread-status", message }]
}

/**
 * Those of these headings whose `Status:` says that they are not settled. A remark after "done" that nobody can read adds nothing to the ✅
 * of the heading or the status, or to ticked rows, unless it mentions something missing.
 */
export function unsettled(
  { statuses, blocks }: Pick<SortedRows, "statuses" | "blocks">,
  headings: readonly Heading[],
): readonly Heading[] {
  const filled = once(() => filledHeadings(blocks.headings, blocks.rows))
  return headings.filter(({ index, text }) => {
    const said = statuses.get(index)
    if (said?.isKnown !== true || isSettledState(said.state)) return false
    const isTicked = saysDone(said.said) || filled().has(index)
    const isTold = saysDone(text) || (isTicked && !lacks(said.said))
    return said.state !== null || !isTold
  })
}

/** The headings without rows that say a known status and would be tasks if the plan had no rows. */
export function withStatus({ statuses, blocks }: SortedRows): readonly Heading[] {
  if (statuses.size === 0) return []
  const filled = filledHeadings(blocks.headings, blocks.rows)
  const isOne = ({ index }: Heading) => statuses.get(index)?.isKnown === true && !filled.has(index)
  const { found } = namedHeadings({ ...blocks, rows: [] }, statuses)
  return found.map(({ heading }) => heading).filter(isOne)
}

/** The state of a heading by the boxes below it: done if all are settled, in progress if some are. */
function stateOfSteps(all: readonly Step[]): TaskState {
  const required = all.filter(({ optional }) => !optional)
  const steps = required.length === 0 ? all : required
  const left = steps.filter((step) => !isSettled(step))
  if (left.length === 0) return steps.some(({ state }) => state === "done") ? "done" : "cancelled"
  if (left.every(({ state }) => state === "blocked")) return "blocked"
  return steps.some(({ state }) => state === "done" || state === "in_progress")
    ? "in_progress"
    : "open"
}

/** The first unfinished step of a heading task; null if there is none, or the task is no heading. */
export function nextStep({ steps = [] }: Pick<Task, "steps">): Step | null {
  const left = steps.filter(({ state }) => isWorkable(state))
  return left.find(({ optional }) => !optional) ?? left[0] ?? null
}
