// Gathers everything that the idle decision may look at, once.

import type { Boulder, Work } from "../../boulder/boulder.ts"
import { followTicks } from "../../boulder/follow-ticks.ts"
import { heldReading } from "../../boulder/held-plan.ts"
import { msUntil } from "../../boulder/iso-time.ts"
import {
  goingOn,
  type HumanFacts,
  type IdleFacts,
  isProvenSince,
} from "../../decide/decide-idle.ts"
import type { TickNews } from "../../decide/decision.ts"
import { handoffProgress } from "../../decide/handoff-offers.ts"
import { countHolds } from "../../decide/hold-ticks.ts"
import { heardOf } from "../../decide/memory/heard.ts"
import { keysOf } from "../../decide/memory/told-keys.ts"
import { workLed } from "../../decide/place.ts"
import { progressOf } from "../../decide/progress.ts"
import type { Identity, LastTurn, Situation } from "../../decide/situation.ts"
import type { Plan } from "../../plan/model/plan.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import { readToMark } from "../../store/plans/read-plan-of.ts"
import { limitsInForce } from "../host/limits-in-force.ts"
import { descendantsOf, lineageOf } from "../host/lineage.ts"
import { limitsOf } from "../host/options.ts"
import type { SessionApi } from "../host/session-api.ts"
import type { Remembering, Shell } from "../host/shell.ts"
import { callsUnderWayOf } from "../tools/calls-under-way.ts"
import { type Judged, judgeTicks, UNJUDGED } from "../work/judge-ticks.ts"
import { keepSeen } from "../work/note-proof.ts"
import { placeOf } from "../work/place-of.ts"
import { longWaitUntil } from "./host-wait.ts"

/** What an idle of a lead session is decided on, and what else is needed to carry the decision out. */
export interface Gathered extends IdleFacts {
  readonly kind: "led"
  readonly news: TickNews
  /** Every work, as it was read. */
  readonly boulder: Boulder
  readonly reading: PlanFileReading
}

const NOBODY: Identity = { agent: null, model: null, variant: null }

/**
 * Gathers everything that the idle decision may look at, once. If the first facts decide it (no work, a child, not the lead, a pause that
 * no edit of the plan has lifted), nothing more is asked of the host.
 */
export async function gatherSituation(
  shell: Shell,
  sessionId: string,
): Promise<Gathered | { readonly kind: "not-led"; readonly situation: Situation }> {
  const heard = heardNow(shell, sessionId)
  const place = await placeOf(shell, sessionId, "far")
  const { role, work: known, boulder } = place
  const isChild = role === "child" || role === "former-child"
  const bare = { ...bareSituation(shell, sessionId), isChild }
  const work = workLed(place)
  if (work === null || boulder === null)
    return { kind: "not-led", situation: { ...bare, work: known } }
  const read = await readToMark(shell.plans, work.active_plan)
  const planHash = read.kind === "read" ? read.fingerprint.hash : null
  const now = bare.now
  const wait = bare.limits.waitForLimits
  const going = goingOn(work, heldReading(read, work), planHash, { now, wait })
  const isActive = going.status === "active"
  const looked = isActive || waitsForProof(work) ? await lookAtTicks(shell, work, read) : UNJUDGED
  const goesOn = isActive || isProvenSince(work, looked.hold(work))
  const follow = read.kind === "read" && goesOn ? followTicks(read.plan) : (newest: Work) => newest
  const host = goesOn ? await askHost(shell, sessionId, work) : NOT_ASKED
  const count = countHolds(host.told.lastTurn)
  const hold = (newest: Work): Work => count(looked.setback(looked.hold(follow(newest))))
  const reading = heldReading(read, hold(work))
  const asked = { ...bare, work, plan: reading }
  const progress = reading.kind === "read" ? host.progressOf(reading.plan) : ""
  const situation = { ...asked, ...host.told, progress }
  const toTell = { news: looked.news, heard: host.isAhead ? null : heard }
  return { kind: "led", situation, planHash, hold, ...toTell, boulder, reading }
}

