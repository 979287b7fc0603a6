// Follows the work and the journal alongside the events.
import type { Boulder, Work } from "../boulder/boulder.ts"
import { dispatchOf } from "../boulder/find-dispatch.ts"
import { isWithin, msUntil } from "../boulder/iso-time.ts"
import type { WorkState } from "../boulder/live-view.ts"
import { hostWaitEnd } from "../boulder/usage-limit.ts"
import { stateSeen } from "../boulder/work-state.ts"
import { nextIn } from "../decide/window.ts"
import { isSettled } from "../plan/model/plan.ts"
import { hostWaitWords, pauseWords, whyPaused } from "../prompts/pause-words.ts"
import type { PlanFiles } from "../store/plans/plan-files.ts"
import { readPlanOf } from "../store/plans/read-plan-of.ts"
import type { Journal, JournalEntry } from "../store/records/journal.ts"
import type { LiveFiles } from "../store/records/live-files.ts"
import type { BoulderStore } from "../store/revisions/boulder-store.ts"
import type { Need, RunEvent } from "./run-event.ts"

/** How a work stands for the run that leads it. `key` changes when the need is a different one. */
export type Standing =
  | { readonly kind: "not-started" }
  /** It had begun, and is no longer in the state on disk. */
  | { readonly kind: "removed" }
  | { readonly kind: "going" }
  | { readonly kind: "complete"; readonly settled: number; readonly total: number }
  | { readonly kind: "needs-user"; readonly need: Need; readonly key: string }
  /** It, or the host, resumes by itself at that time; an ISO time. */
  | { readonly kind: "waits"; readonly until: string; readonly need: Need; readonly key: string }

/** Follows what the plugin writes: state, plan and journal. It changes nothing. */
export type WorkObserver = ReturnType<typeof observeWork>

/** A change of the state is followed by its line in the journal, but it is not awaited longer than this, in ms. */
const JOURNAL_LAG_MS = 2_000
const MAX_LINES = 200
const MINUTE_MS = 60_000

/** `since` is the ISO time from which errors in the journal may belong to this run. */
export function observeWork(run: {
  readonly leadId: string
  readonly since: string
  readonly store: BoulderStore
  readonly plans: PlanFiles
  readonly journal: Journal
  /** Only the process that leads the work knows of waits of a few seconds. */
  readonly live: Pick<LiveFiles, "readAll">
  readonly now: () => number
  readonly emit: (event: RunEvent) => void
}) {
  const { leadId, emit, store, plans, live } = run
  const decisions = followJournal(run)
  let workId: string | null = null
  let revision = -1
  let progress = ""
  let shownWait = ""
  let ended: { readonly at: number; readonly key: string } | null = null

  const showProgress = async (known: Work): Promise<void> => {
    const { work, reading } = await readPlanOf(plans, known)
    if (reading.kind === "unavailable") return
    const { counts, tasks } = reading.plan
    const task = nextIn(reading.plan, work)
    const settled = tasks.filter(isSettled).length
    const shown = `${settled} ${counts.total} ${task?.key}`
    if (shown === progress) return
    progress = shown
    const next = task && { key: task.key, title: task.title }
    emit({ kind: "progress", settled, total: counts.total, next })
  }

  const stateNow = async (work: Work): Promise<WorkState> => {
    const now = run.now()
    return stateSeen(work, await live.readAll(now).catch(() => []), { more: null, now })
  }

  const showWait = (standing: Standing, seen: WorkState): void => {
    const state = waitShown(standing, seen)
    const leftMs = state === null ? 0 : msUntil(state.until, run.now())
    const unitMs = leftMs < MINUTE_MS ? 1_000 : MINUTE_MS
    const shown = leftMs === 0 ? "" : `${state?.until} ${unitMs} ${Math.ceil(leftMs / unitMs)}`
    if (shown === shownWait) return
    shownWait = shown
    emit({ kind: "waits", state: leftMs === 0 ? null : state, leftMs })
  }

  /** An end is reported once its line is in the journal, or can no longer be expected. */
  const toldStanding = async (work: Work, state: WorkState): Promise<Standing> => {
    const standing = standingOf(work, state, run.now())
    if (standing.kind !== "complete" && standing.kind !== "needs-user") {
      ended = null
      return standing
    }
    const key = standing.kind === "complete" ? "complete" : standing.key
    if (ended?.key !== key) ended = { at: run.now(), key }
    await decisions.read()
    const isTold = (decisions.last()?.at ?? "") >= work.updated_at
    return isTold || !isWithin(ended.at, JOURNAL_LAG_MS, run.now()) ? standing : { kind: "going" }
  }

  return {
    /** Looks at the files and emits what has changed; `readJournal` is useful after an idle. */
    async look(readJournal: boolean) {
      const { boulder } = await store.read()
      const work = workId === null ? workBegun(boulder, leadId) : boulder?.works[workId]
      if (work === undefined) return notThere(workId)
      if (workId === null) emit({ kind: "begun", driver: work.driver })
      workId = work.work_id
      await showProgress(work)
      if (readJournal || boulder?.revision !== revision) await decisions.read()
      revision = boulder?.revision ?? -1
      if (work.lead_session_id !== leadId) return takenOver(work)
      const state = await stateNow(work)
      const standing = await toldStanding(work, state)
      showWait(standing, state)
      return standing
    },
    async taskOf(callId: string) {
      const { boulder } = await store.read()
      const works = Object.values(boulder?.works ?? {})
      const known = works.find((one) => dispatchOf(one, callId) !== undefined)
      if (known === undefined) return null
      const { work, reading } = await readPlanOf(plans, known)
      const key = dispatchOf(work, callId)?.task_key
      if (key == null) return null
      const tasks = reading.kind === "read" ? reading.plan.tasks : []
      return { key, title: tasks.find((task) => task.key === key)?.title ?? key }
    },
  }
}

