// All blocked tasks of a work, for a list to choose from.
import { z } from "zod"
import { jsonOf } from "../boulder/json-of.ts"
import type { WorkView } from "../boulder/live-view.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"
import { runCommandLine } from "./run-command-line.ts"

/** A blocked task with the plan that it is of. */
export type BlockedRow = WorkView["blocked"][number] & {
  readonly plan: string
  /** The plan's name. */
  readonly category: string
}

const text = z.string().transform(cleanLine)
const status = z.object({
  works: z.array(
    z.object({
      blocked: z.array(
        z.object({ key: text, title: text, reason: text.nullable(), unblock: text.nullable() }),
      ),
    }),
  ),
})

/**
 * The view file has the first tasks of the works whose plans its process reads: where it counts more, the command line is
 * asked. What that cannot tell stays as the file has it.
 */
export async function blockedOf(work: WorkView, root: string): Promise<readonly BlockedRow[]> {
  const { plan, plan_name: category, counts, blocked } = work
  const all = counts.blocked > blocked.length ? await askedFor(plan, root) : []
  return (all.length > blocked.length ? all : blocked).map((task) => ({ ...task, plan, category }))
}

async function askedFor(plan: string, root: string): Promise<WorkView["blocked"]> {
  const said = await runCommandLine(["status", plan, "--json"], { cwd: root, columns: 1_000 })
  const parsed = status.safeParse(jsonOf(said.text))
  return parsed.success ? parsed.data.works.flatMap(({ blocked }) => blocked) : []
}
