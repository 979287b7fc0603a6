// The hook table: what we do at each point of the port.
// Over 250 lines: the port is one table, and what its rows share is opened above it once.
import { elapsedMs } from "../boulder/iso-time.ts"
import { SILENT_MS } from "../boulder/live-view.ts"
import type { HostEvent } from "../decide/memory/host-event.ts"
import type { ToolCall } from "../decide/tool-call.ts"
import { withoutFrames } from "../plan/model/foreign-text.ts"
import { failedText } from "../prompts/handoff-refusal.ts"
import { readOnce } from "../store/handoffs/read-once.ts"
import { openNoticingStore } from "../store/records/noticing-store.ts"
import { openTaskStates } from "./compaction/task-state-hooks.ts"
import { openHandoffs } from "./handoffs/handoff-hooks.ts"
import { openCaught } from "./host/caught.ts"
import type { Reactions } from "./host/reactions.ts"
import type { Shell } from "./host/shell.ts"
import { openTelling, unlessFailed } from "./host/telling.ts"
import { openTimers } from "./host/timers.ts"
import { noteWaitsBeside } from "./idle/host-wait.ts"
import { openIdleLoop } from "./idle/idle-loop.ts"
import { leadDeleted } from "./idle/lead-deleted.ts"
import { leaveGoing, noteRejection } from "./idle/leave-going.ts"
import { bookSpent, hasStarted, takeUpWorks } from "./idle/take-up.ts"
import { openUnderWay } from "./idle/under-way.ts"
import { keepView } from "./live/keep-view.ts"
import { addToolText } from "./tools/add-tool-text.ts"
import { openDelegation, sessionIdOf } from "./tools/delegation.ts"
import { beforeCall, callOver, observed } from "./tools/observe-runs.ts"
import { openRounds } from "./tools/rounds.ts"
import { watchSilence } from "./tools/silent-children.ts"
import { checkWrite, refuseLate } from "./tools/write-guard.ts"
import { journalBehind, openNotify } from "./user/notify.ts"
import { COMMANDS, runSlashCommand } from "./user/run-slash-command.ts"
import { messageReceived } from "./user/user-message.ts"
import { openWaveQuestions } from "./user/wave-question.ts"
import { keepAllSeen } from "./work/note-proof.ts"
import { placeOnce } from "./work/place-of.ts"

/** Works are taken up this long after the start or the first event, in ms. Until then `run` and a person may have begun something else. */
const TAKE_UP_MS = 30_000
/** How often each active work is looked at, whatever has become of its timers, in ms. */
const SWEEP_MS = 60_000
/** How long a look waits for what earlier events still write, in ms: less than the look itself may take. */
const EARLIER_MS = 4_000

