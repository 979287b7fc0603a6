import { z } from "zod"
import type { Work } from "../boulder/boulder.ts"
import { SESSION_ID } from "../boulder/boulder.ts"
import { changeWork } from "../boulder/change-work.ts"
import { isoOf } from "../boulder/iso-time.ts"
import {
  type CallMade,
  closeDispatch,
  dispatchOf,
  dropDispatch,
  failDispatch,
  type Intent,
  type Outcome,
  openDispatch,
} from "../boulder/record-dispatch.ts"
import { type Capture, captureTask } from "../decide/capture-task.ts"
import { childOfCall } from "../decide/child-of-call.ts"
import type { TaskCall } from "../decide/host-event.ts"
import { ranFor, workAtHand } from "../decide/place.ts"
import { hashText } from "../plan/hash-text.ts"
import type { Plan, Task } from "../plan/plan.ts"
import { verdictIn } from "../plan/verdict.ts"
import type { PlanFileReading } from "../store/plan-files.ts"
import { lineageOf } from "./lineage.ts"
import { offerSession } from "./offer-session.ts"
import { workAndPlan } from "./place-of.ts"
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

/** What a `task` call gave back. */
interface CallResult {
  output: string
  readonly metadata: unknown
}

/** The hooks around the host's `task` tool (design.md 5.3). */
export interface Delegation {
  /** Captures the task and writes the intent; may set `args.task_id` where reuse is `auto`. */
  before(call: { sessionId: string; callId: string; args: unknown }): Promise<void>
  /** Keeps the session under the captured task, and adds our words to the result. */
  after(call: { sessionId: string; callId: string; result: CallResult }): Promise<void>
  /** A call has failed, which no `after` tells. */
  failed(sessionId: string, callId: string): Promise<void>
}

export function openDelegation(shell: Shell): Delegation {
  const { sessions } = shell
  /** A call in flight, which is over with this. */
  const ended = (sessionId: string, callId: string): TaskCall | null => {
    const call = sessions.of(sessionId).calls.find((one) => one.callId === callId) ?? null
    if (call !== null) sessions.note({ kind: "call-ended", sessionId, callId })
    return call
  }
  const change = async (workId: string, ...changes: ((work: Work) => Work)[]) => {
    const all = (work: Work): Work => changes.reduce((done, next) => next(done), work)
    const { boulder } = await shell.store.update(changeWork(workId, isoOf(shell.now()), all))
    return boulder.works[workId] ?? null
  }

  return {
    async before(call) {
      const found = await workAndPlan(shell, call.sessionId, workAtHand)
      if (found?.reading.kind !== "read") return
      const ground = { work: found.work, plan: found.reading.plan }
      const { sessionId, callId } = call
      const { work_id: workId } = found.work
      const { task, by, intent } = await capturedBy(shell, ground, call)
      sessions.note({
        kind: "call-begun",
        sessionId,
        call: { callId, workId, task, childId: null },
      })
      const liveCalls = sessions.of(sessionId).calls.map((one) => one.callId)
      await change(workId, openDispatch({ ...intent, liveCalls }))
      await shell.journal.append({
        at: intent.now,
        session: sessionId,
        work: workId,
        decision: "delegate",
        reason: task === null ? "no-task" : "task-named",
        facts: { task: task?.key ?? null, "named-by": by, call: callId.slice(0, 64) },
      })
    },

    async failed(sessionId, callId) {
      const call = ended(sessionId, callId)
      if (call !== null)
        await change(call.workId, failDispatch({ sessionId, callId }, call.childId))
    },

    async after({ sessionId, callId, result }) {
      const call = ended(sessionId, callId)
      const before = call && (await shell.store.read()).boulder?.works[call.workId]
      if (call === null || before == null) return
      const made = { sessionId, callId }
      const child = await trustedChild(shell, before, call, result)
      const left = child === null ? dropDispatch(made) : failDispatch(made, child)
      if (child === null || (await hasFailed(shell, child))) {
        await change(call.workId, left)
        return
      }
      const reading = await shell.plans.read(before.active_plan)
      const outcome = outcomeOf(made, call, child, result.output, isoOf(shell.now()))
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
  made: CallMade,
  { task }: TaskCall,
  childId: string,
  output: string,
  now: string,
): Outcome {
  return {
    ...made,
    childId,
    taskLabel: task?.label ?? null,
    taskTitle: task?.title ?? "",
    resultHash: hashText(withoutIds(output)),
    verdict: task?.section === "final-wave" ? verdictIn(output) : null,
    now,
  }
}

/** The host puts the session's id around each result: the same words from another session are no new result. */
function withoutIds(output: string): string {
  return output.replace(/ses_[0-9A-Za-z]{1,64}/g, "")
}

/** The task that a call has named, and its intent; sets `args.task_id` where reuse is `auto`. */
async function capturedBy(
  shell: Shell,
  { work, plan }: { readonly work: Work; readonly plan: Plan },
  { sessionId, callId, args }: { sessionId: string; callId: string; args: unknown },
): Promise<Capture & { readonly intent: Omit<Intent, "liveCalls"> }> {
  const words = callSchema.parse(args)
  const named = words.task_id ?? words.session_id
  const resumes = sessionIdOf(named)
  const captured = captureTask(plan, work, { ...words, resumes })
  const { task } = captured
  if (shell.options.reuse === "auto" && named === undefined && task !== null)
    await resumeByItself(shell, work, task, words.subagent_type, args)
  const intent = {
    callId,
    task,
    parentSessionId: sessionId,
    agent: words.subagent_type,
    resumes,
    now: isoOf(shell.now()),
  }
  return { ...captured, intent }
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
  call: TaskCall,
  { metadata, output }: CallResult,
): Promise<string | null> {
  const child = isBackground(metadata)
    ? null
    : childOfCall({ metadata, toldByHost: call.childId, output })
  if (child === null || child.from === "host") return child?.sessionId ?? null
  const chain = await lineageOf(shell, child.sessionId)
  return chain !== null && ranFor(work, chain) ? child.sessionId : null
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
