// Gathers the facts of the text under a tool's result: what came back, and what the turn does next.
// Over 250 lines: what came back, what is next and which session is offered are told apart by each other.
import type { Work } from "../../boulder/boulder.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { isRejectedInPlan } from "../../boulder/row-verdicts.ts"
import { BLOCKED_AT } from "../../boulder/setbacks.ts"
import { isSpent } from "../../boulder/usage-limit.ts"
import type { TurnedDown } from "../../decide/decision.ts"
import {
  awaitsApproval,
  isApprovalLapsed,
  isOfAnotherPlan,
  isWaveApproved,
  reviewedIn,
  rowsToFix,
  rowsToRunAgain,
  unreviewedRows,
  unsettledTasks,
  waveStatus,
} from "../../decide/final-wave.ts"
import { isUsersOwn } from "../../decide/memory/users-turn.ts"
import { taskLimitNow, tasksLimitNow } from "../../decide/provider-says.ts"
import { recordedSession } from "../../decide/reuse.ts"
import { hasBlocked, nextIn, workable } from "../../decide/window.ts"
import { findAgain } from "../../plan/match-tasks.ts"
import { withoutRecord } from "../../plan/model/blocked-words.ts"
import { byKey } from "../../plan/model/once-a-reading.ts"
import { isSettled, type Plan, settledCount, type Task } from "../../plan/model/plan.ts"
import { blockWords, settleWords } from "../../prompts/how-to-work.ts"
import { SHOWN_KEYS } from "../../prompts/quote.ts"
import {
  type CameBack,
  NOTHING_TOLD,
  saysAgain,
  type ToolText,
  type TurnNext,
} from "../../prompts/tool-text.ts"
import type { StatedBlock } from "../handoffs/block-stated.ts"
import type { Shell } from "../host/shell.ts"
import { checkReuse } from "../work/check-reuse.ts"
import type { WorkAndPlan } from "../work/place-of.ts"
import { settlingOf } from "../work/show-window.ts"
import type { Looked } from "./look-behind.ts"

/** A `task` call that came back, after it was recorded. */
export interface Returned {
  /** The task that the call named; null if it works on none. */
  readonly task: Task | null
  /** The same task, if the call's session is kept under it. */
  readonly recorded: Task | null
  /** Whether the call had its task to itself: no other call in flight had it. */
  readonly isAlone: boolean
  readonly blocked: StatedBlock | null
  /** Whether its task was blocked when the call began. The task is worked on all the same, and its result is verified. */
  readonly wasBlocked: boolean
  /** What a review of the final wave says; null if it says no verdict, and for any other task. */
  readonly verdict: "pass" | "reject" | null
  /** For a task that was settled when the call began: why it could not go on, if the result says so. Null for any other. */
  readonly rework: { readonly blocked: string | null } | null
}

/** What the orchestrator must read under a result: what came back, what to do now, the session to reuse. */
export async function toolTextOf(
  shell: Shell,
  looked: Looked,
  returned: Returned,
): Promise<ToolText> {
  const { work, reading } = looked
  const { plan } = reading
  const next = nextOf(shell, looked, plan)
  const current = findAgain(plan, returned.task)
  const isDone = current !== null && isSettled(current) && returned.rework === null
  const isLeft = returned.blocked !== null || (current !== null && isBlockedNow(current, returned))
  const isToDo = current !== null && !isDone && !isLeft
  const besides = isLeft ? current : null
  // A review that has given its verdict no longer needs its session, and what it rejects is fixed in another.
  const hinted =
    returned.verdict !== null ? null : isToDo ? current : firstToDo(shell, work, plan, besides)
  const cameBack = cameBackOf(shell, returned, { current, hinted, work })
  return {
    ...nothingTold(plan),
    cameBack,
    next,
    ...looked.news,
    renumbered: looked.renumbered,
    // What the head or the offer says about a task is not said again.
    turnedDown: turnedDownOf(shell, looked, plan).filter(
      ({ taskKey }) => taskKey !== current?.key && taskKey !== hinted?.key,
    ),
    hints: await hintsOf(shell, looked, { task: hinted, next, cameBack }),
  }
}

