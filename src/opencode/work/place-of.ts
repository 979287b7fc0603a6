// Finds whose work a session belongs to, with one read of the store.

import type { Boulder, Work } from "../../boulder/boulder.ts"
import type { TaskCall } from "../../decide/memory/host-event.ts"
import { type Place, placeIn } from "../../decide/place.ts"
import { type KnownTask, keyNow } from "../../plan/match-tasks.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import { readPlanOf } from "../../store/plans/read-plan-of.ts"
import { lineageOf } from "../host/lineage.ts"
import type { Remembering, Shell } from "../host/shell.ts"

/** A place, and the state that it was found in. */
export type PlaceNow = Place & { readonly boulder: Boulder | null }

/** Asks for the place of a hook's session. */
export type PlaceAsked = () => Promise<PlaceNow>

/**
 * Whose work a session belongs to, with one read of the store. With `far`, the host is asked for the sessions above one that no work knows
 * by itself; an id that the host does not know is a stranger's. What a call runs below its lead belongs to the call's work, whatever that
 * lead has begun since.
 */
export async function placeOf(
  shell: Pick<Shell, "store" | "api" | "sessions">,
  sessionId: string,
  reach: "near" | "far" = "near",
): Promise<PlaceNow> {
  const { boulder } = await shell.store.read()
  const near = placeIn(boulder, [sessionId])
  if (reach === "near" || near.role !== "stranger" || boulder === null) return { ...near, boulder }
  const chain = (await lineageOf(shell, sessionId)) ?? []
  const call = chain.map((id) => callOf(shell, id)).find((one) => one !== undefined)
  const { [call?.workId ?? ""]: own } = boulder.works
  const among = own === undefined ? boulder : { ...boulder, works: { [own.work_id]: own } }
  return { ...placeIn(among, chain), boulder }
}

/** The call that runs a session, while it is running. */
export function callOf({ sessions }: Remembering, sessionId: string): TaskCall | undefined {
  const { parentId } = sessions.of(sessionId)
  return sessions.of(parentId ?? "").calls.find(({ childId }) => childId === sessionId)
}

/** The place of a session for one call of a hook. The first to ask reads the store; all others get the same answer. */
export function placeOnce(
  shell: Pick<Shell, "store" | "api" | "sessions">,
  sessionId: string,
  reach: "near" | "far",
): PlaceAsked {
  let found: Promise<PlaceNow> | null = null
  /** The next to ask reads again. */
  const askAnew = (error: unknown): never => {
    found = null
    throw error
  }
  return () => {
    found ??= placeOf(shell, sessionId, reach).catch(askAnew)
    return found
  }
}

/** A work and its plan as they are now: the work's tasks are followed into that plan. */
export interface WorkAndPlan {
  readonly work: Work
  readonly reading: PlanFileReading
  readonly boulder: Boulder | null
}

/** The work that `choose` picks from a session's place, with its plan; null if it picks none. */
export async function workAndPlan(
  { plans }: Pick<Shell, "plans">,
  place: PlaceNow,
  choose: (place: Place) => Work | null,
): Promise<WorkAndPlan | null> {
  const work = choose(place)
  return work === null ? null : { ...(await readPlanOf(plans, work)), boulder: place.boulder }
}

/** The present key of a work's task in its plan; null for no task, and for one that is gone. */
export async function keyInWork(
  { store, plans }: Pick<Shell, "store" | "plans">,
  workId: string | null,
  task: KnownTask | null,
): Promise<string | null> {
  if (task === null) return null
  const { boulder } = await store.read()
  const work = boulder?.works[workId ?? ""]
  return keyNow(
    work === undefined ? { kind: "unavailable" } : await plans.read(work.active_plan),
    task,
  )
}
