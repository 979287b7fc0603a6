// Prepares the window as our texts show it, with the files of its shards, and the keys by which a lead was told about its tasks.
import type { Work } from "../../boulder/boulder.ts"
import { asToDo, isOutdated, isRejectedInPlan } from "../../boulder/row-verdicts.ts"
import { isUnticked } from "../../boulder/setbacks.ts"
import { isSpent } from "../../boulder/usage-limit.ts"
import { reviewedIn } from "../../decide/final-wave.ts"
import { keysToldLast } from "../../decide/memory/told-keys.ts"
import { taskLimitNow } from "../../decide/provider-says.ts"
import { waitingIn } from "../../decide/window.ts"
import { isAdapted } from "../../plan/formats.ts"
import {
  isReworded,
  knownNow,
  movedSince,
  type PlanKeys,
  type ToldTask,
} from "../../plan/match-tasks.ts"
import { isSettled, type Plan, type Task } from "../../plan/model/plan.ts"
import { detailsOf, type PrintedShard, printShard } from "../../plan/print-shard.ts"
import { shardOf, shardPlan } from "../../plan/shard-plan.ts"
import type { Settling } from "../../prompts/how-to-work.ts"
import type { Renumbered } from "../../prompts/news-lines.ts"
import type { ShownTask, ShownWindow } from "../../prompts/window-lines.ts"
import type { ReadPlan } from "../../store/plans/plan-files.ts"
import { shardPath } from "../../store/records/shard-files.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { askedOnce, checkReuse } from "./check-reuse.ts"
import { summaryNow } from "./judge-ticks.ts"

type Showing = Pick<Shell, "options" | "shards" | "log">

/** How tasks of this project are settled. */
export function settlingOf({ options }: Pick<Shell, "options">): Settling {
  return options.long_run.partial_plan_updates ? "by-tool" : "by-hand"
}

/** The window as our texts show it. Updates the files of the shards that its tasks are in. */
export async function showWindow(
  shell: Shell,
  work: Work,
  reading: ReadPlan,
  window: readonly Task[],
): Promise<ShownWindow> {
  const kept = await keepShards(shell, work, reading, window)
  const isOffered = shell.options.reuse !== "off"
  const asking = { ...shell, api: askedOnce(shell.api) }
  const isReviewed = reviewedIn(reading.plan, work)
  const tasks = await Promise.all(
    window.map(async (read) => {
      const review = reviewOf(work, read)
      const task = asToDo(work, read)
      const shard = kept.find(({ printed }) => printed.taskRanges.has(task.key))
      const range = shard?.printed.taskRanges.get(task.key)
      return {
        task,
        details: detailsOf(reading.lines, task),
        shard:
          shard === undefined || range === undefined ? null : { path: shard.path, lines: range },
        reuse: isOffered ? await checkReuse(asking, work, task, null) : null,
        back: review ?? backOf(work, task),
        isReviewed: isReviewed(read),
        limitedUntil: limitedUntil(taskLimitNow(work, task, shell.now())),
      }
    }),
  )
  const rules = kept.find(({ path }) => path === tasks[0]?.shard?.path)?.printed.rules ?? null
  const isWave = window[0]?.section === "final-wave"
  const proof = isWave ? await summaryNow(shell, { work, plan: reading.plan }) : null
  return { tasks, rules, waiting: waitingIn(reading.plan, work, window), proof }
}

type Telling = Pick<Shell, "sessions" | "now">

/** Remembers by which keys a session will read of the tasks of its plan, with its next message. */
export function tellKeys({ sessions, now }: Telling, sessionId: string, keys: PlanKeys): void {
  sessions.note({ kind: "keys-told", sessionId, keys, at: now() })
}

/**
 * The same of a text that names the tasks of a window. If keys have other words by now, those beside it are known as they were told: the next look
 * tells the new ones.
 */
