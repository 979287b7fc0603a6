// Tells a person how works stand.
import type { BlockedTask } from "../boulder/blocked-tasks.ts"
import type { Work } from "../boulder/boulder.ts"
import type { WorkState } from "../boulder/live-view.ts"
import type { TaskWait } from "../boulder/usage-limit.ts"
import { workStateOf } from "../boulder/work-state.ts"
import { blockedLines } from "./blocked-lines.ts"
import { limitedLines, pauseWords } from "./pause-words.ts"
import { runFacts } from "./run-facts.ts"
import type { Typed } from "./typed-command.ts"
import { stateName, waitWords } from "./work-state-words.ts"

const SHOWN_BLOCKED = { most: 5, tokens: Number.POSITIVE_INFINITY }

/**
 * How far a work is and why it waits, one line for each fact; for a person. `state` comes from a living process: without one, none leads
 * the work. `now` in ms; `typed` belongs to the work.
 */
export function statusLines(
  work: Work,
  tasks: readonly BlockedTask[],
  given: {
    readonly state?: WorkState
    readonly limited?: readonly TaskWait[]
    /** What names it among others; missing if its plan's name does. */
    readonly name?: string
    /** How many works are shown with it; the details are for one alone. */
    readonly among?: number
    readonly now: number
    readonly typed: Typed
  },
): readonly string[] {
  const { now, typed, limited = [], name = work.plan_name, among = 1 } = given
  const state = given.state ?? workStateOf(work, null, { more: pauseWords(work), now })
  const progress = `${work.completed_count}/${work.total_count} tasks settled`
  const blocked = work.blocked_count === 0 ? "" : `, ${work.blocked_count} blocked`
  const waits = waitWords(state, { now, typed })
  const seen = { settled: work.completed_count, window: work.current_window }
  const facts = among === 1 ? runFacts(work, seen) : []
  return [
    `${name}: ${stateName(state)}, ${progress}${blocked}`,
    ...(waits === null ? [] : [waits]),
    ...facts.map(({ name: of, text }) => `${of[0]?.toUpperCase()}${of.slice(1)}: ${text}`),
    ...limitedLines(limited, { most: SHOWN_BLOCKED.most, typed }).map(
      (line) => `L${line.slice(1)}`,
    ),
    ...(tasks.length === 0 ? [] : ["Blocked:", ...blockedLines(tasks, SHOWN_BLOCKED, typed)]),
  ]
}
