import type { RoundEnd, Work } from "../boulder/boulder.ts"
import { changeWork } from "../boulder/change-work.ts"
import { checkpointText, isSameCheckpoint } from "../boulder/checkpoint.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { endRound } from "../boulder/round-record.ts"
import { grownBy } from "../decide/context-growth.ts"
import { decideRound, reachedLimit } from "../decide/decide-round.ts"
import { mayRunAtHardLimit } from "../decide/hard-limit.ts"
import { workAtHand } from "../decide/place.ts"
import type { TokenLimits } from "../decide/situation.ts"
import { windowOf } from "../decide/window.ts"
import { settledCount, type Task } from "../plan/plan.ts"
import { HANDOFF_TOOLS } from "../prompts/handoff-tools.ts"
import { hardLimitRefusal, roundNotice, scaledNotice } from "../prompts/round-text.ts"
import { writeCheckpoint } from "../store/checkpoint-files.ts"
import type { ReadPlan } from "../store/plan-files.ts"
import { taskStatePath } from "../store/task-state-files.ts"
import { noteBlocks } from "./block-journal.ts"
import { bookTokens } from "./book-tokens.ts"
import { limitsInForce } from "./limits-in-force.ts"
import { placeOf, workAndPlan } from "./place-of.ts"
import { changeReading } from "./record-plan.ts"
import type { Shell } from "./shell.ts"
import { keepShards } from "./show-window.ts"
import { ToolRefusal } from "./tool-refusal.ts"
import { writtenNames } from "./write-guard.ts"

/** Rounds of the works that sessions of this process lead (design.md 5.5). */
export interface Rounds {
  /**
   * Looks at the plan and the context behind a tool of a session: newly settled tasks are counted once, and a round
   * that is due ends with a checkpoint. Gives the notice for the model, null where nothing is to be said. A session
   * that leads no work costs a look into memory.
   */
  look(sessionId: string): Promise<string | null>
  /**
   * What is to be done before a tool of a lead session beyond its hard limit: it throws a `ToolRefusal` where the
   * tool may not run. Null, after a look into memory, for every other session.
   */
  hardLimit(call: { sessionId: string; tool: string; args: unknown }): (() => Promise<void>) | null
}

const OURS: ReadonlySet<string> = new Set(Object.keys(HANDOFF_TOOLS))
const NOTHING = Promise.resolve(null)

export function openRounds(shell: Shell): Rounds {
  const isOff = (sessionId: string): boolean =>
    !shell.options.long_run.enabled || !shell.sessions.of(sessionId).leads
  /** One look at a time: parallel tools of one message end a round once. */
  let last: Promise<unknown> = Promise.resolve()
  const look = (sessionId: string): Promise<string | null> => {
    const mine = last.then(async () =>
      (await isAsSeen(shell, sessionId)) ? null : lookOnce(shell, sessionId),
    )
    last = mine.catch(() => null)
    return mine
  }
  return {
    look: (sessionId) => (isOff(sessionId) ? NOTHING : look(sessionId)),
    hardLimit({ sessionId, tool, args }) {
      if (isOff(sessionId)) return null
      const limits = limitsInForce(shell, sessionId)
      const { contextTokens } = shell.sessions.of(sessionId)
      if (contextTokens < limits.hard || OURS.has(tool)) return null
      return async () => {
        const work = workAtHand(await placeOf(shell, sessionId))
        if (work === null) return
        const paths = await writtenNames(shell, args, work.active_plan)
        if (mayRunAtHardLimit({ tool, args, paths }, { planPath: work.active_plan, ours: OURS }))
          return
        await look(sessionId)
        throw new ToolRefusal(hardLimitRefusal(contextTokens, limits.hard))
      }
    },
  }
}

/** Nothing has changed since the last look of this turn: told by the plan's `stat` and by memory alone. */
async function isAsSeen(shell: Shell, sessionId: string): Promise<boolean> {
  const { looked, contextTokens } = shell.sessions.of(sessionId)
  if (looked === null) return false
  const limit = reachedLimit(contextTokens, limitsInForce(shell, sessionId))
  return limit === looked.limit && (await shell.plans.keptHash(looked.plan)) === looked.hash
}

