// Finds the plan that a person means, by name or without one.
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import {
  candidateAt,
  choosePlan,
  looksLikePath,
  type PlanChoice,
  pathsOf,
} from "../../decide/choose-plan.ts"
import { listedWork } from "../../decide/name-work.ts"
import { findPlans } from "../../store/plans/find-plans.ts"
import { firstThere } from "../../store/plans/plan-path.ts"
import { plansLeft } from "../../store/plans/plans-left.ts"
import { didYouMean } from "../table/nearest-name.ts"
import { Refusal } from "../terminal/cli-error.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { findWorks, isArchived } from "./known-works.ts"
import { type Project, readBoulder } from "./project.ts"

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
  if (there !== null) return there
  const begun = await findWorks(project)
  const { paths } = await findPlans(root, begun)
  const candidates = paths.map(candidateAt)
  const archived = new Set(begun.works.filter(isArchived).map((work) => work.active_plan))
  const choice = choosePlan(candidates, request, ({ path }) => !archived.has(path))
  if (choice.kind === "chosen") return choice.candidate.path
  // What was named is not there as a file, or is no plan.
  const isPath = looksLikePath(request) || existsSync(resolve(cwd, request))
  if (choice.kind === "missing" && isPath) return null
  throw noPlan(request, choice, project)
}

/**
 * The path of the plan that is meant without a name: that of the open work with something to do, else the only plan that has. Throws a `Refusal`
 * if none or several could be meant.
 */
export async function unnamedPlan(project: Project): Promise<string> {
  const boulder = await readBoulder(project)
  const { paths } = await findPlans(project.root, boulder)
  const { works, left } = await plansLeft(project, boulder, paths)
  const among = works.length > 0 ? works.map((work) => work.active_plan) : left
  const [only] = among
  if (only !== undefined && among.length === 1) return only
  throw noPlan("", { kind: "missing", known: among.map(candidateAt) }, project)
}

const SHOWN = 9

/**
 * What to tell a person whose words mean no plan, or several: the candidates, or the plans that exist. The request is "" if nothing was
 * named.
 */
function noPlan(
  request: string,
  choice: Exclude<PlanChoice, { kind: "chosen" }>,
  { planPlace }: Pick<Project, "planPlace">,
): Refusal {
  const isSeveral = choice.kind === "ambiguous"
  const all = isSeveral ? choice.among : choice.known
  const named = all.map(({ path, name }) => ({ active_plan: path, plan_name: name }))
  const list = named
    .slice(0, SHOWN)
    .map((one) => listedWork(one, named))
    .join(", ")
  const names = all.map(({ name }) => name)
  const found = isSeveral ? "several that could be meant." : `none.${didYouMean(request, names)}`
  const todo = list === "" ? `Write one to ${planPlace}, or give a path.` : `Name one of: ${list}.`
  const expected =
    request !== ""
      ? `a plan called ${request}; found ${found}`
      : list === ""
        ? "a plan; found none."
        : `the name of one of ${all.length} plans; found no name.`
  return new Refusal(`Expected ${expected} ${todo}`)
}