/** Whether a work is paused because ticks are held. A run of their checks, by hand in its session, releases them. */
function waitsForProof({ pause_reason: reason, held }: Work): boolean {
  const isOfBlocks = reason === "only-blocked-left" || reason === "task-blocked"
  return isOfBlocks && Object.values(held).some(({ approved }) => approved !== true)
}

/** Judges ticks that no look after a tool has seen. What else was seen of checks is written down. */
async function lookAtTicks(shell: Shell, work: Work, reading: PlanFileReading): Promise<Judged> {
  if (reading.kind !== "read") return UNJUDGED
  const judged = await judgeTicks(shell, { work, reading })
  await keepSeen(shell, { work, plan: reading.plan })
  return judged
}

/** The ids of the sessions below `leadId` that the host is running now. */
export async function busyChildrenOf(shell: Shell, leadId: string): Promise<readonly string[]> {
  return childrenAmong(shell, await shell.api.busySessions(), leadId)
}

async function childrenAmong(
  shell: Shell,
  running: ReadonlySet<string>,
  leadId: string,
): Promise<readonly string[]> {
  const busy = [...running].filter((id) => id !== leadId)
  const chains = await Promise.all(busy.map((id) => lineageOf(shell, id)))
  return busy.filter((_, index) => chains[index]?.includes(leadId) ?? false)
}

function bareSituation(shell: Shell, sessionId: string): Omit<Situation, "work" | "isChild"> {
  return {
    now: shell.now(),
    sessionId,
    lastTurn: null,
    failure: null,
    childFailure: null,
    identity: NOBODY,
    abortedAt: null,
    rejectedAt: null,
    waitingFor: null,
    plan: { kind: "unavailable", message: "not looked at" },
    busyChildren: [],
    isBusy: false,
    hostWaitsUntil: null,
    progress: "",
    limits: limitsOf(shell.options),
    tokenLimits: null,
  }
}

const NOT_ASKED = { told: { lastTurn: null }, isAhead: false, progressOf: () => "" } as const

/** What the host says about a session that leads a work, and what its progress is measured by besides the plan. */
async function askHost(shell: Shell, sessionId: string, work: Work) {
  const { compactions } = shell.sessions.of(sessionId)
  const [{ lastTurn, failure, identity }, running, tree, { handoffs }] = await Promise.all([
    lastTurnOf(shell, sessionId),
    shell.api.busySessions(),
    shell.tree(),
    shell.handoffs.open(),
  ])
  const busyChildren = await childrenAmong(shell, running, sessionId)
  shell.sessions.note({ kind: "leads", sessionId, keys: keysOf(work) })
  // An answer from before a compaction says nothing about the context after it.
  if (shell.sessions.of(sessionId).compactions === compactions)
    noteContext(shell, sessionId, lastTurn)
  const told = {
    now: shell.now(),
    lastTurn,
    // Only an event reports a prompt that has made no answer at all.
    failure: failure ?? shell.sessions.of(sessionId).failure,
    childFailure: childFailure(shell, sessionId),
    identity,
    ...humanFacts(shell, sessionId),
    busyChildren,
    isBusy: running.has(sessionId),
    hostWaitsUntil: longWaitUntil(shell, work, shell.now()),
    tokenLimits: shell.options.long_run.enabled ? limitsInForce(shell, sessionId) : null,
  }
  const { writes } = shell.sessions.of(sessionId)
  const saved = handoffProgress(handoffs, work.work_id)
  return {
    told,
    isAhead: isAhead(shell, sessionId, running),
    progressOf: (plan: Plan) => progressOf(plan, work, { tree, writes }, saved),
  }
}

