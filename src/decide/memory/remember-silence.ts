// Remembers how long a session has been silent and its tools have run.
import { isWithin, msUntil } from "../../boulder/iso-time.ts"
import type { HostEvent } from "./host-event.ts"
import type { SessionMemory } from "./session-memory.ts"
import { isAsking } from "./silent-child.ts"

const HEARD_MS = 1_000
const MAX_TOOLS = 64

/** Remembers a sign of life at most once a second, and once between two looks of the watch. */
export function heard(
  memory: SessionMemory,
  { at, tool }: HostEvent & { kind: "session-heard" },
): SessionMemory {
  if (tool === null) {
    const isFresh = memory.heardAt !== null && isWithin(memory.heardAt, HEARD_MS, at)
    return isFresh && memory.quietMs === null ? memory : { ...spoken(memory), heardAt: at }
  }
  const { callId, name, runs: isRunning } = tool
  const known = memory.tools.find((one) => one.callId === callId)
  const others = memory.tools.filter((one) => one !== known)
  const now = known ?? { callId, name, ranMs: 0, isTold: false }
  const tools = isRunning ? [...others, now].slice(-MAX_TOOLS) : others
  return { ...spoken(memory), heardAt: at, tools }
}

/** A call has started to run in it. Silence before that is not this call's, and it may be ended again. */
export function called(memory: SessionMemory): SessionMemory {
  const isNew = memory.quietMs === null && !memory.isEndedSilent
  return isNew ? memory : spoken(memory)
}

/** A sign of life ends the silence, but not a wait of the host: the user may write to the session meanwhile. */
function spoken(memory: SessionMemory): SessionMemory {
  const { running, quietMs } = memory
  const waits = running?.waitsUntil != null && quietMs !== null && quietMs < 0
  return { ...memory, quietMs: waits ? quietMs : null, isEndedSilent: false }
}

/** The host waits for the provider: until that ends, nothing can be heard. */
export function waitsFor(
  memory: SessionMemory,
  { at, until }: HostEvent & { kind: "session-waits" },
): SessionMemory {
  const running = { waitsUntil: until }
  return { ...memory, awaitsTurnSince: null, running, quietMs: -msUntil(until, at) }
}

/**
 * Another look of the watch over subagents, this long after the one before. The first look after a sign of life starts the count, so that a
 * session reported as silent for 20 minutes was silent for at least that long. Nothing counts while it waits for its user.
 */
export function watched(memory: SessionMemory, forMs: number): SessionMemory {
  const { quietMs } = memory
  if (isAsking(memory)) return { ...memory, quietMs: 0 }
  const tools = memory.tools.map((tool) => ({ ...tool, ranMs: tool.ranMs + forMs }))
  return { ...memory, tools, quietMs: quietMs === null ? 0 : quietMs + forMs }
}
