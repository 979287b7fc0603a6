// What seldom happens to a project: damage, a plan that is moved, a git that is silent, a finished work that goes on.
import { awaitsApproval, waveStatus } from "../../src/decide/final-wave.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { chosen, type Play } from "./step.ts"
import { command, isBusy, roots } from "./user-acts.ts"
import type { World } from "./world.ts"
import { EDITS, PLAN, rowsOf, withBox } from "./world-plan.ts"

export const ODD_ACTS: Readonly<Record<string, Play<World>>> = {
  "breaks a read": (world) => {
    if (world.readFaults > 2) return null
    world.readFaults += 1
    world.ledger.isBlind = true
    return "The next read of boulder.json or the plan ends in EIO."
  },

  "damages a task state": (world, { a }) => {
    const paths = world.disk.paths().filter((path) => /sessions\/ses_\w+\.json$/.test(path))
    const path = chosen(paths, a)
    if (path === undefined || world.ledger.damaged.has(path)) return null
    world.disk.write(path, "{ half a fi")
    world.ledger.damaged.add(path)
    return `Somebody damages ${path}.`
  },

  "moves the plan away": (world) => {
    const text = world.disk.textOf(PLAN)
    if (text === null) {
      world.disk.write(PLAN, world.movedPlan)
      // The plan's return is a person's act, like an edit.
      for (const id of roots(world)) world.ledger.fresh.add(id)
      return "Somebody moves the plan back."
    }
    world.movedPlan = text
    world.disk.remove(PLAN)
    return "Somebody moves the plan away."
  },

  "silences git": (world) => {
    world.isGitSilent = !world.isGitSilent
    return world.isGitSilent ? "Git does not answer." : "Git answers again."
  },

  /** A complete work gets another task, and its reviews must be made again. */
  "adds to a finished work": (world, { a, b }) => {
    if (world.work?.status !== "completed") return null
    const added = EDITS[2]?.edit(world.plan, b) ?? world.plan
    world.plan = rowsOf(added)
      .filter(({ isOfWave }) => isOfWave)
      .reduce((text, row) => withBox(text, row, " "), added)
    const words = "The user adds a task to the finished plan, and unticks its reviews."
    const lead = roots(world).find((id) => !isBusy(world, id))
    const started = a % 2 === 0 && lead ? command(world, lead, "start-work", "demo") : null
    return started === null ? words : `${words} ${started}`
  },

  /** If all boxes are ticked, `run` has nothing to ask a server. */
  "asks run": (world) => {
    const rows = rowsOf(world.plan)
    if (rows.length === 0 || rows.some(({ state }) => state !== "done")) return null
    world.run(run(world))
    return "In a terminal: opencode-boulder run demo."
  },
}

/** There is no server, so an exit code of 0 was decided without one. */
async function run(world: World): Promise<void> {
  const { work, plan } = world
  const read = parsePlan(plan, { path: PLAN })
  const { code } = await world.runCli(["run", "demo", "--attach", "http://127.0.0.1:1"])
  if (code !== 0 || work === null || work.status === "completed") return
  const wave = waveStatus(read, work)
  if (awaitsApproval(read, work)) world.ledger.wrong.push("run ends with 0 while the wave waits")
  if (wave.rejected.length > 0 && work.approved_wave !== wave.fingerprint)
    world.ledger.wrong.push("run ends with 0 while a row is rejected")
}
