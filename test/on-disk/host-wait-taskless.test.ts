// A wait of the host for a subagent of no task: the work waits as for any other.
import { expect, test } from "bun:test"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { isoOf } from "../../src/boulder/iso-time.ts"
import { joinViews } from "../../src/boulder/live-view.ts"
import { observeWork } from "../../src/headless/observe-work.ts"
import { openProcessLife } from "../../src/store/disk/process-life.ts"
import { openPlanFiles } from "../../src/store/plans/plan-files.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openLiveFiles } from "../../src/store/records/live-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { CHILD } from "../support/builders.ts"
import { inSections, LEAD, started } from "../support/long-run-project.ts"
import { withFolder } from "../support/store-folder.ts"

const HOUR = 3_600_000

for (const description of ["todo:1", "Look how the code is built"])
  test(
    `the host waits for the only subagent under way ("${description}"): the work waits, and that is told`,
    () =>
      withFolder(async (root) => {
        const { plugin } = await started(
          root,
          inSections(3),
          { notify: { command: ["sh", "-c", "cat >> told"] } },
          {},
          { process: await openProcessLife() },
        )
        await plugin.say(LEAD, "go")
        const tell = (type: string, properties: object) =>
          plugin.hooks.event?.({ event: { type, properties } as never })
        const call = { tool: "task", sessionID: LEAD, callID: "call_1" }
        const args = { description, prompt: "look around", subagent_type: "general" }
        await tell("session.created", { info: { id: CHILD, parentID: LEAD } })
        await plugin.hooks["tool.execute.before"]?.(call, { args })
        const state = { status: "running", input: args, metadata: { sessionId: CHILD } }
        await tell("message.part.updated", { part: { type: "tool", ...call, state } })
        const next = Date.now() + 5 * HOUR
        const status = { type: "retry", attempt: 1, message: "limit", next }
        await tell("session.status", { sessionID: CHILD, status })
        await Bun.sleep(2_500)
        const [store, journal] = [openFileBoulderStore({ root }), openJournal({ root })]
        const plans = openPlanFiles({ root, now: Date.now })
        const since = isoOf(0)
        const seen = observeWork({
          leadId: LEAD,
          since,
          store,
          plans,
          journal,
          live: openLiveFiles({ root }),
          now: Date.now,
          emit: () => undefined,
        })
        const { kind } = await seen.look(true)
        const [view] = joinViews(await openLiveFiles({ root }).readAll(Date.now()))
        const told = await readFile(join(root, "told"), "utf8").catch(() => "")
        await plugin.hooks.dispose?.()
        // The view knows it either way.
        expect(view?.state).toEqual({ kind: "waiting", for: "provider", until: isoOf(next) })
        expect({ run: kind, told: told.includes('"event":"limit"') }).toEqual({
          run: "waits",
          told: true,
        })
      }),
    60_000,
  )
