// What a run leaves of its work where its server ends with it.
import type { PauseReason, Work } from "../boulder/boulder.ts"
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
import type { Need, RunEvent, RunOutcome } from "./run-event.ts"

/** A run that ends. */
interface RunLeft {
  readonly leadId: string
  /** The process that has begun its work; null where that is not known. */
  readonly driver: string | null
  /** Whether a process lives, and is not this one. */
  readonly isElsewhere: ProcessLife["isElsewhere"]
  /** Null where it has failed. */
  readonly outcome: RunOutcome | null
  readonly store: BoulderStore
  readonly plans: Pick<PlanFiles, "read">
  readonly journal: Pick<Journal, "append">
  /** ms since 1970 */
  readonly now: () => number
  readonly emit: (event: RunEvent) => void
}

/**
 * Leaves nothing of a run's works going: an opencode that is open on the same project would take them up, and spend for
 * them, though their run has ended. What another opencode carries on already is that one's. Tells of each that it pauses.
 */
export async function leaveWork(run: RunLeft): Promise<void> {
  const { leadId, outcome, store, plans, journal, now, emit } = run
  const end = endOf(outcome)
  const at = isoOf(now())
  const leave = leftBy(end.reason)
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
    // What a person is needed for is said with the end of the run.
    if (outcome?.kind !== "needs-user") emit({ kind: "decision", ...told, why: end.why })
    await journal.append({ ...told, session: leadId, work: workId, facts: { why: end.why } })
  }
}

async function isAnothers({ driver, isElsewhere }: RunLeft, known: Work): Promise<boolean> {
  const isOurs = driver === null || known.driver === null || isSameProcess(driver, known.driver)
  return !isOurs && (await isElsewhere(known.driver))
}

/** Nobody else has begun to carry it on. */
function isAsRead(work: Work, read: Work): boolean {
  return work.lead_session_id === read.lead_session_id && work.driver === read.driver
}

/** Whether who takes a work up works on it: what is done it ends, and what waits for approval it leaves to its user. */
async function wouldGoOn(plans: Pick<PlanFiles, "read">, known: Work): Promise<boolean> {
  const { work, reading } = await readPlanOf(plans, known)
  if (reading.kind !== "read") return true
  const { plan } = reading
  return !awaitsApproval(plan, work) && unsettledTasks(plan, work).some((task) => !task.optional)
}

/** What waits for a limit's end waits for its user by then. */
function leftBy(reason: PauseReason): (work: Work) => Work {
  return (work) => pause(reason)(withoutWait(work))
}

interface End {
  readonly reason: "aborted" | "rejected-by-user"
  readonly why: string
}

const ENDED = "its run ended"

/** Why a work is paused where its run ends so; of a complete one, another work of its session. */
function endOf(outcome: RunOutcome | null): End {
  switch (outcome?.kind) {
    case "interrupted":
      return { reason: "aborted", why: "its run was interrupted" }
    case "out-of-time":
      return { reason: "aborted", why: "the time limit of its run is over" }
    case "complete":
      return { reason: "aborted", why: ENDED }
    case "needs-user":
      return { reason: isAsked(outcome.need) ? "rejected-by-user" : "aborted", why: ENDED }
    default:
      return { reason: "aborted", why: "its run failed" }
  }
}

function isAsked({ reason }: Need): boolean {
  return reason === "question" || reason === "permission"
}
