import { z } from "zod"
import type { Work } from "../boulder/boulder.ts"
import { SESSION_ID } from "../boulder/boulder.ts"
import { changeWork } from "../boulder/change-work.ts"
import { workOfSession } from "../boulder/find-work.ts"
import { isoOf } from "../boulder/iso-time.ts"
import {
  closeDispatch,
  dispatchOf,
  dropDispatch,
  failDispatch,
  type Intent,
  type Outcome,
  openDispatch,
} from "../boulder/record-dispatch.ts"
import { captureTask } from "../decide/capture-task.ts"
import { childOfCall } from "../decide/child-of-call.ts"
import { hashText } from "../plan/hash-text.ts"
import type { Plan, Task } from "../plan/plan.ts"
import { verdictIn } from "../plan/verdict.ts"
import { forgetOldest } from "../store/forget-oldest.ts"
import type { PlanFileReading } from "../store/plan-files.ts"
import { lineageOf } from "./lineage.ts"
import { offerSession } from "./offer-session.ts"
import { changeReading } from "./record-plan.ts"
import { resultText } from "./result-text.ts"
import type { Shell } from "./shell.ts"
import { tidyWork } from "./tidy-boulder.ts"

/** The words of a `task` call; the host validates no arguments for us. */
const callSchema = z.object({
  description: z.string().catch(""),
  prompt: z.string().catch(""),
  subagent_type: z.string().max(256).catch(""),
  task_id: z.string().optional().catch(undefined),
  session_id: z.string().optional().catch(undefined),
})

/** A `task` call in flight, as this process knows it. */
interface Pending {
  readonly parent: string
  readonly workId: string
  readonly task: Task
  child: string | null
}

/** What a `task` call gave back. */
interface CallResult {
  output: string
  readonly metadata: unknown
}

const MAX_PENDING = 256

/** The hooks around the host's `task` tool (design.md 5.3). */
export interface Delegation {
  /** Captures the task and writes the intent; may set `args.task_id` where reuse is `auto`. */
  before(call: { sessionId: string; callId: string; args: unknown }): Promise<void>
  /** Keeps the session under the captured task, and adds our words to the result. */
  after(call: { sessionId: string; callId: string; result: CallResult }): Promise<void>
  /** What the host tells of a call besides: its child, or that it failed, which no `after` tells. */
  told(callId: string, status: "running" | "error", childId: string | null): Promise<void>
  /** A session is gone, and with it the calls that it has made. */
  forget(sessionId: string): void
}

export function openDelegation(shell: Shell): Delegation {
  const pending = new Map<string, Pending>()

  const change = async (workId: string, ...changes: ((work: Work) => Work)[]) => {
    const all = (work: Work): Work => changes.reduce((done, next) => next(done), work)
    const { boulder } = await shell.store.update(changeWork(workId, isoOf(shell.now()), all))
    return boulder.works[workId] ?? null
  }

  return {
    async before(call) {
      const ground = await groundOf(shell, call.sessionId)
      const captured = ground === null ? null : await capturedBy(shell, ground, call)
      if (captured === null) return
      const { workId, task, intent } = captured
      pending.set(call.callId, { parent: call.sessionId, workId, task, child: null })
      forgetOldest(pending, MAX_PENDING)
      await change(workId, openDispatch({ ...intent, liveCalls: [...pending.keys()] }))
    },

    forget(sessionId) {
      for (const [callId, { parent }] of pending) if (parent === sessionId) pending.delete(callId)
    },

    async told(callId, status, childId) {
      const call = pending.get(callId)
      if (call === undefined) return
      call.child = childId ?? call.child
      if (status !== "error") return
      pending.delete(callId)
      await change(call.workId, failDispatch(callId, call.child))
    },

    async after({ sessionId, callId, result }) {
      const call = pending.get(callId)
      pending.delete(callId)
      const before = call && (await shell.store.read()).boulder?.works[call.workId]
      if (call === undefined || before === undefined) return
      const child = await trustedChild(shell, before, call, result)
      const left = child === null ? dropDispatch(callId) : failDispatch(callId, child)
      if (child === null || (await hasFailed(shell, child))) {
        await change(call.workId, left)
        return
      }
      const reading = await shell.plans.read(before.active_plan)
      const outcome = outcomeOf(callId, call, child, result.output, isoOf(shell.now()))
      const work = await change(
        call.workId,
        closeDispatch(outcome),
        readingIfRead(shell, reading, sessionId),
      )
      if (work?.lead_session_id !== sessionId || reading.kind !== "read") return
      const claimed = dispatchOf(before, callId)?.task_key !== null
      const returned = { task: call.task, child, claimed, plan: reading.plan, work }
      result.output += `\n\n${await resultText(shell, returned, result.output)}`
      await tidyWork(shell, work, reading.plan)
    },
  }
}