export function tellWindow(
  shell: Telling,
  sessionId: string,
  { work, plan }: { readonly work: Work; readonly plan: Plan },
  window: readonly Task[],
): void {
  const told = keysToldLast(shell.sessions.of(sessionId).told, work)
  const tasks = isReworded(told, plan) ? withTold(window, told) : plan.tasks
  tellKeys(shell, sessionId, { plan: work.active_plan, tasks })
}

function withTold(window: readonly Task[], told: readonly ToldTask[]): readonly ToldTask[] {
  const shown = new Set(window.map(({ key }) => key))
  return [...window, ...told.filter(({ key }) => !shown.has(key))]
}

/** What to tell a session about keys that name other tasks by now, starting with what is still to be done; null if there are none. */
export function renumberedNow(
  { sessions }: Telling,
  sessionId: string,
  work: Work,
  plan: Plan,
): Renumbered | null {
  const told = keysToldLast(sessions.of(sessionId).told, work)
  const moved = movedSince(told, plan)
  // What a row says by now is told with the next window.
  const keys = { plan: work.active_plan, tasks: knownNow(told, plan) }
  if (moved.length === 0) {
    sessions.note({ kind: "keys-told", sessionId, keys, at: null })
    return null
  }
  const moves = moved.flatMap(({ from, task }) => (from === null ? [] : [{ from, task }]))
  const left = moves.filter(({ task }) => !isSettled(task))
  const all = [...left, ...moves.filter(({ task }) => isSettled(task))]
  return { moves: all.map(({ from, task }) => ({ from, to: task.key })), keys }
}

/** What must be known about a review that is back and does not count; null for any other task. */
function reviewOf(work: Work, task: Task): "outdated" | "rejected-in-plan" | null {
  if (isOutdated(work, task)) return "outdated"
  return isRejectedInPlan(work, task) ? "rejected-in-plan" : null
}

function limitedUntil(limit: ReturnType<typeof taskLimitNow>): ShownTask["limitedUntil"] {
  if (limit === null) return null
  return isSpent(limit) ? "asked" : limit.until
}

/**
 * What is kept of this very task's last result, if its last call has returned; null if there is nothing, or a person has unblocked the task
 * since.
 */
function backOf({ task_sessions: sessions }: Work, task: Task): ShownTask["back"] {
  const kept = Object.hasOwn(sessions, task.key) ? sessions[task.key] : undefined
  const isKept =
    task.reusable &&
    !task.rejected &&
    task.state !== "done" &&
    kept?.title_hash === task.titleHash &&
    kept.status === "returned" &&
    kept.results > 0 &&
    kept.freed_result !== kept.attempts
  if (!isKept) return null
  if (kept.ended_blocked === true) return "blocked"
  return isUnticked(kept) ? "unticked" : "result"
}

/** A shard in use: the path of its file from the project's root, and what was printed there. */
interface KeptShard {
  readonly path: string
  readonly printed: PrintedShard
}

/**
 * Updates the files of a work's shards in use from the plan: those that hold the window's tasks, and the one that was active before, which
 * its last tick may have closed. Gives those of the window.
 */
export async function keepShards(
  { options, shards: files, log }: Showing,
  { work_id: workId, active_plan: planPath, active_shard: before }: Work,
  { plan, lines }: ReadPlan,
  window: readonly Task[],
): Promise<readonly KeptShard[]> {
  if (!options.long_run.enabled) return []
  const { tasks } = plan
  const isOfRows = !isAdapted(plan.dialect)
  const shards = shardPlan(tasks, options.long_run.shard_size)
  const shown = new Set(window.map((task) => shardOf(tasks, shards, task)))
  const kept: KeptShard[] = []
  for (const number of new Set([before, ...shown])) {
    const shard = shards[number - 1]
    if (shard === undefined) continue
    const facts = { planPath, shard, count: shards.length, lines, tasks, isOfRows }
    const printed = printShard(facts)
    const show = () => files.show({ workId, number, text: printed.text }).then(() => true)
    const isThere = await unlessFailed({ log }, show, false)
    if (isThere && shown.has(number))
      kept.push({ path: `.boulder/${shardPath(workId, number)}`, printed })
  }
  return kept
}
