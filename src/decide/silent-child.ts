// Whether a subagent has fallen silent.
import { isWithin } from "../boulder/iso-time.ts"
import type { RunningTool, SessionMemory } from "./session-memory.ts"

/** For how long a subagent may be silent, and a tool of it may run, in ms; 0 for ever. */
export interface SilenceLimits {
  readonly childMs: number
  readonly toolMs: number
}

/** It is hung, and is to be ended; or a tool of it takes long, and a person is to know. */
export type Silence =
  | { readonly kind: "hung"; readonly since: number }
  | { readonly kind: "long-tool"; readonly tool: RunningTool }

/**
 * Whether a running subagent has fallen silent; null where it has not, waits for a person or the provider, or was never
 * heard of. One that runs a tool is not hung, however long that takes. `now` in ms.
 */
export function silenceOf(
  memory: SessionMemory,
  now: number,
  limits: SilenceLimits,
): Silence | null {
  const { heardAt, tools, questions, permissions, running } = memory
  const isAwaiting =
    questions.length > 0 || permissions.length > 0 || (running?.waitsUntil ?? null) !== null
  if (heardAt === null || isAwaiting) return null
  const { childMs, toolMs } = limits
  if (tools.length > 0) {
    const tool = tools.find((one) => !one.isTold && !isWithin(one.since, toolMs, now))
    return toolMs === 0 || tool === undefined ? null : { kind: "long-tool", tool }
  }
  return childMs === 0 || isWithin(heardAt, childMs, now) ? null : { kind: "hung", since: heardAt }
}
