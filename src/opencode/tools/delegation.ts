// Acts before and after a `task` call.
// Over 250 lines: the hooks around one tool share what is in flight.
import { SESSION_ID, type Work } from "../../boulder/boulder.ts"
import { dispatchKey, dispatchOf } from "../../boulder/find-dispatch.ts"
import { followTasks } from "../../boulder/follow-tasks.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import { openDispatch } from "../../boulder/record-dispatch.ts"
import { captureTask } from "../../decide/capture-task.ts"
import { workedOn } from "../../decide/final-wave.ts"
import type { HostEvent, TaskCall } from "../../decide/memory/host-event.ts"
import { keysTold } from "../../decide/memory/told-keys.ts"
import { isOtherAgents } from "../../decide/memory/users-turn.ts"
import { type Place, workAtHand } from "../../decide/place.ts"
import type { ToolCall } from "../../decide/tool-call.ts"
import type { Plan, Task } from "../../plan/model/plan.ts"
import { takenOverRefusal, unwrittenRefusal } from "../../prompts/refusal-text.ts"
import { subagentWords } from "../../prompts/subagent-words.ts"
import { messageOf, StoreError } from "../../store/disk/store-error.ts"
import type { JournalEntry } from "../../store/records/journal.ts"
import { taskFacts } from "../../store/records/task-facts.ts"
import type { ToolResult } from "../host/reactions.ts"
import type { Shell } from "../host/shell.ts"
import { ToolRefusal } from "../host/tool-refusal.ts"
import { askedOnce, checkReuse } from "../work/check-reuse.ts"
import { storeSoon } from "../work/comes-once.ts"
import { changeOnWork, STALE, untilFresh } from "../work/decide-on-work.ts"
import { noteSetbacks } from "../work/journal-reading.ts"
import { setbacksNow } from "../work/judge-ticks.ts"
import { noteBegun } from "../work/note-proof.ts"
import { type PlaceAsked, type PlaceNow, placeOf, workAndPlan } from "../work/place-of.ts"
import { tidyBoulder } from "../work/tidy-boulder.ts"
import { cameBack, recordReturn } from "./call-back.ts"
import { callsLeftTo, isLeft, recordLeft } from "./call-left.ts"
import { callLost } from "./call-lost.ts"
import { onDiskAtEnd } from "./on-disk-at-end.ts"
import type { Rounds } from "./rounds.ts"
import { toolTextBehind, toolTextOf } from "./tool-facts.ts"

type Words = ReturnType<ToolCall["delegation"]>

