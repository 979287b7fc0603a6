// Tells the journal about a stored reading of the plan. No other place does.

import { type BlockedTask, blockedTasks } from "../../boulder/blocked-tasks.ts"
import type { Work } from "../../boulder/boulder.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { type Setback, stepOf } from "../../boulder/setbacks.ts"
import { turnedDownBetween } from "../../decide/check-setbacks.ts"
import { type KnownTask, matchTasks, type ToldTask } from "../../plan/match-tasks.ts"
import { blockedOf, byKey } from "../../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../../plan/model/plan.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { taskFacts, toldTask } from "../../store/records/task-facts.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { noteShard } from "./note-shard.ts"

/** A work before a reading of its plan was stored (null if it begins with that reading), and afterwards. */
interface Kept<Before = Work> {
  readonly before: Before
  readonly after: Work
}

/**
 * Tells the journal what a reading has shown that was stored in a work just now, since nobody sees it a second time: each task that is
 * newly blocked, each result that was turned down, and what the grammar says about a shard that has become active.
 */
export async function journalReading(
  shell: Pick<Shell, "journal" | "handoffs" | "sessions" | "options" | "now" | "log">,
  { before, after }: Kept,
  reading: PlanFileReading,
): Promise<void> {
  // A task that was renumbered in the meantime is no news.
  const kept = { before: followTasks(reading)(before), after }
  await noteSetbacks(shell, kept)
  await noteBlocks(shell, kept, reading)
  await noteShard(shell, kept, reading)
}

const REASON_OF = {
  check: "check-failed",
  untick: "tick-taken-back",
  reject: "review-rejected",
} as const satisfies Record<Setback["kind"], string>

/** Writes down the results that were turned down between two states of a work, and who continues with each task. */
export async function noteSetbacks(
  { journal, now }: Pick<Shell, "journal" | "now">,
  { before, after }: Kept,
): Promise<void> {
  if (before.task_sessions === after.task_sessions) return
  for (const [key, session] of turnedDownBetween(before, after)) {
    const { setbacks = [], attempts, session_id } = session
    const last = setbacks.at(-1)
    if (last === undefined) continue
    await journal.append({
      at: isoOf(now()),
      session: after.lead_session_id,
      work: after.work_id,
      decision: "turn-down",
      reason: REASON_OF[last.kind],
      facts: {
        ...taskFacts({ key, titleHash: session.title_hash }),
        times: setbacks.length,
        step: stepOf(session),
        check: last.check ?? null,
        exit: last.exit ?? null,
        attempts,
        task_session: session_id,
      },
    })
  }
}

/** An edit that blocks half a plan is not reported task by task. */
const MAX_TOLD = 8

/** Nor is an edit in a plan with more blocked tasks than a session remembers. */
const MAX_KNOWN = 256

/** Writes down each task that is newly blocked, whoever blocked it and how: reason, attempts, session, record. */
export async function noteBlocks(
  shell: Pick<Shell, "journal" | "handoffs" | "sessions" | "now" | "log">,
  { before, after: work }: Kept<Work | null>,
  reading: PlanFileReading,
): Promise<void> {
  if (reading.kind !== "read") return
  const { plan } = reading
  const { lead_session_id: sessionId } = work
  const known = blockedOf(plan.tasks).map(({ key, titleHash }) => ({ key, titleHash }))
  const keys = known.map(({ key }) => key)
  const { blocked } = shell.sessions.of(sessionId)
  const seen = new Set(keysNow(blocked ?? (await seenBefore(shell, before, known)), plan))
  shell.sessions.note({ kind: "blocks-seen", sessionId, tasks: known })
  if (keys.length > MAX_KNOWN || keys.every((key) => seen.has(key))) return
  const ask = async () => (await shell.handoffs.open()).handoffs
  const handoffs = await unlessFailed(shell, ask, [])
  const isFresh = new Set(keys.filter((key) => !seen.has(key)))
  const fresh = blockedTasks({ plan, work, handoffs }).filter(({ key }) => isFresh.has(key))
  for (const block of fresh.slice(0, MAX_TOLD)) {
    await shell.journal.append({
      at: isoOf(shell.now()),
      session: sessionId,
      work: work.work_id,
      decision: "task-blocked",
      ...blockLine(block, byKey(plan.tasks).get(block.key) ?? null, work),
    })
  }
}

function blockLine(
  { key, reason, unblock, handoff }: BlockedTask,
  task: Task | null,
  work: Work,
): Pick<JournalEntry, "reason" | "facts"> {
  const session = Object.hasOwn(work.task_sessions, key) ? work.task_sessions[key] : undefined
  return {
    reason: handoff === null ? whyBlocked(task, work) : "by-record",
    facts: {
      ...taskFacts(task),
      why: reason,
      unblock,
      attempts: session?.attempts ?? 0,
      task_session: session?.session_id ?? null,
      handoff: handoff?.id ?? null,
    },
  }
}

/** The present keys of these tasks. A task whose row was reworded keeps its block, and its key. */
function keysNow(told: readonly ToldTask[], plan: Plan): readonly string[] {
  const known = told.flatMap(({ key, titleHash }) =>
    titleHash === null ? [] : [{ key, titleHash }],
  )
  const byKeyAlone = told.flatMap(({ key, titleHash }) => (titleHash === null ? [key] : []))
  const matched = matchTasks(known, plan)
  return [
    ...byKeyAlone,
    ...matched.flatMap((match) => (match.kind === "gone" ? [] : match.task.key)),
  ]
}

/** Why a task is blocked that no record of ours blocks: by the plan, or by our own count. */
function whyBlocked(task: Task | null, { task_sessions: sessions }: Work) {
  if (task?.held !== undefined) return "tick-unproven"
  const isOurs = task?.written !== undefined && stepOf(sessions[task.key] ?? {}) === "block"
  return isOurs ? "failed-five-times" : "by-mark"
}

/**
 * The blocked tasks that count as seen for a session that remembers none: all, if the work is new or had as many blocked tasks before; else
 * those that the journal names for this work.
 */
async function seenBefore(
  shell: Pick<Shell, "journal" | "log">,
  before: Work | null,
  blocked: readonly KnownTask[],
): Promise<readonly ToldTask[]> {
  if (before === null || blocked.length <= before.blocked_count) return blocked
  if (before.blocked_count === 0) return []
  const isIts = ({ work, decision }: { readonly work: string | null; readonly decision: string }) =>
    work === before.work_id && decision === "task-blocked"
  const ask = async () => (await shell.journal.readLast(MAX_KNOWN, isIts)).entries
  const told = await unlessFailed(shell, ask, [])
  return told.flatMap((entry) => toldTask(entry) ?? [])
}
