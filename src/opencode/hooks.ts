// The hook table.
import type { Hooks } from "@opencode-ai/plugin"
import type { HostEvent } from "../decide/host-event.ts"
import { compactsAt } from "../decide/token-limits.ts"
import { translateEvent } from "../decide/translate-event.ts"
import { withoutFrames } from "../plan/model/foreign-text.ts"
import { failedText } from "../prompts/handoff-refusal.ts"
import { openNoticingStore } from "../store/records/noticing-store.ts"
import { SIDE_AGENTS } from "./compaction/compaction.ts"
import { openTaskStates } from "./compaction/task-state-hooks.ts"
import { openHandoffs } from "./handoffs/handoff-hooks.ts"
import { openCaught } from "./host/caught.ts"
import type { Shell } from "./host/shell.ts"
import { openTelling } from "./host/telling.ts"
import { openTimers } from "./host/timers.ts"
import { openIdleLoop } from "./idle/idle-loop.ts"
import { takeUpWorks } from "./idle/take-up.ts"
import { keepView } from "./live/keep-view.ts"
import { addToolText } from "./tools/add-tool-text.ts"
import { cleanResults } from "./tools/clean-results.ts"
import { openDelegation } from "./tools/delegation.ts"
import { openRounds } from "./tools/rounds.ts"
import { watchSilence } from "./tools/silent-children.ts"
import { checkWrite, isWritingTool, refuseLate } from "./tools/write-guard.ts"
import { COMMANDS } from "./user/commands.ts"
import { runCommand } from "./user/run-command.ts"
import { type IncomingMessage, messageReceived } from "./user/user-message.ts"
import { openWaveQuestions } from "./user/wave-question.ts"
import { placeOnce } from "./work/place-of.ts"

/** Behind its start works are taken up; until then `run` and a person may have begun otherwise. */
const TAKE_UP_MS = 30_000
/** How often each work that goes on is looked at, whatever has become of its timers. */
const SWEEP_MS = 300_000

