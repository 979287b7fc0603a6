// Connects the hooks of opencode 1 and of Kilo to the port.
import type { Hooks } from "@opencode-ai/plugin"
import { compactsAt } from "../../../decide/token-limits.ts"
import { cleanLine } from "../../../plan/model/foreign-text.ts"
import { HANDOFF_TOOLS, type HandoffToolName } from "../../../prompts/tool-definitions.ts"
import { catchingBy } from "../caught.ts"
import type { Reactions, Requested } from "../reactions.ts"
import { cleanResults } from "./clean-results.ts"
import { writtenIn } from "./incoming-message.ts"
import { viewOf } from "./request-view.ts"
import { toolCallOf, toolResultOf } from "./tool-call-of.ts"
import { heardIn, translateEvent } from "./translate-event.ts"

/** The hooks that opencode 1 and Kilo call (docs/HOST.md). Other input is reported, and no hook throws except to refuse a tool. */
export function hooksOf(reactions: Reactions): Hooks {
  const caught = catchingBy(reactions.failed)
  return {
    tool: toolsOf(reactions),

    config: caught("config", async (config) => {
      const commands = Object.entries(reactions.commands).map(([name, { description }]) => [
        name,
        { description, template: `${name} $ARGUMENTS` },
      ])
      config.command = { ...config.command, ...Object.fromEntries(commands) }
    }),

    event: caught("event", ({ event }) =>
      reactions.told({
        name: event.type,
        heard: (now) => heardIn(event, now),
        told: (now) => translateEvent(event, now),
      }),
    ),

    "command.execute.before": caught(
      "command.execute.before",
      async ({ command, sessionID, arguments: request }, output) => {
        const text = await reactions.command(command, sessionID, request)
        if (text === null) return
        // The host ignores a new array, but takes parts without ids (docs/HOST.md). The model reads our words; the screen shows what was
        // typed.
        const typed = cleanLine(`/${command} ${request}`).trim()
        output.parts.splice(
          0,
          output.parts.length,
          newPart({ type: "text", text, synthetic: true }),
          newPart({ type: "text", text: typed, ignored: true }),
        )
      },
    ),

    "chat.message": caught("chat.message", async ({ sessionID }, { message, parts }) => {
      const { agent, id: messageId } = message
      const ids = { sessionId: sessionID, messageId, agent }
      const text = await reactions.message({ ...ids, ...writtenIn(parts) })
      const last = parts.at(-1)
      if (text === null || last === undefined) return
      // The host sorts parts by id and makes no ids here, so ours follows the last one.
      const { messageID } = last
      parts.push({ id: `${last.id}0`, sessionID, messageID, type: "text", text, synthetic: true })
    }),

    "chat.params": caught("chat.params", ({ sessionID: sessionId, model, agent }) => {
      const purpose = SIDE_AGENTS.get(agent)
      if (purpose !== undefined) return reactions.request({ sessionId, purpose, limits: null })
      const { limit } = model
      const limits = { contextLimit: limit.context, compactsAt: compactsAt(limit) }
      return reactions.request({ sessionId, purpose: "turn", limits })
    }),

    "experimental.chat.messages.transform": caught(
      "experimental.chat.messages.transform",
      async (_, { messages }) => {
        cleanResults(messages)
        await reactions.shown(viewOf(messages))
      },
    ),

    "experimental.chat.system.transform": caught(
      "experimental.chat.system.transform",
      async ({ sessionID }, { system }) => {
        if (sessionID === undefined || isForTitle(system)) return
        const text = await reactions.systemText(sessionID)
        // The host's first text has its own rules and the project's. What others have added comes after ours.
        if (text !== null) system.splice(1, 0, text)
      },
    ),

    "tool.execute.before": caught("tool.execute.before", (call, { args }) =>
      reactions.before(toolCallOf(call, args)),
    ),

    "tool.execute.after": caught("tool.execute.after", (call, output) =>
      typeof output?.output === "string"
        ? reactions.after(toolCallOf(call, call.args), toolResultOf(output))
        : NOTHING,
    ),

    "experimental.session.compacting": caught(
      "experimental.session.compacting",
      async ({ sessionID }, output) => {
        const prompt = await reactions.compacting(sessionID)
        if (prompt !== null) output.prompt = prompt
      },
    ),

    "experimental.compaction.autocontinue": caught(
      "experimental.compaction.autocontinue",
      async ({ sessionID }, output) => {
        if (await reactions.goesOn(sessionID)) output.enabled = false
      },
    ),

    "experimental.text.complete": caught(
      "experimental.text.complete",
      ({ sessionID, messageID }, output) =>
        reactions.textEnds({ sessionId: sessionID, messageId: messageID }, output),
    ),

    dispose: caught("dispose", () => reactions.dispose()),
  }
}

const NOTHING = Promise.resolve()

/** Agents of the host whose requests run beside the session's turns, perhaps with another model. */
const SIDE_AGENTS: ReadonlyMap<string, Requested["purpose"]> = new Map([
  ["title", "other"],
  ["summary", "other"],
  ["compaction", "compaction"],
])

/** The host does not check arguments. We do, and say what to send instead. */
function toolsOf({ tool }: Reactions): NonNullable<Hooks["tool"]> {
  const toolOf = (name: HandoffToolName) => ({
    ...HANDOFF_TOOLS[name],
    execute: (given: unknown, { sessionID, agent }: { sessionID: string; agent: string }) =>
      tool(name, given, { sessionId: sessionID, agent }),
  })
  return {
    save_task_progress: toolOf("save_task_progress"),
    list_blocked_tasks: toolOf("list_blocked_tasks"),
    get_blocked_task: toolOf("get_blocked_task"),
  }
}

/** A title is made beside the first turn; it needs nothing of ours. */
function isForTitle([first = ""]: readonly string[]): boolean {
  return first.startsWith("You are a title generator")
}

/** A part to which the host gives ids. */
function newPart<Part>(fields: object): Part {
  return Object.assign(Object.create(null), fields)
}
