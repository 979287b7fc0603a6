// Finds whose task state we keep, and what is known about its work.

import type { Work } from "../../boulder/boulder.ts"
import { type RunningChild, type WorkFacts, workFacts } from "../../boulder/work-facts.ts"
import { windowOf } from "../../decide/window.ts"
import { blockedNow } from "../../store/handoffs/blocked-now.ts"
import { readPlanOf } from "../../store/plans/read-plan-of.ts"
import type { Shell } from "../host/shell.ts"
import { unlessFailed } from "../host/telling.ts"
import { busyChildrenOf } from "../idle/gather-situation.ts"
import { summaryNow } from "../work/judge-ticks.ts"
import { placeOf } from "../work/place-of.ts"

/**
 * Whether we keep a session's task state (option `task_state`), and the work it is about, null if the session has no open work; null if we
 * keep none. With `works`, only if its work is not completed.
 */
export async function stateOwnerOf(shell: Shell, sessionId: string) {
  const option = shell.options.task_state
  if (option === "off") return null
  const { work } = await placeOf(shell, sessionId)
  const open = work?.status === "completed" ? null : work
  return open === null && option === "works" ? null : { work: open }
}

/** As `SessionApi.refusedTurn`; null if the host does not answer. */
export async function refusedTurnOf(shell: Shell, sessionId: string): Promise<string | null> {
  return unlessFailed(shell, () => shell.api.refusedTurn(sessionId), null)
}

/** What our records know about a work, and what of it is running now. If the host does not answer, nothing runs. */
export async function factsOfWork(
  shell: Shell,
  sessionId: string,
  known: Work,
): Promise<WorkFacts> {
  const { work, reading } = await readPlanOf(shell.plans, known)
  const plan = reading.kind === "read" ? reading.plan : null
  const window = plan === null ? [] : windowOf(plan, work, shell.options.long_run.window_size)
  const [blocked, running] = await Promise.all([
    blockedNow(shell, work, reading),
    runningChildren(shell, sessionId),
  ])
  const proof = plan === null ? null : await summaryNow(shell, { work, plan })
  const { unproven = [] } = proof ?? {}
  return workFacts({ work, plan, window, blocked, running, unproven })
}

function runningChildren(shell: Shell, sessionId: string): Promise<readonly RunningChild[]> {
  const ask = async () => {
    const ids = await busyChildrenOf(shell, sessionId)
    const sessions = await Promise.all(ids.map((id) => shell.api.session(id)))
    return ids.map((id, index) => ({ sessionId: id, title: sessions[index]?.title ?? "" }))
  }
  return unlessFailed(shell, ask, [])
}
