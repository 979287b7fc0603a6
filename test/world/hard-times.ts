// What happens to a machine: clocks are set, the power is cut, a provider loses its model, a server is mute.
import { leaveOlderState } from "./older-state.ts"
import { chosen, type Play } from "./step.ts"
import type { World } from "./world.ts"

const DAY_MS = 86_400_000
const STEPS = [
  [DAY_MS, "a day ahead"],
  [-DAY_MS, "a day back"],
  [3_700_000, "an hour ahead"],
  [-60_000, "a minute back"],
] as const
/** A run ends within this time after Ctrl-C and after its limit, in ms. */
const ENDS_MS = 1_000
const LIMIT_MS = 3_000

export const HARD_TIMES: Readonly<Record<string, Play<World>>> = {
  "sets the clock": (world, { a }) => {
    const [ms, words] = chosen(STEPS, a) ?? STEPS[0]
    // What the clock shows now cannot be compared with what it has shown.
    world.ledger.asleep = null
    world.clock.setAhead(ms)
    const { ledger } = world
    // By the wall clock an hour has passed, or what was started again lies ahead.
    ledger.starts.push(world.clock.passed)
    ledger.restartedAt = Math.min(ledger.restartedAt, ledger.restartedAt + ms)
    return `The clock is set ${words}.`
  },

  "cuts the power": (world, { a }) => {
    if (world.hosts.size === 0 || world.parking.waiting("cli") > 0) return null
    const isQuiet = world.parking.waiting() === 0
    for (const name of [...world.hosts.keys()]) world.kill(name)
    const kept = chosen(["nothing", "names", "all"] as const, a) ?? "nothing"
    world.disk.cutPower(kept)
    // Whatever nobody was told to be done may be lost.
    if (!isQuiet)
      world.ledger.revision = Math.min(world.ledger.revision, world.boulder?.revision ?? 0)
    return `The power is cut; of what was not synced, ${kept === "all" ? "everything" : kept} survives.`
  },

  "loses the model": (world) => {
    world.isModelGone = !world.isModelGone
    // The turn that it should have begun may not have got so far.
    for (const id of world.db.sessions.keys()) world.doubt(id)
    return world.isModelGone
      ? "The provider does not know the model any more."
      : "The model is back."
  },

  "fails to begin": (world, { a }) => {
    if (world.promptFates.length > 2) return null
    world.promptFates.push(...new Array<"failed">(1 + (a % 2)).fill("failed"))
    return "The next turn of ours will not begin: an error is told, and no idle."
  },

  "reloads opencode": async (world, { a }) => {
    const name = chosen([...world.hosts.keys()], a)
    if (name === undefined || world.parking.waiting() > 0) return null
    await world.reload(name)
    return `The folder of ${name} is disposed of, and opened again.`
  },

  "older state appears": (world) => {
    if (world.disk.textOf(".omo/boulder.json") !== null) return null
    leaveOlderState(world.disk)
    return "State of the original plugin appears in .omo."
  },

  "runs against a mute server": async (world, { a }) => {
    const user = new AbortController()
    const isLimited = a % 2 === 0
    let isOver = false
    const args = ["run", "demo", "--attach", "http://mute.test:1"]
    const limit = isLimited ? ["--timeout", `${LIMIT_MS / 1_000}s`] : []
    const run = world.runCli([...args, ...limit], user.signal).finally(() => {
      isOver = true
    })
    world.run(run)
    await world.pass(isLimited ? LIMIT_MS : 500)
    if (!isLimited) user.abort()
    await world.pass(ENDS_MS)
    if (!isOver)
      world.ledger.wrong.push(`run does not end on ${isLimited ? "--timeout" : "Ctrl-C"}`)
    return `In a terminal: opencode-boulder run demo against a server that is mute; ${isLimited ? "its time is up" : "Ctrl-C"}.`
  },
}
