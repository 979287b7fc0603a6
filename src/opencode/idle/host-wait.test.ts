import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CHILD, LEAD } from "../../../test/support/builders.ts"
import { runInFolder } from "../../../test/support/cli-in-process.ts"
import { planOf } from "../../../test/support/plans.ts"
import { openPlugin } from "../../../test/support/plugin-in-process.ts"
import { withFolder } from "../../../test/support/store-folder.ts"
import { openJournal } from "../../store/records/journal.ts"
import { openFileBoulderStore } from "../../store/revisions/file-boulder-store.ts"
import { openSessions } from "../host/sessions.ts"

const HOUR = 3_600_000

/** Whether a wait of the host is kept on disk, and written into the journal. */
function told(
  sessionId: string,
  waitMs: number,
  { stopped = "never" }: { stopped?: "never" | "before" | "meanwhile" } = {},
): Promise<{ kept: boolean; written: boolean }> {
  return withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/demo.md"), planOf("Write a", "Write b"))
    const sessions = openSessions()
    const store = openFileBoulderStore({ root })
    const turn = { stops: false }
    const update: typeof store.update = async (change) => {
      if (turn.stops) await runInFolder(root, "stop demo")
      turn.stops = false
      return store.update(change)
    }
    const plugin = openPlugin(root, { sessions, store: { ...store, update } })
    await plugin.startWork(LEAD, "plans/demo.md")
    sessions.note({ kind: "session-created", sessionId: CHILD, parentId: LEAD })
    if (stopped === "before") await runInFolder(root, "stop demo")
    turn.stops = stopped === "meanwhile"
    const status = { type: "retry", attempt: 1, message: "limit", next: Date.now() + waitMs }
    const properties = { sessionID: sessionId, status }
    await plugin.hooks.event?.({ event: { type: "session.status", properties } as never })
    const [work] = Object.values((await store.read()).boulder?.works ?? {})
    const { entries } = await openJournal({ root }).readLast(9)
    await plugin.hooks.dispose?.()
    return {
      kept: work?.limited != null,
      written: entries.some(({ reason }) => reason === "provider-wait"),
    }
  })
}
const YES = { kept: true, written: true }
const NO = { kept: false, written: false }

test.each([
  { name: "of the lead", sessionId: LEAD, waitMs: HOUR, is: YES },
  { name: "of a subagent", sessionId: CHILD, waitMs: HOUR, is: YES },
  { name: "of a moment", sessionId: LEAD, waitMs: 5_000, is: NO },
  { name: "of two years", sessionId: LEAD, waitMs: 17_520 * HOUR, is: NO },
  { name: "of a session that runs for no work", sessionId: "ses_other", waitMs: HOUR, is: NO },
])("a wait of the host $name is kept and said: $is.kept", async ({ sessionId, waitMs, is }) => {
  expect(await told(sessionId, waitMs)).toEqual(is)
})

test.each([{ stopped: "before" }, { stopped: "meanwhile" }] as const)(
  "not for a work that was stopped $stopped",
  async ({ stopped }) => {
    expect(await told(LEAD, HOUR, { stopped })).toEqual(NO)
  },
)
