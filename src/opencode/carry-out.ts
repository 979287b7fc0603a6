import type { PauseReason, Work } from "../boulder/boulder.ts"
import { changeWork, complete, pause } from "../boulder/change-work.ts"
import { recordFailure, reserveContinuation } from "../boulder/continuation-record.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { beginRound } from "../boulder/round-record.ts"
import type { Decision } from "../decide/decision.ts"
import { isWaveApproved, waveStatus } from "../decide/final-wave.ts"
import type { Situation } from "../decide/situation.ts"
import { spentBudget } from "../decide/spent-budget.ts"
import { windowOf } from "../decide/window.ts"
import type { Plan } from "../plan/plan.ts"
import { blockedWords } from "../prompts/blocked-lines.ts"
import { budgetWords } from "../prompts/budget-words.ts"
import { continuationText } from "../prompts/continuation-text.ts"
import { approvalNotice, finishNotice, pauseNotice } from "../prompts/notice-text.ts"
import { blockedNow } from "./blocked-now.ts"
import { compactRound } from "./compact-round.ts"
import type { Gathered } from "./gather-situation.ts"
import { closeHandoffs } from "./handoff-hooks.ts"
import { descendantsOf } from "./lineage.ts"
import { offerSession } from "./offer-session.ts"
import { changeReading } from "./record-plan.ts"
import { HostCallError } from "./session-api.ts"
import type { Shell } from "./shell.ts"
import { showWindow } from "./show-window.ts"
import { TimeLimitError } from "./time-limit.ts"

/** What came of a decision: when to look again (ms since 1970), and what to write beside it in the journal. */
export interface CarriedOut {
  readonly lookAgainAt: number | null
  readonly decision: string
  readonly reason: string
}

type Change = (work: Work) => Work

/** Turns a decision into effects: state first, then words. */
export async function carryOut(
  shell: Shell,
  gathered: Gathered,
  decision: Decision,
): Promise<CarriedOut> {
  const { situation } = gathered
  const { work } = situation
  const said = { decision: decision.kind, reason: decision.reason, lookAgainAt: null }
  if (work === null) return said
  switch (decision.kind) {
    case "retry":
      return { ...said, lookAgainAt: decision.at }
    case "rest":
      if (decision.reason === "awaiting-approval") await awaitApproval(shell, gathered, work)
      return said
    case "pause":
      return pauseWork(shell, gathered, work, decision.reason)
    case "finish": {
      await change(shell, work, complete, readingOf(shell, gathered))
      const plan = planOf(situation)
      if (plan !== null) await closeHandoffs(shell, work.work_id, plan)
      const counts = plan?.counts
      const settled = (counts?.done ?? 0) + (counts?.cancelled ?? 0)
      await shell.api.toast(finishNotice(work.plan_name, settled, counts?.total ?? 0), "success")
      return said
    }
    case "compact":
      return compactRound(shell, situation, work, decision.noProgressStreak)
    case "continue":
      return goOn(shell, gathered, work, decision.noProgressStreak)
  }
}

