// Whether a subagent has fallen silent.
import type { RunningTool, SessionMemory } from "./session-memory.ts"

/** For how long a subagent may be silent, and a tool of it may run, in ms; 0 for ever. */
export interface SilenceLimits {
  readonly childMs: number
  readonly toolMs: number
}

/** It is hung, and is to be ended; or a tool of it takes long, and a person is to know. `ms`: for how long. */
export type Silence =
  | { readonly kind: "hung"; readonly ms: number }
  | { readonly kind: "long-tool"; readonly ms: number; readonly tool: RunningTool }

/**
 * Whether a running subagent has fallen silent; null where it has not, or was ended for it. One that runs a tool is not
 * hung, however long that takes, and neither is one that waits for a person or the provider.
 */
export function silenceOf(memory: SessionMemory, limits: SilenceLimits): Silence | null {
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

/** Whether a session waits for its person: neither its silence counts nor the time of its tools, or of the call that runs it. */
export function isAsking({ questions, permissions }: SessionMemory): boolean {
  return questions.length > 0 || permissions.length > 0
}
