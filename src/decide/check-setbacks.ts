// Counts results whose check failed afterwards: the setbacks that come from runs.

import type { TaskSession, Work } from "../boulder/boulder.ts"
import type { CheckRun, ProofEntry } from "../boulder/proof-entry.ts"
import { stepOf, withSetback } from "../boulder/setbacks.ts"
import { addTo } from "../plan/model/once.ts"
import { withChecks } from "../plan/model/once-a-reading.ts"
import type { Plan } from "../plan/model/plan.ts"

const MAX_CHECK = 200

/**
 * Counts a setback for each task with a recorded session whose check failed in the lead's hands after its last result. What a subagent runs
 * before its result, for this task or another, is a trial of its own. A check that several tasks name counts for the one whose result came
 * last before it. A result fails only once.
 */
export function checkSetbacks(
  plan: Pick<Plan, "tasks">,
  entries: readonly ProofEntry[],
): (work: Work) => Work {
  const owners = new Map<string, string[]>()
  const hashes = new Map<string, string>()
  for (const { key, titleHash, checks = [] } of withChecks(plan.tasks)) {
    if (checks.length > 0) hashes.set(key, titleHash)
    for (const { command } of checks) addTo(owners, command, key)
  }
  return (work) => {
    const sessions = new Map(
      Object.entries(work.task_sessions).filter(
        ([key, { title_hash, attempts }]) => hashes.get(key) === title_hash && attempts > 0,
      ),
    )
    return failedSince(entries, [...sessions.values()]).reduce((counted, run) => {
      const key = ownerOf(run, owners.get(run.check) ?? [], sessions)
      return key === null ? counted : withFailure(counted, key, run)
    }, work)
  }
}

function withFailure(work: Work, key: string, { check, exit }: CheckRun): Work {
  const session = work.task_sessions[key]
  if (session === undefined) return work
  const failed = withSetback(session, { kind: "check", check: check.slice(0, MAX_CHECK), exit })
  return failed === session
    ? work
    : { ...work, task_sessions: { ...work.task_sessions, [key]: failed } }
}

/** The sessions whose task was turned down between two states of a work, by task key. */
export function turnedDownBetween(
  before: Work,
  after: Work,
): readonly (readonly [key: string, session: TaskSession])[] {
  return Object.entries(after.task_sessions).filter(
    ([key, { setbacks = [], title_hash: hash }]) => {
      const there = Object.hasOwn(before.task_sessions, key) ? before.task_sessions[key] : undefined
      const known = there?.title_hash === hash ? there : undefined
      return setbacks.length > (known?.setbacks?.length ?? 0)
    },
  )
}

/** The keys of tasks that have reached the next step between two states of a work: a fresh session, or a block. */
export function stepsBetween(before: Work, after: Work): readonly string[] {
  return turnedDownBetween(before, after).flatMap(([key, session]) =>
    stepOf(session) === "reuse" ? [] : [key],
  )
}

/** The runs that failed since the first of these results, oldest first. Entries are in the order of their times. */
function failedSince(
  entries: readonly ProofEntry[],
  sessions: readonly TaskSession[],
): readonly CheckRun[] {
  const first = sessions.map(({ updated_at: at }) => at).toSorted()[0]
  const from =
    first === undefined ? entries.length : entries.findLastIndex(({ at }) => at < first) + 1
  return entries
    .slice(from)
    .flatMap((entry) => (entry.kind === "run" && entry.outcome === "failed" ? [entry] : []))
}

/** The task whose result a run speaks against; null if none. */
function ownerOf(
  run: CheckRun,
  owners: readonly string[],
  sessions: ReadonlyMap<string, TaskSession>,
): string | null {
  const last = owners
    .flatMap((key) => sessions.get(key) ?? [])
    .filter(({ updated_at: at }) => at <= run.at)
    .toSorted((a, b) => a.updated_at.localeCompare(b.updated_at))
    .at(-1)
  return last === undefined || run.task !== null ? null : last.task_key
}
