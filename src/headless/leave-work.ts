// Pauses what a run leaves unfinished when its server ends with it.
import type { Work } from "../boulder/boulder.ts"
import { changeWork, pause } from "../boulder/change-work.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { withoutWait } from "../boulder/usage-limit.ts"
import { awaitsApproval, unsettledTasks } from "../decide/final-wave.ts"
import { worksLed } from "../decide/place.ts"
import type { ProcessLife } from "../store/disk/process-life.ts"
import { isSameProcess } from "../store/disk/writer-identity.ts"
import type { PlanFiles } from "../store/plans/plan-files.ts"
import { readPlanOf } from "../store/plans/read-plan-of.ts"
import type { Journal } from "../store/records/journal.ts"
import type { BoulderStore } from "../store/revisions/boulder-store.ts"
import type { RunEvent, RunOutcome } from "./run-event.ts"

/** A run that ends. */
interface RunLeft {
  readonly leadId: string
  /** The process that started its work; null if unknown. */
  readonly driver: string | null
  /** Whether a process is alive and is not this one. */
  readonly isElsewhere: ProcessLife["isElsewhere"]
  /** Null if it failed. */
  readonly outcome: RunOutcome | null
  readonly store: BoulderStore
  readonly plans: Pick<PlanFiles, "read">
  readonly journal: Pick<Journal, "append">
  /** ms since 1970 */
  readonly now: () => number
  readonly emit: (event: RunEvent) => void
}

/**
 * Leaves none of the run's works active: an opencode that is open on the same project would take them up, and spend money on them, although
 * their run has ended. A work that another opencode already drives is left to it. Reports each work that it pauses.
 */
export async function leaveWork(run: RunLeft): Promise<void> {
  const { leadId, outcome, store, plans, journal, now, emit } = run
  const end = endOf(outcome)
  const at = isoOf(now())
  // A wait for the end of a limit becomes a wait for the user.
  const leave = (work: Work) => pause(end.reason)(withoutWait(work))
  const { boulder: before } = await store.read()
  for (const known of worksLed(before, leadId)) {
    if ((await isAnothers(run, known)) || !(await wouldGoOn(plans, known))) continue
    const { work_id: workId } = known
    const { boulder, changed } = await store.update(
      changeWork(workId, at, (work) => (isAsRead(work, known) ? leave(work) : work)),
    )
    const reason = boulder.works[workId]?.pause_reason ?? null
    if (!changed || reason === null) continue
    const told = { at, decision: "pause", reason }
    // The end of the run says what a person is needed for.
    if (outcome?.kind !== "needs-user") emit({ kind: "decision", ...told, why: end.why })
    await journal.append({ ...told, session: leadId, work: workId, facts: { why: end.why } })
  }
}

async function isAnothers({ driver, isElsewhere }: RunLeft, known: Work): Promise<boolean> {
  const isOurs = driver === null || known.driver === null || isSameProcess(driver, known.driver)
  return !isOurs && (await isElsewhere(known.driver))
}

/** Whether nobody else has begun to drive it. */
function isAsRead(work: Work, read: Work): boolean {
  return work.lead_session_id === read.lead_session_id && work.driver === read.driver
}

/** Whether somebody who takes the work up would work on it: a finished one ends, and one that waits for approval stays with its user. */
async function wouldGoOn(plans: Pick<PlanFiles, "read">, known: Work): Promise<boolean> {
  const { work, reading } = await readPlanOf(plans, known)
  if (reading.kind !== "read") return true
  const { plan } = reading
  return !awaitsApproval(plan, work) && unsettledTasks(plan, work).some((task) => !task.optional)
}

interface End {
  readonly reason: "aborted" | "rejected-by-user"
  readonly why: string
}

const ENDED = "its run ended"

/** Why a work is paused when its run ends this way; after a complete one, another work of its session. */
function endOf(outcome: RunOutcome | null): End {
  switch (outcome?.kind) {
    case "interrupted":
      return { reason: "aborted", why: "its run was interrupted" }
    case "out-of-time":
      return { reason: "aborted", why: "the time limit of its run is over" }
    case "complete":
      return { reason: "aborted", why: ENDED }
    case "needs-user":
      return outcome.need.reason === "question" || outcome.need.reason === "permission"
        ? { reason: "rejected-by-user", why: `${ENDED} with it unanswered` }
        : { reason: "aborted", why: ENDED }
    default:
      return { reason: "aborted", why: "its run failed" }
  }
}
