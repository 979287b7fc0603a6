// Decides whether a recorded session may be offered again, or why not.
import type { TaskSession, Work } from "../boulder/boulder.ts"
import { stepOf, triedWords } from "../boulder/setbacks.ts"
import type { Task } from "../plan/model/plan.ts"
import type { FreshReason, Reuse } from "./decision.ts"

/** What the host has just said about a session that might be reused. */
export interface SessionFacts {
  readonly busy: boolean
  /** One of its parents is a session of this work. */
  readonly ofThisWork: boolean
  /** Tokens in its context after its last answer. */
  readonly contextTokens: number
  /** The model's context in tokens; null if the host does not tell. */
  readonly contextLimit: number | null
}

const FULL = 0.7
const MAX_FAILURES = 2

/**
 * The recorded session of a task, if the plan still has that very task; needs no host. `escalateTo` is the agent that takes over a task
 * whose results failed their verification too often; null for any agent.
 */
export function recordedSession(
  work: Work,
  task: Task,
  escalateTo: string | null = null,
): { readonly session: TaskSession } | Extract<Reuse, { kind: "fresh" }> {
  const fresh = (reason: FreshReason) => ({ kind: "fresh", reason }) as const
  const session = work.task_sessions[task.key]
  if (!task.reusable) return fresh("its key is not unique")
  if (session === undefined) return fresh("no session yet")
  if (session.title_hash !== task.titleHash) return fresh("the task was reworded")
  if (stepOf(session) !== "reuse") {
    const { setbacks = [] } = session
    const tried = { failed: setbacks.length, words: triedWords(session), agent: escalateTo }
    return { ...fresh("its results failed"), tried }
  }
  if (session.failures >= MAX_FAILURES) return fresh("it failed twice")
  return { session }
}

/** Whether a recorded session may be offered; `agent` is the one that should run, null for any. */
export function eligibility(
  session: TaskSession,
  agent: string | null,
  facts: SessionFacts,
): Reuse {
  const fresh = (reason: FreshReason): Reuse => ({ kind: "fresh", reason })
  if (!facts.ofThisWork) return fresh("not of this work")
  if (agent !== null && session.agent !== agent) return fresh("another agent")
  if (facts.busy) return fresh("it is busy")
  const { contextTokens, contextLimit } = facts
  if (contextLimit !== null && contextLimit > 0 && contextTokens >= FULL * contextLimit)
    return fresh("its context is over 70 % full")
  return { kind: "reuse", sessionId: session.session_id, agent: session.agent }
}
