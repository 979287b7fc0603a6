// What an earlier lead or its subagent has saved as begun can be saved by whoever leads the work now.
import { expect, test } from "bun:test"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { readOptions } from "../../src/opencode/host/options.ts"
import { LEAD } from "../support/builders.ts"
import { planOf } from "../support/plans.ts"
import { openPlugin } from "../support/plugin-in-process.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "plans/demo.md"
const NEW_LEAD = "ses_newlead"
const BEGUN = { summary: "half", status: "in_progress", task: "todo:1" }
const DONE = { summary: "verified", status: "complete", task: "todo:1" }

async function save(plugin: ReturnType<typeof openPlugin>, sessionID: string, said: object) {
  const { execute } = plugin.hooks.tool?.["save_task_progress"] ?? {}
  return execute?.(said as never, { sessionID, agent: "general" } as never)
}

/** Two processes of opencode: a subagent saves its task as begun in the first, and its task is done anew. */
function scene({ isAnew, lead }: { readonly isAnew: boolean; readonly lead: string }, end: string) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, PLAN), planOf("Deploy it", "Write docs"))
    const options = readOptions({ reuse: "off", continuation: { cooldown_seconds: 0 } })
    const host = {
      session: async (id: string) => ({
        id,
        parentId: id === "ses_c1" ? LEAD : id === "ses_c2" ? lead : null,
        agent: null,
        title: id,
      }),
    }
    const first = openPlugin(root, options, host)
    await first.startWork(LEAD, PLAN)
    await first.delegate({
      lead: LEAD,
      key: "todo:1",
      child: "ses_c1",
      during: () => save(first, "ses_c1", BEGUN),
    })
    if (lead !== LEAD) await first.command(LEAD, "stop-work", "")
    if (isAnew) await first.hooks.dispose?.()
    const plugin = isAnew ? openPlugin(root, options, host) : first
    if (lead === LEAD) await plugin.fallIdle(LEAD)
    else await plugin.startWork(lead, PLAN)
    const told = await plugin.delegate({ lead, key: "todo:1", child: "ses_c2", output: end })
    const said = end === "did it" ? String(await save(plugin, lead, DONE)) : told
    const plan = await readFile(join(root, PLAN), "utf8")
    await plugin.hooks.dispose?.()
    return { said, plan }
  })
}

const after = [
  { isAnew: false, lead: NEW_LEAD },
  { isAnew: true, lead: NEW_LEAD },
  { isAnew: true, lead: LEAD },
]

test.each(after)("a task begun by an earlier subagent is saved, anew $isAnew, by $lead", (given) =>
  scene(given, "did it").then(({ plan }) => expect(plan).toContain("[x] 1. Deploy it")),
)

test.each(after)("and blocked by a result, anew $isAnew, of a subagent of $lead", (given) =>
  scene(given, "BLOCKED: no key").then(({ plan }) => expect(plan).toContain("[~] 1. Deploy it")),
)
