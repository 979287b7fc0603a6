// What `status`, `works`, `report` and the journal's times say of one work agrees.
import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Work } from "../../src/boulder/boulder.ts"
import { putWork } from "../../src/boulder/change-work.ts"
import { COMMANDS } from "../../src/cli/table/command-table.ts"
import { Refusal } from "../../src/cli/terminal/cli-error.ts"
import { NOTHING_REMEMBERED } from "../../src/decide/memory/session-memory.ts"
import { viewOfWork } from "../../src/opencode/live/view-of-work.ts"
import { parsePlan } from "../../src/plan/parse-plan.ts"
import { newWriteId, ownIdentity } from "../../src/store/disk/writer-identity.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openLiveFiles } from "../../src/store/records/live-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { at, aWork, CHILD, LEAD, NOW } from "../support/builders.ts"
import { runInFolder } from "../support/cli-in-process.ts"
import { overlong } from "../support/overlong.ts"
import { withFolder } from "../support/store-folder.ts"

const PLAN = "## TODOs\n\n- [x] 1. One\n  Verify: `npm test`\n- [ ] 2. Two\n"

const BLOCKED = "## TODOs\n\n- [ ] 1. One\n- [!] 2. Two\n  BLOCKED: no key\n"

const withWork = (given: Partial<Work>, run: (root: string) => Promise<void>) =>
  withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(join(root, ".boulder/plans/demo.md"), PLAN)
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, aWork(given)))
    await run(root)
  })

const dispatches = {
  call_1: {
    task_key: "todo:2",
    title_hash: null,
    parent_session_id: LEAD,
    session_id: CHILD,
    agent: "general",
    resumes: null,
    started_at: at(-600),
  },
}

test.each([
  { of: "paused", given: { status: "paused", pause_reason: "stopped-by-user" } as const },
  { of: "idle", given: {} },
  {
    of: "waiting for an approval",
    given: { awaiting_approval: { fingerprint: "0", since: at(-60) } },
  },
])("nothing runs in a work that nobody carries on: $of", ({ given }) =>
  withWork({ ...given, dispatches }, async (root) => {
    expect((await runInFolder(root, "works demo")).out).toMatch(/^begun +todo:2 Two$/m)
    const { out } = await runInFolder(root, "report")
    expect(out).toContain("<td>begun</td>")
    expect(out).not.toContain("<td>running</td>")
  }),
)

test("`works <plan>` calls a task running while its plan is carried on, as `status` does", () =>
  withWork({ dispatches }, async (root) => {
    const work = aWork({ dispatches })
    const lead = {
      waitingFor: null,
      asks: null,
      session: null,
      backsOffUntil: null,
      hostWaitsUntil: null,
    }
    const view = viewOfWork({
      work,
      plan: parsePlan(PLAN),
      blocked: [],
      lead,
      memoryOf: () => NOTHING_REMEMBERED,
      windowSize: 3,
      now: NOW,
    })
    const writer = newWriteId(await ownIdentity())
    const live = { version: 1 as const, writer, at: new Date(NOW).toISOString(), problems: [] }
    await openLiveFiles({ root }).write({ ...live, works: [view] })
    const { out } = await runInFolder(root, "status")
    expect(out).toContain("running: todo:2 Two")
    expect(out).not.toContain("next:")
    expect((await runInFolder(root, "works demo")).out).toMatch(/^running +todo:2 Two$/m)
    expect((await runInFolder(root, "works demo")).out).toMatch(/^done +todo:1 One/m)
  }))

test("`works <plan>` says why a task is blocked, as `status` does", () =>
  withWork({}, async (root) => {
    await writeFile(join(root, ".boulder/plans/demo.md"), BLOCKED)
    expect((await runInFolder(root, "works demo")).out).toMatch(/^blocked +todo:2 Two\n +no key$/m)
  }))

test("a review that is back, and waits for its user's approval, is not called next", () => {
  const plan = "## TODOs\n\n- [x] 1. One\n\n## Final Verification Wave\n\n- [ ] F1. Audit\n"
  const titleHash = parsePlan(plan).tasks[1]?.titleHash ?? ""
  const row = { title_hash: titleHash, verdict: "pass", session_id: CHILD, at: at(-60) } as const
  const given = {
    awaiting_approval: { fingerprint: "0", since: at(-60) },
    final_wave: { "final-wave:f1": row },
  }
  return withWork(given, async (root) => {
    await writeFile(join(root, ".boulder/plans/demo.md"), plan)
    expect((await runInFolder(root, "status")).out).not.toContain("next:")
    expect(JSON.parse((await runInFolder(root, "status --json")).out).works[0].next).toBe(null)
  })
})

test.each([{ command: "status" }, { command: "works" }, { command: "cost" }])(
  "`$command` where nothing was started fits a narrow terminal",
  ({ command }) =>
    withFolder(async (root) => {
      const { out } = await runInFolder(root, command, { columns: 40 })
      expect(out).toContain("No work was started here yet.")
      expect(overlong(out, 40)).toEqual([])
    }),
)

