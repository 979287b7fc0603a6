// Shows a person what was read of a plan.

import type { BoxedLine, OfferedLines } from "../../plan/boxes/add-boxes.ts"
import { formatName, isAdapted } from "../../plan/formats.ts"
import { nextStep } from "../../plan/headings/heading-tasks.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { addTo } from "../../plan/model/once.ts"
import { type Plan, type PlanWarning, settledCount, type Task } from "../../plan/model/plan.ts"
import { columnsOf, fitLine, indentedLines, padLine, wrapLine } from "./columns.ts"
import { progressBar } from "./progress-bar.ts"

const MAX_TASKS = 500
const MAX_NOTES = 20
/** Warnings of one rule that are told one by one. */
const MAX_ALIKE = 3
const MAX_SHOWN_LINES = 12
const MAX_KEY = 20
/** The lines of a choice are not cut at this length: they have to be typed. */
const MAX_LINES = 20
/** Lines outside the tasks are mostly other things that the plan says. */
export const MAX_BESIDE = 5

const MARKS: Readonly<Record<Task["state"], string>> = {
  open: "·",
  in_progress: ">",
  blocked: "!",
  done: "x",
  cancelled: "-",
}

const STATES: Readonly<Record<Plan["state"], string>> = {
  open: "open",
  complete: "complete",
  "only-blocked": "only blocked tasks left",
  "rows-outside": "all tasks settled, but something open outside them",
  invalid: "no task found",
}

/** What was read of a plan, for a person; no line is longer than `columns`. */
export function planText(file: string, plan: Plan, columns: number): string {
  const lines = [
    ...wrapLine(
      `${cleanLine(file)}: ${cleanLine(formatName(plan.dialect))} (${cleanLine(plan.evidence)}), ${STATES[plan.state]}`,
      columns,
    ),
    ...(plan.counts.total === 0 ? [] : wrapLine(countsLine(plan), columns)),
    ...(plan.next === null ? [] : wrapLine(`Next: ${nextWords(plan.next)}`, columns)),
    ...taskTable(plan.tasks, columns),
    ...ignoredLines(plan, columns),
    ...warningLines(plan, columns),
    ...(plan.state === "invalid" && !isAdapted(plan.dialect)
      ? HOW_TO_WRITE.flatMap((line) => wrapped(line, columns))
      : []),
  ]
  return `${lines.join("\n")}\n`
}

/** The lines that got a box, each as it is now. */
export function boxesText(added: readonly BoxedLine[], columns: number): string {
  const shown = added
    .slice(0, MAX_NOTES)
    .map(({ line, text }) => fitLine(`  ${String(line).padStart(4)}  ${cleanLine(text)}`, columns))
  const more = added.length - shown.length
  const rest = more > 0 ? [`  and ${more} more`] : []
  const done = added.filter(({ isDone }) => isDone).length
  const ticked =
    done === 0 ? "" : `, ${done} of them with a tick, as the plan says that they are done`
  const what = `Boxes were written before ${added.length === 1 ? "1 line" : `${added.length} lines`}${ticked}:`
  const undo = `Nothing else was changed: to undo it, delete ${added.length === 1 ? "this box" : "these boxes"}.`
  return `${[...wrapped(what, columns), ...shown, ...rest, ...wrapped(undo, columns)].join("\n")}\n`
}

/** Why nothing in a plan without tasks may be one. */
export function noOffersText(lines: readonly string[], columns: number): string {
  const isEmpty = lines.every((line) => line.trim() === "")
  const why = isEmpty
    ? "The file is empty."
    : "No lines are offered for boxes: `--add-boxes` takes headings below the title and rows of lists."
  return `${wrapped(why, columns).join("\n")}\n`
}

/**
 * The lines that may be tasks, or that stand outside them, each with what to pass to `command`, which writes their boxes; "" if there are
 * none.
 */
