import { describe, expect, test } from "bun:test"
import { spawnSync } from "node:child_process"
import { mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { openFileHandoffStore } from "../../src/store/handoffs/handoff-file-store.ts"
import { projectScope } from "../../src/store/handoffs/handoff-scope.ts"
import { openJournal } from "../../src/store/records/journal.ts"
import { openRecordFiles } from "../../src/store/records/record-files.ts"
import { openShardFiles } from "../../src/store/records/shard-files.ts"
import { openTaskStateFiles } from "../../src/store/records/task-state-files.ts"
import { openWorkArchive } from "../../src/store/records/work-archive.ts"
import { openFileBoulderStore } from "../../src/store/revisions/file-boulder-store.ts"
import { aHandoff } from "../support/handoff-builders.ts"
import { aWork, countUp } from "../support/store-boulders.ts"
import { withFolder } from "../support/store-folder.ts"
import { aStoredTaskState } from "../support/task-states.ts"

/** Everything that writes into `.boulder`, as the first to do so in its process. */
const WRITES: readonly { what: string; write: (root: string) => Promise<unknown> }[] = [
  { what: "the state", write: (root) => openFileBoulderStore({ root }).update(countUp("w")) },
  {
    what: "a handoff",
    write: (root) => {
      const scope = { project: projectScope(root), agent: null }
      return openFileHandoffStore({ root }).create(() => aHandoff({ scope }))
    },
  },
  {
    what: "a line of the journal",
    write: (root) => {
      const at = "2026-11-21T10:00:00.000Z"
      const entry = { at, session: null, work: null, decision: "rest", reason: "x", facts: {} }
      return openJournal({ root }).append(entry)
    },
  },
  {
    what: "a task state",
    write: (root) => openTaskStateFiles(openRecordFiles({ root })).save(aStoredTaskState()),
  },
  {
    what: "a checkpoint",
    write: (root) => openRecordFiles({ root }).createOnce("works/w/checkpoints/000001.json", "{}"),
  },
  {
    what: "a shard",
    write: (root) =>
      openShardFiles(openRecordFiles({ root })).show({ workId: "w", number: 1, text: "a" }),
  },
  {
    what: "a finished work",
    write: (root) =>
      openWorkArchive(openRecordFiles({ root })).keep({ works: [aWork("w")], parts: [] }),
  },
  {
    what: "settled tasks",
    write: (root) => openRecordFiles({ root }).append("works/w/settled.jsonl", ["{}"]),
  },
]

const ignoreFile = (root: string) => join(root, ".boulder", ".gitignore")

/** A project with a plan in `.boulder/plans`, as the README has it made and every clone has it. */
function withPlans<Result>(run: (root: string) => Promise<Result>): Promise<Result> {
  return withFolder(async (root) => {
    git(root, "init", "-q")
    await mkdir(join(root, ".boulder", "plans"), { recursive: true })
    await writeFile(join(root, ".boulder", "plans", "demo.md"), "- [ ] 1. One\n")
    return run(root)
  })
}

/** What `git add -A` would bring into the next commit, by its paths. */
function staged(root: string): readonly string[] {
  git(root, "add", "-A")
  return git(root, "ls-files").split("\n").filter(Boolean)
}

function git(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd, encoding: "utf8" })
  expect({ args, status, stderr }).toEqual({ args, status: 0, stderr })
  return stdout
}

const PLAN = ".boulder/plans/demo.md"
const IGNORE = ".boulder/.gitignore"

describe.each(WRITES)("where only plans are there, $what as the first write", ({ write }) => {
  test("leaves git add -A the plans alone", () =>
    withPlans(async (root) => {
      await write(root)
      expect(staged(root)).toEqual([PLAN])
    }))

  test.each([
    { has: "rules of the user's own", text: "plans/drafts/" },
    { has: "rules that take everything in", text: "# mine\n!*\n!/handoffs/\n!/boulder.json\n" },
    { has: "our rules, and lines behind them", text: "/*\n!/plans/\n!/sessions/\n!/works/\n" },
    { has: "nothing", text: "" },
  ])("keeps a .gitignore that has $has, behind which stand ours", ({ text }) =>
    withPlans(async (root) => {
      await writeFile(ignoreFile(root), text)
      await write(root)
      expect(staged(root).filter((path) => path !== IGNORE)).toEqual([PLAN])
      const after = await readFile(ignoreFile(root), "utf8")
      expect(after.startsWith(text)).toBe(true)
      await write(root)
      expect(await readFile(ignoreFile(root), "utf8")).toBe(after)
    }),
  )

  test.each([
    { what: "a link", put: (path: string) => symlink("plans/demo.md", path) },
    { what: "a folder", put: (path: string) => mkdir(path) },
    {
      what: "a named pipe",
      put: async (path: string) => void spawnSync("sh", ["-c", 'mkfifo "$0"', path]),
    },
  ])("is refused with $what in the place of the .gitignore", ({ what, put }) =>
    withPlans(async (root) => {
      await put(ignoreFile(root))
      await expect(write(root)).rejects.toMatchObject({
        code: "not-a-file",
        message: expect.stringContaining(`found ${what}. Move it away and try again.`),
      })
      if (what !== "a named pipe")
        expect(staged(root).filter((path) => path !== IGNORE)).toEqual([PLAN])
    }),
  )
})

test("a .gitignore that is no UTF-8 keeps its bytes, and one of many writers at once gets our rules once", () =>
  withPlans(async (root) => {
    const latin = Buffer.concat([Buffer.from("plans/"), Buffer.from([0xe9, 0x0a])])
    await writeFile(ignoreFile(root), latin)
    await openRecordFiles({ root }).replace("sessions/ses_a.json", "1")
    expect((await readFile(ignoreFile(root))).subarray(0, latin.length)).toEqual(latin)
    expect(staged(root).filter((path) => path !== IGNORE)).toEqual([PLAN])
    await writeFile(ignoreFile(root), "mine")
    const writers = Array.from({ length: 8 }, () => openRecordFiles({ root }))
    await Promise.all(writers.map((records, at) => records.replace(`sessions/${at}.json`, "1")))
    const text = await readFile(ignoreFile(root), "utf8")
    expect(text.match(/opencode-boulder/g)?.length).toBe(1)
    expect(text.startsWith("mine\n# opencode-boulder")).toBe(true)
  }))

test("a .gitignore that goes away is made again by the next write of the same process", () =>
  withPlans(async (root) => {
    const records = openRecordFiles({ root })
    await records.replace("sessions/ses_a.json", "1")
    await rm(ignoreFile(root))
    await records.replace("sessions/ses_a.json", "2")
    expect(staged(root)).toEqual([PLAN])
  }))

test("the .gitignore that we make hides itself, and one that is ours is not touched", () =>
  withFolder(async (root) => {
    const store = openFileBoulderStore({ root })
    await store.update(countUp("w"))
    const before = await stat(ignoreFile(root))
    await store.update(countUp("w"))
    await openFileBoulderStore({ root }).update(countUp("w"))
    expect((await stat(ignoreFile(root))).mtimeMs).toBe(before.mtimeMs)
    git(root, "init", "-q")
    expect(staged(root)).toEqual([])
  }))
