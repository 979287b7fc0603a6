// The refusal where no plan, or more than one, is called as a person says.
import type { PlanChoice } from "../../decide/choose-plan.ts"
import { Refusal } from "../terminal/cli-error.ts"

const SHOWN = 9

/** What to tell a person whose words mean no plan, or several: those that could be meant, or those that there are. */
export function noPlan(request: string, choice: Exclude<PlanChoice, { kind: "chosen" }>): Refusal {
  const isSeveral = choice.kind === "ambiguous"
  const among = (isSeveral ? choice.among : choice.known).slice(0, SHOWN)
  const list = among.map(({ path, name }) => `${name} (${path})`).join(", ")
  const found = isSeveral ? "several that could be meant" : "none"
  const todo =
    list === "" ? "Write one to .boulder/plans/<name>.md, or give a path." : `Name one of: ${list}.`
  return new Refusal(`Expected a plan called ${request}; found ${found}. ${todo}`)
}
