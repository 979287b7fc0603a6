import type { HostEvent } from "./host-event.ts"

/** What we remember of one session of this process; lost at a restart, where none of it matters. */
export interface SessionMemory {
  /** Null for a session without a parent; undefined while the host has not told. */
  readonly parentId: string | null | undefined
  /** Requests that wait for the user's answer, by the host's request id. */
  readonly questions: readonly string[]
  readonly permissions: readonly string[]
  /** When the user last stopped this session's turn, in ms. */
  readonly abortedAt: number | null
  /** When the user last said no; null again once the session's model has gone on after it. */
  readonly rejectedAt: number | null
  /** The command of ours whose message the host is about to make. */
  readonly command: string | null
  /** The model's context in tokens, once a request has told it. */
  readonly contextLimit: number | null
  /** The orchestrator was told in this round that it edits sources itself. */
  readonly toldOfWrites: boolean
}

export const NOTHING_REMEMBERED: SessionMemory = {
  parentId: undefined,
  questions: [],
  permissions: [],
  abortedAt: null,
  rejectedAt: null,
  command: null,
  contextLimit: null,
  toldOfWrites: false,
}

const MAX_PENDING = 64

/** The only way in which memory changes. */
export function remember(memory: SessionMemory, event: HostEvent): SessionMemory {
  switch (event.kind) {
    case "session-created":
      return { ...memory, parentId: event.parentId }
    case "question-asked":
      return { ...memory, questions: added(memory.questions, event.requestId) }
    case "permission-asked":
      return { ...memory, permissions: added(memory.permissions, event.requestId) }
    case "question-answered":
      return rejectedIf(event.rejected, event.at, {
        ...memory,
        questions: memory.questions.filter((id) => id !== event.requestId),
      })
    case "permission-answered":
      return rejectedIf(event.rejected, event.at, {
        ...memory,
        permissions: memory.permissions.filter((id) => id !== event.requestId),
      })
    case "assistant-started":
      return memory.rejectedAt !== null && event.createdAt > memory.rejectedAt
        ? { ...memory, rejectedAt: null }
        : memory
    case "session-aborted":
      return { ...memory, abortedAt: event.at, questions: [], permissions: [] }
    case "command-started":
      return { ...memory, command: event.name }
    case "message-received":
      return { ...memory, command: null, toldOfWrites: false }
    case "model-told":
      return memory.contextLimit === event.contextLimit
        ? memory
        : { ...memory, contextLimit: event.contextLimit }
    case "told-of-writes":
      return { ...memory, toldOfWrites: true }
    default:
      return memory
  }
}

function added(ids: readonly string[], id: string): readonly string[] {
  return ids.includes(id) ? ids : [...ids, id].slice(-MAX_PENDING)
}

function rejectedIf(rejected: boolean, at: number, memory: SessionMemory): SessionMemory {
  return rejected ? { ...memory, rejectedAt: at } : memory
}
