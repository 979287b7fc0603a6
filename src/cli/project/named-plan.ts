// Finds the plan that a person has named.
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { choosePlan, looksLikePath, pathsOf, planNameOf } from "../../decide/choose-plan.ts"
import { findPlans } from "../../store/plans/find-plans.ts"
import { firstThere } from "../../store/plans/plan-path.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { findWorks, isArchived } from "./known-works.ts"
import { noPlan } from "./no-plan.ts"
import type { Project } from "./project.ts"

/**
 * The path, from the root, of the plan that `request` names, as a file of the project or by name. Null if it is a path to a file that does
 * not exist. Throws a `Refusal` if it means no plan, or several.
 */
export async function namedPlan(
  project: Project,
  request: string,
  { cwd }: Pick<Terminal, "cwd">,
): Promise<string | null> {
  const { root } = project
  const there = looksLikePath(request) ? await firstThere(root, pathsOf(request), cwd) : null
  if (there !== null || request.includes("/")) return there
  const begun = await findWorks(project)
  const { paths } = await findPlans(root, begun)
  const candidates = paths.map((path) => ({ path, name: planNameOf(path) }))
  const archived = new Set(begun.works.filter(isArchived).map((work) => work.active_plan))
  const choice = choosePlan(candidates, request, ({ path }) => !archived.has(path))
  if (choice.kind === "chosen") return choice.candidate.path
  // What was named is not there as a file, or is no plan.
  const isPath = looksLikePath(request) || existsSync(resolve(cwd, request))
  if (choice.kind === "missing" && isPath) return null
  throw noPlan(request, choice, project)
}
