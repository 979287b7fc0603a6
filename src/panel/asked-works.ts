// Lists the works with all tasks that a person may act on; the view file is bounded and may not have them all.

import { jsonOf } from "../boulder/json-of.ts"
import { workStateSchema } from "../boulder/live-view.ts"
import { z } from "../boulder/z.ts"
import { cleanLine } from "../plan/model/foreign-text.ts"
import { runCommandLine } from "./run-command-line.ts"

const text = z.string().transform(cleanLine)
const status = z.object({
  works: z.array(
    z
      .object({
        plan_name: text,
        active_plan: text,
        state: workStateSchema(),
        counts: z.object({ total: z.number(), settled: z.number() }),
        blocked: z.array(
          z.object({ key: text, title: text, reason: text.nullable(), unblock: text.nullable() }),
        ),
        held: z.array(z.object({ key: text, title: text, reason: text })),
      })
      .transform(({ active_plan: plan, ...work }) => ({ ...work, plan })),
  ),
})

/** A work as the command line reports it; `plan` is its path. */
export type AskedWork = z.infer<typeof status>["works"][number]

/** Every work as `status` reports it now; `refusal` says why that failed. Never throws. */
export async function askedWorks(
  root: string,
): Promise<{ readonly works: readonly AskedWork[]; readonly refusal: string | null }> {
  const said = await runCommandLine(["status", "--json"], { cwd: root, columns: 1_000 })
  const parsed = status.safeParse(jsonOf(said.text))
  return parsed.success
    ? { works: parsed.data.works, refusal: null }
    : { works: [], refusal: said.isDone ? UNREADABLE : said.text }
}

const UNREADABLE = "What `status --json` says of the works cannot be read."
