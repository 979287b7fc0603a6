import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { LEAD, NOW } from "../../test/support/builders.ts"
import { planOf } from "../../test/support/plans.ts"
import { withFolder } from "../../test/support/store-folder.ts"
import { putWork } from "../boulder/change-work.ts"
import { isoOf } from "../boulder/iso-time.ts"
import { newWork } from "../boulder/new-work.ts"
import { openPlanFiles } from "../store/plans/plan-files.ts"
import { openFileBoulderStore } from "../store/revisions/file-boulder-store.ts"
import { leaveWork } from "./leave-work.ts"

test("another work of the session of a run whose plan is complete is paused, and nothing has failed", () =>
  withFolder(async (root) => {
    await mkdir(join(root, "plans"))
    await writeFile(join(root, "plans/other.md"), planOf("Write a", "Write b"))
    const store = openFileBoulderStore({ root })
    const other = { planPath: "plans/other.md", planName: "other", sessionId: LEAD }
    await store.update((boulder) => putWork(boulder, newWork({ ...other, now: isoOf(NOW) })))
    const told: unknown[] = []
    await leaveWork({
      leadId: LEAD,
      driver: null,
      isElsewhere: async () => false,
      outcome: { kind: "complete", settled: 1, total: 1 },
      store,
      plans: openPlanFiles({ root, now: () => NOW }),
      journal: { append: async ({ reason, facts }) => void told.push([reason, facts["why"]]) },
      now: () => NOW,
      emit: () => undefined,
    })
    expect(told).toEqual([["aborted", "its run ended"]])
  }))
