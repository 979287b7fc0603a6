// Finds the plan that a person has named.
import type { Boulder, Work } from "../../boulder/boulder.ts"
import { planArgument } from "../../boulder/plan-argument.ts"
import {
  candidateAt,
  choosePlan,
  looksLikePath,
  type PlanCandidate,
  pathsOf,
} from "../../decide/choose-plan.ts"
import { placeIn } from "../../decide/place.ts"
import { TOLD } from "../../prompts/notice-text.ts"
import type { Typed } from "../../prompts/typed-command.ts"
import { firstInside, firstThere, placeOfPlans } from "../../store/plans/plan-path.ts"
import { plansLeft } from "../../store/plans/plans-left.ts"
import type { Shell } from "../host/shell.ts"
import { type CommandAnswer, refused } from "./command-answer.ts"

/** The plan that is meant, or what to tell the user: titled `whichPlan` if they must name one of several plans. */
type MeantPlan = { readonly candidate: PlanCandidate } | CommandAnswer

/** The plans that were found, and whether there may be more. */
interface Known {
  readonly candidates: readonly PlanCandidate[]
  /** The open works with something to do, or all. */
  readonly works: readonly Work[]
  /** The plans with something to do, or all. */
  readonly left: readonly PlanCandidate[]
  /** How many are complete. */
  readonly done: number
  readonly isCut: boolean
  /** Where a plan must lie to be found by its name. */
  readonly place: string
  readonly typed: Typed
}

/** Finds the plan that `request` names: a path inside the project, or a name, or nothing if only one plan can be meant. */
export async function meantPlan(
  shell: Shell,
  boulder: Boulder | null,
  sessionId: string,
  request: string,
): Promise<MeantPlan> {
  const isFile = looksLikePath(request)
  const there = await firstThere(shell.root, pathsOf(request), shell.directory)
  const file = there === null ? null : { candidate: candidateAt(there) }
  if (isFile && file !== null) return file
  const found = await shell.planPaths(boulder)
  const candidates = found.paths.map(candidateAt)
  const known = { candidates, isCut: found.isCut, place: placeOfPlans(shell), typed: shell.typed }
  const { work: mine } = placeIn(boulder, [sessionId])
  const here = async (): Promise<Known> => {
    const { left, ...more } = await plansLeft(shell, boulder, found.paths, mine)
    return { ...known, ...more, left: left.map(candidateAt) }
  }
  if (request === "") return unnamed(mine, await here())
  const choice = choosePlan(candidates, request)
  if (choice.kind === "chosen") return choice
  if (choice.kind === "ambiguous") {
    const among = lines(choice.among, known)
    return refused([`${request} could be several plans; name one:`, ...among], TOLD.whichPlan)
  }
  if (file !== null) return file
  if (isFile) {
    const path = await firstInside(shell.root, pathsOf(request)[1], shell.directory)
    if (path === null)
      return refused([
        `Expected a plan inside the project, found ${request}: name a file below ${shell.root}.`,
      ])
    return { candidate: candidateAt(path) }
  }
  return refused(
    [`Expected a plan called ${request}, found none.`, ...plansHere(await here())],
    candidates.length > 0 ? TOLD.whichPlan : TOLD.refused,
  )
}

/**
 * Without a name: the work that this session leads, else the only open work, if they have something to do; else the only plan that has. Of
 * several, the user must name one.
 */
function unnamed(mine: Work | null, here: Known): MeantPlan {
  const own = here.works.filter((work) => work.work_id === mine?.work_id)
  const fromWorks = (own.length > 0 ? own : here.works).map((work) => ({
    path: work.active_plan,
    name: work.plan_name,
  }))
  const among = fromWorks.length > 0 ? fromWorks : here.left
  const [only] = among
  if (only !== undefined && among.length === 1) return { candidate: only }
  return only === undefined
    ? refused(plansHere(here))
    : refused(
        ["Which plan? Name one:", ...(fromWorks.length > 0 ? lines(among, here) : listed(here))],
        TOLD.whichPlan,
      )
}

/** The plans to choose from, and how many more are complete. If all are complete, all are listed. */
function listed(here: Known): readonly string[] {
  const { candidates, left, done } = here
  if (done === 0) return lines(left, here)
  return [
    ...lines(left, here),
    done === candidates.length
      ? "all are complete"
      : `${done} more ${done === 1 ? "is" : "are"} complete`,
  ]
}

/** Plans as lines that a person can paste whole. `here` has all plans that are found by name. */
function lines(
  candidates: readonly PlanCandidate[],
  here: Pick<Known, "candidates" | "typed">,
): readonly string[] {
  const shown = candidates.slice(0, 9).map((candidate) => startLine(candidate, here))
  return candidates.length > 9 ? [...shown, `and ${candidates.length - 9} more`] : shown
}

/** The command that starts exactly this plan: by its name if that is plain and means no other plan, else by its path. */
function startLine(
  { path, name }: PlanCandidate,
  { candidates: found, typed }: Pick<Known, "candidates" | "typed">,
): string {
  const choice = choosePlan(found, name)
  const isEnough = choice.kind === "chosen" && choice.candidate.path === path
  const isPlain = planArgument(name) === name && !looksLikePath(name)
  return typed("run", isEnough && isPlain ? name : path)
}

function plansHere(here: Known): readonly string[] {
  const { candidates, isCut, place, typed } = here
  const cut = isCut
    ? ["This folder is too large to search all of it. Name a plan that was not found by its path."]
    : []
  return candidates.length === 0
    ? [
        `No plan was found. Put one at ${place}, or give a path: ${typed("run", { as: "path/to/plan.md" })}`,
        ...cut,
      ]
    : ["Plans here:", ...listed(here), ...cut]
}