/** Before 1.17 the host reports a failed or aborted child as completed: only its last message tells. */
async function hasFailed(shell: Shell, childId: string): Promise<boolean> {
  const { lastTurn } = await shell.api.lastTurn(childId)
  return lastTurn !== null && (lastTurn.error !== null || !lastTurn.ended)
}

function outcomeOf(
  callId: string,
  { task }: Pending,
  childId: string,
  output: string,
  now: string,
): Outcome {
  return {
    callId,
    childId,
    taskLabel: task.label,
    taskTitle: task.title,
    resultHash: hashText(withoutIds(output)),
    verdict: task.section === "final-wave" ? verdictIn(output) : null,
    now,
  }
}

/** The host puts the session's id around each result: the same words from another session are no new result. */
function withoutIds(output: string): string {
  return output.replace(/ses_[0-9A-Za-z]{1,64}/g, "")
}

/** The task that a call works on and its intent; sets `args.task_id` where reuse is `auto`. */
async function capturedBy(
  shell: Shell,
  { work, plan }: Ground,
  { sessionId, callId, args }: { sessionId: string; callId: string; args: unknown },
): Promise<{ workId: string; task: Task; intent: Omit<Intent, "liveCalls"> } | null> {
  const words = callSchema.parse(args)
  const task = captureTask(plan, work, words)?.task
  if (task === undefined) return null
  const named = words.task_id ?? words.session_id
  if (shell.options.reuse === "auto" && named === undefined)
    await resumeByItself(shell, work, task, words.subagent_type, args)
  const intent = {
    callId,
    taskKey: task.key,
    titleHash: task.titleHash,
    parentSessionId: sessionId,
    agent: words.subagent_type,
    resumes: sessionIdOf(named),
    now: isoOf(shell.now()),
  }
  return { workId: work.work_id, task, intent }
}

interface Ground {
  readonly work: Work
  readonly plan: Plan
}

/** The work that a session leads and its plan, where a delegation is to be captured. */
async function groundOf(shell: Shell, sessionId: string): Promise<Ground | null> {
  const work = workOfSession((await shell.store.read()).boulder, sessionId)
  if (work === null || work.lead_session_id !== sessionId || work.status === "completed")
    return null
  const reading = await shell.plans.read(work.active_plan)
  return reading.kind === "read" ? { work, plan: reading.plan } : null
}

/** A plan that cannot be read just now is the idle gates' to judge. */
function readingIfRead(
  shell: Shell,
  reading: PlanFileReading,
  sessionId: string,
): (work: Work) => Work {
  return reading.kind === "read" ? changeReading(shell, reading, sessionId) : (same) => same
}

async function resumeByItself(
  shell: Shell,
  work: Work,
  task: Task,
  agent: string,
  args: unknown,
): Promise<void> {
  const claimed = Object.values(work.dispatches).some((other) => other.task_key === task.key)
  if (claimed || typeof args !== "object" || args === null) return
  const reuse = await offerSession(shell, work, task, agent)
  if (reuse.kind === "reuse") Reflect.set(args, "task_id", reuse.sessionId)
}

/** The child of a call, none for one in the background; an id that only the text names must be of this work's family. */
async function trustedChild(
  shell: Shell,
  work: Work,
  call: Pending,
  { metadata, output }: CallResult,
): Promise<string | null> {
  const child = isBackground(metadata)
    ? null
    : childOfCall({ metadata, toldByHost: call.child, output })
  if (child === null || child.from === "host") return child?.sessionId ?? null
  const chain = await lineageOf(shell, child.sessionId)
  const isFamily = chain?.slice(1).some((id) => work.session_ids.includes(id)) ?? false
  return isFamily ? child.sessionId : null
}

function isBackground(metadata: unknown): boolean {
  return (
    typeof metadata === "object" &&
    metadata !== null &&
    Reflect.get(metadata, "background") === true
  )
}

function sessionIdOf(text: string | undefined): string | null {
  return text !== undefined && SESSION_ID.test(text) ? text : null
}
