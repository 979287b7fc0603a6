// Writes the page of a report: one file that loads nothing.

import { isNone } from "../../boulder/cost.ts"
import { elapsedMs, msOf } from "../../boulder/iso-time.ts"
import { countsNow } from "../../boulder/record-reading.ts"
import { findAgain } from "../../plan/match-tasks.ts"
import { costWords, numberWords } from "../../prompts/budget-words.ts"
import { attemptsText } from "../../prompts/handoff-words.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { toldTask } from "../../store/records/task-facts.ts"
import { isFinished } from "../project/known-works.ts"
import { localDay, localTime } from "../terminal/local-time.ts"
import { hourWords } from "../views/pace.ts"
import { decisionSentence } from "../views/why-text.ts"
import { type Html, html } from "./html.ts"
import { reportChart } from "./report-chart.ts"
import { type ReportSources, type ReportTask, reportRounds, reportTasks } from "./report-facts.ts"
import { REPORT_STYLE } from "./report-style.ts"

/** The whole page. `now` in ms; `version` is this package's. */
export function reportPage(
  sources: ReportSources,
  { now, version }: { readonly now: number; readonly version: string },
): string {
  const { work, open, blocked, reading } = sources
  const tasks = reportTasks(sources)
  const { settled, total } = countsNow(work, reading.kind === "read" ? reading.plan : null)
  const isOver = isFinished(work)
  const end = isOver ? work.updated_at : new Date(now).toISOString()
  const share = total === 0 ? 0 : Math.round((settled / total) * 1_000) / 10
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${work.plan_name}: report</title>
<style>${{ html: REPORT_STYLE }}</style>
</head>
<body>
<header>
<h1>${work.plan_name}</h1>
<p class="state">${work.said}, ${settled} of ${total} tasks settled</p>
${work.waits === null ? html`` : html`<p class="state">${work.waits}</p>`}
<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="${share} % settled"><rect class="all" width="100" height="4"/><rect class="part" width="${share}" height="4"/></svg>
<dl>
<dt>Plan</dt><dd>${work.active_plan}</dd>
<dt>Started</dt><dd>${moment(work.started_at)}</dd>
<dt>Last change</dt><dd>${moment(work.updated_at)}</dd>
<dt>Took</dt><dd>${spanOf(elapsedMs(work.started_at, msOf(end)))}${isOver ? html`` : html` so far`}</dd>
<dt>Cost</dt><dd>${isNone(work.cost) ? "unknown: opencode reported none" : costWords(work.cost)}</dd>
<dt>Tokens</dt><dd>${open === null || open.tokens.spent === 0 ? "unknown" : numberWords(open.tokens.spent)}</dd>
${open === null ? html`` : html`<dt>Session</dt><dd>${open.lead_session_id}</dd>`}
</dl>
</header>
${reading.kind === "unavailable" ? html`<p class="warn">${reading.message}</p>` : html``}
<section>
<h2>Time</h2>
${reportChart(tasks, reportRounds(sources), { start: work.started_at, end })}
</section>
<section>
<h2>Tasks</h2>
${taskTable(tasks)}
</section>
<section>
<h2>Blocked</h2>
${
  blocked.length === 0
    ? html`<p>No task is blocked.</p>`
    : html`<ul>${blocked.map(
        ({ key, title, reason, unblock }) =>
          html`<li><b>${key} ${title}</b>: ${reason ?? "no reason is given"}.${unblock === null ? html`` : html` Unblock when: ${unblock}`}</li>`,
      )}</ul>`
}
</section>
<section>
<h2>Decisions</h2>
${decisionTable(sources)}
</section>
<footer>Made by opencode-boulder ${version}, ${moment(new Date(now).toISOString())}.</footer>
</body>
</html>
`
  return page.html
}

function taskTable(tasks: readonly ReportTask[]): Html {
  if (tasks.length === 0) return html`<p>The plan has no known task.</p>`
  const rows = tasks.map(
    (task) =>
      html`<tr class="${task.state === "blocked" ? "warn" : "plain"}"><td>${task.state}</td><td>${task.key} ${task.title}${task.said === null ? html`` : html`<p class="said">${task.said}</p>`}</td><td>${task.from === null ? "" : moment(task.from)}</td><td class="short">${took(task)}</td><td>${task.agent === null ? "" : `${task.agent}, ${attemptsText(task.attempts)}`}</td><td><code>${task.session ?? ""}</code></td><td>${costCell(task)}</td></tr>
`,
  )
  return html`<table><thead><tr><th>State</th><th>Task</th><th>Begun</th><th>Took</th><th>Agent</th><th>Session</th><th>Cost</th></tr></thead><tbody>
${rows}</tbody></table>`
}

/** A task that nobody has worked on has no cost; one without a known price has an unknown cost. */
function costCell({ cost, session }: ReportTask): string {
  if (session === null) return ""
  return cost === null || isNone(cost) ? "unknown" : costWords(cost)
}

function took({ from, to }: ReportTask): string {
  if (from === null) return ""
  return to === null ? "not back yet" : spanOf(elapsedMs(from, msOf(to)))
}

function decisionTable({ decisions, reading }: ReportSources): Html {
  if (decisions.length === 0) return html`<p>Nothing was decided yet.</p>`
  const taskOf = (entry: JournalEntry) =>
    reading.kind === "read" ? findAgain(reading.plan, toldTask(entry)) : null
  const rows = decisions.map(
    (entry) =>
      html`<tr><td>${moment(entry.at)}</td><td>${decisionSentence(entry, taskOf)}</td></tr>
`,
  )
  return html`<table class="decisions"><tbody>
${rows}</tbody></table>`
}

function moment(iso: string): string {
  return `${localDay(iso)}, ${localTime(iso)}`
}

function spanOf(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  return minutes < 1 ? "under a minute" : hourWords(minutes)
}
