// Tells the user of a pause, a wait or the end of a work.

import type { PauseReason, Work } from "../../boulder/boulder.ts"
import { hasHeldBlock } from "../../boulder/held-plan.ts"
import { countsNow } from "../../boulder/record-reading.ts"
import type { IdleDecision } from "../../decide/decide-idle.ts"
import { isNews, saidAs } from "../../decide/decide-shown.ts"
import { nameIfNeeded } from "../../decide/name-work.ts"
import type { Situation } from "../../decide/situation.ts"
import type { Plan } from "../../plan/model/plan.ts"
import { blockedWords } from "../../prompts/blocked-lines.ts"
import {
  agentNotice,
  approvalNotice,
  finishNotice,
  pauseNotice,
} from "../../prompts/notice-text.ts"
import { resumesAt, whyPaused } from "../../prompts/pause-words.ts"
import { leftOutLines } from "../../prompts/plan-refusal.ts"
import { quote } from "../../prompts/quote.ts"
import { ofWork } from "../../prompts/typed-command.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import { closeHandoffs } from "../handoffs/handoff-hooks.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import type { DecidedOnWork } from "../work/decide-on-work.ts"
import type { Gathered } from "./gather-situation.ts"

/** A decision that was written, and what it was gathered from. */
export interface Decided extends DecidedOnWork<IdleDecision> {
  readonly gathered: Gathered
}

const SHOWN_BLOCKED = 3

/** What keeps the work from being continued, and what resumes it. */
export async function sayPause(
  shell: Shell,
  { made, gathered, work, boulder }: Decided,
  reason: PauseReason,
): Promise<void> {
  const isOfBlocks = reason === "only-blocked-left" || reason === "task-blocked"
  const ask = async () => (isOfBlocks ? await blockedNow(shell, work, gathered.reading) : [])
  const blocked = await unlessFailed(shell, ask, [])
  const typed = ofWork(shell.typed, nameIfNeeded(work, boulder))
  const { plan, work: paused } = made.situation
  const ofPlan = () => blockedWords(blocked, SHOWN_BLOCKED, typed) || planFact(plan, paused, reason)
  const facts = whyPaused(work) ?? (ofPlan() || null)
  await shell.api.toast(
    pauseNotice(paused.plan_name, reason, {
      facts,
      typed,
      hasHeld: hasHeldBlock(work),
      resumesAt: resumesAt(work),
    }),
    "warning",
  )
}

/** What of the plan has made the pause; "" for nothing. */
function planFact(plan: Situation["plan"], { active_plan }: Work, reason: PauseReason): string {
  if (plan.kind === "unavailable")
    return reason === "plan-unavailable" ? quote(plan.message.replace(/\.$/, ""), 120) : ""
  if (reason !== "rows-outside" || plan.kind !== "read") return ""
  const [first = ""] = leftOutLines(plan.plan, active_plan)
  return quote(first.replace(/\.$/, ""), 48)
}

/** A wait for the user, who is to approve or is with another agent, is said once by each opencode, and again after another decision. */
export async function sayWait(shell: Shell, { made, gathered, boulder }: Decided): Promise<void> {
  const { reason } = made.decision
  if (reason !== "awaiting-approval" && reason !== "agent-changed") return
  const { said } = shell.sessions.of(gathered.situation.sessionId)
  if (!isNews(made) && said === saidAs(made)) return
  const typed = ofWork(shell.typed, nameIfNeeded(made.work, boulder))
  const isWave = reason === "awaiting-approval"
  const words = isWave
    ? approvalNotice(made.work.plan_name, whyPaused(made.work), typed)
    : agentNotice(made.work, typed)
  await shell.api.toast(words, "info")
}

/** Closes what sessions have saved for a finished work, and tells the user of its end; `plan` is null if it is gone. */
export async function sayFinished(shell: Shell, work: Work, plan: Plan | null): Promise<void> {
  if (plan !== null) await unlessFailed(shell, () => closeHandoffs(shell, work, plan), undefined)
  const leftOut = plan === null ? [] : leftOutLines(plan, work.active_plan)
  await shell.api.toast(finishNotice(work.plan_name, countsNow(work, plan), leftOut), "success")
}
