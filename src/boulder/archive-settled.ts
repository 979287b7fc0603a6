// Decides what may leave `boulder.json`.
import type { Boulder, Change, TaskSession, Work } from "./boulder.ts"
import { begunKeys } from "./find-dispatch.ts"
import { isWithin } from "./iso-time.ts"

export interface ArchiveRules {
  /** How many finished works stay at hand; the latest ones do. */
  readonly keepCompleted: number
  /** Works that finished less than this long before `now` (both ms) also stay, for whoever still follows them. */
  readonly keepCompletedMs: number
  readonly now: number
  /** How many sessions of a work stay at hand; the latest ones do. */
  readonly keepSessions: number
  /** What a work no longer needs at hand; null if nobody has looked at a plan. */
  readonly unneeded: (Unneeded & { readonly workId: string }) | null
}

/** Keys of a work's task sessions, and of outcomes of its final wave, that are no longer needed at hand. */
export interface Unneeded {
  readonly sessions: ReadonlySet<string>
  readonly wave: ReadonlySet<string>
}

/** What moves from `boulder.json` to files of its own. */
export interface Departure {
  readonly works: readonly Work[]
  readonly parts: readonly DepartedPart[]
}

export interface DepartedPart {
  readonly workId: string
  readonly taskSessions: readonly TaskSession[]
  readonly sessionIds: readonly string[]
  readonly waveRows: readonly (readonly [key: string, row: WaveRow])[]
}

type WaveRow = Work["final_wave"][string]

/** What leaves; null if nothing does. Tasks with a running dispatch stay. */
export function whatLeaves(boulder: Boulder, rules: ArchiveRules): Departure | null {
  const works = Object.values(boulder.works)
    .filter((work) => work.status === "completed")
    .sort((a, b) => b.updated_at.localeCompare(a.updated_at))
    .slice(rules.keepCompleted)
    .filter((work) => !isWithin(work.updated_at, rules.keepCompletedMs, rules.now))
  const leaving = new Set(works.map((work) => work.work_id))
  const parts = Object.values(boulder.works)
    .filter((work) => !leaving.has(work.work_id))
    .map((work) => partOf(work, rules))
    .filter((part) => part.taskSessions.length + part.sessionIds.length + part.waveRows.length > 0)
  return works.length === 0 && parts.length === 0 ? null : { works, parts }
}

/** Removes what was archived, and only that: anything that has changed since stays. */
export function withoutDeparted({ works, parts }: Departure): Change {
  const finished = new Map(works.map((work) => [work.work_id, work]))
  const byWork = new Map(parts.map((part) => [part.workId, part]))
  return (boulder) => {
    const left = Object.values(boulder.works)
      .filter((work) => !isArchived(work, finished.get(work.work_id)))
      .map((work) => withoutPart(work, byWork.get(work.work_id)))
    const next = Object.fromEntries(left.map((work) => [work.work_id, work]))
    return isSame(boulder.works, next) ? boulder : { ...boulder, works: next }
  }
}

function isArchived(work: Work, archived: Work | undefined): boolean {
  return work.status !== "active" && archived?.updated_at === work.updated_at
}

function partOf(work: Work, { unneeded, keepSessions }: ArchiveRules): DepartedPart {
  const { sessions, wave } = unneeded?.workId === work.work_id ? unneeded : NOTHING
  const busy = new Set(begunKeys(work))
  return {
    workId: work.work_id,
    taskSessions: Object.values(work.task_sessions).filter(
      ({ task_key }) => sessions.has(task_key) && !busy.has(task_key),
    ),
    sessionIds: work.session_ids
      .filter((id) => id !== work.lead_session_id)
      .slice(0, Math.max(0, work.session_ids.length - keepSessions)),
    waveRows: Object.entries(work.final_wave).filter(([key]) => wave.has(key)),
  }
}

const NOTHING: Unneeded = { sessions: new Set(), wave: new Set() }

function withoutPart(work: Work, part: DepartedPart | undefined): Work {
  if (part === undefined) return work
  const task_sessions = { ...work.task_sessions }
  for (const archived of part.taskSessions) {
    const now = task_sessions[archived.task_key]
    const isUnchanged =
      now?.updated_at === archived.updated_at && now.session_id === archived.session_id
    if (isUnchanged) delete task_sessions[archived.task_key]
  }
  const final_wave = { ...work.final_wave }
  for (const [key, { at }] of part.waveRows) if (final_wave[key]?.at === at) delete final_wave[key]
  const left = new Set(part.sessionIds)
  const session_ids = work.session_ids.filter((id) => !left.has(id) || id === work.lead_session_id)
  const isUntouched =
    isSame(work.task_sessions, task_sessions) &&
    isSame(work.final_wave, final_wave) &&
    session_ids.length === work.session_ids.length
  return isUntouched ? work : { ...work, task_sessions, final_wave, session_ids }
}

function isSame(before: object, after: object): boolean {
  const now = new Map(Object.entries(after))
  const was = Object.entries(before)
  return was.length === now.size && was.every(([key, value]) => now.get(key) === value)
}