/**
 * The work that a run's session has started. The first one seen remains the run's; what its user starts later in the same session does not
 * belong to it. State of an older plugin that the start has taken over has not been driven by any opencode yet.
 */
function workBegun(boulder: Boulder | null, leadId: string): Work | undefined {
  return Object.values(boulder?.works ?? {}).find(
    ({ session_ids: ids, driver }) => driver !== null && ids.includes(leadId),
  )
}

function notThere(begun: string | null): Standing {
  return { kind: begun === null ? "not-started" : "removed" }
}

function standingOf(work: Work, state: WorkState, now: number): Standing {
  const detail = pauseWords(work) ?? ""
  const needs = (reason: string, since: string): Standing => ({
    kind: "needs-user",
    need: { reason, detail },
    key: `${reason} ${since}`,
  })
  if (work.status === "completed")
    return { kind: "complete", settled: work.completed_count, total: work.total_count }
  const waits = waitOf(work, now)
  if (waits !== null) return waits
  if (work.status === "paused")
    return needs(work.pause_reason ?? "stopped-by-user", work.updated_at)
  const { awaiting_approval: waiting } = work
  if (waiting !== null) return needs("awaiting-approval", waiting.fingerprint)
  const isWithAnother = state.kind === "waiting-for-you" && state.for === "agent"
  return isWithAnother ? needs("agent-changed", work.updated_at) : { kind: "going" }
}

/** A wait for the provider that needs nobody: ours, or the host's own. */
function waitOf(work: Work, now: number): Standing | null {
  const { limited, pause_reason: reason } = work
  const end = hostWaitEnd(work, now)
  const until = end ?? (reason === "usage-limited" ? limited?.goes_on_at : null)
  if (until == null) return null
  const need = {
    reason: end === null ? "usage-limited" : "provider-wait",
    // Only the server can say whether it resumes by itself after the end of the run.
    detail: hostWaitWords(work, now) ?? whyPaused(work) ?? "",
  }
  return { kind: "waits", until, need, key: `${need.reason} ${until}` }
}

/** What a work waits for, as shown to a person: a recorded wait, else what its process shows. */
function waitShown(standing: Standing, seen: WorkState): RunWait["state"] {
  if (standing.kind !== "waits") return seen.kind === "waiting" ? seen : null
  const isLimit = standing.need.reason === "usage-limited"
  return { kind: "waiting", for: isLimit ? "limit" : "provider", until: standing.until }
}

type RunWait = RunEvent & { readonly kind: "waits" }

function takenOver(work: Work): Standing {
  const detail = `session ${work.lead_session_id} leads it now`
  return { kind: "needs-user", need: { reason: "taken-over", detail }, key: "taken-over" }
}

/** The decisions about one session, each reported once, in order. */
function followJournal(run: {
  readonly leadId: string
  readonly since: string
  readonly journal: Journal
  readonly emit: (event: RunEvent) => void
}) {
  const { leadId, since, journal, emit } = run
  let told: readonly string[] = []
  let last: JournalEntry | null = null
  const isOurs = (entry: JournalEntry): boolean =>
    entry.session === leadId || (entry.decision === "error" && entry.at >= since)
  return {
    last: () => last,
    async read() {
      const { entries } = await journal.readLast(MAX_LINES, isOurs)
      const lines = entries.map((entry) => JSON.stringify(entry))
      for (const [index, entry] of entries.entries()) {
        if (told.includes(lines[index] ?? "")) continue
        const { decision, reason, at } = entry
        if (entry.session === leadId && decision !== "error") last = entry
        emit({ kind: "decision", decision, reason, at, ...limitTold(entry) })
      }
      told = lines
    },
  }
}

/** The limit of a single task that a line of the journal reports. */
function limitTold({ facts: { task, limited_until: until } }: JournalEntry) {
  return typeof task === "string" && typeof until === "string" ? { limited: { task, until } } : {}
}