function childFailure(shell: Remembering, leadId: string): Situation["childFailure"] {
  const failures = descendantsOf(shell, leadId).flatMap((id) => shell.sessions.of(id).failure ?? [])
  return failures.toSorted((a, b) => b.at - a.at)[0] ?? null
}

/** A subagent that was heard within this time, in ms, and no longer runs has just ended: the host will report that soon. */
const AHEAD_MS = 60_000

/** Whether the host no longer runs the subagent of a call but has not reported its end yet, so that its result is still to come. */
function isAhead(shell: Shell, leadId: string, running: ReadonlySet<string>): boolean {
  return callsUnderWayOf(shell, leadId).some(
    ({ inBackground, childId }) =>
      inBackground &&
      childId !== null &&
      !running.has(childId) &&
      (shell.sessions.of(childId).quietMs ?? 0) < AHEAD_MS,
  )
}

/** After a restart the host's last message says what no event has said. */
function noteContext({ sessions }: Shell, sessionId: string, lastTurn: LastTurn | null): void {
  // A failed turn may not report its context.
  if (lastTurn?.error !== null && lastTurn?.contextTokens === 0) return
  const contextTokens = lastTurn === null || lastTurn.isSummary ? 0 : lastTurn.contextTokens
  sessions.note({ kind: "context-told", sessionId, contextTokens })
}

/**
 * What a session has heard by now, in its own words and its calls: a background call may end while its lead is looked at. Null as for
 * `heardOf`, and while what a call has left is not written yet.
 */
export function heardNow(shell: Pick<Shell, "sessions" | "now">, sessionId: string): string | null {
  const memory = shell.sessions.of(sessionId)
  const heard = heardOf(memory, shell.now())
  if (heard === null || memory.calls.some(({ isBack }) => isBack)) return null
  return JSON.stringify([heard, memory.calls.map(({ callId }) => callId)])
}

/** Stops, refusals and open requests of a session and those below it, as remembered right now. */
export function humanFacts(shell: Remembering, leadId: string): HumanFacts {
  const lead = shell.sessions.of(leadId)
  const family = [lead, ...descendantsOf(shell, leadId).map((id) => shell.sessions.of(id))]
  const rejections = family.map((memory) => memory.rejectedAt).filter((at) => at !== null)
  const questions = family.some((memory) => memory.questions.length > 0)
  const permissions = family.some((memory) => memory.permissions.length > 0)
  return {
    abortedAt: lead.abortedAt,
    rejectedAt: rejections.length === 0 ? null : Math.max(...rejections),
    waitingFor: questions ? "question" : permissions ? "permission" : null,
  }
}

const NOTHING: Pick<LastTurn, "contextTokens"> = { contextTokens: 0 }

/**
 * A session's last turn, and as whom it ran. If the host's last message lies in the future, its agent is that of the last message received.
 * If nothing has answered our last prompt, neither an event nor the host's last message, that prompt is the last turn, whatever message
 * comes last: the host sorts messages by a clock that may have been set back, and answers none before that clock has caught up.
 */
export async function lastTurnOf(
  { api, sessions, now }: Pick<Shell, "api" | "sessions" | "now">,
  sessionId: string,
): ReturnType<SessionApi["lastTurn"]> {
  const inOrder = await api.lastTurn(sessionId)
  const { unansweredSince: createdAt, lastMessage: messageId, agent } = sessions.of(sessionId)
  const isSetBack = inOrder.lastTurn !== null && msUntil(inOrder.lastTurn.createdAt, now()) > 0
  const told =
    isSetBack && agent !== null ? { ...inOrder, identity: { ...inOrder.identity, agent } } : inOrder
  if (createdAt === null || messageId === null || told.to === messageId) return told
  const { contextTokens } = told.lastTurn ?? NOTHING
  const lastTurn = {
    ...{ messageId, createdAt, ours: true, error: null, ended: false },
    ...{ contextTokens, isSummary: false, isUnanswered: true },
  }
  return { ...told, lastTurn, failure: null }
}
