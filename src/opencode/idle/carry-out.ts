// Turns a decision into effects.
// Over 250 lines: each decision takes a few lines to show, and what fails there is a second decision of the same kind.
import { setImmediate } from "node:timers/promises"
import type { Work } from "../../boulder/boulder.ts"
import { decidedAtIdle, type IdleDecision, superseded } from "../../decide/decide-idle.ts"
import {
  decidePromptFailed,
  decideShown,
  giveBack,
  type Meanwhile,
} from "../../decide/decide-shown.ts"
import type { Decision } from "../../decide/decision.ts"
import { isApprovalLapsed, isWaveApproved } from "../../decide/final-wave.ts"
import { hasBegunSince } from "../../decide/memory/heard.ts"
import { knowsTree } from "../../decide/progress.ts"
import { windowOf } from "../../decide/window.ts"
import type { Task } from "../../plan/model/plan.ts"
import { type ContinuationFacts, continuationText } from "../../prompts/continuation-text.ts"
import { saysHowToWork } from "../../prompts/how-to-work.ts"
import { hashNow } from "../../store/plans/plan-files.ts"
import { descendantsOf } from "../host/lineage.ts"
import { HostCallError } from "../host/session-api.ts"
import type { Shell } from "../host/shell.ts"
import { isSilence } from "../host/telling.ts"
import { changeOnWork, decideOnWork } from "../work/decide-on-work.ts"
import { toldOf } from "../work/judge-ticks.ts"
import { settlingOf, showWindow, tellWindow } from "../work/show-window.ts"
import { type Gathered, heardNow, humanFacts } from "./gather-situation.ts"
import { type Decided, sayFinished, sayPause, sayWait } from "./say-decision.ts"

/** A decision that was written, and what it was made from. */
export interface Written extends Decided {
  /** The prompt, if the decision is to continue. */
  readonly prompt: Prompt | null
}

interface Prompt {
  /** Made while the decision is written to disk, in turns of its own, so that no step of the write waits for it. */
  readonly text: Promise<string>
  /** The tasks that it names. */
  readonly window: readonly Task[]
  /** Whether it says how to work, so that the next ones need not. */
  readonly saysRules: boolean
}

/** Prepares what a first decision, on what was gathered, needs in order to be written. */
export async function prepare(shell: Shell, gathered: Gathered) {
  const { heard, situation } = gathered
  const human = humanFacts(shell, situation.sessionId)
  const first = decidedAtIdle(gathered, situation.work, { heard, human, lacks: [] })
  const prompt = await promptFor(shell, gathered, first)
  const isEdited = first.decision.kind === "finish" && (await isEditedSince(shell, gathered))
  return {
    /** The prompt, if the decision is to continue. */
    prompt,
    /**
     * The decisions that cannot be made on this: to continue without a text, and to finish a work whose plan has changed since it was read,
     * since nobody watches the plan of a finished work.
     */
    lacks: [
      ...(prompt === null ? (["continue"] as const) : []),
      ...(isEdited ? (["finish"] as const) : []),
    ],
  }
}

async function isEditedSince(
  { plans }: Pick<Shell, "plans">,
  { planHash, situation }: Gathered,
): Promise<boolean> {
  const now = await hashNow(plans, situation.work.active_plan)
  return now !== null && now !== planHash
}

async function promptFor(
  shell: Shell,
  { reading, news, situation: { sessionId, progress, work: before } }: Gathered,
  first: Omit<IdleDecision, "work">,
): Promise<Prompt | null> {
  if (first.decision.kind !== "continue" || reading.kind !== "read") return null
  const { work, lastTurn } = first.situation
  const { plan } = reading
  const window = windowOf(plan, work, shell.options.long_run.window_size)
  const { noProgressTurns } = first.situation.limits
  const { noProgressStreak: count } = first.decision
  const isTreeKnown = knowsTree(progress) && knowsTree(before.continuation.fingerprint)
  const isCutOff = lastTurn?.isSummary === true && work.round.ended === null
  const waveApproved = isWaveApproved(plan, work)
  const facts: Omit<ContinuationFacts, "window" | "cutOffStep"> = {
    planName: work.plan_name,
    planPath: work.active_plan,
    counts: plan.counts,
    settling: settlingOf(shell),
    words: shell.words,
    isTold: shell.sessions.of(sessionId).knowsRules,
    waveApproved,
    approvalLapsed: isApprovalLapsed(plan, work),
    ...news,
    idleTurns: count === 0 ? null : { count, left: noProgressTurns - count, isTreeKnown },
  }
  const made = async (): Promise<string> => {
    await setImmediate()
    const shown = await showWindow(shell, work, reading, window)
    const cutOffStep = isCutOff ? await stepOf(shell, sessionId, lastTurn.messageId) : null
    await setImmediate()
    return continuationText({ ...facts, window: shown, cutOffStep })
  }
  const text = made()
  // Whoever sends the text is told why it failed. If nobody sends it, nobody needs to be told.
  text.catch(() => undefined)
  return { text, window, saysRules: saysHowToWork(window[0], waveApproved) }
}

