// Save, list, get, renew and release, over both stores.
// Over 250 lines: what each of them may touch is decided in one place.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { openWorks } from "../../boulder/find-work.ts"
import { HANDOFF_ID, type Handoff, isHeldBy } from "../../boulder/handoff.ts"
import {
  claimHandoff,
  type HandoffActor,
  renewHandoff,
  type SavedProgress,
  settleHandoff,
} from "../../boulder/handoff-changes.ts"
import type { GetOutcome, HandoffRefused, SaveOutcome } from "../../boulder/handoff-outcome.ts"
import {
  type HandoffTarget,
  inPlan,
  type PlaceInWork,
  targetOf,
  taskIn,
  type WorkAndPlan,
} from "../../boulder/handoff-target.ts"
import { unblockIn } from "../../boulder/handoff-unblock.ts"
import type { ToldTask } from "../../plan/match-tasks.ts"
import type { Plan, Task } from "../../plan/model/plan.ts"
import { StoreError } from "../disk/store-error.ts"
import { readPlanOf } from "../plans/read-plan-of.ts"
import { endsWith, type MarkNeeds, markHandoff, workOf } from "./handoff-mark.ts"
import type { OpenHandoffs } from "./handoff-store.ts"
import { type Readings, readOnce } from "./read-once.ts"
import { type Records, refused, writeHandoff } from "./write-handoff.ts"

/** Who asks: a session of opencode, or an agent that came over MCP. */
export interface HandoffCaller extends Omit<HandoffActor, "leaseMs"> {
  /** The tasks of its work by the keys it was told: null if those were another plan's, missing if nobody knows. */
  readonly told?: readonly ToldTask[] | null
  /** It runs in a call for a task whose work is no longer in the state. */
  readonly isLost?: boolean
}

/** What a save says, and what it is about. */
export interface SaveRequest extends Omit<SavedProgress, "unblock"> {
  readonly task: string | null
}

/** Everything that tools and the command line do with handoffs, over the stores; throws `StoreError`. */
export interface HandoffDesk {
  save(caller: HandoffCaller, request: SaveRequest): Promise<SaveOutcome>
  /** The open records that a caller may see, but those whose task was unblocked. Those whose task a person has settled are closed first. */
  open(agent: string | null): Promise<OpenHandoffs>
  /** One record by its id, or the last one of a session; claimed if asked for. */
  get(caller: HandoffCaller, id: string, claim: boolean): Promise<GetOutcome>
  /** Extends a lease; false if the session no longer holds it. */
  renew(sessionId: string, id: string): Promise<boolean>
  /** The same desk for one call: state and plan are read once for everything that the call does. */
  on(readings: Readings): HandoffDesk
}

/** What the desk needs. */
export interface DeskNeeds extends MarkNeeds, Records {
  readonly leaseMs: number
}

/** Opens the desk: each of its operations reads the state and a plan once. */
export function openHandoffDesk(needs: DeskNeeds): HandoffDesk {
  const once = (): DeskNeeds => ({ ...needs, ...readOnce(needs) })
  return {
    save: (caller, request) => save(once(), caller, request),
    open: async (agent) => {
      const seen = once()
      const open = await visible(seen, agent)
      const kept = await Promise.all(open.handoffs.map((handoff) => unlessDone(seen, handoff)))
      return { ...open, handoffs: kept.filter((handoff) => handoff !== null) }
    },
    get: (caller, id, claim) => get(once(), caller, id, claim),
    on: (readings) => openHandoffDesk({ ...needs, ...readings }),
    async renew(sessionId, id) {
      const actor = actorOf(needs, { sessionId, agent: null, place: null, family: [] })
      const update = await needs.handoffs.update(id, renewHandoff(actor))
      return (
        update.kind === "changed" || (update.kind === "refused" && update.reason === "still-fresh")
      )
    },
  }
}

async function save(
  needs: DeskNeeds,
  caller: HandoffCaller,
  request: SaveRequest,
): Promise<SaveOutcome> {
  const { boulder, open, works, written } = await writeSave(needs, caller, request)
  if (written.kind === "refused") return written
  const { handoff, held } = written
  const mark = await markHandoff(needs, { place: caller.place, held }, handoff, boulder)
  const others = open.filter(({ id }) => id !== handoff.id)
  const told = inPlan(handoff, planAmong(works, handoff))
  return { kind: "saved", handoff: told, mark, ...claimsOf(others, caller.sessionId) }
}

/** Writes what a save says into the record that it is about, and leaves the plan as it is. */
export async function writeSave(needs: DeskNeeds, caller: HandoffCaller, said: SaveRequest) {
  const request = storable(said)
  const [{ handoffs: all }, { boulder }] = await Promise.all([
    visible(needs, caller.agent),
    needs.store.read(),
  ])
  const works = await worksFor(needs, boulder, caller.place)
  const open = all.map((handoff) => inPlan(handoff, planAmong(works, handoff)))
  const { task: named, status, reason } = request
  const progress = { ...request, unblock: reason === null ? null : unblockIn(reason) }
  const target = targetOf({ ...caller, status, named, open, works })
  const written =
    target.kind === "refused"
      ? await notMeant(needs, caller, target, named)
      : await writeHandoff(needs, { actor: actorOf(needs, caller), target, open }, progress)
  return { boulder, open, works, written }
}

/** What every store can hold: a database accepts neither NUL nor half a surrogate pair. */
function storable({ status, summary, reason, task }: SaveRequest): SaveRequest {
  const clean = (text: string) => text.toWellFormed().replaceAll("\0", "\ufffd")
  return {
    status,
    summary: clean(summary),
    reason: reason === null ? null : clean(reason),
    task: task === null ? null : clean(task),
  }
}