async function goOn(
  shell: Shell,
  gathered: Gathered,
  work: Work,
  noProgressStreak: number,
): Promise<CarriedOut> {
  const { situation, reading } = gathered
  const said = { decision: "continue", reason: "continue", lookAgainAt: null }
  if (reading?.kind !== "read") return { ...said, decision: "rest", reason: "plan-unavailable" }
  const { plan } = reading
  const window = windowOf(plan, work, shell.options.long_run.window_size)
  const [first] = window
  const reuse =
    first === undefined || shell.options.reuse === "off"
      ? null
      : await offerSession(shell, work, first, null)
  if ((await shell.api.busySessions()).has(situation.sessionId))
    return { ...said, decision: "rest", reason: "session-busy" }
  const shown = await showWindow(shell, work, reading, window)
  const reserve = reserveContinuation({
    expectedCount: work.continuation.count,
    expectedEpoch: work.compactions.epoch,
    leadSessionId: situation.sessionId,
    now: isoOf(shell.now()),
    noProgressStreak,
    fingerprint: situation.progress,
  })
  const before = work.continuation.count
  const after = await change(shell, work, reserve, (reserved) =>
    beginRound(readingOf(shell, gathered)(reserved)),
  )
  if (after?.continuation.count !== before + 1)
    return { ...said, decision: "rest", reason: "superseded" }
  const { plan_name: planName, active_plan: planPath } = work
  const text = continuationText({
    planName,
    planPath,
    counts: plan.counts,
    window: shown,
    reuse,
    waveApproved: isWaveApproved(plan, work),
    cutOff: situation.lastTurn?.isSummary === true && work.round.ended === null,
  })
  try {
    const { identity, sessionId } = situation
    await shell.api.prompt(sessionId, text, { identity, round: after.round.number })
  } catch (error) {
    if (!(error instanceof HostCallError || error instanceof TimeLimitError)) throw error
    await change(shell, work, recordFailure(null, isoOf(shell.now())))
    const lookAgainAt = shell.now() + situation.limits.backoffMs
    return { decision: "retry", reason: "prompt-failed", lookAgainAt }
  }
  return said
}

async function pauseWork(
  shell: Shell,
  gathered: Gathered,
  work: Work,
  reason: PauseReason,
): Promise<CarriedOut> {
  const { now, limits } = gathered.situation
  const spent = reason === "budget-spent" ? spentBudget(work, now, limits) : null
  await change(shell, work, pause(reason, spent), readingOf(shell, gathered))
  if (reason === "aborted" || reason === "rejected-by-user") stopWritten(shell, work)
  const figures = spent === null ? await waitedFor(shell, work, reason) : budgetWords(spent)
  await shell.api.toast(pauseNotice(work.plan_name, reason, figures), "warning")
  return { decision: "pause", reason, lookAgainAt: null }
}

/** The times of a stop are compared with others until it is written, and no longer: the clock may be set back later. */
function stopWritten(shell: Shell, { lead_session_id: leadId }: Work): void {
  for (const sessionId of [leadId, ...descendantsOf(shell, leadId)])
    shell.sessions.note({ kind: "stop-written", sessionId })
}

const SHOWN_BLOCKED = 3

/** What a work that pauses for blocked tasks waits for, in words; null for every other pause. */
async function waitedFor(shell: Shell, work: Work, reason: PauseReason): Promise<string | null> {
  if (reason !== "only-blocked-left" && reason !== "task-blocked") return null
  return blockedWords(await blockedNow(shell, work), SHOWN_BLOCKED) || null
}

async function awaitApproval(shell: Shell, gathered: Gathered, work: Work): Promise<void> {
  const plan = planOf(gathered.situation)
  if (plan === null) return
  const { fingerprint } = waveStatus(plan, work)
  if (work.awaiting_approval?.fingerprint === fingerprint) return
  const since = isoOf(shell.now())
  const wait: Change = (now) => ({ ...now, awaiting_approval: { fingerprint, since } })
  await change(shell, work, wait, readingOf(shell, gathered))
  await shell.api.toast(approvalNotice(work.plan_name), "info")
}

/** Applies the changes as one; one that finds its work as it should be leaves even the reading unwritten. */
async function change(
  shell: Shell,
  work: Work,
  first: Change,
  then?: Change,
): Promise<Work | undefined> {
  const both: Change = (before) => {
    const after = first(before)
    return after === before || then === undefined ? after : then(after)
  }
  const { boulder } = await shell.store.update(changeWork(work.work_id, isoOf(shell.now()), both))
  return boulder.works[work.work_id]
}

function readingOf(shell: Shell, { reading, situation }: Gathered): Change {
  return changeReading(shell, reading, situation.sessionId)
}

function planOf({ plan }: Situation): Plan | null {
  return plan.kind === "read" ? plan.plan : null
}
