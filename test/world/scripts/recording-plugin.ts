// A plugin that changes nothing and reports each hook and event, in the real and in the simulated host.
import type { Hooks } from "@opencode-ai/plugin"

/** What a plugin has seen of its host. */
export interface Seen {
  readonly kind: "hook" | "event"
  readonly name: string
  readonly input: unknown
  readonly output?: unknown
}

/**
 * The hooks. A user's message with `throw in HOOK` makes that hook throw in its session; one with `do not go on` forbids the host to go on
 * after a compaction.
 */
export function recordingHooks(tell: (seen: Seen) => void): Hooks {
  const orders = new Map<string, string>()
  const hook = (name: string, input: unknown, output: unknown): void => {
    tell({ kind: "hook", name, input, output })
    const order = orders.get(sessionOf(input, output))
    if (order?.includes(`throw in ${name}`)) throw new Error(`thrown in ${name}`)
  }
  return {
    config: async (config) => {
      const probe = { template: "PROBE $ARGUMENTS", description: "probe" }
      config.command = { ...config.command, probe }
    },
    event: async ({ event }) => tell({ kind: "event", name: event.type, input: event.properties }),
    "chat.message": async (input, output) => {
      const texts = output.parts.map((part) => (part.type === "text" ? part.text : ""))
      orders.set(input.sessionID, texts.join("\n"))
      hook("chat.message", input, output)
    },
    "command.execute.before": async (input, output) =>
      hook("command.execute.before", input, output),
    "tool.execute.before": async (input, output) => hook("tool.execute.before", input, output),
    "tool.execute.after": async (input, output) => hook("tool.execute.after", input, output),
    "chat.params": async ({ sessionID, agent }) => {
      if (agent !== "title") hook("chat.params", { sessionID, agent }, {})
    },
    "experimental.chat.messages.transform": async (_, output) =>
      hook("experimental.chat.messages.transform", {}, output),
    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      if (system[0]?.includes("title generator") !== true)
        hook("experimental.chat.system.transform", { sessionID }, {})
    },
    "experimental.session.compacting": async (input, output) =>
      hook("experimental.session.compacting", input, output),
    "experimental.compaction.autocontinue": async ({ sessionID, overflow }, output) => {
      hook("experimental.compaction.autocontinue", { sessionID, overflow }, {})
      if (orders.get(sessionID)?.includes("do not go on")) output.enabled = false
    },
    "experimental.text.complete": async (input, output) =>
      hook("experimental.text.complete", input, output),
  }
}

function sessionOf(input: unknown, output: unknown): string {
  const own = field(input, "sessionID")
  if (typeof own === "string") return own
  const messages = field(output, "messages")
  const first = Array.isArray(messages) ? field(messages[0], "info") : undefined
  return String(field(first, "sessionID"))
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
}
