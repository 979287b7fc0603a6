// Looks at plan and context after a tool of a lead session, and writes what it finds as one change.
// Over 250 lines: whatever one look finds is gathered, written and given to be told as one.

import type { Boulder, RoundEnd, Work } from "../../boulder/boulder.ts"
import { checkpointText, isSameCheckpoint } from "../../boulder/checkpoint.ts"
import { begunKeys } from "../../boulder/find-dispatch.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import { followTicks } from "../../boulder/follow-ticks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { addSpent } from "../../boulder/spent.ts"
import { stepsBetween } from "../../decide/check-setbacks.ts"
import { lookBehindTool, reachedLimit, type ToolLook } from "../../decide/decide-round.ts"
import type { TickNews } from "../../decide/decision.ts"
import { waveNews } from "../../decide/final-wave.ts"
import { grownBy } from "../../decide/memory/context-growth.ts"
import { isUsersOwn } from "../../decide/memory/users-turn.ts"
import type { TokenLimits } from "../../decide/situation.ts"
import { windowOf } from "../../decide/window.ts"
import { byKey } from "../../plan/model/once-a-reading.ts"
import { settledCount, type Task } from "../../plan/model/plan.ts"
import type { Renumbered } from "../../prompts/news-lines.ts"
import { scaledNotice } from "../../prompts/notice-text.ts"
import { messageOf } from "../../store/disk/store-error.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import { writeCheckpoint } from "../../store/records/checkpoint-files.ts"
import { taskStatePath } from "../../store/records/task-state-files.ts"
import { limitsInForce } from "../host/limits-in-force.ts"
import type { Shell } from "../host/shell.ts"
import { decideOnWork } from "../work/decide-on-work.ts"
import { journalReading } from "../work/journal-reading.ts"
import { judgeTicks, summaryNow } from "../work/judge-ticks.ts"
import { changeReading } from "../work/record-plan.ts"
import { keepShards, renumberedNow } from "../work/show-window.ts"
import { spentSoFar } from "../work/take-spent.ts"

/** What a look was gathered from: the work that a session leads, and its plan. */
export interface LookFacts {
  readonly sessionId: string
  readonly work: Work
  readonly reading: ReadPlan
}

/** What a look after a tool has found. */
export interface Looked {
  readonly work: Work
  readonly boulder: Boulder
  readonly news: TickNews
  /** The end of the round, if this look has ended it. */
  readonly ended: { readonly reason: RoundEnd; readonly seq: number } | null
  /** Whether this look made the final wave wait for something the lead must be told: to ask for its approval, or to run rows again. */
  readonly hasWaveNews: boolean
  /** A task of the window that is ticked by now although it was never delegated. */
  readonly settledAlone: string | null
  /** Keys that name other tasks than the lead was told; null if there are none. */
  readonly renumbered: Renumbered | null
  /** The tasks that have failed their verification once more, if that changes who continues with them. */
  readonly stepped: readonly string[]
  /** The plan, in which tasks that are held back are still to be done. */
  readonly reading: ReadPlan
}

type Change = (work: Work) => Work