export function offersText(
  offers: readonly OfferedLines[],
  { command, hasTasks }: { readonly command: string; readonly hasTasks: boolean },
  columns: number,
): string {
  if (offers.length === 0) return ""
  const shown = hasTasks ? offers.slice(0, MAX_BESIDE) : offers
  const example = shown
    .map(({ lines }) => /^(\d+)-(\d+)$/.exec(lines))
    .find((each) => each !== null)
  const [range, from, to] = example ?? []
  const like =
    range === undefined
      ? "Several can be given, separated by commas:"
      : `${range} is line ${from} and each line like it down to line ${to}; several can be given, separated by commas:`
  const what = hasTasks
    ? "These lines have no box, so they are not run."
    : `These lines may be ${offers.length === 1 ? "tasks" : "the tasks, the best guess first"}.`
  const head = [`${what} ${like}`]
  const width = Math.max(...shown.map(({ lines }) => Math.min(lines.length, MAX_LINES)))
  const rows = shown.flatMap((offer) => {
    const row = `  ${offer.lines.padEnd(width)}  ${offerWords(offer, columns - width - 4)}`
    return offer.lines.length > MAX_LINES ? wrapped(row, columns) : [fitLine(row, columns)]
  })
  const more = offers.length - shown.length
  if (more > 0) rows.push(`  and ${more} more (--json lists all)`)
  const [only, ...others] = offers.map(({ lines }) => lines)
  const typed = others.length === 0 ? only : "LINES"
  const how = hasTasks ? "To write boxes where they are tasks too:" : "To write boxes:"
  // A command is never wrapped: it is copied.
  return `${["", ...head.flatMap((line) => wrapped(line, columns)), ...rows, how, `  ${command} ${typed}`].join("\n")}\n`
}

function offerWords({ kind, count, first, last, below }: OfferedLines, columns: number): string {
  const what = `${count} ${count === 1 ? kind.replace(/s$/, "") : kind}`
  if (below !== null) return `${what} below "${cleanLine(below)}"`
  if (count === 1) return `${what}: ${cleanLine(first)}`
  const room = Math.floor((columns - columnsOf(`${what}:  to `)) / 2)
  return `${what}: ${fitLine(cleanLine(first), room)} to ${fitLine(cleanLine(last), room)}`
}

function nextWords(next: Task): string {
  const step = nextStep(next)
  const words = `${cleanLine(next.key)}${next.line === 0 ? "" : ` (line ${next.line})`}`
  return step === null ? words : `${words}: ${cleanLine(step.title)} (line ${step.line})`
}

const HOW_TO_WRITE = [
  "No task was found. A task is a checkbox at the start of a line:",
  "  - [ ] 1. Add the login route",
]

function countsLine({ counts }: Plan): string {
  const settled = settledCount(counts)
  const parts = [
    counts.total === 1 ? "1 task" : `${counts.total} tasks`,
    ...(["open", "in_progress", "blocked", "done", "cancelled", "optional"] as const)
      .filter((state) => counts[state] > 0)
      .map((state) => `${counts[state]} ${state.replace("_", " ")}`),
  ]
  return `${progressBar(settled, counts.total)} ${settled}/${counts.total} settled (${parts.join(", ")})`
}

function taskTable(tasks: readonly Task[], columns: number): readonly string[] {
  if (tasks.length === 0) return []
  const shown = tasks.slice(0, MAX_TASKS)
  const keys = shown.map((task) => columnsOf(cleanLine(task.key)))
  const keyColumns = Math.min(MAX_KEY, Math.max(3, ...keys))
  const hasLines = shown.some(({ line }) => line > 0)
  const lineColumns = Math.max(4, String(shown.at(-1)?.line ?? 0).length)
  const lineColumn = (text: string) => (hasLines ? `${text.padStart(lineColumns)}  ` : " ")
  const head = `  ${padLine("key", keyColumns)} ${lineColumn("line")}title`
  const rows = shown.map((task) => {
    const start = `${MARKS[task.state]} ${padLine(cleanLine(task.key), keyColumns)} ${lineColumn(String(task.line))}`
    const note = noteOf(task)
    const line = fitLine(`${start}${cleanLine(task.title)}`, columns - columnsOf(note))
    return fitLine(`${line}${note}`, columns)
  })
  const more = tasks.length - shown.length
  return ["", head, ...rows, ...(more > 0 ? [`  and ${more} more (--json lists all)`] : []), ""]
}

