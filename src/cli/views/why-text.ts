// Shows the journal as a timeline for people.
import { cleanLine } from "../../plan/model/foreign-text.ts"
import type { Task } from "../../plan/model/plan.ts"
import { doneWords, reasonSays } from "../../prompts/reasons.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { toldTask } from "../../store/records/task-facts.ts"
import { localDay, localTime } from "../terminal/local-time.ts"
import type { Paint } from "../terminal/terminal.ts"
import { hangingLines, wrapLine } from "./columns.ts"

type TaskOf = (entry: JournalEntry) => Pick<Task, "key" | "title"> | null

/** How to show a timeline. */
export interface Timeline {
  readonly columns: number
  readonly paint: Paint
  /** Shows the recorded facts below each decision. */
  readonly withFacts: boolean
  /** The plan of a work; null for a work that is no longer known. */
  readonly planOf: (workId: string) => string | null
  /** The task that a line names, as its work's plan has it now; null if it is no longer there, or the plan cannot be read. */
  readonly taskOf: TaskOf
}

/**
 * Decisions one below the other, oldest first, under their days by the local clock; no line is longer than `columns`. The same decision
 * several times in a row is one line.
 */
export function whyText(entries: readonly JournalEntry[], timeline: Timeline): string {
  const works = new Set(entries.map(({ work }) => work))
  const lines: string[] = []
  let day = ""
  for (const { entry, times, last } of repeated(entries)) {
    const today = localDay(entry.at)
    if (today !== day) lines.push(...(day === "" ? [] : [""]), timeline.paint.strong(today))
    day = today
    lines.push(...entryLines(entry, { times, last, namesWork: works.size > 1 }, timeline))
  }
  return lines.map((line) => `${line}\n`).join("")
}

interface Repeated {
  readonly entry: JournalEntry
  readonly times: number
  /** When it was last decided. */
  readonly last: string
}

function repeated(entries: readonly JournalEntry[]): readonly Repeated[] {
  const runs: Repeated[] = []
  for (const entry of entries) {
    const before = runs.at(-1)
    if (before !== undefined && sameOf(before.entry) === sameOf(entry))
      runs[runs.length - 1] = { ...before, times: before.times + 1, last: entry.at }
    else runs.push({ entry, times: 1, last: entry.at })
  }
  return runs
}

function sameOf({ at, session, work, decision, reason, facts }: JournalEntry): string {
  return JSON.stringify([
    localDay(at),
    session,
    work,
    decision,
    reason,
    facts["task"] ?? null,
    facts["settled"] ?? null,
    detailOf({ decision, reason, facts }),
  ])
}

function entryLines(
  entry: JournalEntry,
  { times, last, namesWork }: { times: number; last: string; namesWork: boolean },
  timeline: Timeline,
): readonly string[] {
  const { work, decision } = entry
  const plan = work === null || !namesWork ? null : timeline.planOf(work)
  const again = times === 1 ? "" : ` (${times} times, until ${localTime(last)})`
  const text = `${plan === null ? "" : `${cleanLine(plan)}: `}${decisionSentence(entry, timeline.taskOf)}${again}`
  const lines = hangingLines(`${localTime(entry.at)}  `, text, timeline.columns)
  const paint =
    decision === "pause" || decision === "error" || decision === "task-blocked"
      ? timeline.paint.warn
      : decision === "finish"
        ? timeline.paint.good
        : (line: string) => line
  const facts = timeline.withFacts ? factLines(entry, timeline) : []
  return [...lines.map(paint), ...facts]
}

/** A decision as a sentence, with the name of its task, what was said about it, and the counts. */
export function decisionSentence(entry: JournalEntry, taskOf: TaskOf): string {
  const { decision, reason, facts } = entry
  const told = toldTask(entry)
  const now = told === null ? null : taskOf(entry)
  const title = now === null ? "" : ` "${cleanLine(now.title)}"`
  const task = told === null ? "" : ` ${cleanLine((now ?? told).key)}${title}`
  const says = reasonSays(reason)
  const detail = detailOf({ decision, reason, facts })
  if (decision === "error" && detail !== null)
    return `Failed at ${cleanLine(reason)}: ${cleanLine(detail)}.`
  // A call that names its task is as it should be.
  const why = reason === "task-named" ? "" : `: ${says}`
  return `${doneWords(decision)}${task}${why}${detail === null ? "" : ` (${cleanLine(detail)})`}.${countsOf(facts)}`
}

/** What others said about it: why a task is blocked, a provider's words, an error. */
function detailOf({
  decision,
  reason,
  facts,
}: Pick<JournalEntry, "decision" | "reason" | "facts">): string | null {
  // What ended the previous turn does not matter for a decision to continue, nor for an interruption.
  const ofTurn = decision === "continue" || reason === "aborted" ? [] : ["turn_error"]
  const said = ["why", "budget", "provider_says", "message", ...ofTurn].map((name) => facts[name])
  const first = said.find((one) => typeof one === "string" && one !== "")
  return typeof first === "string" ? first : null
}

function countsOf({ settled, total }: JournalEntry["facts"]): string {
  return typeof settled === "number" && typeof total === "number" && total > 0
    ? ` ${settled} of ${total} settled.`
    : ""
}

function factLines(entry: JournalEntry, { columns, paint }: Timeline): readonly string[] {
  const { session, decision, reason, facts } = entry
  const known = Object.entries({ decision, reason, session, ...facts }).filter(([, value]) =>
    isTelling(value),
  )
  const told = known.map(([name, value]) => `${cleanLine(name)}=${cleanLine(String(value))}`)
  return wrapLine(told.join(" "), Math.max(1, columns - 2)).map((line) => paint.dim(`  ${line}`))
}

/** Nothing, none and no are what a reader expects; anything else shaped the decision. */
function isTelling(value: JournalEntry["facts"][string]): boolean {
  return value !== null && value !== "" && value !== 0 && value !== false
}