/** Looks at plan and context after a tool of a lead, and writes all changes at once, after `changeFirst`. Null if the work is gone. */
export async function lookBehind(
  shell: Shell,
  facts: LookFacts,
  changeFirst: Change = (work) => work,
): Promise<Looked | null> {
  const { sessionId } = facts
  const tasks = followTasks(facts.reading)
  const ticks = followTicks(facts.reading.plan)
  const follow: Change = (newest) => ticks(changeFirst(tasks(newest)))
  // The work that the result is compared with, under the present keys of its tasks.
  const work = tasks(facts.work)
  const first = follow(work)
  const judged = { work: first, reading: facts.reading }
  const { news, hold, setback } = await judgeTicks(shell, judged)
  const change: Change = (newest) => hold(follow(newest))
  const changed = setback(hold(first))
  const reading = heldReading(facts.reading, changed)
  const gathered = { ...facts, work, reading }
  const memory = shell.sessions.of(sessionId)
  const { contextTokens, growth } = memory
  const limits = limitsInForce(shell, sessionId)
  const look: ToolLook = {
    plan: reading.plan,
    planHash: reading.fingerprint.hash,
    checkpointEvery: shell.options.long_run.checkpoint_every,
    contextTokens,
    grownBy: grownBy(growth),
    limits,
    isUsersTurn: isUsersOwn(memory, work),
    checkpoint: null,
    counted: changeReading(shell, reading, sessionId),
  }
  const { decision } = lookBehindTool(look, changed)
  const settledAlone = settledAloneIn(changed, reading.plan.tasks)
  const checkpoint =
    decision.kind === "end"
      ? await keepCheckpoint(shell, gathered, look, changed, decision.reason).catch(
          (error: unknown) => sayNotKept(shell, gathered, error),
        )
      : null
  const decided = await decideOnWork(shell, work, (newest) => {
    const before = change(newest)
    const counted = setback(before)
    // The user may have written since it was gathered.
    const isUsersTurn = isUsersOwn(shell.sessions.of(sessionId), newest)
    const now = { ...look, checkpoint, isUsersTurn }
    const made = lookBehindTool(now, before)
    // A count that changes nothing else yet is written with the next change.
    const isDue = made.work !== newest || stepsBetween(before, counted).length > 0
    return isDue ? lookBehindTool(now, counted) : made
  })
  if (decided === null) return null
  const { made, boulder } = decided
  const hash = look.planHash
  const limit = reachedLimit(contextTokens, limits)
  const isTriedAgain = decision.kind === "end" && checkpoint === null
  const wave = waveNews(reading.plan, decided.work)
  const hasWaveNews = wave !== null && wave !== memory.looked?.wave
  if (!isTriedAgain)
    shell.sessions.note({ kind: "looked", sessionId, plan: work.active_plan, hash, limit, wave })
  await sayScaled(shell, sessionId, limits)
  if (work.plan_fingerprint?.hash !== look.planHash) {
    const window = windowOf(reading.plan, changed, shell.options.long_run.window_size)
    await keepShards(shell, work, reading, window)
  }
  await journalReading(shell, { before: work, after: decided.work }, reading)
  const stepped = stepsBetween(work, decided.work)
  const seen = {
    work: decided.work,
    boulder,
    hasWaveNews,
    settledAlone,
    news,
    renumbered: renumberedNow(shell, sessionId, work, reading.plan),
    stepped,
    reading,
  }
  if (made.decision.kind !== "end" || checkpoint === null) return { ...seen, ended: null }
  const { reason } = made.decision
  const settled = settledCount(reading.plan.counts)
  await shell.journal.append({
    at: decided.work.updated_at,
    session: sessionId,
    work: work.work_id,
    decision: "end-round",
    reason,
    facts: { round: work.round.number, checkpoint, settled, context_tokens: contextTokens },
  })
  return { ...seen, ended: { reason, seq: checkpoint } }
}

/** A task of the window, as last seen, that is done by now and was never given to a session; null if none. */
function settledAloneIn(work: Work, all: readonly Task[]): string | null {
  const { current_window: window, window_titles: titles, task_sessions: sessions } = work
  const given = new Set(begunKeys(work))
  const tasks = window.flatMap((key, at) => {
    const task = byKey(all).get(key)
    return task !== undefined && task.titleHash === titles[at] ? [task] : []
  })
  const alone = tasks.find(
    ({ key, state }) => state === "done" && !Object.hasOwn(sessions, key) && !given.has(key),
  )
  return alone?.key ?? null
}

/** Limits that do not fit the model or the session are reported once a session. */
async function sayScaled(shell: Shell, sessionId: string, limits: TokenLimits): Promise<void> {
  const { toldOfLimits, model } = shell.sessions.of(sessionId)
  const isOther = limits.scaled || limits.base !== undefined
  if (!isOther || toldOfLimits || model === null) return
  shell.sessions.note({ kind: "told-of-limits", sessionId })
  await shell.api.toast(scaledNotice(limits, model.contextLimit, model.compactsAt), "info")
}

/** A checkpoint cannot be written: nothing else is lost that the look has found, and the next look tries again. */
async function sayNotKept(
  { journal, now }: Shell,
  { sessionId, work }: LookFacts,
  error: unknown,
): Promise<null> {
  await journal.append({
    at: isoOf(now()),
    session: sessionId,
    work: work.work_id,
    decision: "error",
    reason: "checkpoint-failed",
    facts: { message: messageOf(error) },
  })
  return null
}

/** Writes the checkpoint of a round that ends with this look. Gives its number. */
async function keepCheckpoint(
  shell: Shell,
  { sessionId, reading }: LookFacts,
  { planHash, contextTokens, counted }: ToolLook,
  changed: Work,
  reason: RoundEnd,
): Promise<number> {
  const { plan } = reading
  const work = addSpent(spentSoFar(shell, sessionId))(counted(changed))
  const facts = {
    reason,
    work,
    plan,
    planHash,
    window: work.current_window,
    contextTokens,
    taskState: await taskStateOf(shell, sessionId),
    proof: await summaryNow(shell, { work, plan }),
    at: isoOf(shell.now()),
  }
  return writeCheckpoint(shell.records, {
    workId: work.work_id,
    after: work.checkpoint_seq,
    textOf: (seq) => checkpointText({ ...facts, seq }),
    isSame: isSameCheckpoint,
  })
}

/** The path of the task state that goes with a checkpoint; null if there is none. What the state says is not part of the checkpoint. */
async function taskStateOf({ records }: Shell, sessionId: string): Promise<string | null> {
  const path = taskStatePath(sessionId)
  return (await records.read(path)) === null ? null : path
}