/** The hooks around the host's `task` tool. */
export function openDelegation(shell: Shell, { inTurn, look }: Pick<Rounds, "inTurn" | "look">) {
  const { sessions } = shell
  const inFlight = (sessionId: string, callId: string): TaskCall | null =>
    sessions.of(sessionId).calls.find((one) => one.callId === callId && !one.isBack) ?? null
  /** Takes a call in flight that has come back; null if there is none, or another has taken it. */
  const takenBack = (sessionId: string, callId: string): TaskCall | null => {
    const call = inFlight(sessionId, callId)
    if (call === null) return null
    sessions.note({ kind: "call-back", sessionId, callId })
    return call
  }
  /**
   * Only here does a call leave memory, once `record` has settled, even if its hook was over long before. Until its end is written down it
   * is live, so that a call beginning in the meantime does not take its dispatch for a dead one.
   */
  const untilWritten = async <Answer>(
    sessionId: string,
    callId: string,
    record: () => Promise<Answer>,
  ): Promise<Answer> => {
    try {
      return await record()
    } finally {
      sessions.note({ kind: "call-ended", sessionId, callId })
    }
  }
  /** Writes the intent of a call if its session leads a work. Gives the entry for the journal. */
  const begun = async (
    shell: Shell,
    call: ToolCall,
    here: PlaceNow,
  ): Promise<JournalEntry | typeof STALE | null> => {
    refuseTakenOver(shell, call.sessionId, here)
    const found = await workAndPlan(shell, here, workAtHand)
    if (found?.reading.kind !== "read") return null
    if (isOtherAgents(sessions.of(call.sessionId), found.work)) return null
    const { reading } = found
    const { plan } = reading
    const turned = await setbacksNow(shell, { work: found.work, plan })
    const known = turned(found.work)
    const { sessionId, callId } = call
    const { work_id: workId } = known
    const words = call.delegation()
    const led = { work: known, plan }
    const { task, by, intent, reusable } = await capturedBy(shell, led, { ...call, words })
    sessions.note({
      kind: "call-begun",
      sessionId,
      call: { callId, workId, task, childId: null, isBack: false },
    })
    const open = (work: Work): Work => {
      const { calls } = sessions.of(sessionId)
      // A call that was refused as too late is over before it was written down: nobody would end its dispatch.
      if (!calls.some((one) => one.callId === callId && !one.isBack)) return work
      return openDispatch({ ...intent, liveCalls: calls.map((one) => one.callId) })(work)
    }
    const follow = followTasks(reading)
    const outdate = workedOn(plan, task, dispatchKey(callId))
    const intend = (newest: Work) => outdate(open(turned(follow(newest))))
    const written = await changeOnWork(shell, known, intend).catch(refuseUnwritten)
    if (written === null) return STALE
    const own = dispatchOf(written, callId)
    await noteBegun(shell, { sessionId, key: own?.task_key, plan })
    await noteSetbacks(shell, { before: found.work, after: written })
    tellSubagent(task, words)
    // A call that has its task to itself resumes the task's session. Of two in one message, the store has said which one that is.
    if (own?.task_key != null && reusable !== null) words.resume(reusable)
    return {
      at: intent.now,
      session: sessionId,
      work: workId,
      decision: "delegate",
      reason: task === null ? "no-task" : "task-named",
      facts: { ...taskFacts(task), "named-by": by, call: callId.slice(0, 64) },
    }
  }
  return {
    /**
     * Captures the task and writes the intent. If reuse is `auto`, the call may be made to resume a session. Throws a `ToolRefusal` if the
     * intent cannot be written: no child begins without it.
     */
    async before(call: ToolCall, place: PlaceAsked) {
      const begin = (soon: Shell) =>
        untilFresh(async (isAgain) =>
          begun(soon, call, isAgain ? await placeOf(soon, call.sessionId) : await place()),
        )
      const made = await onDiskAtEnd(shell, begin).catch(refuseUndurable)
      if (made === STALE)
        throw new ToolRefusal(unwrittenRefusal("another session has the plan by now"))
      if (made !== null) await shell.journal.append(made)
    },

    /** Refuses in the same way if that takes too long, for a session that leads a work. */
    late(sessionId: string) {
      const { leads, isAtRest } = sessions.of(sessionId)
      if (leads && !isAtRest) throw new ToolRefusal(unwrittenRefusal(null))
    },

    /** A call has failed, which no `after` reports. */
    async failed(sessionId: string, callId: string) {
      const call = takenBack(sessionId, callId)
      if (call === null) return
      await untilWritten(sessionId, callId, async () => {
        const { workId, childId } = call
        const work = { work_id: workId, lead_session_id: sessionId }
        const failure = childId === null ? null : sessions.of(childId).failure
        const { change, told } = callLost(shell, { call, sessionId, childId, failure })
        await told(await storeSoon(() => changeOnWork(shell, work, change)))
      })
    },

    /** Something has happened. If a session no longer runs, the background call that it ran in ends. */
    async told({ kind, sessionId: childId }: HostEvent) {
      const isOver = kind === "session-idle" || kind === "session-deleted"
      for (const left of isOver ? callsLeftTo(shell, childId) : []) {
        const { sessionId, call } = left
        sessions.note({ kind: "call-back", sessionId, callId: call.callId })
        await untilWritten(sessionId, call.callId, () => recordLeft(shell, left))
      }
    },

    /** Keeps the session under the captured task. Gives what to say under the result; null for nothing. */
    async after({
      sessionId,
      callId,
      result,
      place,
    }: {
      sessionId: string
      callId: string
      result: ToolResult
      place: PlaceAsked
    }) {
      const left = inFlight(sessionId, callId)
      if (left !== null && isLeft(shell, { call: left, sessionId, result }))
        return look(sessionId, place)
      const call = takenBack(sessionId, callId)
      if (call === null) return null
      // The text needs from the host what the end of the call has already asked about its session.
      const asking = { ...shell, api: askedOnce(shell.api) }
      const told = await onDiskAtEnd(asking, async (soon) => {
        const recorded = await inTurn(sessionId, () =>
          untilWritten(sessionId, callId, async () =>
            recordReturn(soon, await cameBack(soon, { call, sessionId, result })),
          ),
        )
        if (recorded === null) return null
        const { looked, returned } = recorded
        const text =
          returned === null
            ? await toolTextBehind(soon, looked)
            : await toolTextOf(soon, looked, returned)
        return { looked, text }
      })
      // What moves to other files is on disk here.
      if (told !== null) await tidyBoulder(shell, told.looked.boulder, told.looked)
      return told?.text ?? null
    },
  }
}

/** Two leads never work on one plan: a session that lost it to another during one of our turns no longer delegates. */
function refuseTakenOver({ sessions }: Shell, sessionId: string, { role, work }: Place): void {
  if (role !== "former-lead" || work.status !== "active" || sessions.of(sessionId).isUsersTurn)
    return
  throw new ToolRefusal(takenOverRefusal(work.plan_name, work.lead_session_id))
}

/** A child that a power cut might leave unrecorded is not begun either. */
function refuseUndurable(error: unknown): never {
  const isUndurable = error instanceof StoreError && error.code === "not-durable"
  throw isUndurable ? new ToolRefusal(unwrittenRefusal(error.message)) : error
}

/** A child whose purpose nobody knows is not begun. */
function refuseUnwritten(error: unknown): never {
  throw new ToolRefusal(unwrittenRefusal(messageOf(error)))
}

/** The task that a call has named, its intent, and the session to resume if reuse is `auto`. */
async function capturedBy(
  shell: Shell,
  { work, plan }: { readonly work: Work; readonly plan: Plan },
  { sessionId, callId, words }: Pick<ToolCall, "sessionId" | "callId"> & { words: Words },
) {
  const resumes = sessionIdOf(words.resumes)
  const told = keysTold(shell.sessions.of(sessionId).told, work)
  const captured = captureTask(plan, work, { ...words, resumes }, told)
  const { task } = captured
  const isAuto = shell.options.reuse === "auto" && words.resumes === undefined
  const reuse = isAuto && task !== null ? await checkReuse(shell, work, task, words.agent) : null
  const intent = {
    callId,
    task,
    parentSessionId: sessionId,
    agent: words.agent,
    resumes,
    now: isoOf(shell.now()),
  }
  return { ...captured, intent, reusable: reuse?.kind === "reuse" ? reuse.sessionId : null }
}

/** Tells the subagent how its result will be read. */
function tellSubagent(task: Task | null, { prompt, say }: Words): void {
  const words = task === null || prompt === "" ? null : subagentWords(task, prompt)
  if (words !== null) say(`${prompt}\n\n${words}`)
}

/** A text as a session's id; null if it is none. */
export function sessionIdOf(text: string | undefined): string | null {
  return text !== undefined && SESSION_ID.test(text) ? text : null
}
