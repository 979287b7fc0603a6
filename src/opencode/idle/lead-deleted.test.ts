import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CHILD, LEAD } from "../../../test/support/builders.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import type { PauseReason } from "../../boulder/boulder.ts"
import { pause, putWork } from "../../boulder/change-work.ts"
import { observeWork } from "../../headless/observe-work.ts"
import { pauseWords } from "../../prompts/pause-words.ts"
import { openPlanFiles } from "../../store/plans/plan-files.ts"
import { openJournal } from "../../store/records/journal.ts"
import { openLiveFiles } from "../../store/records/live-files.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"

/** What becomes of a work after a session is deleted; the work was paused for `reason` before, if one is given. */
function behindDeletion(deleted: string, reason: PauseReason | null = null) {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a"))
    const plugin = openPlugin(root)
    await plugin.startWork(LEAD, "plans/demo.md")
    const store = openFileBoulderStore({ root })
    const workNow = async () => Object.values((await store.read()).boulder?.works ?? {})[0]
    const before = await workNow()
    if (before === undefined) throw new Error("no work was started")
    if (reason !== null) await store.update((boulder) => putWork(boulder, pause(reason)(before)))
    const properties = { info: { id: deleted } }
    for (const _ of ["once", "told again"])
      await plugin.hooks.event?.({ event: { type: "session.deleted", properties } as never })
    const work = await workNow()
    const journal = openJournal({ root })
    const { entries } = await journal.readLast(9, ({ decision }) => decision === "pause")
    const run = observeWork({
      ...{ leadId: LEAD, since: "", store, journal, now: Date.now, emit: () => undefined },
      plans: openPlanFiles({ root, now: Date.now }),
      live: openLiveFiles({ root }),
    })
    const standing = await run.look(true)
    await plugin.startWork("ses_another", "plans/demo.md")
    const { status } = (await workNow()) ?? {}
    await plugin.hooks.dispose?.()
    const { toasts } = plugin
    const more = work === undefined ? null : pauseWords(work)
    return { reason: work?.pause_reason, more, lines: entries, toasts, standing, resumed: status }
  })
}

const GONE = "its session was deleted: start the plan in another"

test("the work of a session that is deleted is stopped, said once, and ends a run; another session resumes it", async () => {
  const { reason, more, lines, toasts, standing, resumed } = await behindDeletion(LEAD)
  expect(reason).toBe("stopped-by-user")
  expect(more).toBe(GONE)
  expect(lines).toMatchObject([{ session: LEAD, reason, facts: { why: GONE } }])
  expect(toasts).toEqual([
    `Plan demo paused: you stopped it (${GONE}). To resume: type /start-work.`,
  ])
  expect(standing).toMatchObject({ kind: "needs-user", need: { reason } })
  expect(resumed).toBe("active")
})

test.each([
  { name: "another session is deleted", deleted: CHILD, before: null },
  { name: "the work waits for a person already", deleted: LEAD, before: "budget-spent" as const },
])("nothing is changed or said where $name", async ({ deleted, before }) => {
  const { reason, lines, toasts } = await behindDeletion(deleted, before)
  expect([reason, lines, toasts]).toEqual([before, [], []])
})
