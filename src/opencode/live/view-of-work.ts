// Shows one work for the panel.

import type { BlockedTask } from "../../boulder/blocked-tasks.ts"
import type { Dispatch, Work } from "../../boulder/boulder.ts"
import { sumIn } from "../../boulder/cost.ts"
import { isoOf } from "../../boulder/iso-time.ts"
import type { WorkView } from "../../boulder/live-view.ts"
import { countsNow } from "../../boulder/record-reading.ts"
import { type LeadFacts, workStateOf } from "../../boulder/work-state.ts"
import type { ProofSummary } from "../../decide/decision.ts"
import type { SessionMemory } from "../../decide/memory/session-memory.ts"
import { limitedTasks } from "../../decide/provider-says.ts"
import { waitingIn, windowOf } from "../../decide/window.ts"
import { cleanLine } from "../../plan/model/foreign-text.ts"
import { byKey } from "../../plan/model/once-a-reading.ts"
import type { Plan, Task } from "../../plan/model/plan.ts"
import { pauseWords } from "../../prompts/pause-words.ts"
import { TIER_WORDS } from "../../prompts/proof-words.ts"

/** What a view of a work is made of. `lead` is null if this process does not lead it. */
export interface ShownWork {
  readonly work: Work
  /** Null if it cannot be read. */
  readonly plan: Plan | null
  readonly blocked: readonly BlockedTask[]
  readonly lead: LeadFacts | null
  /** Null if the plan names no check. */
  readonly proof?: ProofSummary | null
  /** The memory of a session. */
  readonly memoryOf: (sessionId: string) => SessionMemory
  readonly windowSize: number
  /** ms since 1970 */
  readonly now: number
}

const MAX_CHARS = 400
const MAX_WAITING = 3
/** The panel asks for all of them once a person wants to choose. */
const MAX_BLOCKED = 32
const MAX_TITLE_CHARS = 120
const MAX_REASON_CHARS = 160
const MAX_UNPROVEN = 9
const MAX_RUNNING = 32
const MAX_LIMITED = 9

/** One work as the panel shows it: pure, of bounded size, with foreign text cleaned. */
export function viewOfWork(shown: ShownWork): WorkView {
  const { work, plan, blocked, lead, now } = shown
  const counts = countsNow(work, plan)
  const { round, context } = work
  const leadTokens = lead === null ? 0 : shown.memoryOf(work.lead_session_id).contextTokens
  const isOpen = work.status !== "completed"
  return {
    work_id: work.work_id,
    plan_name: short(work.plan_name),
    plan: short(work.active_plan),
    lead_session_id: work.lead_session_id,
    led: lead !== null,
    state: cleanState(workStateOf(work, lead, { more: pauseWords(work), now })),
    counts,
    updated_at: work.updated_at,
    round:
      context === null
        ? null
        : {
            number: round.number,
            settled: Math.max(0, counts.settled - round.settled_at_checkpoint),
            ended: round.ended !== null,
          },
    checkpoint: work.checkpoint_seq,
    window: isOpen && plan !== null ? windowRows(shown, plan) : [],
    limited: limitedRows(shown),
    proof: shownProof(shown),
    running: lead === null || work.status !== "active" ? [] : runningCalls(shown),
    context:
      context === null
        ? null
        : {
            tokens: leadTokens > 0 ? leadTokens : context.tokens,
            soft_limit: context.soft_limit,
            hard_limit: context.hard_limit,
          },
    tokens: work.tokens,
    cost: sumIn(work.cost),
    blocked: blocked.slice(0, MAX_BLOCKED).map(({ key, title, reason, unblock }) => ({
      key: short(key),
      title: short(title, MAX_TITLE_CHARS),
      reason: reason === null ? null : short(reason, MAX_REASON_CHARS),
      unblock: unblock === null ? null : short(unblock, MAX_REASON_CHARS),
    })),
  }
}

function limitedRows({ work, plan, now }: ShownWork): WorkView["limited"] {
  const waits = plan === null ? [] : limitedTasks({ kind: "read", plan }, work, now)
  return waits
    .slice(0, MAX_LIMITED)
    .map(({ key, title, until }) => ({ key: short(key), title: short(title), until }))
}

function shownProof({ proof = null }: ShownWork): WorkView["proof"] {
  if (proof === null) return null
  const shown = proof.unproven.slice(0, MAX_UNPROVEN)
  const unproven = shown.map(({ key, tier }) => ({ key: short(key), tier: TIER_WORDS[tier] }))
  return { ticked: proof.ticked, proven: proof.proven, unproven }
}

function windowRows({ work, lead, windowSize }: ShownWork, plan: Plan): WorkView["window"] {
  const window = windowOf(plan, work, windowSize)
  const dispatches = lead === null ? [] : Object.values(work.dispatches)
  const stateOf = ({ key, titleHash }: Task): WorkView["window"][number]["state"] => {
    if (dispatches.some((call) => call.task_key === key && call.title_hash === titleHash))
      return "running"
    const kept = Object.hasOwn(work.task_sessions, key) ? work.task_sessions[key] : undefined
    return kept?.status === "returned" && kept.title_hash === titleHash ? "returned" : "next"
  }
  const known = byKey(plan.tasks)
  return [
    ...window.map((task) => ({
      key: short(task.key),
      title: short(task.title),
      state: stateOf(task),
      waits_for: [],
    })),
    ...waitingIn(plan, work, window)
      .slice(0, MAX_WAITING)
      .map((task) => ({
        key: short(task.key),
        title: short(known.get(task.key)?.title ?? ""),
        state: "waits" as const,
        waits_for: task.for.map((key) => short(key)),
      })),
  ]
}

/** The calls that are recorded and have not returned. Only this process knows what their sessions were heard doing. */
function runningCalls({ work, memoryOf }: ShownWork): WorkView["running"] {
  const dispatches: readonly [string, Dispatch][] = Object.entries(work.dispatches)
  return dispatches.slice(0, MAX_RUNNING).map(([callId, dispatch]) => {
    // The record gets its session when the call returns; the host tells this process sooner.
    const { calls } = memoryOf(dispatch.parent_session_id)
    const told = calls.find((call) => call.callId === callId)?.childId ?? null
    const session = dispatch.session_id ?? told
    const { heardAt, tools } = session === null ? NOTHING_HEARD : memoryOf(session)
    const tool = tools.at(-1)
    return {
      key: dispatch.task_key === null ? null : short(dispatch.task_key),
      agent: short(dispatch.agent),
      session_id: session,
      since: dispatch.started_at,
      heard_at: heardAt === null ? null : isoOf(heardAt),
      tool: tool === undefined ? null : short(tool.name),
    }
  })
}

const NOTHING_HEARD: Pick<SessionMemory, "heardAt" | "tools"> = { heardAt: null, tools: [] }

function cleanState(state: WorkView["state"]): WorkView["state"] {
  if (state.kind === "waiting-for-you")
    return { ...state, asks: state.asks === null ? null : short(state.asks) }
  return state.kind === "paused" && state.more !== null
    ? { ...state, more: short(state.more) }
    : state
}

function short(text: string, most = MAX_CHARS): string {
  return cleanLine(text).slice(0, most)
}
