// How works stand, for a person.
import type { BlockedTask } from "../boulder/blocked-tasks.ts"
import type { Work } from "../boulder/boulder.ts"
import { blockedLines } from "./blocked-lines.ts"
import { pauseNotice } from "./notice-text.ts"
import { hostWaitWords, pauseWords } from "./pause-words.ts"
import { runFacts } from "./run-facts.ts"
import type { Typed } from "./typed-command.ts"

const SHOWN_BLOCKED = 5

/** How far a work is and why it waits, a line a fact; for a person. `now` in ms; `typed` is of the work. */
export function statusLines(
  work: Work,
  tasks: readonly BlockedTask[],
  { now, typed }: { readonly now: number; readonly typed: Typed },
): readonly string[] {
  const progress = `${work.completed_count}/${work.total_count} tasks settled`
  const blocked = work.blocked_count === 0 ? "" : `, ${work.blocked_count} blocked`
  const head = `${work.plan_name}: ${stateOf(work, now)}, ${progress}${blocked}, ${work.continuation.count} continuations`
  const facts = runFacts(work, { settled: work.completed_count, window: work.current_window })
  return [
    head,
    ...(work.status === "paused" && work.pause_reason !== null
      ? [pauseNotice(work.plan_name, work.pause_reason, { facts: pauseWords(work), typed })]
      : []),
    ...facts.map(({ name, text }) => `${name[0]?.toUpperCase()}${name.slice(1)}: ${text}`),
    ...(tasks.length === 0 ? [] : ["Blocked:", ...blockedLines(tasks, SHOWN_BLOCKED, typed)]),
  ]
}

function stateOf(work: Work, now: number): string {
  if (work.status === "paused") return `paused (${work.pause_reason ?? "stopped-by-user"})`
  const waits = hostWaitWords(work, now)
  if (waits !== null) return `active, ${waits}`
  return work.awaiting_approval === null ? work.status : "waits for your approval of the final wave"
}
