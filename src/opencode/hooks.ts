// The hook table: none throws, none waits without a limit.
import type { Hooks } from "@opencode-ai/plugin"
import { isoOf } from "../boulder/iso-time.ts"
import type { HostEvent } from "../decide/host-event.ts"
import { compactsAt } from "../decide/token-limits.ts"
import { translateEvent } from "../decide/translate-event.ts"
import { cleanLine, withoutFrames } from "../plan/model/foreign-text.ts"
import { failedText } from "../prompts/handoff-refusal.ts"
import { sayText } from "../prompts/say-text.ts"
import { openNoticingStore } from "../store/records/noticing-store.ts"
import { SIDE_AGENTS } from "./compaction/compaction.ts"
import { openTaskStates } from "./compaction/task-state-hooks.ts"
import { openHandoffs } from "./handoffs/handoff-hooks.ts"
import type { Shell } from "./host/shell.ts"
import { withinLimit } from "./host/time-limit.ts"
import { openTimers } from "./host/timers.ts"
import { ToolRefusal } from "./host/tool-refusal.ts"
import { openIdleLoop } from "./idle/idle-loop.ts"
import { addNotice } from "./tools/add-notice.ts"
import { cleanResults } from "./tools/clean-results.ts"
import { openDelegation } from "./tools/delegation.ts"
import { openRounds } from "./tools/rounds.ts"
import { checkWrite, isWritingTool } from "./tools/write-guard.ts"
import { COMMANDS } from "./user/commands.ts"
import { messageReceived } from "./user/user-message.ts"

/** No hook keeps the host waiting longer than this, in ms. */
const HOOK_LIMIT_MS = 8_000
/** Nor does telling what has failed in it, for each of those who are told at once, in ms. */
const REPORT_LIMIT_MS = 2_000

/** The hook table: the one place of the plugin where errors are caught. None breaks or hangs the host. */
export function hooksOf(given: Shell): Hooks {
  const noticing = openNoticingStore({
    ...given,
    tell: (message) => given.api.toast(message, "warning"),
  })
  const shell: Shell = { ...given, store: noticing.store }
  const report = async (where: string, error: unknown): Promise<void> => {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const entry = {
      at: isoOf(shell.now()),
      session: null,
      work: null,
      decision: "error",
      reason: where,
    }
    const told = await Promise.allSettled([
      withinLimit(
        shell.journal.append({ ...entry, facts: { message } }),
        REPORT_LIMIT_MS,
        "journal",
      ),
      withinLimit(shell.log(`${where}: ${message}`), REPORT_LIMIT_MS, "log"),
    ])
    // The journal cannot be written, or the host does not listen: stderr is what is left.
    for (const one of told)
      if (one.status === "rejected")
        process.stderr.write(
          `${cleanLine(`opencode-boulder: ${where}: ${message}; ${String(one.reason)}`)}\n`,
        )
  }
  const timers = openTimers((error) => report("timer", error))
  const idle = openIdleLoop(shell, {
    ...timers,
    set: (id, waitMs, run) => timers.set(id, waitMs, () => run().finally(sayNotices)),
  })
  const rounds = openRounds(shell)
  const delegation = openDelegation(shell, rounds)
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
  /** Runs a hook's work within the limit; what it throws is reported and goes no further. */
  const guarded = async (where: string, run: () => Promise<void>): Promise<void> => {
    await caught(where, run)
    await sayNotices()
  }
  const sayNotices = async (): Promise<void> => {
    if (noticing.isWaiting()) await caught("notice", noticing.say)
  }
  const caught = async (where: string, run: () => Promise<void>): Promise<void> => {
    try {
      await withinLimit(run(), HOOK_LIMIT_MS, where)
    } catch (error) {
      if (error instanceof ToolRefusal) throw error
      await report(where, error)
    }
  }

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
        return idle.fellIdle(told.sessionId)
      case "session-busy":
        return idle.becameBusy(told.sessionId)
      case "session-compacted":
        return idle.compacted(told.sessionId)
      case "message-removed":
        return taskStates.undone(told.sessionId, told.messageId)
      case "session-deleted":
        for (const part of [idle, taskStates]) part.forget(told.sessionId)
        return
      case "task-part":
        return told.status === "error" ? delegation.failed(told.sessionId, told.callId) : undefined
    }
  }

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
        if (unsaid.length > 0) await sayProblems()
        const told = translateEvent(event, shell.now())
        if (told === null) return
        shell.sessions.note(told)
        await react(told)
      }),

    "command.execute.before": async (
      { command, sessionID: sessionId, arguments: request },
      output,
    ) => {
      const known = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined
      if (known === undefined) return
      let text = sayText([
        `/${command} failed; opencode-boulder why tells more. Nothing was changed.`,
      ])
      await guarded(`/${command}`, async () => {
        shell.sessions.note({ kind: "command-started", sessionId, name: command })
        const answer = await known.run(shell, sessionId, request).catch((error: unknown) => {
          text = sayText([`/${command}: ${error instanceof Error ? error.message : String(error)}`])
          throw error
        })
        text = answer.text
        await answer.tidy?.()
      })
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
        const isFirst = shell.sessions.of(sessionId).lastMessage === null
        const isCommand = shell.sessions.of(sessionId).command !== null
        await messageReceived(shell, {
          sessionId,
          messageId,
          agent,
          parts: parts.map(partFacts),
        })
        await handoffs.renewal(sessionId)?.()
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
      const renewal = handoffs.renewal(sessionId)
      if (renewal !== null) void guarded("lease", renewal)
      const hardLimit = rounds.hardLimit({ sessionId, tool, args })
      if (hardLimit === null && tool !== "task" && !isWritingTool(tool)) return NOTHING
      return guarded(`before ${tool}`, async () => {
        await hardLimit?.()
        if (tool === "task") await delegation.before({ sessionId, callId, args })
        else if (isWritingTool(tool)) await checkWrite(shell, sessionId, args)
      })
    },

    "tool.execute.after": ({ tool, sessionID: sessionId, callID: callId, args }, output) => {
      if (typeof output?.output !== "string") return NOTHING
      const isOfLead = shell.sessions.of(sessionId).leads
      if (tool !== "task" && !isWritingTool(tool) && !isOfLead) return NOTHING
      // A subagent's words must not read as ours, whatever comes of the rest.
      if (tool === "task") output.output = withoutFrames(output.output)
      const chars = output.output.length
      if (isOfLead) shell.sessions.note({ kind: "tool-returned", sessionId, chars })
      return guarded(`after ${tool}`, async () => {
        const told =
          tool === "task"
            ? await delegation.after({ sessionId, callId, result: output })
            : await rounds.look(sessionId)
        await addNotice(shell, { tool, sessionId, args }, told, output)
      })
    },

    dispose: async () => timers.cancelAll(),
  }
}

const NOTHING = Promise.resolve()

function partFacts(part: {
  type: string
  synthetic?: boolean
  metadata?: Record<string, unknown>
}) {
  return { type: part.type, synthetic: part.synthetic, metadata: part.metadata }
}