function planAmong(works: readonly WorkAndPlan[], handoff: Handoff): Plan | null {
  return works.find(({ work }) => work.work_id === handoff.work_id)?.plan ?? null
}

/** What a session holds, and what it held until its lease ran out and another took over. */
function claimsOf(handoffs: readonly Handoff[], sessionId: string) {
  const lost = handoffs.filter(
    ({ claim, history }) =>
      claim !== null &&
      claim.session_id !== sessionId &&
      history.some((entry) => entry.session_id === sessionId && entry.status === "silent"),
  )
  const held = handoffs.filter((handoff) => isHeldBy(handoff, sessionId))
  return { stillHeld: held.map(({ id }) => id), lost: lost.map(({ id }) => id) }
}

async function get(
  needs: DeskNeeds,
  caller: HandoffCaller,
  id: string,
  claim: boolean,
): Promise<GetOutcome> {
  const isId = HANDOFF_ID.test(id)
  const handoff = isId ? await needs.handoffs.read(id) : await needs.handoffs.lastOf(id)
  if (handoff === null || !isVisible(needs, handoff, caller.agent))
    return refused("unknown-handoff", null)
  if (!claim) return { kind: "found", handoff: await asOfNow(needs, handoff), claimed: false }
  const update = await needs.handoffs.update(handoff.id, claimHandoff(actorOf(needs, caller)))
  if (update.kind === "missing") return refused("unknown-handoff", null)
  return update.kind === "refused"
    ? refused(update.reason, update.handoff)
    : { kind: "found", handoff: await asOfNow(needs, update.handoff), claimed: true }
}

async function asOfNow(needs: DeskNeeds, handoff: Handoff): Promise<Handoff> {
  const { plan } = await workNow(needs, handoff)
  return inPlan(handoff, plan)
}

/** The work of a record, and the plan of its task; each null if there is none to read. */
async function workNow(needs: DeskNeeds, handoff: Handoff) {
  const { boulder } = handoff.work_id === null ? { boulder: null } : await needs.store.read()
  const known = workOf(boulder, handoff.work_id)
  if (known === null || handoff.task_key === null) return { work: known, plan: null }
  const { work, reading } = await readPlanOf(needs.plans, known)
  return { work, plan: reading.kind === "read" ? reading.plan : null }
}

async function visible(needs: DeskNeeds, agent: string | null): Promise<OpenHandoffs> {
  const open = await needs.handoffs.open()
  return { ...open, handoffs: open.handoffs.filter((one) => isVisible(needs, one, agent)) }
}

function isVisible({ byAgent }: DeskNeeds, { scope }: Handoff, agent: string | null): boolean {
  return !byAgent || scope.agent === agent
}

/**
 * Closes a record whose task is ticked or cancelled in the plan by now, or that belongs to a finished work without such a task: it must not
 * be offered forever. Any other record is returned with its task as it is now.
 */
async function unlessDone(needs: DeskNeeds, handoff: Handoff): Promise<Handoff | null> {
  const { work, plan } = await workNow(needs, handoff)
  const task = plan === null ? null : taskIn(plan, handoff)
  const isOver = work !== null && (task !== null || work.status === "completed")
  if (!(isOver && endsWith(work, { handoff, task, handoffs: needs.handoffs })))
    return work !== null && isFreed(needs, work, { handoff, task }) ? null : inPlan(handoff, plan)
  const update = await needs.handoffs.update(handoff.id, settleHandoff()).catch(unsettled)
  if (update === null || update.kind === "missing") return null
  return update.handoff.settled_at === null ? update.handoff : null
}

/**
 * Whether a person has unblocked the task since: it is the work's again, and offered to nobody until somebody saves something about it. If
 * machines share the records, another machine's plan may have the mark.
 */
function isFreed(
  { handoffs }: Pick<DeskNeeds, "handoffs">,
  { blocked }: Work,
  { handoff, task }: { readonly handoff: Handoff; readonly task: Task | null },
): boolean {
  const { id, status, from_outside, claim } = handoff
  const isOwn = from_outside !== true && handoffs.alone !== null
  const isBlock = isOwn && status === "blocked" && claim === null
  // A block that the plan could not be marked with is known to the work alone.
  return isBlock && task !== null && task.state !== "blocked" && blocked[task.key] !== id
}

/** What cannot be settled now is settled by a later reading, and no list fails because of it. */
function unsettled(error: unknown): null {
  if (error instanceof StoreError) return null
  throw error
}

async function worksFor(
  needs: DeskNeeds,
  boulder: Boulder | null,
  place: PlaceInWork | null,
): Promise<readonly WorkAndPlan[]> {
  const own = workOf(boulder, place?.workId ?? null)
  const works = own === null ? openWorks(boulder) : [own]
  return Promise.all(
    works.map(async (work) => {
      const reading = await needs.plans.read(work.active_plan)
      return reading.kind === "read"
        ? { work, plan: reading.plan }
        : { work, plan: null, unread: reading.message }
    }),
  )
}

/** A name that is no open handoff may be a settled one: that deserves another message. */
async function notMeant(
  needs: DeskNeeds,
  caller: HandoffCaller,
  { reason, ids }: HandoffTarget & { kind: "refused" },
  named: string | null,
): Promise<HandoffRefused> {
  const found = HANDOFF_ID.test(named ?? "") ? await needs.handoffs.read(named ?? "") : null
  if (found !== null && found.settled_at !== null && isVisible(needs, found, caller.agent))
    return refused("settled", found)
  return { kind: "refused", reason, ids, handoff: null }
}

function actorOf(
  { leaseMs }: DeskNeeds,
  { sessionId, agent, place, family }: HandoffCaller,
): HandoffActor {
  return { sessionId, agent, place, family, leaseMs }
}
