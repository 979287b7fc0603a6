// The plan that a person has named.
import type { Boulder } from "../../boulder/boulder.ts"
import { openWorks } from "../../boulder/find-work.ts"
import {
  choosePlan,
  looksLikePath,
  type PlanCandidate,
  planNameOf,
} from "../../decide/choose-plan.ts"
import { placeIn } from "../../decide/place.ts"
import { planArgument } from "../../decide/plan-argument.ts"
import type { Shell } from "../host/shell.ts"

/** The plan that is meant, or what to tell the user. */
export type MeantPlan = { readonly candidate: PlanCandidate } | { readonly say: readonly string[] }

/** Finds the plan that `request` names: a path inside the project, a name, or nothing where only one can be meant. */
export async function meantPlan(
  shell: Shell,
  boulder: Boulder | null,
  sessionId: string,
  request: string,
): Promise<MeantPlan> {
  if (looksLikePath(request)) {
    const path = await shell.plans.inRoot(request)
    if (path === null)
      return {
        say: [
          `Expected a plan inside the project, found ${request}: name a file below ${shell.root}.`,
        ],
      }
    return { candidate: { path, name: planNameOf(path) } }
  }
  const candidates = (await shell.planPaths()).map((path) => ({ path, name: planNameOf(path) }))
  if (request === "") return unnamed(boulder, sessionId, candidates)
  const choice = choosePlan(candidates, request)
  if (choice.kind === "chosen") return choice
  return choice.kind === "ambiguous"
    ? { say: [`${request} could be several plans; name one:`, ...listed(choice.among)] }
    : { say: [`Expected a plan called ${request}, found none.`, ...known(choice.known)] }
}

/** Without a name: the work that this session leads, else the one that is open, else the one plan there is. */
function unnamed(
  boulder: Boulder | null,
  sessionId: string,
  candidates: readonly PlanCandidate[],
): MeantPlan {
  const { work: mine } = placeIn(boulder, [sessionId])
  const open = mine !== null && mine.status !== "completed" ? [mine] : openWorks(boulder)
  const fromWorks = open.map((work) => ({ path: work.active_plan, name: work.plan_name }))
  const among = fromWorks.length > 0 ? fromWorks : candidates
  const [only] = among
  if (only !== undefined && among.length === 1) return { candidate: only }
  return { say: only === undefined ? known([]) : ["Which plan? Name one:", ...listed(among)] }
}

function listed(candidates: readonly PlanCandidate[]): readonly string[] {
  const shown = candidates.slice(0, 9).map(startLine)
  return candidates.length > 9 ? [...shown, `and ${candidates.length - 9} more`] : shown
}

/** A line that a person may paste whole: where the name or the path is not plain, it holds the path alone. */
function startLine({ path, name }: PlanCandidate): string {
  const argument = planArgument(path)
  const isPlain = argument === path && planArgument(name) === name
  return `/start-work ${isPlain ? `${name} (${path})` : argument}`
}

function known(candidates: readonly PlanCandidate[]): readonly string[] {
  return candidates.length === 0
    ? [
        "No plan was found. Put one at .boulder/plans/<name>.md, or give a path: /start-work path/to/plan.md",
      ]
    : ["Plans here:", ...listed(candidates)]
}
