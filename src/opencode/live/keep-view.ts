// Keeps the view file of this process true: when something has happened, and as its heartbeat.

import type { Work } from "../../boulder/boulder.ts"
import { elapsedMs, isoOf } from "../../boulder/iso-time.ts"
import { HEARTBEAT_MS, VIEW_VERSION, type WorkView } from "../../boulder/live-view.ts"
import type { LeadFacts } from "../../boulder/work-state.ts"
import { backsOffUntil } from "../../decide/decide-continuation.ts"
import { isWithAnotherAgent } from "../../decide/decide-shown.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { takenOverNotice } from "../../prompts/notice-text.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import { readPlanOf } from "../../store/plans/read-plan-of.ts"
import { descendantsOf } from "../host/lineage.ts"
import { limitsOf } from "../host/options.ts"
import type { Shell } from "../host/shell.ts"
import type { Timers } from "../host/timers.ts"
import { humanFacts } from "../idle/gather-situation.ts"
import { hostWaitsUntil, leadGoesOn } from "../idle/host-wait.ts"
import { summaryNow } from "../work/judge-ticks.ts"
import { viewOfWork } from "./view-of-work.ts"

/** A view is written at most once in this time, in ms. */
const LEAST_MS = 1_000
/** How often to check whether someone else has changed boulder or plans, in ms. */
const LOOK_MS = 2_000
/** The timers' names; no session has such a name. */
const SOON = "view-soon"
const LATER = "view"
const MAX_WORKS = 20
/** If there are more works, the plans of the others are not read: they would push each other out of the cache. */
const MAX_PLANS = 6
const MAX_PROBLEM_CHARS = 1_000

/** Keeps the view file. A failure here is one line in the log, and fails no hook. */
export function keepView(shell: Shell, timers: Pick<Timers, "set" | "has">) {
  /** What the file says, so that the same is not written twice. It is a copy that no decision looks at. */
  const last = { works: NO_WORKS, shown: "", at: 0, problem: "", isWritten: false, isOver: false }

  const write = async (): Promise<void> => {
    // Whoever needs the state reports that it cannot be read.
    const works = await viewsOf(shell).catch(() => null)
    const isEmpty = works?.length === 0 && shell.problems.length === 0
    if (works === null || (isEmpty && !last.isWritten)) return
    await sayTaken(shell, last.works, works)
    last.works = works
    const problems = shell.problems.map((one) => cleanLine(one).slice(0, MAX_PROBLEM_CHARS))
    const shown = JSON.stringify({ problems, works })
    const now = shell.now()
    if (shown === last.shown && elapsedMs(last.at, now) < HEARTBEAT_MS) return
    if (last.isOver) return
    await shell.live.write({
      version: VIEW_VERSION,
      writer: shell.process.id,
      at: isoOf(now),
      problems,
      works,
    })
    Object.assign(last, { shown, at: now, isWritten: true })
  }
  const tryWrite = async (): Promise<void> => {
    try {
      await write()
    } catch (error) {
      const problem = String(error)
      if (problem !== last.problem) await shell.log(`the view was not written: ${problem}`)
      last.problem = problem
    }
  }
  /** The only way to a write: there is always a whole span between two of them. */
  const touched = (): void => {
    if (!timers.has(LATER)) timers.set(LATER, LOOK_MS, async () => touched())
    if (!timers.has(SOON)) timers.set(SOON, LEAST_MS, tryWrite)
  }
  return {
    /** Something may have changed. If it has, the file is written within a second. */
    touched,
    /** The process ends, or the host lets go of the project. */
    async close() {
      last.isOver = true
      if (last.isWritten) await shell.live.remove(shell.process.id).catch(() => undefined)
    },
  }
}

const NO_WORKS: readonly WorkView[] = []

/** Tells a former lead that it no longer leads its work. */
async function sayTaken(
  { api }: Pick<Shell, "api">,
  before: readonly WorkView[],
  now: readonly WorkView[],
): Promise<void> {
  for (const work of before.filter(({ led }) => led)) {
    const after = now.find(({ work_id: id }) => id === work.work_id)
    if (after === undefined || after.led || after.state.kind === "complete") continue
    const { plan_name: name, lead_session_id: lead } = after
    await api.toast(takenOverNotice(name, lead === work.lead_session_id ? null : lead), "warning")
  }
}

async function viewsOf(shell: Shell): Promise<WorkView[]> {
  const { boulder } = await shell.store.read()
  const works = Object.values(boulder?.works ?? {})
    .toSorted((a, b) => rankOf(a) - rankOf(b) || b.resumed_at.localeCompare(a.resumed_at))
    .slice(0, MAX_WORKS)
  return Promise.all(works.map((work, index) => viewOf(shell, work, index < MAX_PLANS)))
}

function rankOf({ status }: Work): number {
  return status === "completed" ? 1 : 0
}

async function viewOf(shell: Shell, known: Work, isRead: boolean): Promise<WorkView> {
  const { work, reading } =
    known.status === "completed" || !isRead
      ? { work: known, reading: null }
      : await readPlanOf(shell.plans, known)
  const plan = reading?.kind === "read" ? reading.plan : null
  return viewOfWork({
    work,
    plan,
    proof: plan === null ? null : await summaryNow(shell, { work, plan }),
    blocked: reading === null ? [] : await blockedNow(shell, work, reading),
    lead: await leadFacts(shell, work),
    memoryOf: shell.sessions.of,
    windowSize: shell.options.long_run.window_size,
    now: shell.now(),
  })
}

/** What this process knows as the leader of a work; null if it does not lead it. */
export async function leadFacts(shell: Shell, work: Work): Promise<LeadFacts | null> {
  const { lead_session_id: leadId, driver } = work
  const isOurs =
    driver === shell.process.id ||
    (shell.sessions.of(leadId).leads && !(await shell.process.isElsewhere(driver)))
  if (!isOurs) return null
  const asked = humanFacts(shell, leadId).waitingFor
  const waitingFor = asked ?? (isWithAnotherAgent(shell.sessions.of(leadId)) ? "agent" : null)
  const family = [leadId, ...descendantsOf(shell, leadId)]
  const asking = family.find((id) => {
    const { questions, permissions } = shell.sessions.of(id)
    return (asked === "question" ? questions : permissions).length > 0
  })
  return {
    waitingFor,
    asks: asking === undefined ? null : shell.sessions.of(asking).asks,
    session: asking ?? (waitingFor === "agent" ? leadId : null),
    backsOffUntil: backsOffUntil(work, limitsOf(shell.options), shell.now()),
    hostWaitsUntil: hostWaitsUntil(shell, work, shell.now()),
    isWorking: leadGoesOn(shell, work),
  }
}
