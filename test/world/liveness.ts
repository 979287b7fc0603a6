// Whether a work that could go on does so, within the bound, once everything is calm.
import { familyOf } from "./family.ts"
import { isBusy } from "./user-acts.ts"
import type { World } from "./world.ts"
import { rowsOf } from "./world-plan.ts"

/** The longest wait of the options' defaults is 5 minutes; behind it a look may fail once more. */
const BOUND_MS = 660_000

/** Lets all be calm and time pass; in words, a work that nobody has looked at. Null where nothing is wrong. */
export async function whatIsDead(world: World): Promise<string | null> {
  world.tellEvents()
  world.faults.length = 0
  world.promptFates.length = 0
  world.clientFates.length = 0
  world.readFaults = 0
  await world.settle()
  await world.pass(10_000)
  const lead = leadThatCould(world)
  if (lead === null) return null
  const prompts = world.ledger.prompts.length
  await world.pass(BOUND_MS)
  const isLooked = world.ledger.prompts.length > prompts || leadThatCould(world) === null
  return isLooked
    ? null
    : `${lead} is idle, its work active with open tasks; nothing came in 11 minutes`
}

/** The lead session of the work, where it is idle and nothing is awaited. */
function leadThatCould(world: World): string | null {
  const { work } = world
  if (work?.status !== "active" || work.awaiting_approval !== null) return null
  const lead = work.lead_session_id
  const home = world.homes.get(lead)
  const told = home === undefined ? undefined : world.ledger.told(home, lead)
  if (home === undefined || !world.hosts.has(home) || told?.hasIdled !== true) return null
  const family = familyOf(world, lead)
  const isAwaited = family.some(
    (id) =>
      isBusy(world, id) ||
      [...world.hosts.keys()].some((name) => world.ledger.told(name, id).requests.size > 0),
  )
  const session = world.db.sessions.get(lead)
  if (isAwaited || told.isBusy || session === undefined) return null
  if (work.agent !== null && session.agent !== work.agent) return null
  return rowsOf(world.plan).some(({ state, isOfWave }) => state === "open" && !isOfWave)
    ? lead
    : null
}
