import { appendFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import { ToolRefusal } from "../../src/opencode/host/tool-refusal.ts"
import { openProcessLife } from "../../src/store/disk/process-life.ts"
import { openPlugin } from "./plugin-in-process.ts"

/** What a process of its own must do, as JSON in its only argument. */
export interface DelegationsTask {
  readonly root: string
  readonly lead: string
  /** Relative to the root. */
  readonly plan: string
  readonly tasks: number
  readonly delegations: number
  /** Where each delegation is noted once its result says that it was recorded. */
  readonly acks: string
}

/** A process of its own that drives the plugin's hooks around `task`, as a server would; see `many-servers.test.ts`. */
if (import.meta.main) await run(JSON.parse(process.argv[2] ?? "null"))

async function run({ root, lead, plan, tasks, delegations, acks }: DelegationsTask) {
  // As itself, in an opencode of its own that knows no other's sessions. Otherwise a slow process would take up the works of those that
  // have ended, after half a minute, as it should.
  const plugin = openPlugin(
    root,
    { process: await openProcessLife() },
    {
      busySessions: async () => new Set([lead]),
      session: async (id) =>
        id.startsWith(lead)
          ? { id, parentId: id === lead ? null : lead, agent: null, title: id }
          : null,
    },
  )
  await plugin.startWork(lead, plan)
  // Its turn is running, so nobody takes up the work in the meantime, however long that takes.
  const properties = { sessionID: lead, status: { type: "busy" as const } }
  await plugin.hooks.event?.({ event: { type: "session.status", properties } })
  for (let count = 0; count < delegations; count++) {
    const key = `todo:${(count % tasks) + 1}`
    const child = `${lead}_child_${count}`
    const result = await untilBegun(() => plugin.delegate({ lead, key, child }))
    if (result.includes(child)) appendFileSync(join(root, acks), `${key} ${child}\n`)
  }
  process.stdout.write(JSON.stringify(plugin.logs))
}

/** Like a lead that is told to try again. How long a turn to write takes on a busy machine is measured in bench/. */
async function untilBegun(call: () => Promise<string>): Promise<string> {
  for (;;)
    try {
      return await call()
    } catch (refusal) {
      if (!(refusal instanceof ToolRefusal && refusal.message.includes("Try again"))) throw refusal
    }
}