/** The step that was next when this summary was made. An older state may name a step that is done by now. */
async function stepOf(
  { taskStates }: Pick<Shell, "taskStates">,
  sessionId: string,
  summaryId: string,
): Promise<string | null> {
  const stored = await taskStates.load(sessionId).catch(() => null)
  return stored?.summary_id === summaryId ? stored.task_state.next_step : null
}

/** Shows what was decided and written. Gives that decision, or a second one if something fails here. */
export async function carryOut(shell: Shell, written: Written): Promise<Decision> {
  const { made } = written
  const { decision } = made
  switch (decision.kind) {
    case "retry":
      return decision
    case "rest":
      await sayWait(shell, written)
      return decision
    case "pause":
      forgetStops(shell, written.work)
      await sayPause(shell, written, decision.reason)
      return decision
    case "finish": {
      const { plan, work } = made.situation
      await sayFinished(shell, work, plan.kind === "read" ? plan.plan : null)
      return decision
    }
    case "compact":
      return compact(shell, written)
    case "continue":
      return prompt(shell, written)
  }
}

async function prompt(shell: Shell, written: Written): Promise<Decision> {
  const { gathered, prompt: made, work } = written
  const { sessionId, identity } = gathered.situation
  const text = await made?.text.catch((error: unknown) => lost(shell, written, error))
  const shown = await shownNow(shell, written)
  if (shown.kind !== "continue" || made === null || text === undefined)
    return notSent(shell, written, shown)
  const before = shell.sessions.of(sessionId)
  // Before the prompt: its answer may already have begun when the host says that it took the prompt.
  if (gathered.reading.kind === "read")
    tellWindow(shell, sessionId, { work, plan: gathered.reading.plan }, made.window)
  try {
    await shell.api.prompt(sessionId, text, { identity, round: work.round.number })
  } catch (error) {
    if (!isSilence(error)) throw error
    const isRefused = error instanceof HostCallError
    const failed = await decideOnWork(shell, work, (newest) => {
      const hasBegun = hasBegunSince(before, shell.sessions.of(sessionId), isRefused)
      const failure = { ...meanwhile(shell, sessionId), isRefused, hasBegun }
      return decidePromptFailed(asWritten(written), newest, failure)
    })
    if (failed?.made.decision.kind !== "continue")
      return failed?.made.decision ?? superseded(shell.now())
  }
  if (made.saysRules) shell.sessions.note({ kind: "told-rules", sessionId })
  toldOf(shell, sessionId, gathered.news)
  return shown
}

/** The decision, as it may be shown right now. */
async function shownNow(shell: Shell, written: Written): Promise<Decision> {
  const { gathered, work, boulder } = written
  const newest = async (): Promise<Work | undefined> => {
    if (await shell.store.isNewest(boulder)) return work
    return (await shell.store.read()).boulder?.works[work.work_id]
  }
  const known = await newest().catch((error: unknown) => lost(shell, written, error))
  return decideShown(asWritten(written), known, meanwhile(shell, gathered.situation.sessionId))
}

/** Something failed before anything was sent. What was reserved is given back all the same. */
async function lost(shell: Shell, written: Written, error: unknown): Promise<never> {
  await giveAllBack(shell, written)
  throw error
}

/** Nothing of the decision is sent. What was reserved for it is given back. */
async function notSent(shell: Shell, written: Written, shown: Decision): Promise<Decision> {
  await giveAllBack(shell, written)
  return shown
}

async function giveAllBack(shell: Shell, written: Written): Promise<void> {
  await changeOnWork(shell, written.work, (newest) => giveBack(asWritten(written), newest))
}

function asWritten({ made, work, gathered: { heard } }: Written) {
  return { ...made, work, heard }
}

function meanwhile(shell: Shell, sessionId: string): Meanwhile {
  const [now, memory] = [shell.now(), shell.sessions.of(sessionId)]
  const human = humanFacts(shell, sessionId)
  return { heard: heardNow(shell, sessionId), human, isUsersTurn: memory.isUsersTurn, now }
}

/** Makes the host compact the session at a round's end. The idle that follows continues, with or without the compaction. */
async function compact(shell: Shell, written: Written): Promise<Decision> {
  const { sessionId, identity } = written.gathered.situation
  const shown = await shownNow(shell, written)
  if (shown.kind !== "compact") return notSent(shell, written, shown)
  const failed = { kind: "retry", reason: "compaction-failed", at: shell.now() } as const
  if (identity.model === null) return failed
  try {
    await shell.api.compact(sessionId, identity.model)
    return shown
  } catch (error) {
    if (error instanceof HostCallError) return failed
    throw error
  }
}

/** A stop or refusal is compared with other times only until a pause is written, since the clock may be set later. */
function forgetStops(shell: Shell, { lead_session_id: leadId }: Work): void {
  for (const sessionId of [leadId, ...descendantsOf(shell, leadId)])
    shell.sessions.note({ kind: "stop-written", sessionId })
}
