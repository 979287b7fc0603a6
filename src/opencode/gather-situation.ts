import type { Work } from "../boulder/boulder.ts"
import { handoffProgress } from "../decide/handoff-offers.ts"
import { workAtHand } from "../decide/place.ts"
import { progressOf } from "../decide/progress.ts"
import type { Identity, LastTurn, PlanReading, Situation } from "../decide/situation.ts"
import type { PlanFileReading } from "../store/plan-files.ts"
import { limitsInForce } from "./limits-in-force.ts"
import { descendantsOf, lineageOf } from "./lineage.ts"
import { limitsOf } from "./options.ts"
import { placeOf } from "./place-of.ts"
import type { Shell } from "./shell.ts"

/** A situation and what carrying out its decision needs besides. */
export interface Gathered {
  readonly situation: Situation
  readonly reading: PlanFileReading | null
}

const NOBODY: Identity = { agent: null, model: null, variant: null }

/**
 * Gathers everything that the idle decision may look at, once. Where the first facts settle it (no work, a
 * child, not the lead, not active) nothing more is asked of the host.
 */
export async function gatherSituation(shell: Shell, sessionId: string): Promise<Gathered> {
  const place = await placeOf(shell, sessionId, "far")
  const { role, work } = place
  const isChild = role === "child" || role === "former-child"
  const ground = { ...bare(shell, sessionId), isChild, work }
  const atHand = workAtHand(place)
  if (atHand === null) return { situation: ground, reading: null }
  return gatherAll(shell, ground, atHand)
}

/** The ids of the sessions below `leadId` that the host is running now. */
export async function busyChildrenOf(shell: Shell, leadId: string): Promise<readonly string[]> {
  const busy = [...(await shell.api.busySessions())].filter((id) => id !== leadId)
  const chains = await Promise.all(busy.map((id) => lineageOf(shell, id)))
  return busy.filter((_, index) => chains[index]?.includes(leadId) ?? false)
}

function bare(shell: Shell, sessionId: string): Omit<Situation, "work" | "isChild"> {
  return {
    now: shell.now(),
    sessionId,
    lastTurn: null,
    identity: NOBODY,
    abortedAt: null,
    rejectedAt: null,
    waitingFor: null,
    plan: { kind: "unavailable", message: "not looked at" },
    busyChildren: [],
    progress: "",
    limits: limitsOf(shell.options),
    tokenLimits: null,
  }
}

async function gatherAll(
  shell: Shell,
  ground: Situation,
  work: Work,
): Promise<{ situation: Situation; reading: PlanFileReading }> {
  const { sessionId } = ground
  const [{ lastTurn, identity }, busyChildren, reading, tree, { handoffs }] = await Promise.all([
    shell.api.lastTurn(sessionId),
    busyChildrenOf(shell, sessionId),
    shell.plans.read(work.active_plan),
    shell.tree(),
    shell.handoffs.open(),
  ])
  const saved = handoffProgress(handoffs, work.work_id)
  noteLead(shell, sessionId, lastTurn)
  const situation: Situation = {
    ...ground,
    now: shell.now(),
    lastTurn,
    identity,
    ...humanFacts(shell, sessionId),
    plan: planReading(reading),
    busyChildren,
    progress: reading.kind === "read" ? progressOf(reading.plan, work, tree, saved) : "",
    tokenLimits: shell.options.long_run.enabled ? limitsInForce(shell, sessionId) : null,
  }
  return { situation, reading }
}

/** After a restart the host's last message tells what no event has. */
function noteLead({ sessions }: Shell, sessionId: string, lastTurn: LastTurn | null): void {
  sessions.note({ kind: "leads", sessionId })
  const contextTokens = lastTurn === null || lastTurn.isSummary ? 0 : lastTurn.contextTokens
  sessions.note({ kind: "context-told", sessionId, contextTokens })
}

function humanFacts(
  shell: Shell,
  leadId: string,
): Pick<Situation, "abortedAt" | "rejectedAt" | "waitingFor"> {
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

function planReading(reading: PlanFileReading): PlanReading {
  return reading.kind === "read" ? { kind: "read", plan: reading.plan } : reading
}
