// Finds the plan that is meant without a name.
import { openWorks } from "../../boulder/find-work.ts"
import { planNameOf } from "../../decide/choose-plan.ts"
import { findPlans } from "../../store/plans/find-plans.ts"
import type { Terminal } from "../terminal/terminal.ts"
import { workMeant } from "./meant-work.ts"
import { noPlan } from "./no-plan.ts"
import { type Project, readBoulder } from "./project.ts"

/**
 * The path of the plan that is meant without a name: that of the open work, else the only plan there is. Throws a `Refusal` if none or
 * several could be meant.
 */
export async function unnamedPlan(
  project: Project,
  { typed, cwd }: Pick<Terminal, "typed" | "cwd">,
): Promise<string> {
  const boulder = await readBoulder(project)
  if (openWorks(boulder).length > 0)
    return (await workMeant(project, "", { typed, cwd })).active_plan
  const { paths } = await findPlans(project.root, boulder)
  const [only] = paths
  if (only !== undefined && paths.length === 1) return only
  const known = paths.map((path) => ({ path, name: planNameOf(path) }))
  throw noPlan("", { kind: "missing", known }, project)
}
