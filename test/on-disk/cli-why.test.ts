import { expect, test } from "bun:test"
import { appendFile, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { emptyBoulder } from "../../src/boulder/boulder.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { at, aWork, LEAD } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { planOf } from "../support/plans.ts"
import { withFolder } from "../support/store-folder.ts"

test("a line that a crash has torn is skipped, and why says so", () =>
  withFolder(async (root) => {
    const works = { "demo-1": aWork({ work_id: "demo-1" }) }
    await openFileBoulderStore({ root }).update(() => ({ ...emptyBoulder(), works }))
    const entry = { at: at(0), session: "ses_a", work: "demo-1", facts: {} }
    const journal = openJournal({ root })
    await journal.append({ ...entry, decision: "rest", reason: "taken-over" })
    await appendFile(join(root, ".boulder", "journal.jsonl"), '\n{"at":"2026-11-21T12:0')
    const { out, err } = await runInFolder(root, "why")
    expect(out).toContain("Did nothing: another session leads the work.")
    expect(err).toBe("Note: 1 line of the journal could not be read and was skipped.\n")
    await journal.append({ ...entry, decision: "rest", reason: "work-completed" })
    expect((await runInFolder(root, "why")).out.trim().split("\n")).toHaveLength(3)
  }))

test("the newest line is followed by what a person can do, where somebody must; JSON has lines only", () =>
  withFolder(async (root) => {
    const works = {
      "demo-1": aWork({ work_id: "demo-1", status: "paused", pause_reason: "aborted" }),
    }
    await openFileBoulderStore({ root }).update(() => ({ ...emptyBoulder(), works }))
    const entry = { at: at(0), session: "ses_a", work: "demo-1", facts: {} }
    const journal = openJournal({ root })
    await journal.append({ ...entry, decision: "pause", reason: "aborted" })
    const { out } = await runInFolder(root, "why")
    expect(out.trim().split("\n").slice(2)).toEqual([
      "To resume: send its session a message or run opencode-boulder run",
    ])
    expect(JSON.parse((await runInFolder(root, "why --json")).out)).toEqual({
      version: 1,
      decisions: [{ ...entry, decision: "pause", reason: "aborted" }],
    })
    await journal.append({ ...entry, decision: "retry", reason: "backing-off" })
    expect((await runInFolder(root, "why")).out).not.toContain("To resume")
  }))

test.each([
  { now: { status: "active" as const, pause_reason: null } },
  { now: { status: "paused" as const, pause_reason: "stopped-by-user" as const } },
  { now: { status: "completed" as const, pause_reason: null } },
])("a pause that is over is shown, and nothing is advised of it: $now.status", ({ now }) =>
  withFolder(async (root) => {
    const works = { "demo-1": aWork({ work_id: "demo-1", ...now }) }
    await openFileBoulderStore({ root }).update(() => ({ ...emptyBoulder(), works }))
    const decided = { decision: "pause", reason: "only-blocked-left" }
    await openJournal({ root }).append({
      at: at(0),
      session: "ses_a",
      work: "demo-1",
      facts: {},
      ...decided,
    })
    const { out } = await runInFolder(root, "why")
    expect(out).toContain("Paused: only blocked tasks are left.")
    expect(out).not.toContain("To resume")
  }),
)

test.each([
  // What a real ESC writes: the second line comes by the idle of the same turn.
  { reason: "aborted", session: LEAD, resumedAt: at(60), says: false },
  // Taken over, and taken back.
  { reason: "taken-over", session: LEAD, resumedAt: at(60), says: false },
  { reason: "taken-over", session: "ses_former", resumedAt: at(-60), says: true },
  { reason: "agent-changed", session: LEAD, resumedAt: at(-60), says: true },
])(
  "a rest of an active work, $reason in $session, is followed by how to resume: $says",
  ({ reason, session, resumedAt, says }) =>
    withFolder(async (root) => {
      const works = { "demo-1": aWork({ work_id: "demo-1", resumed_at: resumedAt }) }
      await openFileBoulderStore({ root }).update(() => ({ ...emptyBoulder(), works }))
      const journal = openJournal({ root })
      const entry = { at: at(0), session, work: "demo-1", facts: {} }
      await journal.append({ ...entry, decision: "pause", reason: "aborted" })
      await journal.append({ ...entry, decision: "rest", reason })
      expect((await runInFolder(root, "why")).out.includes("To resume")).toBe(says)
    }),
)

test.each([80, 60, 40])(
  "before anything was started why, report and proof say it broken once at %d columns",
  (columns) =>
    withFolder(async (root) => {
      const { out } = await runInFolder(root, "status", { columns })
      expect((await runInFolder(root, "why", { columns })).out).toBe(out)
      for (const command of ["report", "proof"]) {
        const said = await runInFolder(root, command, { columns }).catch((error: unknown) => error)
        const message = said instanceof Error ? said.message : JSON.stringify(said)
        expect(message).toContain("No work was started here yet.")
        expect(message).not.toMatch(/\n./)
      }
    }),
)

test("what is done to a work from a terminal is in its journal, and what resumes it where no opencode is open is a run", () =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(join(root, ".boulder/plans/demo.md"), planOf("One"))
    const works = { "demo-1": aWork({ work_id: "demo-1" }) }
    await openFileBoulderStore({ root }).update(() => ({ ...emptyBoulder(), works }))
    const said = async (line: string) => (await runInFolder(root, line)).out.trim().split("\n")
    await runInFolder(root, "stop")
    expect((await said("why")).slice(1)).toEqual([
      expect.stringMatching(/^\d\d:\d\d {2}Paused: you stopped it\.$/),
      "To resume: run opencode-boulder run",
    ])
    // It is stopped already.
    await runInFolder(root, "stop")
    expect(await said("why")).toHaveLength(3)
    for (const line of ["status", "works demo"])
      expect((await said(line)).join("\n")).toContain(
        "You stopped it. To resume: run opencode-boulder run",
      )
    expect(JSON.parse((await said("status --json")).join("")).works[0].to_resume).toBe(
      "run opencode-boulder run",
    )
    await runInFolder(root, "resume")
    expect((await said("why")).slice(2)).toEqual([
      expect.stringMatching(/^\d\d:\d\d {2}Resumed: you resumed it\.$/),
    ])
  }))
