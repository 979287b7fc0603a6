// How works stand, for a person.
import type { BlockedTask } from "../../boulder/blocked-tasks.ts"
import type { Work } from "../../boulder/boulder.ts"
import { elapsedMs } from "../../boulder/iso-time.ts"
import type { WorkState } from "../../boulder/live-view.ts"
import { windowOf } from "../../decide/window.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { isSettled } from "../../plan/model/plan.ts"
import { attemptsText } from "../../prompts/handoff-words.ts"
import { pauseNotice } from "../../prompts/notice-text.ts"
import { REASONS } from "../../prompts/reasons.ts"
import { runFacts } from "../../prompts/run-facts.ts"
import { shellWord } from "../../prompts/shell-word.ts"
import { stateName, stateWords } from "../../prompts/state-words.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { wrapLine } from "./columns.ts"
import { progressBar } from "./progress-bar.ts"

/** A work, its plan as it is on the disk now, and the last decision about it. */
export interface WorkStatus {
  readonly work: Work
  readonly state: WorkState
  readonly reading: PlanFileReading
  readonly blocked: readonly BlockedTask[]
  readonly last: JournalEntry | null
}

/** How all works stand, for a person. */
export function statusText(statuses: readonly WorkStatus[], now: number, columns: number): string {
  const blocks = statuses.map((status) =>
    linesOf(status, now)
      .flatMap((line, index) => (index === 0 ? [line] : indented(line, columns)))
      .join("\n"),
  )
  return `${blocks.join("\n\n")}\n`
}

/** How all works stand, for a program. */
export function statusJson(statuses: readonly WorkStatus[]): Readonly<Record<string, unknown>> {
  return {
    works: statuses.map(({ work, state, reading, blocked: tasks, last }) => {
      const { settled, total, blocked, next } = countsOf(work, reading)
      return {
        work_id: work.work_id,
        plan_name: work.plan_name,
        active_plan: work.active_plan,
        status: work.status,
        state,
        pause_reason: work.pause_reason,
        to_resume: work.pause_reason === null ? null : REASONS[work.pause_reason].todo,
        awaiting_approval: work.awaiting_approval !== null,
        counts: { total, settled, blocked },
        round: {
          number: work.round.number,
          ended: work.round.ended,
          settled: Math.max(0, settled - work.round.settled_at_checkpoint),
        },
        checkpoint: work.checkpoint_seq,
        shard: work.active_shard,
        window: windowKeys(work, reading),
        context: work.context,
        tokens: work.tokens,
        cost: work.cost,
        spent_budget: work.spent_budget,
        refusal: work.refusal,
        limited: work.limited,
        next,
        blocked: tasks.map(blockedJson),
        continuations: work.continuation.count,
        lead_session_id: work.lead_session_id,
        running: Object.values(work.dispatches).map((dispatch) => dispatch.task_key),
        started_at: work.started_at,
        updated_at: work.updated_at,
        last_decision:
          last === null ? null : { at: last.at, decision: last.decision, reason: last.reason },
      }
    }),
  }
}

function blockedJson({ key, title, reason, unblock, handoff }: BlockedTask) {
  return {
    key,
    title,
    reason,
    unblock,
    handoff: handoff?.id ?? null,
    session: handoff?.session_id ?? null,
    agent: handoff?.agent ?? null,
    attempts: handoff?.attempts ?? null,
    since: handoff?.updated_at ?? null,
  }
}

function blockedText({ key, title, reason, unblock, handoff }: BlockedTask, now: number): string {
  const record =
    handoff === null
      ? ""
      : ` (${handoff.id}, ${attemptsText(handoff.attempts)}, ${ago(elapsedMs(handoff.updated_at, now))})`
  const until =
    unblock === null
      ? `Unblock: opencode-boulder unblock ${shellWord(key)}`
      : `Unblock when: ${unblock}`
  return cleanLine(`blocked: ${key} ${title}: ${reason ?? "no reason is given"}${record}. ${until}`)
}

const SHOWN_BLOCKED = 9

function blockedPart(tasks: readonly BlockedTask[], now: number): readonly string[] {
  const lines = tasks.slice(0, SHOWN_BLOCKED).map((task) => blockedText(task, now))
  const more = tasks.length - lines.length
  return more > 0 ? [...lines, `blocked: ${more} more`] : lines
}

function linesOf(status: WorkStatus, now: number): readonly string[] {
  const { work, reading, last } = status
  const { settled, total, blocked, next } = countsOf(work, reading)
  const running =
    work.status === "active"
      ? Object.values(work.dispatches).flatMap(({ task_key: key }) => key ?? [])
      : []
  const blockedCount = blocked === 0 ? "" : `, ${blocked} blocked`
  return [
    `${cleanLine(work.plan_name)}  ${progressBar(settled, total)} ${settled}/${total} settled${blockedCount}  ${headOf(status)}`,
    ...waitLines(status),
    ...(work.status === "completed" || next === null ? [] : [`next: ${cleanLine(next)}`]),
    ...runLines(status),
    ...blockedPart(status.blocked, now),
    ...(running.length === 0
      ? []
      : [`delegated, not back yet: ${running.map(cleanLine).join(", ")}`]),
    `plan: ${cleanLine(work.active_plan)}`,
    ...(reading.kind === "unavailable" ? [cleanLine(reading.message)] : []),
    `session: ${work.lead_session_id}, ${work.continuation.count} continuations, last change ${ago(elapsedMs(work.updated_at, now))}`,
    ...(last === null
      ? []
      : [
          `last decision: ${cleanLine(last.decision)} (${cleanLine(last.reason)}) ${ago(elapsedMs(last.at, now))}`,
        ]),
  ]
}

function runLines({ work, reading }: WorkStatus): readonly string[] {
  const facts = { settled: countsOf(work, reading).settled, window: windowKeys(work, reading) }
  return runFacts(work, facts).map(({ name, text }) => cleanLine(`${name}: ${text}`))
}

/** The window of the plan as it is now, as long as the one that was shown last. */
function windowKeys(work: Work, reading: PlanFileReading): readonly string[] {
  if (reading.kind === "unavailable") return work.current_window
  const size = Math.max(1, work.current_window.length)
  return windowOf(reading.plan, work, size).map(({ key }) => key)
}

function waitLines({ work, state }: WorkStatus): readonly string[] {
  switch (state.kind) {
    case "working":
    case "complete":
      return []
    case "paused":
      return [pauseNotice(work.plan_name, state.reason, state.more)]
    case "waiting-for-you":
      return state.for === "approval"
        ? ["The final wave is back. Answer in the session, or run: opencode-boulder approve"]
        : [stateWords(state)]
    default:
      return [stateWords(state)]
  }
}

function headOf({ state }: WorkStatus): string {
  return state.kind === "paused" ? `paused (${state.reason})` : stateName(state)
}

/** The plan on the disk says how far it is; where it cannot be read, what was read of it last. */
function countsOf(work: Work, reading: PlanFileReading) {
  if (reading.kind === "unavailable") {
    const { completed_count: settled, total_count: total, blocked_count: blocked } = work
    return { settled, total, blocked, next: work.current_window[0] ?? null }
  }
  const { counts, tasks } = reading.plan
  const settled = tasks.filter(isSettled).length
  const next = windowOf(reading.plan, work, 1)[0] ?? null
  const shown = next === null ? null : `${next.key} ${next.title}`
  return { settled, total: counts.total, blocked: counts.blocked, next: shown }
}

/** A span of time as a person says it. */
export function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s ago`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`
}

function indented(line: string, columns: number): readonly string[] {
  return wrapLine(line, columns - 2).map((part) => `  ${part}`)
}
