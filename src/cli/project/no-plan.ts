// Writes the refusal for a name that means no plan, or several.
import type { PlanChoice } from "../../decide/choose-plan.ts"
import { listedWork } from "../../decide/name-work.ts"
import { didYouMean } from "../table/nearest-name.ts"
import { Refusal } from "../terminal/cli-error.ts"
import type { Project } from "./project.ts"

const SHOWN = 9

/**
 * What to tell a person whose words mean no plan, or several: the candidates, or the plans that exist. The request is "" if nothing was
 * named.
 */
export function noPlan(
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
