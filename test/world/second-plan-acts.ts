// What happens with a second plan in a world, and with a plan that is renamed.
import { chosen, type Play } from "./step.ts"
import { command, isBusy, outside, roots } from "./user-acts.ts"
import type { World } from "./world.ts"
import { PLAN, RENAMED, SIDE } from "./world-plan.ts"

const OUTSIDE = [
  ["resume", "side"],
  ["resume", "demo"],
  ["stop", "side"],
  ["prune", "demo"],
] as const

export const SECOND_PLAN_ACTS: Readonly<Record<string, Play<World>>> = {
  "starts the other plan": (world, { a, b }) => {
    const name = chosen(["side", "renamed"] as const, b) ?? "side"
    if (world.disk.textOf(name === "side" ? SIDE : RENAMED) === null) return null
    const lead = chosen(
      roots(world).filter((id) => !isBusy(world, id)),
      a,
    )
    return lead === undefined ? null : command(world, lead, "start-work", name)
  },

  "starts by the other name": (world) => {
    const lead = roots(world).find((id) => !isBusy(world, id))
    return lead === undefined || !world.begin.isLinked
      ? null
      : command(world, lead, "start-work", "docs/plans/demo.md")
  },

  "runs the command line on one": (world, { a }) => {
    const args = chosen(OUTSIDE, a) ?? OUTSIDE[0]
    if (world.works.length < 2) return null
    world.run(outside(world, args))
    return `In a terminal: opencode-boulder ${args.join(" ")}.`
  },

  "renames the plan": (world) => {
    const [from, to] = world.disk.textOf(PLAN) === null ? [RENAMED, PLAN] : [PLAN, RENAMED]
    const text = world.disk.textOf(from)
    if (text === null || world.disk.textOf(to) !== null) return null
    world.disk.remove(from)
    world.disk.write(to, text)
    for (const id of roots(world)) world.ledger.fresh.add(id)
    return `The user renames the plan: ${from} is ${to} now.`
  },
}