async function lookOnce(shell: Shell, sessionId: string): Promise<string | null> {
  const found = await workAndPlan(shell, sessionId, workAtHand)
  if (found?.reading.kind !== "read") return null
  const { work, reading } = found
  const { contextTokens, growth } = shell.sessions.of(sessionId)
  const limits = limitsInForce(shell, sessionId)
  await sayScaled(shell, sessionId, limits)
  const seen = { plan: work.active_plan, hash: reading.fingerprint.hash }
  const limit = reachedLimit(contextTokens, limits)
  const settled = settledCount(reading.plan.counts)
  const decision = decideRound({
    round: work.round,
    settled,
    checkpointEvery: shell.options.long_run.checkpoint_every,
    contextTokens,
    isNewlySettled: settled > work.completed_count,
    grownBy: grownBy(growth),
    limits,
  })
  const isChanged = work.plan_fingerprint?.hash !== reading.fingerprint.hash
  const window = windowOf(reading.plan, work, shell.options.long_run.window_size)
  if (isChanged) {
    await keepShards(shell, work, reading, window)
    await noteBlocks(shell, work, reading, sessionId)
  }
  const isOver = decision.kind === "end"
  const due = { work, reading, sessionId, window }
  const notice = isOver ? await endOf(shell, due, decision.reason) : null
  if (isChanged && !isOver)
    await shell.store.update(
      changeWork(work.work_id, isoOf(shell.now()), changeReading(shell, reading, sessionId)),
    )
  shell.sessions.note({ kind: "looked", sessionId, ...seen, limit })
  return notice
}

/** Limits that do not fit the model are said once a session. */
async function sayScaled(shell: Shell, sessionId: string, limits: TokenLimits): Promise<void> {
  const { toldOfLimits, contextLimit, compactsAt } = shell.sessions.of(sessionId)
  if (!limits.scaled || toldOfLimits || contextLimit === null) return
  shell.sessions.note({ kind: "told-of-limits", sessionId })
  await shell.api.toast(scaledNotice(limits, contextLimit, compactsAt), "info")
}

interface Due {
  readonly work: Work
  readonly reading: ReadPlan
  readonly sessionId: string
  readonly window: readonly Task[]
}

async function endOf(
  shell: Shell,
  { work, reading, sessionId, window: tasks }: Due,
  reason: RoundEnd,
): Promise<string> {
  const { plan, fingerprint } = reading
  const at = isoOf(shell.now())
  const { contextTokens } = shell.sessions.of(sessionId)
  const window = tasks.map((task) => task.key)
  const counted = changeReading(shell, reading, sessionId)
  const planHash = fingerprint.hash
  const { tokens } = await bookTokens(shell, work)
  const facts = {
    reason,
    work: { ...counted(work), tokens },
    plan,
    planHash,
    window,
    contextTokens,
    taskState: await taskStateOf(shell, sessionId),
    at,
  }
  const seq = await writeCheckpoint(shell.records, {
    workId: work.work_id,
    after: work.checkpoint_seq,
    textOf: (number) => checkpointText({ ...facts, seq: number }),
    isSame: isSameCheckpoint,
  })
  const settled = settledCount(reading.plan.counts)
  const end = endRound(reason, seq, settled)
  await shell.store.update(changeWork(work.work_id, at, (before) => end(counted(before))))
  await shell.journal.append({
    at,
    session: sessionId,
    work: work.work_id,
    decision: "end-round",
    reason,
    facts: { round: work.round.number, checkpoint: seq, settled, context_tokens: contextTokens },
  })
  return roundNotice(reason, { seq, settled, total: plan.counts.total })
}

/** The task state that goes with a checkpoint, by its place; what it says is none of the checkpoint's. */
async function taskStateOf({ records }: Shell, sessionId: string): Promise<string | null> {
  const path = taskStatePath(sessionId)
  return (await records.read(path)) === null ? null : path
}
