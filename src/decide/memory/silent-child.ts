// Decides whether a subagent has gone silent.
import type { RunningTool, SessionMemory } from "./session-memory.ts"

/** Either it hangs and must be ended, or one of its tools takes long and the user should know. `ms`: for how long. */
export type Silence =
  | { readonly kind: "hung"; readonly ms: number }
  | { readonly kind: "long-tool"; readonly ms: number; readonly tool: RunningTool }

/**
 * Whether a running subagent has gone silent; null if it has not, or was already ended for it. A subagent that runs a tool does not hang,
 * however long that takes, and neither does one that waits for a person or the provider. A limit of 0 is none.
 */
export function silenceOf(
  memory: SessionMemory,
  limits: { readonly childMs: number; readonly toolMs: number },
): Silence | null {
  const { quietMs, tools, isEndedSilent } = memory
  if (isAsking(memory)) return null
  const { childMs, toolMs } = limits
  if (tools.length > 0) {
    const tool = tools.find((one) => !one.isTold && one.ranMs >= toolMs)
    return toolMs === 0 || tool === undefined ? null : { kind: "long-tool", ms: tool.ranMs, tool }
  }
  const isHung = childMs > 0 && quietMs !== null && quietMs >= childMs && !isEndedSilent
  return isHung ? { kind: "hung", ms: quietMs } : null
}

/** Whether a session waits for its user: then neither its silence counts, nor the time of its tools, nor that of the call that runs it. */
export function isAsking({ questions, permissions }: SessionMemory): boolean {
  return questions.length > 0 || permissions.length > 0
}
