// Rules between works and their leads, and for what fails again and again.
import { firstBroken, type Invariant } from "./invariant.ts"
import type { Prompt } from "./ledger.ts"
import type { World } from "./world.ts"

const oneActive: Invariant = {
  name: "a session leads one active work",
  broken: ({ works }) => {
    const active = works.filter(({ status }) => status === "active")
    const leads = active.map(({ lead_session_id: lead }) => lead)
    const twice = leads.find((lead, at) => leads.indexOf(lead) !== at)
    return twice === undefined ? null : `${twice} leads ${active.map(nameOf).join(" and ")}`
  },
}

const onePerPlan: Invariant = {
  name: "a plan has one work",
  broken: ({ works, disk }) => {
    const open = works.filter(({ status }) => status !== "completed")
    const paths = open.map(({ active_plan: path }) => disk.realOf(path) ?? path)
    const twice = paths.find((path, at) => paths.indexOf(path) !== at)
    return twice === undefined ? null : `${twice} has ${open.map(nameOf).join(" and ")}`
  },
}

function nameOf({ work_id: id }: World["works"][number]): string {
  return id
}

/** This many in a row come within this time, in ms, only if the waits do not grow. */
const IN_A_ROW = 6
const WITHIN_MS = 60_000

const everLater: Invariant = {
  name: "prompts that nothing answers come ever later",
  broken: ({ ledger }) =>
    firstBroken([...new Set(ledger.prompts.map(({ sessionId }) => sessionId))], (sessionId) => {
      const prompts = ledger.prompts.filter((one) => one.sessionId === sessionId)
      return prompts.some((_, at) => isHammered(prompts.slice(at, at + IN_A_ROW)))
        ? `${sessionId}: ${IN_A_ROW} prompts within ${WITHIN_MS / 1_000} s, and all failed`
        : null
    }),
}

function isHammered(prompts: readonly Prompt[]): boolean {
  const [first, ...later] = prompts
  const last = prompts.at(-1)
  if (first === undefined || last === undefined || prompts.length < IN_A_ROW) return false
  const isOurs =
    later.every(({ isFresh }) => !isFresh) && prompts.every(({ failed }) => failed === "yes")
  return isOurs && last.at - first.at <= WITHIN_MS
}

/** What holds between works, and for what fails in a row. */
export const BOUND_RULES: readonly Invariant[] = [oneActive, onePerPlan, everLater]