/** The sessions to offer in a turn that goes on: those of the reviews that the text says to run again, and the task's. */
async function hintsOf(
  shell: Shell,
  { work, reading }: Pick<Looked, "work" | "reading">,
  { task, next, cameBack }: Pick<ToolText, "next" | "cameBack"> & { readonly task: Task | null },
): Promise<ToolText["hints"]> {
  const goesOn = next.kind === "go-on" || next.kind === "review"
  if (!goesOn || shell.options.reuse === "off") return []
  const again = next.kind === "review" && saysAgain(cameBack) ? next.rows : []
  const rows = again.slice(0, SHOWN_KEYS).flatMap((key) => byKey(reading.plan.tasks).get(key) ?? [])
  const tasks = new Set(task === null ? rows : [...rows, task])
  const checked = [...tasks].map(async (one) => {
    const reuse = await checkReuse(shell, work, one, null)
    return reuse === null ? [] : [{ taskKey: one.key, reuse }]
  })
  return (await Promise.all(checked)).flat()
}

/**
 * The first task that must not be left as it is, except `besides`, which is about to be blocked. Null if there is none, and if a rejected
 * row must be fixed first: only the lead can tell which session fixes it, and it is not the reviewer's.
 */
function firstToDo(
  { now }: Pick<Shell, "now">,
  work: Work,
  plan: Plan,
  besides: Task | null,
): Task | null {
  const isReviewed = reviewedIn(plan, work)
  const isApproved = isWaveApproved(plan, work)
  const isLeft = (task: Task): boolean =>
    task.key === besides?.key ||
    isReviewed(task) ||
    isRejectedInPlan(work, task) ||
    taskLimitNow(work, task, now()) !== null ||
    task.held !== undefined ||
    (isApproved && task.section === "final-wave")
  for (const task of workable(plan, work))
    if (!isLeft(task)) return rowsToFix(plan, work).includes(task) ? null : task
  return null
}

/** The same after any other tool: the end of a round, a wave that waits, or a task that was settled but never delegated. */
export async function toolTextBehind(shell: Shell, looked: Looked): Promise<ToolText | null> {
  const { ended, hasWaveNews, settledAlone, news, renumbered } = looked
  const { plan } = looked.reading
  const turnedDown = turnedDownOf(shell, looked, plan)
  const lists = [news.unproven, news.edited, news.changed, turnedDown]
  const isQuiet = renumbered === null && lists.every(({ length }) => length === 0)
  const goesOn = ended === null && !hasWaveNews
  if (goesOn && settledAlone === null && isQuiet) return null
  const next: TurnNext = goesOn ? { kind: "go-on" } : nextOf(shell, looked, plan)
  return {
    ...nothingTold(plan),
    next,
    hints: await hintsOf(shell, looked, { task: null, next, cameBack: null }),
    remark: settledAlone === null ? null : { kind: "settled-alone", taskKey: settledAlone },
    ...news,
    renumbered,
    turnedDown,
  }
}

/** The tasks that this look has moved one step up the ladder, as they are told. */
function turnedDownOf(
  { options }: Pick<Shell, "options">,
  { stepped, work }: Looked,
  { tasks }: Plan,
): readonly TurnedDown[] {
  const known = stepped.length === 0 ? [] : tasks.filter(({ key }) => stepped.includes(key))
  return known.flatMap((task): readonly TurnedDown[] => {
    const { key: taskKey } = task
    if (task.state === "blocked") return [{ kind: "blocked", taskKey, failed: BLOCKED_AT }]
    const reuse = recordedSession(work, task, options.escalate_agent)
    const isSaid = options.reuse !== "off" && !("session" in reuse) && !isSettled(task)
    return isSaid ? [{ kind: "fresh", taskKey, reuse }] : []
  })
}

/** The same if there is nothing to tell but lost calls: no other order, unless no task is left to go on with. */
export function toolTextOfLost(shell: Shell, { work, reading }: WorkAndPlan): ToolText | null {
  if (reading.kind !== "read") return null
  const { plan } = reading
  const next = nextOf(shell, { work, ended: null }, plan)
  return next.kind === "limited" ? { ...nothingTold(plan), next } : null
}

function nothingTold({ counts }: Plan): ToolText {
  return { ...NOTHING_TOLD, settled: settledCount(counts), total: counts.total }
}

