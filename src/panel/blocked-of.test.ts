import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { aWork } from "../../test/support/builders.ts"
import { withFolder } from "../../test/support/store-folder.ts"
import { putWork } from "../boulder/change-work.ts"
import { NOTHING_REMEMBERED } from "../decide/session-memory.ts"
import { viewOfWork } from "../opencode/live/view-of-work.ts"
import { blockedNow } from "../store/handoffs/blocked-now.ts"
import { openPlanFiles } from "../store/plans/plan-files.ts"
import { openFileBoulderStore } from "../store/revisions/file-boulder-store.ts"
import { blockedOf } from "./blocked-of.ts"

const PLAN = ".boulder/plans/shop.md"
const task = (index: number) => `- [!] ${index}. Get key ${index}\n  BLOCKED: no key ${index}\n`

/** A work of so many blocked tasks, as a running opencode shows it: with its plan read, or not. */
function shown(count: number, isRead: boolean) {
  return withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    const rows = Array.from({ length: count }, (_, index) => task(index + 1))
    await writeFile(join(root, PLAN), `## TODOs\n\n- [ ] 0. Go on\n${rows.join("")}`)
    const work = aWork({ active_plan: PLAN, plan_name: "shop", blocked_count: count })
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
    const reading = await openPlanFiles({ root, now: Date.now }).read(PLAN)
    if (reading.kind !== "read") throw new Error(reading.message)
    const handoffs = { open: async () => ({ handoffs: [], unreadable: [], notices: [], now: 0 }) }
    const view = viewOfWork({
      work,
      plan: isRead ? reading.plan : null,
      blocked: isRead ? await blockedNow({ handoffs }, work, reading) : [],
      lead: null,
      memoryOf: () => NOTHING_REMEMBERED,
      windowSize: 3,
      now: Date.now(),
    })
    return { view, rows: await blockedOf(view, root) }
  })
}

test.each([
  { count: 9, isRead: true, inFile: 9 },
  { count: 45, isRead: true, inFile: 32 },
  // Of the works behind the sixth the plans are not read for the view.
  { count: 12, isRead: false, inFile: 0 },
])(
  "of $count blocked tasks the file has $inFile, and all are listed",
  async ({ count, isRead, inFile }) => {
    const { view, rows } = await shown(count, isRead)
    expect(view.blocked).toHaveLength(inFile)
    expect(view.counts.blocked).toBe(count)
    expect(rows.map(({ key }) => key)).toEqual(
      Array.from({ length: count }, (_, index) => `todo:${index + 1}`),
    )
    expect(rows.at(-1)).toMatchObject({ reason: `no key ${count}`, plan: PLAN, category: "shop" })
  },
)

test("where nothing can be asked, what the file has is listed", async () => {
  const { view } = await shown(45, true)
  expect(await blockedOf(view, "/nowhere")).toHaveLength(32)
})