test.each([
  {
    reason: "no-progress",
    said: "A running opencode continues it within seconds",
    status: "active",
  },
  { reason: "only-blocked-left", said: "A running opencode continues it", status: "active" },
  {
    reason: "stopped-by-user",
    said: "demo stays paused: you stopped it. To resume: run opencode-boulder resume demo",
    status: "paused",
  },
  {
    reason: "provider-refused",
    said: "demo stays paused: the provider refused, and a retry would not help. To resume: ",
    status: "paused",
  },
] as const)("what `unblock` says of a work paused for $reason is so", ({ reason, said, status }) =>
  withWork({ status: "paused", pause_reason: reason }, async (root) => {
    await writeFile(join(root, ".boulder/plans/demo.md"), BLOCKED)
    expect((await runInFolder(root, "unblock")).out).toContain(said)
    const { boulder } = await openFileBoulderStore({ root }).read()
    expect(Object.values(boulder?.works ?? {})[0]?.status).toBe(status)
  }),
)

test.each([
  {
    given: { awaiting_approval: { fingerprint: "0", since: at(-60) } },
    said: [
      "waiting for you",
      "The reviews of the final wave are back. Answer in the session, or run opencode-boulder approve",
    ],
  },
  {
    given: { status: "paused", pause_reason: "stopped-by-user" } as const,
    said: ["paused", "You stopped it. To resume: run opencode-boulder run"],
  },
  {
    given: {},
    said: [
      "idle",
      "No opencode is working on it (one that starts here and has its session resumes it after half a minute). To resume: type /start-work in opencode, or run: opencode-boulder run",
    ],
  },
])("`report` and `works <plan>` say what a work waits for: $said", ({ given, said }) =>
  withWork(given, async (root) => {
    for (const command of ["report", "works demo"]) {
      const { out } = await runInFolder(root, command, { columns: 200 })
      for (const words of said) expect(out).toContain(words)
    }
  }),
)

test("a box that was ticked by hand counts in every command", () =>
  withWork({ completed_count: 0, total_count: 9 }, async (root) => {
    expect((await runInFolder(root, "status")).out).toContain("1/2 settled")
    expect((await runInFolder(root, "works demo")).out).toContain("1/2 settled")
    expect((await runInFolder(root, "works")).out).toContain("1/2")
    const { work } = JSON.parse((await runInFolder(root, "works demo --json")).out)
    expect(work).toMatchObject({ completed_count: 1, total_count: 2 })
    expect(work).not.toHaveProperty("isCarried")
  }))

test("a held task that is not blocked yet is told, with what counts it as done", () => {
  const title_hash = parsePlan(PLAN).tasks[0]?.titleHash ?? ""
  const held = { "todo:1": { title_hash, why: "`npm test` has not been run", times: 1 } }
  return withWork({ held }, async (root) => {
    const { out } = await runInFolder(root, "status", { columns: 200 })
    expect(out).toContain("held: todo:1 One: `npm test` has not been run. It counts once")
    expect(out).toContain("or you approve it: opencode-boulder approve todo:1\n")
    await runInFolder(root, "approve todo:1")
    expect((await runInFolder(root, "status")).out).not.toContain("held:")
  })
})

test.each([
  { at: at(60), says: "You interrupted it (the time limit of its run is over). To resume: send" },
  { at: at(-600), says: "You interrupted it. To resume: send" },
])("what the journal tells more of this pause, and of none before it, is said: $says", (told) =>
  withWork({ status: "paused", pause_reason: "aborted", resumed_at: at(0) }, async (root) => {
    const facts = { why: "the time limit of its run is over" }
    const { work_id: work } = aWork()
    const entry = { session: LEAD, work, decision: "pause", reason: "aborted", facts }
    await openJournal({ root }).append({ at: told.at, ...entry })
    const { out } = await runInFolder(root, "status", { columns: 200 })
    expect(out).toContain(told.says)
  }),
)

test("a line of the journal with a time that is none is told without one", () =>
  withWork({}, async (root) => {
    const { work_id: work } = aWork()
    const entry = { session: LEAD, work, decision: "pause", reason: "aborted", facts: {} }
    await openJournal({ root }).append({ at: "not a time", ...entry })
    const { out } = await runInFolder(root, "status", { columns: 200 })
    expect(out).not.toContain("NaN")
    expect(out).toContain("Paused (you interrupted it), at a time that is not known")
  }))

test("the call of the installation stays whole, however narrow the terminal", () =>
  withWork({ awaiting_approval: { fingerprint: "0", since: at(-60) } }, async (root) => {
    const call = "/home/alice/projects/opencode-boulder/dist/cli/main.js"
    for (const columns of [20, 40])
      expect((await runInFolder(root, "status", { columns, call })).out).toContain(call)
  }))

test("each field that `status --json` prints of a work is in the reference", () =>
  withWork({ status: "paused", pause_reason: "only-blocked-left" }, async (root) => {
    const { works } = JSON.parse((await runInFolder(root, "status --json")).out)
    const { json } = COMMANDS.status
    const fields = Object.keys(json)
      .filter((name) => name.startsWith("works[]."))
      .flatMap((name) => name.slice("works[].".length).split(", "))
    expect(Object.keys(works[0]).toSorted()).toEqual(fields.toSorted())
    expect(works[0].to_resume).toContain("opencode-boulder unblock")
  }))

test("`export` without a task state is a refusal, as its help says", () =>
  withWork({}, async (root) => {
    await expect(runInFolder(root, "export")).rejects.toBeInstanceOf(Refusal)
  }))
