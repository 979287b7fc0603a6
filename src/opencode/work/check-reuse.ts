// Finds the session to reuse for a task, checked with the host.
import type { Work } from "../../boulder/boulder.ts"
import type { Reuse } from "../../decide/decision.ts"
import { ranFor } from "../../decide/place.ts"
import { taskLimitNow } from "../../decide/provider-says.ts"
import { eligibility, recordedSession } from "../../decide/reuse.ts"
import { once } from "../../plan/model/once.ts"
import type { Task } from "../../plan/model/plan.ts"
import { isSessionHere, lineageOf } from "../host/lineage.ts"
import type { SessionApi } from "../host/session-api.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"

/**
 * The session to reuse for a task, checked with the host. `agent` will run it; null if any agent may. Null if the host does not answer:
 * then nothing is said about reuse.
 */
export function checkReuse(
  shell: Shell,
  work: Work,
  task: Task,
  agent: string | null,
): Promise<Reuse | null> {
  const asking = { ...shell, api: askedOnce(shell.api) }
  return unlessFailed(shell, () => checked(asking, work, task, agent), null)
}

type Asked = Pick<SessionApi, "session" | "lastTurn" | "busySessions">

/** The host, asked only once for what several tasks of one text need. The answers are kept only for that text. */
export function askedOnce<Api extends Asked>(api: Api): Api {
  return {
    ...api,
    busySessions: once(() => api.busySessions()),
    session: onceEach((id) => api.session(id)),
    lastTurn: onceEach((id) => api.lastTurn(id)),
  }
}

function onceEach<Answer>(ask: (id: string) => Answer): (id: string) => Answer {
  const made = new Map<string, () => Answer>()
  return (id) => {
    const known = made.get(id) ?? once(() => ask(id))
    made.set(id, known)
    return known()
  }
}

async function checked(
  shell: Shell,
  work: Work,
  task: Task,
  agent: string | null,
): Promise<Reuse | null> {
  const recorded = recordedSession(work, task, shell.options.escalate_agent)
  if ("reason" in recorded) return recorded
  const { session } = recorded
  if (taskLimitNow(work, task, shell.now()) !== null) return null
  const chain = await lineageOf(shell, session.session_id)
  if (chain === null || !(await isSessionHere(shell, session.session_id)))
    return { kind: "fresh", reason: "it is gone" }
  const [busy, last] = await Promise.all([
    shell.api.busySessions(),
    shell.api.lastTurn(session.session_id),
  ])
  const contextLimit =
    shell.sessions.of(session.session_id).model?.contextLimit ??
    (last.model === null ? null : await shell.api.contextLimit(last.model))
  return eligibility(session, agent, {
    busy: busy.has(session.session_id),
    ofThisWork: ranFor(work, chain),
    contextTokens: last.lastTurn?.contextTokens ?? 0,
    contextLimit,
  })
}
