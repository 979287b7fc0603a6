// Draws the chart of a report: rounds and delegations over time, as SVG inside the page.
import { byTime, isoOf, msOf } from "../../boulder/iso-time.ts"
import { localDay, localTime } from "../terminal/local-time.ts"
import { fitLine } from "../views/columns.ts"
import { type Html, html } from "./html.ts"
import type { ReportRound, ReportTask } from "./report-facts.ts"

const WIDTH = 960
const LABEL = 250
const LABEL_CHARS = 34
const ROW = 22
const TOP = 34
const TICKS = 6
const MAX_ROWS = 300

/** The rows are the delegated tasks, the bands the rounds. `end` is an ISO time: now, or the last change. */
export function reportChart(
  tasks: readonly ReportTask[],
  rounds: readonly ReportRound[],
  { start, end }: { readonly start: string; readonly end: string },
): Html {
  const rows = tasks.filter(({ from }) => from !== null).slice(0, MAX_ROWS)
  if (rows.length === 0) return html`<p>No task was delegated yet.</p>`
  const times = [start, end, ...rows.flatMap(({ from, to }) => [from, to])].filter(
    (time) => time !== null,
  )
  const sorted = times.filter((time) => Number.isFinite(msOf(time))).toSorted(byTime)
  const from = sorted[0] ?? start
  const span = Math.max(1, byTime(sorted.at(-1) ?? end, from))
  const x = (time: string): number =>
    round(LABEL + ((WIDTH - LABEL - 10) * Math.min(span, Math.max(0, byTime(time, from)))) / span)
  const height = TOP + rows.length * ROW + 8
  const bands = rounds.map((one, index) => {
    const left = x(one.from)
    const width = round(Math.max(1, x(one.to ?? end) - left))
    return html`<g class="round ${index % 2 === 0 ? "even" : "odd"}"><rect x="${left}" y="18" width="${width}" height="${height - 18}"/><text x="${left + 3}" y="30">${width < 50 ? "" : `round ${one.number}`}</text><title>round ${one.number}</title></g>`
  })
  const ticks = ticksOf(msOf(from), span).map(({ at, label }) => {
    const left = x(isoOf(at))
    const anchor = left > WIDTH - 60 ? "end" : "middle"
    return html`<g class="tick"><line x1="${left}" x2="${left}" y1="16" y2="${height}"/><text x="${left}" y="12" text-anchor="${anchor}">${label}</text></g>`
  })
  const bars = rows.map((task, index) => {
    const y = TOP + index * ROW
    const left = x(task.from ?? from)
    const width = round(Math.max(3, x(task.to ?? end) - left))
    const name = `${task.key} ${task.title}`
    return html`<g class="task ${stateClass(task.state)}"><text x="${LABEL - 8}" y="${y + 14}" text-anchor="end">${fitLine(name, LABEL_CHARS)}</text><rect x="${left}" y="${y + 3}" width="${width}" height="${ROW - 8}" rx="3"/><title>${name}, ${task.state}, ${localTime(task.from ?? from)} to ${task.to === null ? "now" : localTime(task.to)}</title></g>`
  })
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Rounds and delegations over time">${bands}${ticks}${bars}</svg>`
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** The distance between two ticks: units that people count in. */
const STEPS_MS = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 5, 7, 14, 30, 90, 365, 3_650, 365_000].map((days) => days * DAY_MS),
]

/**
 * At most six times on the wall clock within a span, in ms: whole minutes, hours or days, each with a different label. For a span within
 * one minute, its start.
 */
export function ticksOf(from: number, span: number): readonly { at: number; label: string }[] {
  if (!Number.isFinite(from)) return []
  const step = STEPS_MS.find((one) => span / one <= TICKS - 1) ?? DAY_MS
  const shift = new Date(from).getTimezoneOffset() * MINUTE_MS
  const first = Math.ceil((from - shift) / step) * step + shift
  const count = first > from + span ? 0 : Math.floor((from + span - first) / step) + 1
  const times = Array.from({ length: Math.min(count, TICKS) }, (_, index) => first + index * step)
  const dayOf = (at: number): string => localDay(at).replace(/^(\d+ \w{3})\w* \d+$/, "$1")
  const isLong = span >= DAY_MS
  const labelOf = (at: number): string =>
    step >= DAY_MS ? dayOf(at) : isLong ? `${dayOf(at)} ${localTime(at)}` : localTime(at)
  const label = times.length === 0 ? [from] : times
  return label.map((at) => ({ at, label: labelOf(at) }))
}

/** The class of a state, whatever its tier; a state of another name has no class. */
function stateClass(state: string): string {
  const [name = ""] = state.split(",")
  return ["done", "blocked", "running", "begun", "cancelled"].includes(name) ? name : "other"
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
