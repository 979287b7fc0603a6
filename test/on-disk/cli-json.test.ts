import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { putWork } from "../../src/boulder/change-work.ts"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openTaskStateFiles } from "../../src/store/records/task-state-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { at, aWork, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { UNPRINTABLE } from "../support/foreign-arbitrary.ts"
import { aHandoff } from "../support/handoff-builders.ts"
import { planOf } from "../support/plans.ts"
import { withFolder } from "../support/store-folder.ts"
import { aStoredTaskState, aTaskState } from "../support/task-states.ts"

/** C1 as a terminal's escape sequence, a turned direction, and a line separator. */
const EVIL = "x\u009b2J\u202ey\u2028z"

/** A project in which every text that a stranger writes holds what a terminal obeys. */
async function fill(root: string): Promise<void> {
  await mkdir(join(root, ".boulder", "plans"), { recursive: true })
  await writeFile(join(root, ".boulder", "plans", "demo.md"), planOf(`One ${EVIL}`, "Two"))
  const work = aWork({ plan_name: EVIL, active_plan: ".boulder/plans/demo.md" })
  await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
  await openFileHandoffStore({ root }).create(() =>
    aHandoff({ scope: { project: projectScope(root), agent: null }, summary: `Done: ${EVIL}` }),
  )
  await openTaskStateFiles(openRecordFiles({ root })).save(
    aStoredTaskState({ task_state: aTaskState({ goal: EVIL }) }),
  )
  await openJournal({ root }).append({
    at: at(0),
    session: LEAD,
    work: EVIL,
    decision: "wait",
    reason: "cooling-down",
    facts: {},
  })
}

test.each([
  // Titles and task states are cleaned where they are read.
  { line: "plan demo --json", is: "One x" },
  { line: "status --json", is: EVIL },
  { line: "works --json", is: EVIL },
  { line: "handoffs --json", is: EVIL },
  { line: "state --json", is: "x" },
  { line: `state ${LEAD} --json`, is: "x" },
  { line: "why --json", is: EVIL },
])("$line holds nothing that a terminal obeys, and reads back", ({ line, is }) =>
  withFolder(async (root) => {
    await fill(root)
    const { out } = await runInFolder(root, line)
    expect(out).not.toMatch(UNPRINTABLE)
    expect(textsIn(JSON.parse(out)).some((text) => text.includes(is))).toBe(true)
  }),
)

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}
