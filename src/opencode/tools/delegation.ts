// Before and after a `task` call.
import { z } from "zod"
import type { Work } from "../../boulder/boulder.ts"
import { SESSION_ID } from "../../boulder/boulder.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { failDispatch, type Intent, openDispatch } from "../../boulder/record-dispatch.ts"
import { type Capture, captureTask } from "../../decide/capture-task.ts"
import { workedOn } from "../../decide/final-wave.ts"
import type { TaskCall } from "../../decide/host-event.ts"
import { workAtHand } from "../../decide/place.ts"
import { isOtherAgents } from "../../decide/users-turn.ts"
import type { Plan, Task } from "../../plan/model/plan.ts"
import { subagentWords } from "../../prompts/subagent-words.ts"
import type { ToolText } from "../../prompts/tool-text.ts"
import type { Shell } from "../host/shell.ts"
import { changeOnWork } from "../work/decide-on-work.ts"
import { offerSession } from "../work/offer-session.ts"
import { type PlaceAsked, workAndPlan } from "../work/place-of.ts"
import { tidyBoulder } from "../work/tidy-boulder.ts"
import { type CallResult, cameBack, recordReturn } from "./call-back.ts"
import type { Rounds } from "./rounds.ts"
import { toolTextBehind, toolTextOf } from "./tool-facts.ts"

/** The words of a `task` call; the host validates no arguments for us. */
const callSchema = z.object({
  description: z.string().catch(""),
  prompt: z.string().catch(""),
  subagent_type: z.string().max(256).catch(""),
  task_id: z.string().optional().catch(undefined),
  session_id: z.string().optional().catch(undefined),
})

/** The hooks around the host's `task` tool. */
export interface Delegation {
  /** Captures the task and writes the intent; may set `args.task_id` where reuse is `auto`. */
  before(call: {
    sessionId: string
    callId: string
    args: unknown
    place: PlaceAsked
  }): Promise<void>
  /** Keeps the session under the captured task; gives what is to be said under the result, null where nothing is. */
  after(call: { sessionId: string; callId: string; result: CallResult }): Promise<ToolText | null>
  /** A call has failed, which no `after` tells. */
  failed(sessionId: string, callId: string): Promise<void>
}

export function openDelegation(shell: Shell, { inTurn }: Pick<Rounds, "inTurn">): Delegation {
  const { sessions } = shell
  /**
   * What `record` makes of a call in flight, which is over with this; null where none is, or another has taken it. Until
   * it is written down the call is live: one that begins meanwhile must not take its dispatch for a dead one.
   */
  const ended = async <Answer>(
    sessionId: string,
    callId: string,
    record: (call: TaskCall) => Promise<Answer>,
  ): Promise<Answer | null> => {
    const call = sessions.of(sessionId).calls.find((one) => one.callId === callId)
    if (call === undefined || call.isBack) return null
    sessions.note({ kind: "call-back", sessionId, callId })
    try {
      return await record(call)
    } finally {
      sessions.note({ kind: "call-ended", sessionId, callId })
    }
  }
  return {
    async before(call) {
      const found = await workAndPlan(shell, await call.place(), workAtHand)
      if (found?.reading.kind !== "read") return
      if (isOtherAgents(sessions.of(call.sessionId), found.work)) return
      const { work: known, reading } = found
      const { plan } = reading
      const { sessionId, callId } = call
      const { work_id: workId } = known
      const { task, by, intent } = await capturedBy(shell, { work: known, plan }, call)
      tellSubagent(task, call.args)
      sessions.note({
        kind: "call-begun",
        sessionId,
        call: { callId, workId, task, childId: null, isBack: false },
      })
      const liveCalls = sessions.of(sessionId).calls.map((one) => one.callId)
      const open = openDispatch({ ...intent, liveCalls })
      const follow = followTasks(reading)
      const isUsers = sessions.of(sessionId).isUsersTurn
      const outdate = isUsers ? workedOn(plan, task) : (work: Work): Work => work
      const written = await changeOnWork(shell, known, (work) => open(outdate(follow(work))))
      if (written === null) return
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
      await ended(sessionId, callId, ({ workId, childId }) => {
        const work = { work_id: workId, lead_session_id: sessionId }
        return changeOnWork(shell, work, failDispatch({ sessionId, callId }, childId))
      })
    },

    async after({ sessionId, callId, result }) {
      const recorded = await ended(sessionId, callId, async (call) => {
        const came = await cameBack(shell, { call, sessionId, result })
        return inTurn(sessionId, () => recordReturn(shell, came))
      })
      if (recorded === null) return null
      const { looked, reading, returned } = recorded
      if (returned === null) return toolTextBehind(shell, looked, reading)
      const text = await toolTextOf(shell, looked, returned)
      await tidyBoulder(shell, looked.boulder, { work: looked.work, reading })
      return text
    },
  }
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

/** The host takes what is changed in place: the subagent reads how its result will be read. */
function tellSubagent(task: Task | null, args: unknown): void {
  if (task === null) return
  const { prompt } = callSchema.parse(args)
  const words = prompt === "" ? null : subagentWords(task, prompt)
  if (words !== null && typeof args === "object" && args !== null)
    Reflect.set(args, "prompt", `${prompt}\n\n${words}`)
}

async function resumeByItself(
  shell: Shell,
  work: Work,
  task: Task,
  agent: string,
  args: unknown,
): Promise<void> {
  const isTaken = Object.values(work.dispatches).some((other) => other.task_key === task.key)
  if (isTaken || typeof args !== "object" || args === null) return
  const reuse = await offerSession(shell, work, task, agent)
  if (reuse?.kind === "reuse") Reflect.set(args, "task_id", reuse.sessionId)
}

function sessionIdOf(text: string | undefined): string | null {
  return text !== undefined && SESSION_ID.test(text) ? text : null
}