/** What we do at each point of the port. What is thrown there is caught in `host/caught.ts`, so that nothing breaks or hangs the host. */
export function reactionsOf(given: Shell): Reactions {
  const telling = openTelling(given)
  const noticing = openNoticingStore({
    ...given,
    ...telling,
    tell: (message) => telling.api.toast(message, "warning"),
  })
  const { report, guarded, sayNotices } = openCaught(given, noticing)
  const timers = openTimers((error, id) => report("timer", sessionIdOf(id), error))
  const notify = openNotify({ ...given, ...telling, store: noticing.store }, timers)
  const journal = journalBehind(notify, telling)
  // No hook waits for another machine; tools do.
  const handoffsAtOnce = given.handoffs.atOnce ?? given.handoffs
  const shell: Shell = {
    ...given,
    ...telling,
    journal,
    store: noticing.store,
    handoffs: handoffsAtOnce,
  }
  const underWay = openUnderWay(EARLIER_MS)
  const over = new AbortController()
  const idle = openIdleLoop(
    shell,
    {
      ...timers,
      set: (id, waitMs, run) => timers.set(id, waitMs, () => run().finally(sayNotices)),
    },
    underWay.over,
    over.signal,
  )
  const rounds = openRounds(shell)
  const waveQuestions = openWaveQuestions(shell)
  const delegation = openDelegation(shell, rounds)
  const silence = watchSilence(shell, timers)
  const view = keepView(shell, timers)
  const handoffs = openHandoffs(shell, given.handoffs, async (tool, sessionId, work) => {
    let answer = `${tool} took too long: look with list_blocked_tasks before you try again.`
    await guarded(tool, sessionId, async () => {
      answer = await work().catch((error: unknown) => {
        answer = failedText(tool, error)
        throw error
      })
    })
    return answer
  })
  const taskStates = openTaskStates(shell, guarded)
  /** Problems of the options belong to no session and are said once. Not while the host starts, because it would wait for itself. */
  let unsaid = shell.problems
  const sayProblems = async (): Promise<void> => {
    const problems = unsaid
    unsaid = []
    for (const problem of problems) await shell.log(problem)
    // One message: a second would replace the first.
    await shell.api.toast(problems.join(" "), "warning")
  }
  const deleted = async (told: HostEvent & { kind: "session-deleted" }): Promise<void> => {
    const { sessionId } = told
    const { isDeleted: isKnown } = shell.sessions.of(sessionId)
    // What cannot be booked goes to the session above it.
    await unlessFailed(shell, () => bookSpent(shell, sessionId), undefined)
    shell.sessions.note(told)
    for (const part of [idle, taskStates]) part.forget(sessionId)
    if (!isKnown) await leadDeleted(shell, sessionId)
  }
  /** What still has to be done after an event; undefined if memory is all it changes. */
  const react = (told: HostEvent): Promise<void> | undefined => {
    if (told.kind === "session-deleted") return deleted(told)
    const { sessionId } = told
    const { rejectedAt } = shell.sessions.of(sessionId)
    shell.sessions.note(told)
    const isSame = shell.sessions.of(sessionId).rejectedAt === rejectedAt
    if (isSame) return behind(told)
    return Promise.all([noteRejection(shell, sessionId), behind(told)]).then(() => undefined)
  }
  const behind = (told: HostEvent): Promise<void> | undefined => {
    switch (told.kind) {
      case "session-idle":
        taskStates.turnIsOver(told.sessionId)
        return idle.fellIdle(told.sessionId)
      case "session-aborted":
        taskStates.turnIsOver(told.sessionId)
        return undefined
      case "session-busy":
        idle.becameBusy(told.sessionId)
        return undefined
      case "session-waits":
        return idle.hostWaits(told.sessionId, told.until)
      case "session-compacted":
        return idle.compacted(told.sessionId)
      case "message-removed":
        return taskStates.undone(told.sessionId, told.messageId)
      case "question-asked":
      case "permission-asked":
        return asked(told)
      case "question-answered":
        return waveQuestions.answered(told)
      case "task-part":
        return told.status === "error" ? delegation.failed(told.sessionId, told.callId) : undefined
      default:
        return undefined
    }
  }
  const asked = async (
    told: HostEvent & { kind: "question-asked" | "permission-asked" },
  ): Promise<void> => {
    const place = placeOnce(shell, told.sessionId, "far")
    if (told.kind === "question-asked") await waveQuestions.asked(told, place)
    await notify.asked(told, place)
  }

  /** The host waits for no event, but the looks after it do. Looks have an order of their own. */
  const reacted = (told: HostEvent): Promise<void> | undefined => {
    // What the host reports about turns that ended with the host says nothing about those turns.
    if (over.signal.aborted) return undefined
    const reaction = react(told)
    if (told.kind !== "session-idle") underWay.add(reaction)
    return reaction
  }

  type Sign = HostEvent & { readonly kind: "session-heard" }
  /** When a turn or a tool is over, what is left may be waiting. */
  const noted = async (told: HostEvent | null, sign: Sign | null): Promise<void> => {
    const { aborted } = over.signal
    if (told !== null) await Promise.all([reacted(told), aborted ? null : delegation.told(told)])
    if (told?.kind === "session-idle" || sign?.tool?.runs === false) await noteWaitsBeside(shell)
    // After the event's own work, since another event may come while the host shows the problems.
    if (unsaid.length > 0) await sayProblems()
  }

  /** Whether the host has reported anything. Until then it may be starting, and would wait for itself. */
  let isHeard = false
  const sweep = (waitMs: number): void => {
    const due = shell.now() + waitMs
    timers.set("works", waitMs, async () => {
      sweep(SWEEP_MS)
      // The machine was asleep: no other opencode has had the time to show that it lives.
      if (elapsedMs(due, shell.now()) > SILENT_MS) return
      if (isHeard || (await hasStarted(shell)))
        await takeUpWorks(shell, idle, (error, sessionId) => report("works", sessionId, error))
    })
  }
  // Older hosts report nothing while nobody types on their home screen.
  sweep(TAKE_UP_MS)
  view.touched()

  const placeOfCall = ({ kind, sessionId }: ToolCall) =>
    placeOnce(shell, sessionId, kind === "write" ? "far" : "near")

  return {
    commands: COMMANDS,
    tool: handoffs.tool,

    async told({ name, heard, told: tells }) {
      if (!isHeard) sweep(TAKE_UP_MS)
      isHeard = true
      const sign = heard(shell.now())
      if (sign !== null) silence.heard(sign)
      if (sign?.tool?.runs === false) callOver(shell, sign.sessionId, sign.tool.callId)
      view.touched()
      const told = tells(shell.now())
      await guarded(`event ${name}`, told?.sessionId ?? null, () => noted(told, sign))
    },

    command: (name, sessionId, request) =>
      runSlashCommand(shell, guarded, { name, sessionId, request }),

    async message(message) {
      const { sessionId, agent } = message
      let offer: string | null = null
      await guarded("message", sessionId, async () => {
        taskStates.turnIsOver(sessionId)
        const isFirst = shell.sessions.of(sessionId).lastMessage === null
        const readings = readOnce(shell)
        const command = await messageReceived({ ...shell, ...readings }, message)
        await handoffs.renewal(sessionId)?.()
        const isCommand = command !== null
        if (isFirst) offer = await handoffs.offerFor({ sessionId, agent, isCommand }, readings)
      })
      return offer
    },

    async request({ sessionId, purpose, limits }) {
      await taskStates.requested(sessionId, purpose)
      if (limits !== null) shell.sessions.note({ kind: "model-told", sessionId, ...limits })
    },

    systemText: taskStates.systemText,
    compacting: taskStates.compacting,
    goesOn: taskStates.goesOn,
    textEnds: taskStates.textEnds,

    shown: (view) => guarded("messages", view.sessionId ?? null, () => taskStates.seen(view)),

    before(call) {
      const { sessionId, kind } = call
      const place = placeOfCall(call)
      const renewal = handoffs.renewal(sessionId)
      if (renewal !== null) void guarded("lease", sessionId, renewal)
      const hardLimit = rounds.hardLimit(call, place)
      const look = beforeCall(shell, { call, place })
      if (hardLimit === null && look === null && kind !== "delegate" && kind !== "write")
        return NOTHING
      const run = async (): Promise<void> => {
        await hardLimit?.()
        await look?.()
        if (kind === "delegate") {
          await delegation.before(call, place)
          silence.begun()
        } else if (kind === "write") await checkWrite(shell, { call, place })
      }
      const late = () => {
        if (kind === "write") refuseLate(shell, sessionId)
        if (kind === "delegate") delegation.late(sessionId)
      }
      return guarded(`before ${call.name}`, sessionId, run, late)
    },

    after(call, result) {
      const { sessionId, callId, kind } = call
      const { leads: isOfLead, lost } = shell.sessions.of(sessionId)
      const place = placeOfCall(call)
      const see = observed(shell, { call, place }, result)
      if (isOfLead)
        shell.sessions.note({ kind: "tool-returned", sessionId, chars: result.text.length })
      const isLook = kind !== "delegate" && kind !== "write" && see === null
      if (isLook && (!isOfLead || (lost.length === 0 && rounds.isAsSeen(sessionId)))) return NOTHING
      // A subagent's words must not look like ours, whatever comes of the rest.
      if (kind === "delegate") result.text = withoutFrames(result.text)
      return guarded(`after ${call.name}`, sessionId, async () => {
        await see?.()
        const told =
          kind === "delegate"
            ? await delegation.after({ sessionId, callId, result, place })
            : await rounds.look(sessionId, place)
        await addToolText(shell, { call, place }, told, result)
      })
    },

    failed: (where, error) => report(where, null, error),
    dispose: async () => {
      over.abort()
      timers.cancelAll()
      await guarded("dispose", null, () => leaveGoing(shell))
      await guarded("dispose", null, () => keepAllSeen(shell))
      await view.close()
    },
  }
}

const NOTHING = Promise.resolve()
