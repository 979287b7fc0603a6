// Checks that a work that could go on does so, within the bound, once everything is calm.
import type { Work } from "../../src/boulder/boulder.ts"
import { isSettled } from "../../src/plan/model/plan.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { familyOf } from "./family.ts"
import { isBusy } from "./user-acts.ts"
import type { World } from "./world.ts"
import { EDITS, PLAN, rowsOf } from "./world-plan.ts"

/** The longest wait of the options' defaults is 5 minutes; after it, a look may fail once more. */
const BOUND_MS = 660_000
/** What a person does elsewhere is noticed within seconds. */
const HEARD_MS = 30_000

/** Lets everything calm down and time pass. Gives in words a work that nobody has looked at; null if nothing is wrong. */
export async function whatIsDead(world: World): Promise<string | null> {
  world.tellEvents()
  world.faults.length = 0
  world.promptFates.length = 0
  world.clientFates.length = 0
  world.readFaults = 0
  world.isModelGone = false
  await world.settle()
  await world.pass(10_000)
  const lead = leadThatCould(world)
  if (lead === null) return whatIsDeaf(world)
  const prompts = world.ledger.prompts.length
  await world.pass(BOUND_MS)
  const isLooked = world.ledger.prompts.length > prompts || leadThatCould(world) === null
  return isLooked
    ? null
    : `${lead} is idle, its work active with open tasks; nothing came in 11 minutes`
}

/** What a person does elsewhere resumes a work that waits for it. Gives in words one that stayed as it was. */
async function whatIsDeaf(world: World): Promise<string | null> {
  const { work } = world
  if (work === null || restingLead(world, work) === null) return null
  if (work.awaiting_approval !== null) return approved(world)
  const reason = work.pause_reason
  if (work.status !== "paused" || reason === null || !ENDED_BY_EDIT.has(reason)) return null
  const text = EDITS[2]?.edit(world.plan, 0) ?? null
  if (text === null) return null
  world.plan = text
  await world.pass(HEARD_MS)
  return world.work?.status === "paused" && world.work.pause_reason === reason
    ? `the work is paused (${reason}); its plan has another task since half a minute`
    : null
}

const ENDED_BY_EDIT: ReadonlySet<string> = new Set(["only-blocked-left", "no-progress"])

async function approved(world: World): Promise<string | null> {
  const at = world.clock.passed
  world.ledger.approvals.push({ at, by: "opencode-boulder approve" })
  const prompts = world.ledger.prompts.length
  let code = 1
  world.run(
    world.runCli(["approve", "demo"]).then((end) => {
      code = end.code
    }),
  )
  // The command may wait its turn, by the same clock.
  await world.pass(HEARD_MS)
  if (code !== 0) return null
  const { work } = world
  const hasCome = world.ledger.prompts.length > prompts || work?.status !== "active"
  return hasCome || isBusy(world, work.lead_session_id)
    ? null
    : "the wave is approved since half a minute; nothing came of it"
}

/** The lead session of a work that could go on, if that session is idle and nothing is awaited. */
function leadThatCould(world: World): string | null {
  for (const work of world.works) {
    const text = world.disk.textOf(work.active_plan) ?? ""
    const read = parsePlan(text, { path: PLAN })
    const rows = rowsOf(text)
    const isDue = rows.every(({ state, isOfWave }) =>
      isOfWave ? state !== "blocked" : state === "done",
    )
    const isUnrun = read.tasks.some(
      (task) =>
        task.section === "final-wave" &&
        !isSettled(task) &&
        work.final_wave[task.key] === undefined,
    )
    const isOpen =
      rows.some(({ state, isOfWave }) => state === "open" && !isOfWave) || (isDue && isUnrun)
    // A wave waits for its user only if nothing else is left.
    const lead = work.status === "active" && isOpen ? restingLead(world, work) : null
    if (lead !== null) return lead
  }
  return null
}

/** The lead session of a work, if its process has seen it idle and nothing is awaited in it or below. */
function restingLead(world: World, { lead_session_id: lead, agent }: Work): string | null {
  const home = world.homes.get(lead)
  const told = home === undefined ? undefined : world.ledger.told(home, lead)
  if (home === undefined || !world.hosts.has(home) || told?.hasIdled !== true) return null
  const isAwaited = familyOf(world, lead).some(
    (id) =>
      isBusy(world, id) ||
      [...world.hosts.keys()].some((name) => world.ledger.told(name, id).requests.size > 0),
  )
  const session = world.db.sessions.get(lead)
  if (isAwaited || told.isBusy || session === undefined) return null
  return agent === null || session.agent === agent ? lead : null
}
