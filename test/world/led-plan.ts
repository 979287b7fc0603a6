// Finds the plan that a session's calls are about: that of the work which it leads, or which the session above it leads.
import { callerOf } from "./family.ts"
import type { World } from "./world.ts"
import { NAME, PLAN } from "./world-plan.ts"

const MOST_STEPS = 8

/** The path and text of that plan; the world's own for a session that runs for no work. */
export function planFor(world: World, sessionId: string): { path: string; text: string } {
  let id: string | null = sessionId
  for (let steps = 0; id !== null && steps < MOST_STEPS; steps++) {
    const lead = id
    const work = world.works.find(
      ({ lead_session_id, status }) => lead_session_id === lead && status === "active",
    )
    const text = work === undefined ? null : world.disk.textOf(work.active_plan)
    if (work !== undefined && text !== null)
      return { path: work.active_plan.endsWith(`/${NAME}`) ? PLAN : work.active_plan, text }
    id = callerOf(world, id)
  }
  return { path: PLAN, text: world.plan }
}