function cameBackOf(
  shell: Shell,
  returned: Returned,
  { current, hinted, work }: { current: Task | null; hinted: Task | null; work: Work },
): CameBack {
  const { task, recorded, isAlone } = returned
  if (task === null) return { kind: "unnamed", example: hinted?.key ?? null }
  if (current === null) return { kind: "gone", taskKey: task.key }
  if (recorded === null) return { kind: isAlone ? "resumed-another" : "taken-by-another" }
  return cameBackFor(shell, recorded, returned, { current, work })
}

function cameBackFor(
  shell: Shell,
  task: Task,
  returned: Returned,
  { current, work }: { current: Task; work: Work },
): CameBack {
  const { key: taskKey } = task
  const { blocked, verdict, rework } = returned
  const block = blockWords("it", task, settlingOf(shell))
  if (blocked !== null)
    return {
      kind: "blocked",
      taskKey,
      reason: blocked.reason,
      block: blocked.isMarked ? null : block,
    }
  if (isBlockedNow(current, returned)) {
    const reason = withoutRecord(current.note?.words ?? "") || "no reason is given"
    return { kind: "blocked", taskKey, reason, block: null }
  }
  if (rework !== null) return { kind: "rework", taskKey, unmade: unmadeIn(rework, block) }
  if (isSettled(current)) return { kind: "settled", taskKey }
  const isAgainst = verdict === "pass" && isRejectedInPlan(work, current)
  if (task.section === "final-wave")
    return { kind: "review", taskKey, verdict: isAgainst ? "pass-against-plan" : verdict }
  return { kind: "result", taskKey, settle: settleWords(task, settlingOf(shell)) }
}

function unmadeIn({ blocked: reason }: NonNullable<Returned["rework"]>, block: string) {
  return reason === null ? null : { reason, block }
}

/** Whether the task was blocked while it was worked on, or by a record that the plan's own marker does not show. */
function isBlockedNow({ state, written }: Task, { wasBlocked }: Returned): boolean {
  return state === "blocked" && (written !== undefined || !wasBlocked)
}

/** How the turn goes on. What ends it comes before what it would go on with. */
function nextOf(
  { options, sessions, now }: Shell,
  { work, ended }: Pick<Looked, "work" | "ended">,
  plan: Plan,
): TurnNext {
  // Nobody goes on with what the user has stopped in the meantime.
  if (work.status !== "active") return { kind: "stopped" }
  if (plan.tasks.length === 0) return { kind: "empty" }
  const isLapsed = isApprovalLapsed(plan, work)
  if (awaitsApproval(plan, work))
    return {
      kind: "ask",
      isOfAnotherPlan: isOfAnotherPlan(plan, work),
      isLapsed,
      unreviewed: unreviewedRows(plan, work).length,
    }
  if (unsettledTasks(plan, work).length === 0) return { kind: "done" }
  const mayEnd = nextIn(plan, work) === null || !options.long_run.blocker_skip
  if (mayEnd && hasBlocked(plan, work)) return { kind: "wait" }
  const limit = tasksLimitNow(plan, work, now())
  if (limit !== null) return { kind: "limited", until: isSpent(limit) ? null : isoOf(limit.until) }
  return (
    roundOf(work, ended, isUsersOwn(sessions.of(work.lead_session_id), work)) ??
    goOnWith(plan, work)
  )
}

/** The end of the round; null while it goes on. A user who writes during a turn has made it their own. */
function roundOf(work: Work, ended: Looked["ended"], isUsers: boolean): TurnNext | null {
  if (isUsers) return null
  if (ended !== null) return { kind: "end", why: ended.reason, checkpoint: ended.seq }
  return work.round.ended === null ? null : { kind: "ended" }
}

function goOnWith(plan: Plan, work: Work): TurnNext {
  const rows = rowsToRunAgain(plan, work)
  if (rows.length === 0) return { kind: "go-on" }
  const rejected = waveStatus(plan, work).rejected.map(({ key }) => key)
  const rejections = rows.filter((key) => rejected.includes(key)).length
  return { kind: "review", rows, rejections, isLapsed: isApprovalLapsed(plan, work) }
}
