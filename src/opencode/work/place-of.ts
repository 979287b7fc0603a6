// Whose work a session's is, by one read of the store.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { type Place, placeIn } from "../../decide/place.ts"
import type { PlanFileReading } from "../../store/plans/plan-files.ts"
import { lineageOf } from "../host/lineage.ts"
import type { Shell } from "../host/shell.ts"

/** A place, and the state that it was found in. */
export type PlaceNow = Place & { readonly boulder: Boulder | null }

/**
 * Whose work a session's is, by one read of the store. With `far` the host is asked for the sessions above one that
 * no work knows by itself; an id that it does not know is a stranger's.
 */
export async function placeOf(
  shell: Pick<Shell, "store" | "api" | "sessions">,
  sessionId: string,
  reach: "near" | "far" = "near",
): Promise<PlaceNow> {
  const { boulder } = await shell.store.read()
  const near = placeIn(boulder, [sessionId])
  if (reach === "near" || near.role !== "stranger" || boulder === null) return { ...near, boulder }
  return { ...placeIn(boulder, (await lineageOf(shell, sessionId)) ?? []), boulder }
}

/** A work and its plan as they are now. */
export interface WorkAndPlan {
  readonly work: Work
  readonly reading: PlanFileReading
  readonly boulder: Boulder | null
}

/** The work of a session that `choose` takes of its place, with its plan; null where it takes none. */
export async function workAndPlan(
  shell: Pick<Shell, "store" | "api" | "sessions" | "plans">,
  sessionId: string,
  choose: (place: Place) => Work | null,
): Promise<WorkAndPlan | null> {
  const place = await placeOf(shell, sessionId)
  const work = choose(place)
  if (work === null) return null
  return { work, reading: await shell.plans.read(work.active_plan), boulder: place.boulder }
}