function noteOf(task: Task): string {
  const notes = [
    ...(task.optional ? ["optional"] : []),
    ...(!task.runnable && (task.state === "open" || task.state === "in_progress")
      ? [task.dependsOn.length > 0 ? "waits for others" : "not runnable"]
      : []),
    ...(task.rejected ? ["rejected"] : []),
  ]
  return notes.length === 0 ? "" : ` (${notes.join(", ")})`
}

function ignoredLines({ ignored, dialect, tasks }: Plan, columns: number): readonly string[] {
  if (ignored.length === 0)
    return isAdapted(dialect) || tasks.length === 0
      ? []
      : wrapLine("Every line that looks like a checkbox was read.", columns)
  const byReason = new Map<string, number[]>()
  for (const { line, reason } of ignored) addTo(byReason, reason, line)
  const count = ignored.length === 1 ? "1 line was" : `${ignored.length} lines were`
  const reasons = [...byReason].map(
    ([reason, lines]) => `  ${SKIPPED[reason] ?? cleanLine(reason)}: ${linesWords(lines)}`,
  )
  return [`${count} skipped:`, ...reasons.flatMap((line) => wrapped(line, columns))]
}

/** Why a line that looks like a checkbox is none of the plan's, by the reason that `--json` has. */
const SKIPPED: Readonly<Record<string, string>> = {
  "ignored-heading": "below a heading that names no work, or work that is left out",
  "outside-section": "outside the sections that hold the tasks",
  legend: "says what the plan's own markers mean",
  criterion: "a criterion of a task",
  placeholder: "a placeholder for a task",
  "not-a-marker": "what stands in the brackets is no state",
  "no-text": "a box without a text",
  "no-space": "no space around the box",
  "no-list-marker": "a box without a list mark before it",
  "in-paragraph": "part of the paragraph above it",
  "in-table": "a box in a table",
  "other-box": "a box in another form than - [ ]",
  "block-quote": "in a quotation",
  "indented-code": "in indented code",
  fence: "in a code block",
  comment: "in a comment",
  "front-matter": "in the front matter",
}

function linesWords(lines: readonly number[]): string {
  const shown = lines.slice(0, MAX_SHOWN_LINES).join(", ")
  return `line${lines.length === 1 ? "" : "s"} ${shown}${lines.length > MAX_SHOWN_LINES ? ", …" : ""}`
}

/** A rule that says much the same of several lines says it once. */
function warningLines({ warnings }: Plan, columns: number): readonly string[] {
  const byRule = new Map<string, PlanWarning[]>()
  for (const warning of warnings) addTo(byRule, warning.rule, warning)
  const told = [...byRule.values()].flatMap((all) => {
    const shown = all.length > MAX_ALIKE ? all.slice(0, 1) : all
    const more = all.slice(shown.length).map(({ line }) => line)
    const alike = more.length === 0 ? "" : `; ${more.length} more like it: ${linesWords(more)}`
    return shown.map(({ line, rule, message }) => {
      return `Warning${line === 0 ? "" : `, line ${line}`}: ${cleanLine(message)} (${cleanLine(rule)}${alike})`
    })
  })
  const more = told.length - MAX_NOTES
  return [
    ...told.slice(0, MAX_NOTES).flatMap((line) => wrapped(line, columns)),
    ...(more > 0 ? [`${more} more warnings (--json lists all)`] : []),
  ]
}

function wrapped(line: string, columns: number): readonly string[] {
  return indentedLines(line, columns, ["", "  "])
}
