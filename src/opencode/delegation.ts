import { z } from "zod"
import type { Work } from "../boulder/boulder.ts"
import { SESSION_ID } from "../boulder/boulder.ts"
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
import { type ChildOfCall, childOfCall } from "../decide/child-of-call.ts"
import type { TaskCall } from "../decide/host-event.ts"
import { ranFor, workAtHand } from "../decide/place.ts"
import { hashText } from "../plan/hash-text.ts"
import type { Plan, Task } from "../plan/plan.ts"
import { verdictIn } from "../plan/verdict.ts"
import type { ReadPlan } from "../store/plan-files.ts"
import { blockStated } from "./block-stated.ts"
import { changeOnWork, decideOnWork } from "./decide-on-work.ts"
import { lineageOf } from "./lineage.ts"
import { type Looked, type LookGround, lookBehind } from "./look-behind.ts"
import { offerSession } from "./offer-session.ts"
import { workAndPlan } from "./place-of.ts"
import { changeReading } from "./record-plan.ts"
import { type Returned, resultText } from "./result-text.ts"
import type { Rounds } from "./rounds.ts"
import type { Shell } from "./shell.ts"
import { tidyBoulder } from "./tidy-boulder.ts"

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
  /** Keeps the session under the captured task, and adds our words to the result; gives the notice of a round's end. */
  after(call: { sessionId: string; callId: string; result: CallResult }): Promise<string | null>
  /** A call has failed, which no `after` tells. */
  failed(sessionId: string, callId: string): Promise<void>
}

export function openDelegation(
  shell: Shell,
  { inTurn, look }: Pick<Rounds, "inTurn" | "look">,
): Delegation {
  const { sessions } = shell
  /** A call in flight, which is over with this. */
  const ended = (sessionId: string, callId: string): TaskCall | null => {
    const call = sessions.of(sessionId).calls.find((one) => one.callId === callId) ?? null
    if (call !== null) sessions.note({ kind: "call-ended", sessionId, callId })
    return call
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
      await changeOnWork(shell, found.work, openDispatch({ ...intent, liveCalls }))
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
      if (call === null) return
      const work = { work_id: call.workId, lead_session_id: sessionId }
      await changeOnWork(shell, work, failDispatch({ sessionId, callId }, call.childId))
    },

    async after({ sessionId, callId, result }) {
      const call = ended(sessionId, callId)
      if (call === null) return null
      const { output } = result
      const child = childIn(call, result)
      if (child?.from === "host") tellChild(shell, { sessionId, callId }, child.sessionId)
      const failed = child !== null && (await hasFailed(shell, child.sessionId))
      const came = await inTurn(() => record(shell, { call, sessionId, child, failed, output }))
      if (came === null) return look(sessionId)
      const { looked, returned } = came
      result.output += `\n\n${await resultText(shell, returned)}`
      await tidyBoulder(shell, looked.boulder, { work: looked.work, reading: returned.reading })
      return looked.notice
    },
  }
}

/** A call that came back. */
interface CameBack {
  readonly call: TaskCall
  readonly sessionId: string
  readonly child: ChildOfCall | null
  readonly failed: boolean
  readonly output: string
}

/** Writes down what a call has brought back, as one change; null where that is nothing to speak of. */
async function record(
  shell: Shell,
  { call, sessionId, child: found, failed, output }: CameBack,
): Promise<{ looked: Looked; returned: Returned } | null> {
  const { boulder } = await shell.store.read()
  const before = boulder?.works[call.workId]
  if (boulder === null || before === undefined) return null
  const { callId, task } = call
  const made = { sessionId, callId }
  const child = await trusted(shell, before, found)
  if (child === null || failed) {
    const left = child === null ? dropDispatch(made) : failDispatch(made, child)
    await changeOnWork(shell, before, left)
    return null
  }
  const close = closeDispatch(outcomeOf(made, call, child, output, isoOf(shell.now())))
  const first = await shell.plans.read(before.active_plan)
  if (before.lead_session_id !== sessionId || first.kind !== "read") {
    await changeOnWork(shell, before, close)
    return null
  }
  const closed = close(before)
  const recorded = recordedTask(closed, task, child)
  const result = { boulder, work: closed, task: recorded, reading: first, child, output }
  const blocked = await blockStated(shell, result)
  const reading = blocked?.hasMarked ? await readAgain(shell, before, first) : first
  const change = (work: Work): Work => (blocked?.change ?? same)(close(work))
  const looked = await lookOrKeep(shell, { sessionId, work: before, reading }, change)
  if (looked === null) return null
  const claimed = dispatchOf(before, callId)?.task_key !== null
  const { work } = looked
  return { looked, returned: { task, recorded, claimed, blocked, reading, work } }
}

const same = (work: Work): Work => work

/** The task under which the child is recorded now, if that is the one that its call has named. */
function recordedTask(work: Work, task: Task | null, child: string): Task | null {
  const session = task === null ? undefined : work.task_sessions[task.key]
  const isIts = session?.session_id === child && session.title_hash === task?.titleHash
  return isIts ? task : null
}

/** A look behind the tool, where rounds are counted; else what the plan says is kept with the change. */
async function lookOrKeep(
  shell: Shell,
  ground: LookGround,
  change: (work: Work) => Work,
): Promise<Looked | null> {
  const { work, reading, sessionId } = ground
  if (shell.options.long_run.enabled && work.status === "active")
    return lookBehind(shell, ground, change)
  const counted = changeReading(shell, reading, sessionId)
  const decided = await decideOnWork(shell, work, (newest) => ({ work: counted(change(newest)) }))
  return decided === null ? null : { ...decided, notice: null }
}

async function readAgain(shell: Shell, work: Work, before: ReadPlan): Promise<ReadPlan> {
  const reading = await shell.plans.read(work.active_plan)
  return reading.kind === "read" ? reading : before
}

/** What the result tells of the child, as the host's events would: it runs below whoever has called it. */
function tellChild({ sessions }: Shell, made: CallMade, childId: string): void {
  sessions.note({ kind: "task-part", ...made, status: "running", childId })
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

/** The child of a call; none for one in the background. */
function childIn(call: TaskCall, { metadata, output }: CallResult): ChildOfCall | null {
  return isBackground(metadata) ? null : childOfCall({ metadata, toldByHost: call.childId, output })
}

/** An id that only the text names must be of this work's family. */
async function trusted(
  shell: Shell,
  work: Work,
  child: ChildOfCall | null,
): Promise<string | null> {
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
