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
import { aTask, aTaskSession, at, aWork, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { UNPRINTABLE } from "../support/foreign-arbitrary.ts"
import { aHandoff, idOf } from "../support/handoff-builders.ts"
import { withFolder } from "../support/store-folder.ts"
import { aStoredTaskState, aTaskState } from "../support/task-states.ts"

/** What a terminal obeys, and the end of a code span in markdown with a picture behind it. */
const EVIL = "x\u001b]0;t\u0007\u009b2J\u202ey\u2028z` ![](http://evil.example) `"

/** A `.boulder` in which every field that may hold foreign words holds these, as a cloned repository may bring it. */
async function fill(root: string): Promise<void> {
  const active_plan = ".boulder/plans/p\u001b[31m\u202e\u009bq.md"
  await mkdir(join(root, ".boulder", "plans"), { recursive: true })
  await writeFile(
    join(root, active_plan),
    `## TODOs ${EVIL}\n\n- [ ] 1. One ${EVIL}\n- [!] 2. Two ${EVIL}\n  BLOCKED: ${EVIL}\n- [?] odd ${EVIL}\n`,
  )
  const session = {
    ...aTaskSession(aTask({ label: "1", title: EVIL })),
    task_key: EVIL,
    task_label: EVIL,
    agent: EVIL,
  }
  const dispatch = {
    task_key: EVIL,
    title_hash: EVIL,
    parent_session_id: LEAD,
    session_id: null,
    agent: EVIL,
    resumes: null,
    started_at: at(0),
  }
  const work = aWork({
    plan_name: EVIL,
    active_plan,
    agent: EVIL,
    current_window: [EVIL],
    task_sessions: { [EVIL]: session },
    dispatches: { [EVIL]: dispatch },
    blocked: { [EVIL]: EVIL, "todo:2": EVIL },
  })
  await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
  const said = { summary: EVIL, blocked_reason: EVIL, unblock: EVIL, task_text: EVIL, agent: EVIL }
  const scope = { project: projectScope(root), agent: EVIL }
  await openFileHandoffStore({ root }).create(() => aHandoff({ ...said, scope, plan_name: EVIL }))
  const records = openRecordFiles({ root })
  const task_state = aTaskState({ goal: EVIL, progress: [EVIL], blockers: [EVIL] })
  await openTaskStateFiles(records).save(aStoredTaskState({ task_state }))
  await records.replace("sessions/ses_bad.json", `{"${EVIL}":1,"session_id":"${EVIL}"}`)
  await records.replace("works/w/work.json", JSON.stringify({ ...work, work_id: EVIL }))
  await openJournal({ root }).append({
    at: EVIL,
    session: EVIL,
    work: EVIL,
    decision: EVIL,
    reason: EVIL,
    facts: { [EVIL]: EVIL },
  })
}

test.each([
  ...["plan", "plan --json", "status", "status --json", "works", "works demo", "works --json"],
  ...["handoffs", "handoffs --json", "state", "state --json", `state ${LEAD}`, `export ${LEAD}`],
  ...["why", "why --json", "unblock 2", "stop", "resume", "prune", `release ${idOf(1)}`],
])("%s on a hostile .boulder prints nothing that a terminal obeys", (line) =>
  withFolder(async (root) => {
    await fill(root)
    const printed = await runInFolder(root, line).catch((error: unknown) => {
      // What is thrown is cleaned by main.ts; a fault of ours is another thing.
      if (error instanceof TypeError || error instanceof RangeError) throw error
      return { out: "", err: "" }
    })
    expect(`${printed.out}${printed.err}`.replaceAll("\n", "")).not.toMatch(UNPRINTABLE)
  }),
)

test("a foreign name ends no code in what export prints, so that no picture is loaded behind it", () =>
  withFolder(async (root) => {
    await fill(root)
    const { out } = await runInFolder(root, `export ${LEAD}`)
    const lines = out.split("\n").filter((line) => line.startsWith("- `"))
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines) expect(line.replace(/`[^`]*`/, "")).not.toMatch(/^[^`]*(?<!\\)!\[/)
  }))