/** The hook table. What its hooks throw is caught in `host/caught.ts`: none breaks or hangs the host. */
export function hooksOf(given: Shell): Hooks {
  const telling = openTelling(given)
  const noticing = openNoticingStore({
    ...given,
    ...telling,
    tell: (message) => telling.api.toast(message, "warning"),
  })
  const shell: Shell = { ...given, ...telling, store: noticing.store }
  const { report, guarded, sayNotices } = openCaught(given, noticing)
  const timers = openTimers((error) => report("timer", error))
  const idle = openIdleLoop(shell, {
    ...timers,
    set: (id, waitMs, run) => timers.set(id, waitMs, () => run().finally(sayNotices)),
  })
  const rounds = openRounds(shell)
  const waveQuestions = openWaveQuestions(shell)
  const delegation = openDelegation(shell, rounds)
  const silence = watchSilence(shell, timers)
  const view = keepView(shell, timers)
  const handoffs = openHandoffs(shell, async (tool, work) => {
    let answer = `${tool} took too long: look with list_blocked_tasks before you try again.`
    await guarded(tool, async () => {
      answer = await work().catch((error: unknown) => {
        answer = failedText(tool, error)
        throw error
      })
    })
    return answer
  })
  const taskStates = openTaskStates(shell, guarded)
  /** Problems of the options are of no session, and said once: not while the host starts, it would wait for itself. */
  let unsaid = shell.problems
  const sayProblems = async (): Promise<void> => {
    const problems = unsaid
    unsaid = []
    for (const problem of problems) {
      await shell.log(problem)
      await shell.api.toast(problem, "warning")
    }
  }
  const react = async (told: HostEvent): Promise<void> => {
    switch (told.kind) {
      case "session-idle":
        taskStates.turnIsOver(told.sessionId)
        return idle.fellIdle(told.sessionId)
      case "session-aborted":
        return taskStates.turnIsOver(told.sessionId)
      case "session-busy":
        return idle.becameBusy(told.sessionId)
      case "session-waits":
        return idle.hostWaits(told.sessionId, told.until)
      case "session-compacted":
        return idle.compacted(told.sessionId)
      case "message-removed":
        return taskStates.undone(told.sessionId, told.messageId)
      case "session-deleted":
        for (const part of [idle, taskStates]) part.forget(told.sessionId)
        return
      case "question-asked":
        return waveQuestions.asked(told)
      case "question-answered":
        return waveQuestions.answered(told)
      case "task-part":
        return told.status === "error" ? delegation.failed(told.sessionId, told.callId) : undefined
    }
  }

  /** From the first event on: before it the host starts, and would wait for itself. */
  let isSweeping = false
  const sweep = (waitMs: number): void => {
    isSweeping = true
    timers.set("works", waitMs, () => {
      sweep(SWEEP_MS)
      return takeUpWorks(shell, idle)
    })
  }

  const placeOfCall = (tool: string, sessionId: string) =>
    placeOnce(shell, sessionId, isWritingTool(tool) ? "far" : "near")

  return {
    tool: handoffs.tools,
    ...taskStates.hooks,

    config: async (config) => {
      const commands = Object.entries(COMMANDS).map(([name, { description }]) => [
        name,
        { description, template: `${name} $ARGUMENTS` },
      ])
      config.command = { ...config.command, ...Object.fromEntries(commands) }
    },

    event: ({ event }) =>
      guarded(`event ${event.type}`, async () => {
        if (!isSweeping) sweep(TAKE_UP_MS)
        if (unsaid.length > 0) await sayProblems()
        silence.heard(event)
        view.touched()
        const told = translateEvent(event, shell.now())
        if (told === null) return
        shell.sessions.note(told)
        await react(told)
      }),

    "command.execute.before": async (
      { command, sessionID: sessionId, arguments: request },
      output,
    ) => {
      const text = await runCommand(shell, guarded, { name: command, sessionId, request })
      if (text === null) return
      // The host ignores a new array; it takes parts without ids (docs/HOST.md, hooks).
      output.parts.splice(
        0,
        output.parts.length,
        Object.assign(Object.create(null), { type: "text", text }),
      )
    },

    "chat.message": ({ sessionID: sessionId }, { message, parts }) =>
      guarded("chat.message", async () => {
        const { agent, id: messageId } = message
        taskStates.turnIsOver(sessionId)
        const isFirst = shell.sessions.of(sessionId).lastMessage === null
        const command = await messageReceived(shell, {
          sessionId,
          messageId,
          agent,
          parts: parts.map(partFacts),
        })
        await handoffs.renewal(sessionId)?.()
        const isCommand = command !== null
        const offer = isFirst ? await handoffs.offerFor({ sessionId, agent, isCommand }) : null
        const last = parts.at(-1)
        if (offer === null || last === undefined) return
        // The host sorts parts by their ids and makes none here: ours follows the last one.
        const { messageID } = last
        parts.push({
          id: `${last.id}0`,
          sessionID: sessionId,
          messageID,
          type: "text",
          text: offer,
          synthetic: true,
        })
      }),

    "chat.params": async ({ sessionID: sessionId, model, agent }) => {
      await taskStates.requested(sessionId, agent)
      if (SIDE_AGENTS.has(agent)) return
      const { limit } = model
      const told = { contextLimit: limit.context, compactsAt: compactsAt(limit) }
      shell.sessions.note({ kind: "model-told", sessionId, ...told })
    },

    "experimental.chat.messages.transform": async (_, { messages }) => {
      cleanResults(messages)
      await guarded("messages.transform", () => taskStates.seen(messages))
    },

    "tool.execute.before": ({ tool, sessionID: sessionId, callID: callId }, { args }) => {
      const place = placeOfCall(tool, sessionId)
      const renewal = handoffs.renewal(sessionId)
      if (renewal !== null) void guarded("lease", renewal)
      const hardLimit = rounds.hardLimit({ sessionId, tool, args, place })
      if (hardLimit === null && tool !== "task" && !isWritingTool(tool)) return NOTHING
      const run = async (): Promise<void> => {
        await hardLimit?.()
        if (tool === "task") {
          await delegation.before({ sessionId, callId, args, place })
          silence.begun()
        } else if (isWritingTool(tool)) await checkWrite(shell, { sessionId, args, place })
      }
      const late = () => (isWritingTool(tool) ? refuseLate(shell, sessionId) : undefined)
      return guarded(`before ${tool}`, run, late)
    },

    "tool.execute.after": ({ tool, sessionID: sessionId, callID: callId, args }, output) => {
      if (typeof output?.output !== "string") return NOTHING
      const isOfLead = shell.sessions.of(sessionId).leads
      if (tool !== "task" && !isWritingTool(tool) && !isOfLead) return NOTHING
      // A subagent's words must not read as ours, whatever comes of the rest.
      if (tool === "task") output.output = withoutFrames(output.output)
      const chars = output.output.length
      if (isOfLead) shell.sessions.note({ kind: "tool-returned", sessionId, chars })
      const place = placeOfCall(tool, sessionId)
      return guarded(`after ${tool}`, async () => {
        const told =
          tool === "task"
            ? await delegation.after({ sessionId, callId, result: output })
            : await rounds.look(sessionId, place)
        await addToolText(shell, { tool, sessionId, args, place }, told, output)
      })
    },

    dispose: async () => {
      timers.cancelAll()
      await view.close()
    },
  }
}

const NOTHING = Promise.resolve()

function partFacts({ type, text, synthetic, metadata }: IncomingMessage["parts"][number]) {
  return { type, text, synthetic, metadata }
}
