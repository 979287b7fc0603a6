import { expect, test } from "bun:test"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { putWork } from "../../src/boulder/change-work.ts"
import { runCli } from "../../src/cli/run-cli.ts"
import { Refusal, UsageError } from "../../src/cli/terminal/cli-error.ts"
import { columnsOf } from "../../src/cli/views/columns.ts"
import { hashTitle } from "../../src/plan/model/title.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openTaskStateFiles } from "../../src/store/records/task-state-files.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aTask, aTaskSession, at, aWork, CHILD, LEAD } from "../support/builders.ts"
import { aTerminal } from "../support/cli-in-process.ts"
import { planOf } from "../support/plans.ts"
import { withFolder } from "../support/store-folder.ts"
import { aStoredTaskState, aTaskState } from "../support/task-states.ts"

const stored = aStoredTaskState({ updated_at: at(-300) })
const PLAN = planOf("Write <a>", "Write b", "Write c")
  .replace("- [ ] 1.", "- [x] 1.")
  .replace(
    "- [ ] 3. Write c",
    "- [~] 3. Write c\n  BLOCKED: no key for <b>. Unblock: the key is there",
  )

test("state shows every field that says something, whole", () =>
  withStates(async (cli) => {
    expect((await cli("state", LEAD)).out).toBe(`${LEAD}, changed 5 min ago
Goal:
  Move the login to sessions that can be revoked
The user's constraints:
  Never touch the billing tables
Decisions:
  Argon2id with 64 MiB, not bcrypt
Next step:
  Write the limiter in src/login/limit.ts
Blockers:
  The staging database is read-only until Monday
Open:
  Rate limiting of the login route
Artifacts:
  src/login/route.ts
  docs/adr/0007-sessions.md
Progress:
  The users table is in place
  The login route issues a session
`)
  }))

test("state --json is what lies on the disk", () =>
  withStates(async (cli) => {
    expect(JSON.parse((await cli("state", LEAD, "--json")).out)).toEqual({
      version: 1,
      session: stored,
    })
    const { sessions } = JSON.parse((await cli("state", "--json")).out)
    expect(sessions.map((one: typeof stored) => one.session_id)).toEqual([LEAD, CHILD])
  }))

test("state without a session lists those that can be loaded, and names the others", () =>
  withStates(async (cli, root) => {
    await writeFile(join(root, ".boulder/sessions/ses_bad.json"), "{}")
    const { out, err } = await cli("state")
    expect(out).toBe(`${LEAD}, changed 5 min ago: Move the login to sessions t…
${CHILD}, changed 10 min ago: Read <b> and ![x](http://y)
`)
    for (const line of out.split("\n")) expect(columnsOf(line)).toBeLessThanOrEqual(80)
    expect(err).toStartWith(
      "Note: .boulder/sessions/ses_bad.json holds no task state: schema_version",
    )
  }))

test("a folder in the place of a state does not hide the others", () =>
  withStates(async (cli, root) => {
    await mkdir(join(root, ".boulder/sessions/ses_folder.json"))
    const { out, err } = await cli("state")
    expect(out.split("\n")).toHaveLength(3)
    expect(err).toBe(
      "Note: .boulder/sessions/ses_folder.json holds no task state: found a folder.\n",
    )
  }))

test("export writes markdown for a person, with what the records know of the work", () =>
  withStates(async (cli) => {
    expect((await cli("export", LEAD)).out).toBe(`# Handover

Session \`${LEAD}\`, as it stood at its last compaction, ${at(-300)}.

## Goal

Move the login to sessions that can be revoked

## The user's constraints

- Never touch the billing tables

## Decisions

- Argon2id with 64 MiB, not bcrypt

## Next step

Write the limiter in src/login/limit.ts

## Blockers

- The staging database is read-only until Monday

## Open

- Rate limiting of the login route

## Artifacts

- src/login/route.ts
- docs/adr/0007-sessions.md

## Progress

- The users table is in place
- The login route issues a session

## The plan

\`.boulder/plans/demo.md\`: 1 of 3 tasks settled.

## Next tasks

- \`todo:2\` Write b

## Blocked tasks

- \`todo:3\` Write c: no key for \\<b>. Unblock when: the key is there

## Subagent sessions of open tasks

- \`todo:2\` in \`${CHILD}\` (general)
`)
    const without = (await cli("export", CHILD)).out
    expect(without).toContain("## Goal\n\nRead \\<b> and !\\[x](http://y)\n")
    expect(without).not.toContain("## The plan")
  }))

test("a session without a state is told how to find one; a file that is none says what is wrong", () =>
  withStates(async (cli, root) => {
    await expect(cli("state", "ses_none")).rejects.toThrow(Refusal)
    await expect(cli("export", "ses_none")).rejects.toThrow(
      "found none. A session of a work has one",
    )
    await expect(cli("state", "../x")).rejects.toThrow(UsageError)
    await expect(cli("export")).rejects.toThrow(UsageError)
    await writeFile(join(root, ".boulder/sessions/ses_bad.json"), "{")
    await expect(cli("state", "ses_bad")).rejects.toThrow(
      "Expected .boulder/sessions/ses_bad.json to hold a task state; found it is no JSON.",
    )
  }))

test("where nothing was compacted yet, that is said", () =>
  withFolder(async (root) => {
    const said: string[] = []
    expect(await runCli(["state"], terminalIn(root, said, said))).toBe(0)
    expect(said).toEqual(["No session has a task state yet: the first compaction creates it.\n"])
  }))

type Cli = (...args: string[]) => Promise<{ out: string; err: string }>

async function withStates(run: (cli: Cli, root: string) => Promise<void>): Promise<void> {
  await withFolder(async (root) => {
    await mkdir(join(root, ".boulder/plans"), { recursive: true })
    await writeFile(join(root, ".boulder/plans/demo.md"), PLAN)
    const task = aTaskSession(aTask({ label: "2" }), { title_hash: hashTitle("Write b") })
    const work = aWork({ task_sessions: { [task.task_key]: task } })
    await openFileBoulderStore({ root }).update((boulder) => putWork(boulder, work))
    const files = openTaskStateFiles(openRecordFiles({ root }))
    await files.save(stored)
    const other = aTaskState({ goal: "Read <b> and ![x](http://y)" })
    await files.save({ ...stored, session_id: CHILD, updated_at: at(-600), task_state: other })
    await run(async (...args) => {
      const [out, err]: [string[], string[]] = [[], []]
      await runCli(args, terminalIn(root, out, err))
      return { out: out.join(""), err: err.join("") }
    }, root)
  })
}

function terminalIn(cwd: string, out: string[], err: string[]) {
  return aTerminal({
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    cwd,
  })
}
